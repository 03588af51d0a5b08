// Hexahedra's matrices from their tangents, axis by axis (after volume_lanes.inl and the cube's numbers).
//
// In reference coordinates K_ab^ik = Σ_rs Σ_q N_a,r(q) N_b,s(q) Ĥ_q^(ir)(ks), and every slope N_a,r is a
// product over the axes. The sum over the points is therefore taken along x, then y, then z. Along an axis d
// both factors are values where d is neither r nor s (three different pairs of corners), one is a slope where
// d is r or s (two), both are where it is r and s (one but for the sign). That is two fifths of the operations
// of a sum point by point.

/// Σ_q n_a(q) n_b(q) h(q) for the values n of the corners a and b along an axis.
ELECTRET_INLINE Floats of_values(const Floats (&h)[2], int a, int b) {
  constexpr float large = static_cast<float>(near * near), small = static_cast<float>(far * far),
                  mixed = static_cast<float>(near * far);
  if (a != b) return mixed * (h[0] + h[1]);
  return a == 0 ? large * h[0] + small * h[1] : small * h[0] + large * h[1];
}
/// Σ_q n_a(q) h(q). The slopes, ½ and -½, are left to the caller.
ELECTRET_INLINE Floats of_value(const Floats (&h)[2], int a) {
  constexpr auto large = static_cast<float>(near), small = static_cast<float>(far);
  return a == 0 ? large * h[0] + small * h[1] : small * h[0] + large * h[1];
}
/// sum + part for the upper corner, sum - part for the lower one.
ELECTRET_INLINE Floats with_sign(Floats sum, Floats part, bool upper) {
  return upper ? sum + part : sum - part;
}

/// A sum of the four kinds of terms along an axis: of values, of a's value and b's slope, of a's slope and
/// b's value, of slopes.
struct AxisTerms {
  Floats vv[2], vs[2], sv[2], ss[2];
};
ELECTRET_INLINE Floats along(const AxisTerms& t, int a, int b) {
  Floats sum = with_sign(of_values(t.vv, a, b), of_value(t.vs, a), b == 1);
  sum = with_sign(sum, of_value(t.sv, b), a == 1);
  return with_sign(sum, t.ss[0] + t.ss[1], a == b);
}

/// Where entry (i, k) of K_ab goes: to one(a, b) for a ≤ b, transposed for others.
struct EntryPlaces {
  float *one, *transposed;
};

/// `tangents[3r + s]` are Ĥ^(ir)(ks) at the first point, to be summed along x for corners at ax and bx there.
template <int ax, int bx>
ELECTRET_INLINE void add_up_lines(const float* const (&tangents)[9], Floats (&lines)[3][3][2][2]) {
  constexpr std::int64_t point = tangent_entries * width;
#pragma GCC unroll 3
  for (int r = 0; r < 3; ++r)
#pragma GCC unroll 3
    for (int s = 0; s < 3; ++s)
#pragma GCC unroll 4
      for (int yz = 0; yz < 4; ++yz) {
        const float* from = tangents[3 * r + s] + yz * point;
        const Floats h[2] = {load(from), load(from + 4 * point)};
        Floats sum = r == 0 && s == 0 ? h[0] + h[1]
                     : r == 0         ? of_value(h, bx)
                     : s == 0         ? of_value(h, ax)
                                      : of_values(h, ax, bx);
        if ((r == 0 && ax == 0) != (s == 0 && bx == 0)) sum = -sum;
        lines[r][s][yz / 2][yz % 2] = sum;
      }
}

/// The lines along x summed along y for corners at ay and by there.
ELECTRET_INLINE AxisTerms add_up_planes(const Floats (&lines)[3][3][2][2], int ay, int by) {
  AxisTerms of_z;
#pragma GCC unroll 2
  for (int z = 0; z < 2; ++z) {
    const auto line = [&](int r, int s, Floats (&h)[2]) { h[0] = lines[r][s][0][z], h[1] = lines[r][s][1][z]; };
    AxisTerms of_y;
    line(0, 0, of_y.vv), line(0, 1, of_y.vs), line(1, 0, of_y.sv), line(1, 1, of_y.ss);
    of_z.vv[z] = along(of_y, ay, by);
    Floats h[2], g[2];
    line(0, 2, h), line(1, 2, g);
    of_z.vs[z] = with_sign(of_values(h, ay, by), of_value(g, by), ay == 1);
    line(2, 0, h), line(2, 1, g);
    of_z.sv[z] = with_sign(of_values(h, ay, by), of_value(g, ay), by == 1);
    line(2, 2, h);
    of_z.ss[z] = of_values(h, ay, by);
  }
  return of_z;
}

