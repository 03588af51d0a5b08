#pragma once
/// \file
/// Charges in cells of every kind, on a device and as the host sees them.

#include <cmath>

#include <field/gpu/device_for_tests.hpp>
#include <support/point_clouds.hpp>

#include <electret/field/gpu/fmm/host_tree.hpp>

namespace electret::test {

using gpu::DeviceTree, gpu::Float4, gpu::Int2, gpu::Int4;

/// Cells as the device has them, in float64.
struct HostCells {
  std::vector<Int2> points;
  std::vector<Int4> family;
  std::vector<Vec3> centre;
  std::vector<double> scale;
  std::vector<std::int32_t> leaves;

  explicit HostCells(const gpu::DeviceCells& cells)
      : points(cells.points.downloaded()),
        family(cells.family.downloaded()),
        leaves(cells.leaves.downloaded()) {
    // The device's arrays may be longer than what they hold.
    points.resize(cells.count), family.resize(cells.count), leaves.resize(cells.leaf_count);
    const auto high = cells.centre.downloaded(), low = cells.centre_low.downloaded();
    for (std::size_t c = 0; c < cells.count; ++c) {
      centre.push_back(Vec3{high[c].x, high[c].y, high[c].z} + Vec3{low[c].x, low[c].y, low[c].z});
      scale.push_back(high[c].w);
    }
  }
};

struct HostPoints {
  VectorArray at;
  std::vector<double> charge;
  std::vector<std::int32_t> order;

  explicit HostPoints(const gpu::DevicePoints& points) : order(points.order.downloaded()) {
    const auto high = points.high.downloaded(), low = points.low.downloaded();
    for (std::size_t i = 0; i < points.count; ++i) {
      at.push_back(Vec3{high[i].x, high[i].y, high[i].z} + Vec3{low[i].x, low[i].y, low[i].z});
      charge.push_back(high[i].w);
    }
  }
};

/// Charges in clusters, some at one place, in cells of every kind.
struct Scene {
  std::unique_ptr<gpu::Device> device = test_device();
  mutable Threads threads{1};
  std::unique_ptr<gpu::Interactions> interactions;
  std::vector<float> charges;

  Scene(int order, double tolerance, int n, Index leaf_size = 6) {
    Cloud cloud = make_cloud("cube", n, true);
    for (std::size_t i = 0; i < cloud.positions.size(); i += 3)
      cloud.positions[i] = Vec3{0.2, 0.1, -0.3} + 1e-3 * cloud.positions[i];
    for (std::size_t i = 5; i < 200 && i < cloud.positions.size(); i += 2)
      cloud.positions[i] = cloud.positions[5];
    interactions =
        gpu::make_host_interactions(*device, {{tolerance, order, leaf_size, false}, 0.0, 0.0}, threads);
    interactions->place(cloud.positions);
    auto& points = interactions->sources().points;
    auto rows = points.high.downloaded();
    for (std::size_t i = 0; i < rows.size(); ++i)
      rows[i].w = static_cast<float>(std::sin(1.0 + static_cast<double>(i)));
    points.high.upload(rows);
  }
  [[nodiscard]] DeviceTree& tree() const { return interactions->sources(); }
};

/// Holds the near sums of all leaves against sums in float64.
void expect_near_sums(const Scene& scene, double closest_plain, double tolerance, double softening);

}  // namespace electret::test
