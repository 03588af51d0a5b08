#include <bit>
#include <map>
#include <optional>
#include <utility>

#include <electret/core/errors.hpp>
#include <electret/record/detail/charge_series.hpp>

namespace electret {

void ChargeSeries::add(ScalarView charges) {
  if (frames_ == 0) {
    of_vertices_.assign(charges.size(), 0);
    if (!charges.empty()) series_.emplace_back();
  }
  require(charges.size() == of_vertices_.size(), "a frame's charges are not those of the body");
  // If the vertices of a series part, the series goes on with the first of them. The others get copies of it
  // so far.
  std::vector<std::optional<double>> next(series_.size());
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::uint32_t> parted;
  for (std::size_t i = 0; i < charges.size(); ++i) {
    const std::uint32_t before = of_vertices_[i];
    const double charge = charges[i];
    const auto bits = std::bit_cast<std::uint64_t>(charge);
    if (!next[before]) next[before] = charge;
    if (std::bit_cast<std::uint64_t>(*next[before]) == bits) continue;
    const auto [found, is_new] =
        parted.try_emplace({before, bits}, static_cast<std::uint32_t>(series_.size()));
    if (is_new) {
      series_.push_back(Series(series_[before]));
      next.emplace_back(charge);
    }
    of_vertices_[i] = found->second;
  }
  for (std::size_t s = 0; s < series_.size(); ++s) append(series_[s], *next[s]);
  ++frames_;
}

void ChargeSeries::append(Series& series, double value) const {
  if (frames_ > 0 && !series.changes) {
    if (std::bit_cast<std::uint64_t>(series.values.front()) == std::bit_cast<std::uint64_t>(value)) return;
    series.values.resize(frames_, double{series.values.front()});
    series.changes = true;
  }
  series.values.push_back(value);
}

}  // namespace electret
