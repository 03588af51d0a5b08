// The lattice kernels. One file per instruction set includes this in an unnamed namespace, after it has
// defined `Floats`, a vector of `lanes` floats. Everything stays inside the including file.

constexpr std::int64_t tile = 256, together = 2 * lanes;

inline Floats load(const float* p) {
  Floats a;
  __builtin_memcpy(&a, p, sizeof a);
  return a;
}
inline void store(float* p, Floats a) {
  __builtin_memcpy(p, &a, sizeof a);
}

/// (A x)_i of up to `tile` rows.
struct Sums {
  alignas(64) float at[3][tile + together];
};

/// sums_r += Σ_c block(r, c) x_c. A block's rows are `row` floats apart, its columns `column`.
inline void add_blocks(const float* blocks, std::int64_t row, std::int64_t column, const float* x,
                       std::int64_t stride, std::int64_t count, Sums& sums) {
  const float *first = blocks, *second = blocks + row, *third = blocks + 2 * row;
  const float *x1 = x + stride, *x2 = x + 2 * stride;
  for (std::int64_t i = 0; i < count; i += together)
    for (std::int64_t l = i; l < i + together; l += lanes) {
      const Floats a = load(x + l), b = load(x1 + l), c = load(x2 + l);
      store(sums.at[0] + l, load(sums.at[0] + l) + load(first + l) * a + load(first + column + l) * b +
                                load(first + 2 * column + l) * c);
      store(sums.at[1] + l, load(sums.at[1] + l) + load(second + l) * a + load(second + column + l) * b +
                                load(second + 2 * column + l) * c);
      store(sums.at[2] + l, load(sums.at[2] + l) + load(third + l) * a + load(third + column + l) * b +
                                load(third + 2 * column + l) * c);
    }
}

/// Goes through the pairs of opposite neighbours one after the other, so that it reads only a few streams of
/// memory at a time.
inline void multiply_tile(const LatticeRows& a, std::int64_t begin, std::int64_t end, LatticeInput x,
                          Sums& sums) {
  const std::int64_t count = end - begin;
  for (auto& sum : sums.at)
    for (std::int64_t i = 0; i < count + together; ++i) sum[i] = 0.0F;
  add_blocks(a.values + begin, 3 * a.stride, a.stride, x.values + begin, x.stride, count, sums);
  for (int k = 1; k < 14; ++k) {
    const float* blocks = a.values + 9 * k * a.stride + begin;
    const std::int64_t offset = a.offsets[k];
    add_blocks(blocks, 3 * a.stride, a.stride, x.values + begin + offset, x.stride, count, sums);
    add_blocks(blocks - offset, a.stride, 3 * a.stride, x.values + begin - offset, x.stride, count, sums);
  }
}

/// Calls finish(first row, end, sums) for the rows, tile by tile.
template <class Finish>
inline void for_tiles(const LatticeRows& a, std::int64_t begin, std::int64_t end, LatticeInput x,
                      Finish&& finish) {
  Sums sums;
  for (std::int64_t first = begin; first < end; first += tile) {
    const std::int64_t last = first + tile < end ? first + tile : end;
    multiply_tile(a, first, last, x, sums);
    finish(first, last, sums);
  }
}

/// Three numbers of one row.
struct Row {
  float at[3];
};
inline Row scaled(LatticeInverses d, std::int64_t i, float gain, float x, float y, float z) {
  const float *v = d.values + i, a = v[0], b = v[d.stride], c = v[2 * d.stride], e = v[3 * d.stride],
              f = v[4 * d.stride], g = v[5 * d.stride];
  return {{gain * (a * x + b * y + c * z), gain * (b * x + e * y + f * z), gain * (c * x + f * y + g * z)}};
}

void multiply(const LatticeRows& a, std::int64_t begin, std::int64_t end, LatticeInput x, LatticeOutput y) {
  for_tiles(a, begin, end, x, [&](std::int64_t first, std::int64_t last, const Sums& sums) {
    for (int c = 0; c < 3; ++c) {
      float* __restrict out = y.values + c * y.stride;
      for (std::int64_t i = first; i < last; ++i) out[i] = sums.at[c][i - first];
    }
  });
}

void residual(const LatticeRows& a, std::int64_t begin, std::int64_t end, LatticeInput b, LatticeInput x,
              LatticeOutput y) {
  for_tiles(a, begin, end, x, [&](std::int64_t first, std::int64_t last, const Sums& sums) {
    for (int c = 0; c < 3; ++c) {
      const float* rhs = b.values + c * b.stride;
      float* out = y.values + c * y.stride;
      ELECTRET_INDEPENDENT
      for (std::int64_t i = first; i < last; ++i) out[i] = rhs[i] - sums.at[c][i - first];
    }
  });
}

