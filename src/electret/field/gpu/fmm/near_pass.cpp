#include <algorithm>
#include <cmath>

#include <electret/field/gpu/fmm/near_pass.hpp>

namespace electret::gpu {
namespace {

/// The arithmetics of near.cl.
enum Arithmetic { plain, compensated, exact };

constexpr const char* names[] = {"plain", "compensated", "exact"};

/// From this ρ² on, sums of charges up to 1 times ρ⁻³ stay well within float32's range.
constexpr float least_plain = 9e-24F;
/// The ρ² below which differences of two float32 may change K by more than 1e-6: coordinates are rounded by
/// 2⁻⁵⁰, which changes K by at most 4√3 2⁻⁵⁰/ρ.
constexpr float least_compensated = 3.6e-17F;
/// The same for K', which changes by twice as much.
constexpr float least_of_products = 1.5e-16F;
/// The same for differences of integers, which are wrong by one unit of 2⁻⁶¹ at most: ρ is above 2⁻⁴¹.
constexpr float least_exact = 0x1p-82F;
/// Products of vectors within 1, whose sums of charges up to 1 times 7ρ⁻³ stay within float32's range.
constexpr float least_exact_of_products = 0x1p-76F;
/// The least softening that is not 0: its square is float32's least normal number, far below the least ρ².
constexpr double least_softening = 0x1p-63;

/// Sources at a distance are many, and their rounding errors are independent. If the gap is at least an
/// eighth of the reach, the sum of these errors stays below 1e-7.
constexpr double apart_plain = 0.125;

constexpr std::size_t first_capacity = std::size_t{1} << 12;

Count leaves_at_once(const DeviceTree& sources, const DeviceTree& targets, const DeviceLists& lists,
                     double pairs_at_once) {
  const auto mean = [](const DeviceTree& tree) {
    return static_cast<double>(tree.points.count) / static_cast<double>(tree.cells.leaf_count);
  };
  const double lists_of_leaf =
      static_cast<double>(lists.near.size()) / static_cast<double>(targets.cells.leaf_count);
  return std::max<Count>(
      1, static_cast<Count>(pairs_at_once / (mean(sources) * mean(targets) * std::max(1.0, lists_of_leaf))));
}

}  // namespace

NearPass::NearPass(Device& device) : device_(device), flags_(device), close_(device, first_capacity) {
  for (const int arithmetic : {plain, compensated, exact}) kernel(arithmetic, false);
}

Kernel& NearPass::kernel(int arithmetic, bool products) {
  Variant& made = variants_[static_cast<std::size_t>(products ? arithmetic + 3 : arithmetic)];
  if (!made.kernel) {
    made.program = device_.program(
        {{"near.cl"}, {{"ARITHMETIC", std::to_string(arithmetic)}, {"PRODUCTS", products ? "1" : "0"}}});
    made.kernel =
        made.program->kernel(std::string(products ? "near_products_" : "near_") + names[arithmetic]);
  }
  return *made.kernel;
}

template <class... ProductArguments>
void NearPass::sum_all(const DeviceTree& sources, const DeviceTree& targets, const DeviceLists& lists,
                       const NearSettings& settings, const Array<Float4>& near, const Array<Float4>& counters,
                       std::size_t at, const ProductArguments&... products) {
  constexpr bool with_products = sizeof...(products) > 0;
  const DeviceCells& cells = targets.cells;
  flags_.resize(cells.leaf_count);
  close_.resize(std::max(close_.size(), first_capacity));  // it is empty where its growth has failed
  const bool with_plain = !with_products && std::isfinite(settings.closest_plain);
  const auto squared = [](double value) { return static_cast<float>(value * value); };
  const double softening = settings.softening > 0.0 ? std::max(settings.softening, least_softening) : 0.0;
  const auto leaves = static_cast<Count>(cells.leaf_count);
  const Count at_once = leaves_at_once(sources, targets, lists, settings.pairs_at_once);
  const auto run = [&](int arithmetic, bool all, float relative, float least, const auto&... exact_only) {
    for (Count first = 0; first < leaves; first += at_once)
      device_.launch(kernel(arithmetic, with_products), std::min(at_once, leaves - first),
                     static_cast<std::int32_t>(first), static_cast<std::int32_t>(all),
                     static_cast<std::int32_t>(settings.own), squared(softening), relative, least,
                     cells.leaves, cells.points, cells.centre, cells.centre_low, targets.points.high,
                     targets.points.low, lists.near_begin, lists.near, sources.cells.points,
                     sources.cells.centre, sources.cells.centre_low, sources.points.high, sources.points.low,
                     exact_only..., products..., flags_, near);
  };
  if (with_plain) run(plain, true, squared(settings.closest_plain), least_plain);
  run(compensated, !with_plain, static_cast<float>(std::min(apart_plain, settings.closest_plain)),
      with_products ? least_of_products : least_compensated);
  run(exact, false, 0.0F, with_products ? least_exact_of_products : least_exact, targets.points.order,
      targets.points.fixed, targets.points.rows, sources.points.order, sources.points.fixed,
      sources.points.rows, counters, static_cast<std::int32_t>(4 * at), close_,
      static_cast<std::uint32_t>(close_.size()));
}

void NearPass::sum(const DeviceTree& sources, const DeviceTree& targets, const DeviceLists& lists,
                   const NearSettings& settings, const Array<Float4>& near, const Array<Float4>& counters,
                   std::size_t at) {
  sum_all(sources, targets, lists, settings, near, counters, at);
}

void NearPass::sum(const DeviceTree& sources, const DeviceTree& targets, const DeviceLists& lists,
                   const NearSettings& settings, const NearProducts& products, const Array<Float4>& near,
                   const Array<Float4>& counters, std::size_t at) {
  sum_all(sources, targets, lists, settings, near, counters, at, products.target_vectors,
          products.source_vectors, products.products);
}

bool NearPass::read_close(std::size_t count) {
  if (count > close_.size()) {
    close_.resize(count);
    return false;
  }
  read_.resize(count);
  close_.download(read_);
  std::sort(read_.begin(), read_.end(),
            [](const Int2& a, const Int2& b) { return a.x != b.x ? a.x < b.x : a.y < b.y; });
  return true;
}

}  // namespace electret::gpu
