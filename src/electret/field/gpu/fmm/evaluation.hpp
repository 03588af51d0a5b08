#pragma once
/// \file
/// The sums of the multipole method for one plan: what a solver keeps on the device.

#include <electret/field/gpu/fmm/far_passes.hpp>
#include <electret/field/gpu/fmm/near_pass.hpp>
#include <electret/field/gpu/fmm/taylor_passes.hpp>
#include <electret/field/options.hpp>

namespace electret::gpu {

/// Positions, lists, and the passes over them.
class Evaluation {
 public:
  Evaluation(const FieldOptions& options, const fmm::Plan& plan, Device& device, Threads& threads);

  /// The points must stay until the next `place`.
  void place(VectorView sources);
  void place(VectorView sources, VectorView targets);

  /// Overwrites `field`, and `potential` unless it is empty. Returns false, with nothing written, if more
  /// pairs are too close for the device than the host should sum, or if a leaf is longer than longest_leaf.
  bool field(ScalarView charges, VectorSpan field, ScalarSpan potential);
  /// What derivative products are asked for. Empty: not asked for.
  struct Products {
    VectorSpan field;
    ScalarSpan potential;
    VectorSpan product;
    ScalarSpan charge_gradient;
  };
  /// Sums at the sources, with the charges' own vectors z (FieldSolver::field_and_products). Returns false as
  /// `field` does.
  bool products(ScalarView charges, VectorView z, const Products& out);
  [[nodiscard]] Count coincident_pairs() const { return coincident_; }

 private:
  void make_room();
  void upload_charges(ScalarView charges, double scale);
  [[nodiscard]] bool too_many_close() const { return counters_.close > most_close; }
  /// Whether the present lists have pairs for Taylor series.
  [[nodiscard]] bool has_taylor_pairs() const;
  [[nodiscard]] double softening() const { return interactions_->frame().scale * options_.softening; }
  [[nodiscard]] double closest_plain() const;
  [[nodiscard]] NearSettings near_settings() const;
  void sum_on_device(ScalarView charges, double charge_scale);
  void upload_vectors(ScalarView charges, double charge_scale, VectorView z, const direct::Frame& vectors);
  void sum_products_on_device();
  bool read_sums();
  void put_products(ScalarView charges, double charge_scale, double vector_scale, const Products& out) const;
  void add_close_products(ScalarView charges, VectorView z, const Products& out) const;
  void add_close_pairs(ScalarView charges, VectorSpan field, ScalarSpan potential) const;

  /// The most pairs that are left to the host.
  static constexpr std::uint32_t most_close = std::uint32_t{1} << 24;

  FieldOptions options_;
  Device& device_;
  Threads& threads_;
  std::unique_ptr<Interactions> interactions_;
  int orders_;
  FarPasses far_;
  std::unique_ptr<TaylorPasses> taylor_;  ///< Compiled when it is first needed.
  NearPass near_pass_;
  std::shared_ptr<const Program> program_;
  std::unique_ptr<Kernel> put_charges_, put_vectors_;
  bool own_ = true;
  VectorView sources_, targets_;  ///< The caller's: it keeps them until the next `place`.
  Array<float> charges_;
  Array<Float4> near_;
  Array<Float4> sums_;  ///< In the caller's order; NearCounters come last.
  /// Of products: the caller's rows {z, charge}, and z, near sums and sums as those of fields.
  Array<Float4> given_, vectors_, near_products_, products_;
  std::vector<Float4> rounded_rows_, received_products_;
  std::vector<float> rounded_;
  std::vector<Float4> received_;
  NearCounters counters_;
  Count coincident_ = 0;
};

}  // namespace electret::gpu
