// The Galerkin kernels' body, included by one file an instruction set after it has defined, in an unnamed
// namespace, the 3×3 block `Block` with load(p) and add_scaled(p, w, block): p += w block. Everything stays
// inside the including file.

inline void clear(float* blocks, std::int64_t count) {
  for (std::int64_t k = 0; k < 9 * count; ++k) blocks[k] = 0.0F;
}

void half(const BlockRows& a, const WeightRows& p, const Places& b, std::int64_t begin, std::int64_t end) {
  for (std::int64_t i = begin; i < end; ++i) {
    float* row = b.values + 9 * b.row_offsets[i];
    clear(row, b.row_offsets[i + 1] - b.row_offsets[i]);
    const std::uint16_t* place = b.places + b.offsets[i];
    for (std::int64_t k = a.offsets[i]; k < a.offsets[i + 1]; ++k) {
      const Block block = load(a.values + 9 * k);
      const std::int64_t j = a.columns[k];
      for (std::int64_t q = p.offsets[j]; q < p.offsets[j + 1]; ++q, ++place)
        add_scaled(row + 9 * *place, p.weights[q], block);
    }
  }
}

void coarse(const WeightRows& columns, const std::int64_t* half_offsets, const float* half_values,
            const Places& c, std::int64_t begin, std::int64_t end) {
  for (std::int64_t node = begin; node < end; ++node) {
    float* row = c.values + 9 * c.row_offsets[node];
    clear(row, c.row_offsets[node + 1] - c.row_offsets[node]);
    const std::uint16_t* place = c.places + c.offsets[node];
    for (std::int64_t q = columns.offsets[node]; q < columns.offsets[node + 1]; ++q) {
      const std::int64_t i = columns.indices[q];
      for (std::int64_t k = half_offsets[i]; k < half_offsets[i + 1]; ++k, ++place)
        add_scaled(row + 9 * *place, columns.weights[q], load(half_values + 9 * k));
    }
  }
}
