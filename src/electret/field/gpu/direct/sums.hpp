#pragma once
/// \file
/// The kernels of direct sums: one pass over all pairs of targets and sources.

#include <optional>

#include <electret/field/gpu/close_pairs.hpp>
#include <electret/field/gpu/rows.hpp>

namespace electret::gpu {

/// The sums at all targets in scaled units.
template <class T>
struct DirectResult {
  std::vector<Row4<T>> field;    ///< {field, potential}
  std::vector<Row4<T>> product;  ///< {Σ q K'(z - u), Σ q K·(z - u)}; empty without vectors.
};

/// Points of one side, padded.
template <class T>
struct DirectSide {
  const Rows<T>* points = nullptr;
  const Rows<T>* vectors = nullptr;  ///< z of targets, u of sources. Null: no products.
  std::size_t count = 0;
};

/// What is summed.
template <class T>
struct DirectTask {
  DirectSide<T> targets, sources;
  const Scalars<T>* charges = nullptr;  ///< The sources'.
  bool own = false;                     ///< The targets are the sources: pairs (i, i) are left out.
  double softening = 0.0;               ///< In scaled units.
};

/// Sums on the device, which all variants of the kernel share: by part and target, and by target.
template <class T>
struct DirectBuffers {
  explicit DirectBuffers(Device& device)
      : partial(device),
        partial_errors(device),
        partial_products(device),
        partial_product_errors(device),
        field(device),
        product(device) {}
  Array<Row4<T>> partial, partial_errors, partial_products, partial_product_errors, field, product;
};

/// One variant of the kernel. Float64 has no compensated one.
template <class T>
class DirectSums {
 public:
  /// `buffers` must outlive the object.
  DirectSums(Device& device, DirectBuffers<T>& buffers, bool compensated, bool products);
  /// Limits the pairs of one launch, for tests.
  void limit_launches(std::size_t pairs) { pairs_a_launch_ = pairs; }

  /// Sums all pairs with ρ² ≥ `closest`, and leaves the closer ones in `close`. False, without results, if
  /// those are too many. The result's arrays are padded.
  bool sum(const DirectTask<T>& task, T closest, ClosePairs& close, DirectResult<T>& result);

 private:
  void run(const DirectTask<T>& task, T closest, std::size_t allowed, const ClosePairs& close);

  Device& device_;
  DirectBuffers<T>& buffers_;
  bool compensated_, products_;
  std::size_t pairs_a_launch_;
  std::shared_ptr<const Program> program_;
  std::unique_ptr<Kernel> sum_, add_parts_;
};

extern template class DirectSums<float>;
extern template class DirectSums<double>;

}  // namespace electret::gpu
