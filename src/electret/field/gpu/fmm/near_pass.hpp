#pragma once
/// \file
/// The near pairs of the multipole method: P2P, leaf by leaf.

#include <electret/field/gpu/fmm/interactions.hpp>

namespace electret::gpu {

/// What near pairs need besides trees and lists. Lengths in the frame's unit.
struct NearSettings {
  bool own = true;  ///< The targets are the sources.
  double softening = 0.0;
  /// Plain differences of coordinates relative to a leaf serve if no pair is closer than this times the
  /// distance of the farthest source. Infinity: never.
  double closest_plain = 0.0;
  /// A launch has about so many pairs at most, so that it ends soon: displays and interrupts wait for it.
  double pairs_at_once = 2e9;
};

/// What the device reports beside the sums. It lies behind them in one buffer.
struct NearCounters {
  std::uint32_t coincident_low = 0,
                coincident_high = 0;  ///< Ordered pairs at distance 0, which are left out.
  std::uint32_t close = 0;            ///< Pairs that are too close for the device, and are left to the host.
  std::uint32_t spare = 0;
};

/// The vectors and results of derivative products. Rows are in tree order.
struct NearProducts {
  const Array<Float4>& target_vectors;
  const Array<Float4>& source_vectors;
  const Array<Float4>& products;  ///< Written: {Σ q K'(z - u), Σ q K·(z - u)}
};

class NearPass {
 public:
  explicit NearPass(Device& device);

  /// Writes {field, potential} of every target in tree order. Each leaf is summed by the cheapest arithmetic
  /// that its closest pair allows. Adds to the NearCounters in `counters`, which are element `at`.
  void sum(const DeviceTree& sources, const DeviceTree& targets, const DeviceLists& lists,
           const NearSettings& settings, const Array<Float4>& near, const Array<Float4>& counters,
           std::size_t at);
  /// The same with products.
  void sum(const DeviceTree& sources, const DeviceTree& targets, const DeviceLists& lists,
           const NearSettings& settings, const NearProducts& products, const Array<Float4>& near,
           const Array<Float4>& counters, std::size_t at);

  /// Reads the `count` pairs {target, source} that the last sum left to the host, in the caller's numbers and
  /// in order. Returns false if there was no room for all of them; there is now, so sum again.
  bool read_close(std::size_t count);
  [[nodiscard]] std::span<const Int2> close() const { return read_; }
  void forget_close() { read_.clear(); }

 private:
  struct Variant {
    std::shared_ptr<const Program> program;
    std::unique_ptr<Kernel> kernel;
  };
  /// Programs are compiled when they are first needed.
  Kernel& kernel(int arithmetic, bool products);
  template <class... ProductArguments>
  void sum_all(const DeviceTree& sources, const DeviceTree& targets, const DeviceLists& lists,
               const NearSettings& settings, const Array<Float4>& near, const Array<Float4>& counters,
               std::size_t at, const ProductArguments&... products);

  Device& device_;
  std::array<Variant, 6> variants_;
  Array<std::int32_t> flags_;
  Array<Int2> close_;
  std::vector<Int2> read_;
};

}  // namespace electret::gpu
