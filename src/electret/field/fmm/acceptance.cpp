#include <algorithm>
#include <cmath>

#include <electret/field/fmm/acceptance.hpp>

namespace electret::fmm {
namespace {

/// Pairs of points that a pair of cells by expansions of that order costs as much as.
double pairs_worth(int order) {
  // Measured on AVX-512: from p² (moving the numbers) to p³ (turning them).
  const double p = order, numbers = (p + 1.0) * (p + 1.0);
  return std::floor(2.4 * numbers) + std::floor(numbers * (p + 1.0) / 32.0);
}

}  // namespace

Acceptance::Acceptance(const Plan& plan) : highest_(plan.order) {
  constexpr int bins = AcceptanceTables::bins;
  const auto reach = [&](int p) { return std::min(0.95, std::pow(plan.tolerance / 0.025, 1.0 / p) / 0.61); };
  largest_ = reach(plan.order) * reach(plan.order);
  // A bin takes the order that its upper end asks for.
  for (int b = 0; b <= bins; ++b) {
    const double u = std::min(std::sqrt(static_cast<double>(b + 1) / bins), reach(plan.order));
    int p = 1;
    while (reach(p) < u) ++p;
    orders_[static_cast<std::size_t>(b)] = static_cast<unsigned char>(p);
  }
  for (int p = 1; p <= plan.order; ++p) worth_[static_cast<std::size_t>(p)] = pairs_worth(p);
}

}  // namespace electret::fmm
