// The Galerkin kernels. One file per instruction set includes this. Before that it defines, in an unnamed
// namespace, the 3×3 block `Block` with load(p) and with add_scaled(p, w, block), which is p += w block.
// Everything stays inside the including file.

/// Rows of at most this many blocks are summed in a buffer in which no block crosses a cache line. A number
/// that is stored and at once read again then costs a quarter of the time.
constexpr std::int64_t aligned_blocks = 256;
constexpr std::int64_t aligned_stride = 16, packed_stride = 9;

inline void clear(float* values, std::int64_t count) {
  for (std::int64_t k = 0; k < count; ++k) values[k] = 0.0F;
}

/// Sums `count` blocks into `row` by calling add(sums, stride).
template <class Add>
inline void sum_row(float* row, std::int64_t count, Add add) {
  if (count > aligned_blocks) {
    clear(row, packed_stride * count);
    add(row, packed_stride);
    return;
  }
  alignas(64) float sums[aligned_stride * aligned_blocks];
  clear(sums, aligned_stride * count);
  add(sums, aligned_stride);
  for (std::int64_t block = 0; block < count; ++block)
    for (std::int64_t k = 0; k < 9; ++k) row[packed_stride * block + k] = sums[aligned_stride * block + k];
}

void half(const BlockRows& a, const WeightRows& p, const Places& b, std::int64_t begin, std::int64_t end) {
  for (std::int64_t i = begin; i < end; ++i) {
    float* row = b.values + 9 * b.row_offsets[i];
    sum_row(row, b.row_offsets[i + 1] - b.row_offsets[i], [&](float* sums, std::int64_t stride) {
      const std::uint16_t* place = b.places + b.offsets[i];
      for (std::int64_t k = a.offsets[i]; k < a.offsets[i + 1]; ++k) {
        const Block block = load(a.values + 9 * k);
        const std::int64_t j = a.columns[k];
        for (std::int64_t q = p.offsets[j]; q < p.offsets[j + 1]; ++q, ++place)
          add_scaled(sums + stride * *place, p.weights[q], block);
      }
    });
  }
}

void coarse(const WeightRows& columns, const HalfRows& b, const UpperRows& c, std::int64_t begin,
            std::int64_t end) {
  for (std::int64_t node = begin; node < end; ++node) {
    const std::int64_t first = c.diagonal[node], count = c.row_offsets[node + 1] - first;
    sum_row(c.values + 9 * first, count, [&](float* sums, std::int64_t stride) {
      const std::uint16_t* place = c.places + c.offsets[node];
      for (std::int64_t q = columns.offsets[node]; q < columns.offsets[node + 1]; ++q) {
        const std::int64_t i = columns.indices[q];
        const float weight = columns.weights[q];
        for (std::int64_t k = b.offsets[i] + b.skips[q]; k < b.offsets[i + 1]; ++k, ++place)
          add_scaled(sums + stride * *place, weight, load(b.values + 9 * k));
      }
    });
  }
}
