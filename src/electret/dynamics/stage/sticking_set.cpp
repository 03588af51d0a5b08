#include <algorithm>

#include <electret/dynamics/stage/sticking_set.hpp>

namespace electret {

void StickingSet::begin(std::span<const char> last) {
  std::copy(last.begin(), last.end(), now_.begin());
  tries_ = 0;
}

bool StickingSet::propose(std::span<const char> wanted) {
  if (std::equal(wanted.begin(), wanted.end(), now_.begin())) return false;
  if (tried_.size() == tries_) tried_.emplace_back();
  tried_[tries_++].assign(now_.begin(), now_.end());
  const auto is_wanted = [&](const std::vector<char>& set) {
    return std::equal(wanted.begin(), wanted.end(), set.begin());
  };
  const auto end = tried_.begin() + static_cast<std::ptrdiff_t>(tries_);
  if (std::none_of(tried_.begin(), end, is_wanted)) {
    std::copy(wanted.begin(), wanted.end(), now_.begin());
    return true;
  }
  std::size_t only_now = 0, only_wanted = 0;
  for (std::size_t k = 0; k < now_.size(); ++k) {
    only_now += now_[k] > wanted[k] ? 1 : 0;
    only_wanted += wanted[k] > now_[k] ? 1 : 0;
  }
  if (only_now <= 1 && only_wanted <= 1) return false;
  std::size_t of_now = only_now / 2, of_wanted = only_wanted / 2;
  for (std::size_t k = 0; k < now_.size(); ++k) {
    if (now_[k] == wanted[k]) continue;
    std::size_t& left = now_[k] > wanted[k] ? of_now : of_wanted;
    now_[k] = left > 0 ? 1 : 0;
    if (left > 0) --left;
  }
  return true;
}

}  // namespace electret
