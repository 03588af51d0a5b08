#pragma once
/// \file
/// The passes of `ddef` on a device: points, far sums, near sums with interpolation. The solver and tests
/// call them.

#include <optional>

#include <electret/field/ddef/charges.hpp>
#include <electret/field/gpu/close_pairs.hpp>
#include <electret/field/gpu/ddef/tables.hpp>

namespace electret::gpu {

/// How pairs are summed.
struct DdefArithmetic {
  bool compensated = false;  ///< All differences of coordinates, not only those of close pairs.
  bool gradients = false;    ///< Half-Taylor: of the far field, too.
};

/// Buffers and kernels of one solver. Lengths and charges are those of the discretisation and of
/// SortedCharges. Call `place`, then `set_charges`, then the sums.
class DdefSums {
 public:
  DdefSums(Device& device, const DdefArithmetic& arithmetic);

  /// Copies the points and their grid to the device. There is at least one source and one target.
  void place(const ddef::Discretisation& discretisation, Threads& threads);
  void set_charges(const ddef::SortedCharges& charges);
  /// Sums the far field at the vertices of the grid.
  void sum_far();
  /// Sums the near field and interpolates the far field (as the last `sum_far` left it; with `near_only` it
  /// counts as 0). Writes {field, potential} of the targets in the caller's order. `close` are pairs that are
  /// left out, because they are too close for float32. Returns the number of pairs at one place; if nothing,
  /// too many are too close.
  std::optional<Count> evaluate(bool near_only, std::span<Float4> out);
  /// Those pairs {target, source}, numbered as the discretisation sorts them.
  [[nodiscard]] std::span<const Int2> close() const { return close_.sorted(); }

  /// Computes derivative products for vectors z (sorted and scaled to at most 1) of the sources, which are
  /// the targets, after `evaluate` of the same charges with the far field: Σ q_k K'(z_i - z_k) and Σ q_k
  /// K·(z_i - z_k) with the discretisation's parts, in the caller's order. `close_products` are pairs that
  /// are left out. Returns false if too many are too close.
  bool products(const ddef::Mesh& mesh, const ddef::Arrays<double>& z, std::span<Float4> out);
  [[nodiscard]] std::span<const Int2> close_products() const { return products_->close.sorted(); }

  /// How many pairs a launch has at most, about. No bit depends on it.
  void set_pairs_a_launch(Count pairs) { pairs_a_launch_ = pairs; }

  /// Sums all pairs as very close ones are summed, from the next `place` on. For tests of those sums: only
  /// compensated arithmetic looks for them everywhere.
  void treat_all_as_close() { exact_below_ = everything; }

  /// The far field by vertex of the mesh, for tests.
  [[nodiscard]] std::vector<ddef::VertexSums> far_sums() const;

 private:
  /// A mesh on the device.
  struct DeviceMesh {
    DeviceMesh(Device& device, const ddef::Mesh& mesh);
    MeshTables tables;
    Array<Index> corners, mask_rows;
    Array<std::uint32_t> near_begin, near, masks;
    Array<Float4> geometry;
    /// Of derivative products; empty until they are wanted.
    bool has_products = false;
    Array<std::uint32_t> seen_begin, seen;
    Array<Index> around_begin, around;
    void add_products(const ddef::Mesh& mesh);
  };
  /// Kernels and buffers of derivative products.
  struct ProductSums {
    ProductSums(Device& device, const DdefArithmetic& arithmetic);
    std::unique_ptr<Kernel> vectors, spread, total_weights, far, near;
    Array<double> components;
    Array<Float4> high, low, weights, totals, far_sums, out;
    ClosePairs close;
  };

  void spread_vectors(const DeviceMesh& m, const ddef::Arrays<double>& z);
  void choose_mesh(const ddef::Mesh& mesh);
  void place_points(const ddef::Discretisation& discretisation);
  void set_frame(const ddef::Discretisation& discretisation, int units);
  [[nodiscard]] const MeshTables& tables() const { return meshes_.front()->tables; }
  [[nodiscard]] Index parts() const { return static_cast<Index>(far_tiles_.part_begin.size()) - 1; }
  [[nodiscard]] Index padded_vertices() const { return tables().blocks * ddef_block; }

  Device& device_;
  DdefArithmetic arithmetic_;
  Count pairs_a_launch_;
  /// Compensated differences are wrong by some 1e-14, which is too much below this ρ².
  float exact_below_ = 4e-14F;
  static constexpr float everything = 100.0F;  ///< More than any ρ².
  std::unique_ptr<Kernel> place_, charge_, far_kernel_, add_parts_, near_kernel_;
  std::vector<std::unique_ptr<DeviceMesh>> meshes_;  ///< The last few, the most recent first.

  Index sources_ = 0, targets_ = 0, points_ = 0;
  Index first_target_ = 0, first_vertex_ = 0;  ///< Among all points.
  FarTiles far_tiles_;
  NearGroups groups_;
  std::vector<Index> first_;
  ddef::Arrays<double> grid_;

  Array<double> coordinates_;
  Array<Float4> high_, low_;
  Array<std::int64_t> places_;
  Array<Index> tetrahedra_, first_source_, order_, part_begin_;
  Array<float> charges_, frame_;
  Array<Int4> tiles_, near_groups_;
  Array<Float4> part_sums_, far_, out_;
  Array<float> corner_fields_;
  Array<std::uint32_t> coincident_;
  ClosePairs close_;
  std::unique_ptr<ProductSums> products_;
};

}  // namespace electret::gpu
