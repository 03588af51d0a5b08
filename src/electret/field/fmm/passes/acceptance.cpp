#include <algorithm>
#include <cmath>

#include <electret/field/fmm/passes/acceptance.hpp>

namespace electret::fmm {
namespace {

/// The number of pairs of points whose P2P costs as much as one M2L of this order.
double pairs_worth(int order) {
  // Measured on AVX-512. Moving the coefficients costs p² and dominates at low order; the rotations cost p³.
  const double p = order, numbers = (p + 1.0) * (p + 1.0);
  return std::floor(2.4 * numbers) + std::floor(numbers * (p + 1.0) / 32.0);
}

/// The same for Taylor series, from p³ to p⁶.
double pairs_worth_taylor(int order) {
  double products = 1.0;
  for (int k = 1; k <= 6; ++k) products = products * (order + k) / k;
  return std::floor(3.0 * powers(order)) + std::floor(products / 12.0);
}

/// The largest (r_A + r_B)/R that an order accepts.
double reach(int order, double tolerance) {
  return std::min(farthest_reach, std::pow(tolerance / 0.025, 1.0 / order) / 0.61);
}
/// The smallest order that accepts `u`, or `highest` + 1.
int order_for(double u, int highest, double tolerance) {
  int p = 1;
  while (p <= highest && reach(p, tolerance) < u) ++p;
  return p;
}

}  // namespace

int highest_taylor_order(const Plan& plan) {
  return std::min(plan.order + 3, max_taylor_order);
}

Acceptance::Acceptance(const Plan& plan)
    : highest_(plan.order), highest_taylor_(fmm::highest_taylor_order(plan)) {
  constexpr int bins = AcceptanceTables::bins;
  const double softened_tolerance = plan.tolerance / 64.0;
  largest_ = reach(highest_, plan.tolerance) * reach(highest_, plan.tolerance);
  for (int b = 0; b <= bins; ++b) {
    // A bin takes the order of its upper end, up to the highest order.
    const double u = std::sqrt(static_cast<double>(b + 1) / bins);
    verdicts_[static_cast<std::size_t>(b)] =
        static_cast<unsigned char>(std::min(order_for(u, highest_, plan.tolerance), highest_));
    // Within ε the force grows from 0 with the distance. The truncation error relative to it grows by ρ/R.
    const int p = order_for(u, highest_taylor_, softened_tolerance) + 1;
    if (p <= highest_taylor_)
      verdicts_[std::size_t{bins} + 2 + static_cast<std::size_t>(b)] =
          static_cast<unsigned char>(taylor_verdict(p));
  }
  for (int p = 1; p <= highest_; ++p) worth_[static_cast<std::size_t>(p)] = pairs_worth(p);
  for (int p = 1; p <= highest_taylor_; ++p) worth_[taylor_verdict(p)] = pairs_worth_taylor(p);
}

}  // namespace electret::fmm