/// One entry (i, k) of the blocks of corners a at ax and b at bx. If i = k the matrix of the entries is
/// `symmetric`, and only half of it is stored.
template <bool symmetric, int ax, int bx>
void add_up_entry(const float* const (&tangents)[9], const EntryPlaces& to) {
  Floats lines[3][3][2][2];
  add_up_lines<ax, bx>(tangents, lines);
#pragma GCC unroll 4
  for (int y = 0; y < 4; ++y) {
    const int ay = y / 2, by = y % 2;
    if (symmetric && ax == bx && ay > by) continue;
    const AxisTerms of_z = add_up_planes(lines, ay, by);
#pragma GCC unroll 4
    for (int z = 0; z < 4; ++z) {
      const int az = z / 2, bz = z % 2;
      if (symmetric && ax == bx && ay == by && az > bz) continue;
      const int a = corner_at[ax][ay][az], b = corner_at[bx][by][bz];
      const int low = a < b ? a : b, high = a < b ? b : a;
      const std::int64_t block = 9 * width * (low * (15 - low) / 2 + high);
      const Floats sum = along(of_z, az, bz);
      if (symmetric || a <= b) store(to.one + block, sum);
      if (!symmetric && a >= b) store(to.transposed + block, sum);
    }
  }
}

/// Ĥ = ¼ w J⁻¹ H J⁻ᵀ for both pairs of indices of one point; ½ of each slope is in it.
ELECTRET_INLINE void to_reference(const float (&shape)[10][width], bool is_diagonal, const float* tangent,
                                  float* out) {
  const auto number = [](int low, int high) { return width * (low * (17 - low) / 2 + high); };
  for (int l = 0; l < width; l += lanes32) {
    const Floats weight = 0.25F * load(shape[9] + l);
    if (is_diagonal) {
      const Floats scale[3] = {load(shape[0] + l), load(shape[4] + l), load(shape[8] + l)};
      Floats both[3][3];
      for (int r = 0; r < 3; ++r)
        for (int s = 0; s < 3; ++s) both[r][s] = weight * scale[r] * scale[s];
#pragma GCC unroll 9
      for (int ir = 0, n = 0; ir < 9; ++ir)
#pragma GCC unroll 9
        for (int ks = ir; ks < 9; ++ks, ++n)
          store(out + width * n + l, both[ir % 3][ks % 3] * load(tangent + width * n + l));
      continue;
    }
#pragma GCC unroll 3
    for (int i = 0; i < 3; ++i)
#pragma GCC unroll 3
      for (int k = i; k < 3; ++k) {
        Floats half[3][3];  // of r and l
#pragma GCC unroll 3
        for (int r = 0; r < 3; ++r)
#pragma GCC unroll 3
          for (int m = 0; m < 3; ++m) {
            Floats sum{};
            for (int j = 0; j < 3; ++j) {
              const int ij = 3 * i + j, km = 3 * k + m;
              sum += load(shape[3 * r + j] + l) * load(tangent + number(ij < km ? ij : km, ij < km ? km : ij) + l);
            }
            half[r][m] = weight * sum;
          }
#pragma GCC unroll 3
        for (int r = 0; r < 3; ++r)
#pragma GCC unroll 3
          for (int s = i == k ? r : 0; s < 3; ++s) {
            Floats sum{};
            for (int m = 0; m < 3; ++m) sum += half[r][m] * load(shape[3 * s + m] + l);
            store(out + number(3 * i + r, 3 * k + s) + l, sum);
          }
      }
  }
}

void hexahedron_matrices(const BatchShape& shape, const float* tangents, float* blocks) {
  alignas(64) float shape32[10][width], reference[8][tangent_entries * width];
  bool is_diagonal = true;
  for (int q = 0; q < 8; ++q) {
    if (q == 0 || shape.stride != 0) {
      for (int k = 0; k < 10; ++k) round_to(shape32[k], shape.values + q * shape.stride + width * k);
      is_diagonal = true;
      for (int k = 1; k < 9; ++k)
        for (int l = 0; l < width && k % 4 != 0; ++l) is_diagonal = is_diagonal && shape32[k][l] == 0.0F;
    }
    to_reference(shape32, is_diagonal, tangents + tangent_entries * width * q, reference[q]);
  }
  for (int l = 0; l < width; l += lanes32)
    for (int i = 0; i < 3; ++i)
      for (int k = i; k < 3; ++k) {
        const float* from[9];
        for (int rs = 0; rs < 9; ++rs) {
          const int ir = 3 * i + rs / 3, ks = 3 * k + rs % 3, low = ir < ks ? ir : ks, high = ir < ks ? ks : ir;
          from[rs] = reference[0] + width * (low * (17 - low) / 2 + high) + l;
        }
        const EntryPlaces to{blocks + width * (3 * i + k) + l, blocks + width * (3 * k + i) + l};
        const bool symmetric = i == k;
        (symmetric ? add_up_entry<true, 0, 0> : add_up_entry<false, 0, 0>)(from, to);
        (symmetric ? add_up_entry<true, 0, 1> : add_up_entry<false, 0, 1>)(from, to);
        (symmetric ? add_up_entry<true, 1, 1> : add_up_entry<false, 1, 1>)(from, to);
        if (!symmetric) add_up_entry<false, 1, 0>(from, to);
      }
}
