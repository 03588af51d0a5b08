#include <cmath>
#include <numbers>
#include <stdexcept>
#include <string_view>

#ifdef ELECTRET_HAS_BOOST_RANDOM
#include <boost/random/sobol.hpp>
#endif

#include <electret/sweep/points.hpp>

namespace electret {
namespace {

/// The output function of the generator SplitMix64: every bit of the input changes every bit of the result.
std::uint64_t scrambled(std::uint64_t bits) {
  bits += 0x9e3779b97f4a7c15u;
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
  return bits ^ (bits >> 31);
}

/// FNV-1a.
std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash;
}

/// One number per key.
std::vector<std::uint64_t> key_numbers(const std::vector<std::string>& keys, Count seed) {
  std::vector<std::uint64_t> numbers;
  for (const std::string& key : keys)
    numbers.push_back(scrambled(scrambled(static_cast<std::uint64_t>(seed)) ^ hash_of(key)));
  return numbers;
}

/// The middle of one of 2^52 equal parts, so that neither 0 nor 1 comes out.
double unit_number(std::uint64_t bits) {
  return (static_cast<double>(bits >> 12) + 0.5) * 0x1p-52;
}

class RandomPoints final : public UnitPoints {
 public:
  RandomPoints(const std::vector<std::string>& keys, Count seed) : keys_(key_numbers(keys, seed)) {}
  std::vector<double> next() override {
    std::vector<double> point;
    for (const std::uint64_t key : keys_) point.push_back(unit_number(scrambled(key ^ scrambled(number_))));
    ++number_;
    return point;
  }

 private:
  std::vector<std::uint64_t> keys_;
  std::uint64_t number_ = 0;
};

#ifdef ELECTRET_HAS_BOOST_RANDOM
class SobolPoints final : public UnitPoints {
 public:
  SobolPoints(const std::vector<std::string>& keys, Count seed)
      : shifts_(key_numbers(keys, seed)), engine_(keys.size()) {}
  std::vector<double> next() override {
    std::vector<double> point;
    // Boost leaves out the first point, the origin, without which the parts are not even.
    for (const std::uint64_t shift : shifts_)
      point.push_back(unit_number((is_first_ ? 0 : engine_()) ^ shift));
    is_first_ = false;
    return point;
  }

 private:
  std::vector<std::uint64_t> shifts_;
  boost::random::sobol engine_;
  bool is_first_ = true;
};
#endif

}  // namespace

std::unique_ptr<UnitPoints> random_points(const std::vector<std::string>& keys, Count seed) {
  return std::make_unique<RandomPoints>(keys, seed);
}

#ifdef ELECTRET_HAS_BOOST_RANDOM
bool has_sobol_points() {
  return true;
}
std::unique_ptr<UnitPoints> sobol_points(const std::vector<std::string>& keys, Count seed) {
  return std::make_unique<SobolPoints>(keys, seed);
}
#else
bool has_sobol_points() {
  return false;
}
std::unique_ptr<UnitPoints> sobol_points(const std::vector<std::string>&, Count) {
  throw std::invalid_argument("this build has no Sobol' points");
}
#endif

double normal_quantile(double part) {
  if (part > 0.5) return -normal_quantile(1.0 - part);
  // Newton's method on the logarithm of the distribution, which is concave: from below it never passes the
  // root. The start lies below, because the distribution at -t is at most exp(-t²/2)/2.
  const double wanted = std::log(part);
  double x = -std::sqrt(-2.0 * wanted);
  for (int iteration = 0; iteration < 100; ++iteration) {
    const double below = 0.5 * std::erfc(-x / std::numbers::sqrt2);
    const double density = std::exp(-0.5 * x * x) / std::sqrt(2.0 * std::numbers::pi);
    const double change = (wanted - std::log(below)) * below / density;
    x += change;
    if (!(std::abs(change) > 1e-15 * std::abs(x) + 1e-300)) break;
  }
  return part == 0.5 ? 0.0 : x;
}

}  // namespace electret