void scale(LatticeInverses inverses, float gain, std::int64_t begin, std::int64_t end, LatticeInput b,
           LatticeOutput d) {
  const float *b0 = b.values, *b1 = b0 + b.stride, *b2 = b1 + b.stride;
  float *d0 = d.values, *d1 = d0 + d.stride, *d2 = d1 + d.stride;
  ELECTRET_INDEPENDENT
  for (std::int64_t i = begin; i < end; ++i) {
    const Row row = scaled(inverses, i, gain, b0[i], b1[i], b2[i]);
    d0[i] = row.at[0];
    d1[i] = row.at[1];
    d2[i] = row.at[2];
  }
}

void correction(const LatticeRows& a, LatticeInverses inverses, float gain, std::int64_t begin,
                std::int64_t end, LatticeInput b, LatticeInput x, LatticeOutput rest, LatticeOutput d) {
  for_tiles(a, begin, end, x, [&](std::int64_t first, std::int64_t last, const Sums& sums) {
    const float *b0 = b.values, *b1 = b0 + b.stride, *b2 = b1 + b.stride;
    float *r0 = rest.values, *r1 = r0 + rest.stride, *r2 = r1 + rest.stride;
    float *d0 = d.values, *d1 = d0 + d.stride, *d2 = d1 + d.stride;
    ELECTRET_INDEPENDENT
    for (std::int64_t i = first; i < last; ++i) {
      const float left0 = b0[i] - sums.at[0][i - first], left1 = b1[i] - sums.at[1][i - first],
                  left2 = b2[i] - sums.at[2][i - first];
      r0[i] = left0;
      r1[i] = left1;
      r2[i] = left2;
      const Row row = scaled(inverses, i, gain, left0, left1, left2);
      d0[i] = row.at[0];
      d1[i] = row.at[1];
      d2[i] = row.at[2];
    }
  });
}

void smooth(const LatticeRows& a, LatticeInverses inverses, float keep, float gain, bool fresh,
            std::int64_t begin, std::int64_t end, LatticeInput b, LatticeInput d, LatticeOutput x) {
  const float old = fresh ? 0.0F : 1.0F;
  for_tiles(a, begin, end, d, [&](std::int64_t first, std::int64_t last, const Sums& sums) {
    const float *b0 = b.values, *b1 = b0 + b.stride, *b2 = b1 + b.stride;
    const float *d0 = d.values, *d1 = d0 + d.stride, *d2 = d1 + d.stride;
    float *x0 = x.values, *x1 = x0 + x.stride, *x2 = x1 + x.stride;
    ELECTRET_INDEPENDENT
    for (std::int64_t i = first; i < last; ++i) {
      const Row row = scaled(inverses, i, gain, b0[i] - sums.at[0][i - first], b1[i] - sums.at[1][i - first],
                             b2[i] - sums.at[2][i - first]);
      x0[i] = old * x0[i] + keep * d0[i] + row.at[0];
      x1[i] = old * x1[i] + keep * d1[i] + row.at[1];
      x2[i] = old * x2[i] + keep * d2[i] + row.at[2];
    }
  });
}

/// With the number of terms known, weights and addresses stay in registers.
template <int count>
inline void combine_terms(const float* weights, const float* const* terms, std::int64_t term_stride,
                          std::int64_t lines, std::int64_t length, std::int64_t out_stride, float* out) {
  float weight[count];
  const float* term[count];
  for (int t = 0; t < count; ++t) weight[t] = weights[t], term[t] = terms[t];
  const auto sum_at = [&](std::int64_t at) {
    Floats sum = weight[0] * load(term[0] + at);
    for (int t = 1; t < count; ++t) sum += weight[t] * load(term[t] + at);
    return sum;
  };
  for (std::int64_t line = 0; line < lines; ++line, out += out_stride) {
    const std::int64_t at = line * term_stride;
    std::int64_t i = 0;
    for (; i + lanes <= length; i += lanes) store(out + i, sum_at(at + i));
    if (i < length && length >= lanes) {
      store(out + length - lanes, sum_at(at + length - lanes));
      continue;
    }
    for (; i < length; ++i) {
      float sum = weight[0] * term[0][at + i];
      for (int t = 1; t < count; ++t) sum += weight[t] * term[t][at + i];
      out[i] = sum;
    }
  }
}

void combine(int count, const float* weights, const float* const* terms, std::int64_t term_stride,
             std::int64_t lines, std::int64_t length, std::int64_t out_stride, float* out) {
  constexpr decltype(&combine_terms<1>) by_count[7] = {combine_terms<1>, combine_terms<2>, combine_terms<3>,
                                                       combine_terms<4>, combine_terms<5>, combine_terms<6>,
                                                       combine_terms<7>};
  by_count[count - 1](weights, terms, term_stride, lines, length, out_stride, out);
}

void take_every_second(const float* in, std::int64_t in_stride, std::int64_t lines, std::int64_t length,
                       std::int64_t out_stride, float* out) {
  for (std::int64_t line = 0; line < lines; ++line, in += in_stride, out += out_stride)
    for (std::int64_t i = 0; i < length; ++i) out[i] = in[2 * i];
}
