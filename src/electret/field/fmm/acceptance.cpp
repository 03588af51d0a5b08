#include <algorithm>
#include <cmath>

#include <electret/field/fmm/acceptance.hpp>

namespace electret::fmm {

Acceptance::Acceptance(const Plan& plan) {
  const auto reach = [&](int p) { return std::min(0.95, std::pow(plan.tolerance / 0.025, 1.0 / p) / 0.61); };
  largest_ = reach(plan.order) * reach(plan.order);
  // A bin takes the order that its upper end asks for.
  for (int b = 0; b <= bins; ++b) {
    const double u = std::min(std::sqrt(static_cast<double>(b + 1) / bins), reach(plan.order));
    int p = 1;
    while (reach(p) < u) ++p;
    orders_[static_cast<std::size_t>(b)] = static_cast<unsigned char>(p);
  }
}

}  // namespace electret::fmm
