// The materials' stresses and tangents at Gauss points, computed without singular values. It is included
// after volume_lanes.inl.
//
// Every model but the linear one is a function of the trace f of S = RᵀF, of I = |F|² and of J = det F. With
// K = cof F = ∂J/∂F, ∂f/∂F = R and ∂I/∂F = 2F,
//
//   P = p_R R + p_F F + p_K K,   dP = p_R dR + p_F dF + p_K dK + [R F K] N [R:dF F:dF K:dF]ᵀ,
//
// dR = Σ_mn t_m G_mn (t_n:dF) with t_m = R [e_m]× and G = (tr S I - S)⁻¹.

/// The order of MaterialModel.
enum Model { projective, corotated, fixed_corotated, neo_hookean, stable_neo_hookean, linear };

constexpr bool rotates(Model model) {
  return model == projective || model == corotated || model == fixed_corotated;
}

/// A 3×3 matrix in every lane, row after row.
template <class T>
struct Matrix {
  Vector<T> at[9];
};

template <class T>
ELECTRET_INLINE Matrix<T> cofactors(const Matrix<T>& a) {
  const Vector<T>* m = a.at;
  return {{m[4] * m[8] - m[5] * m[7], m[5] * m[6] - m[3] * m[8], m[3] * m[7] - m[4] * m[6],
           m[2] * m[7] - m[1] * m[8], m[0] * m[8] - m[2] * m[6], m[1] * m[6] - m[0] * m[7],
           m[1] * m[5] - m[2] * m[4], m[2] * m[3] - m[0] * m[5], m[0] * m[4] - m[1] * m[3]}};
}

ELECTRET_INLINE Reals squared_norm(const Matrix<double>& a) {
  Reals sum = a.at[0] * a.at[0];
  for (int k = 1; k < 9; ++k) sum += a.at[k] * a.at[k];
  return sum;
}

/// What all models need at a point, one element per lane.
struct Kinematics {
  Matrix<double> f, k;
  Reals i, j;        ///< I, J.
  Matrix<double> r;   ///< R and f, where the model has them.
  Reals trace;
  Mask bad;          ///< R is too near to where it has no derivative.
};

ELECTRET_INLINE Kinematics kinematics(const double* f) {
  Kinematics a;
  for (int k = 0; k < 9; ++k) a.f.at[k] = load(f + width * k);
  a.k = cofactors(a.f);
  a.i = squared_norm(a.f);
  a.j = a.f.at[0] * a.k.at[0] + a.f.at[1] * a.k.at[1] + a.f.at[2] * a.k.at[2];
  a.bad = a.i != a.i;  // NOLINT(misc-redundant-expression): where it is no number.
  return a;
}

/// f is the largest root of (f² - I)² - 4 II - 8 J f, where II = |K|². Newton's method finds it from above.
/// Then R = ((f² + I) F + 2f K - 2 F FᵀF)/(f³ - If - 2J).
ELECTRET_INLINE void rotate(Kinematics& a) {
  const Reals ii = squared_norm(a.k);
  Reals f = root(3.0 * a.i);
  for (int step = 0; step < 12; ++step) {
    const Reals away = f * f - a.i;
    const Reals change = (away * away - 4.0 * ii - 8.0 * a.j * f) / (4.0 * (f * away - 2.0 * a.j));
    f -= change;
    if (all(magnitude(change) <= 1e-9 * f)) break;
  }
  const Reals divisor = f * (f * f - a.i) - 2.0 * a.j;
  a.bad = !(divisor > 0.02 * f * f * f);
  a.trace = f;
  const Reals* m = a.f.at;
  const Reals inverse = 1.0 / divisor, of_f = (f * f + a.i) * inverse, of_k = 2.0 * f * inverse;
  Reals c[9];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) c[3 * i + j] = m[i] * m[j] + m[3 + i] * m[3 + j] + m[6 + i] * m[6 + j];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const Reals product = m[3 * i] * c[j] + m[3 * i + 1] * c[3 + j] + m[3 * i + 2] * c[6 + j];
      a.r.at[3 * i + j] = of_f * m[3 * i + j] + of_k * a.k.at[3 * i + j] - 2.0 * inverse * product;
    }
}

/// Ψ, and P and N above; N's entries are RR, RF, RK, FF, FK, KK.
struct Coefficients {
  Reals energy, r, f, k;
  Reals n[6];
};

/// μ|F - R|².
ELECTRET_INLINE void add_rotation_part(const Kinematics& a, Reals mu, Coefficients& c) {
  Reals sum{};
  for (int k = 0; k < 9; ++k) sum += (a.f.at[k] - a.r.at[k]) * (a.f.at[k] - a.r.at[k]);
  c.energy += mu * sum;
  c.r -= 2.0 * mu;
  c.f += 2.0 * mu;
}

#include <electret/elastic/detail/volume_projection.inl>

/// R and f are set only if the model uses them.
template <Model model>
ELECTRET_INLINE Mask rotated_coefficients(const Kinematics& a, Reals mu, Reals lambda, Coefficients& c) {
  c = Coefficients{};
  Mask bad = a.bad;
  if constexpr (rotates(model)) add_rotation_part(a, mu, c);
  const Reals away = a.j - 1.0;
  if constexpr (model == projective) bad = bad | add_projection_part(a, lambda, c);
  if constexpr (model == corotated) {
    const Reals stretch = a.trace - 3.0;
    c.energy += 0.5 * lambda * stretch * stretch;
    c.r += lambda * stretch;
    c.n[0] = lambda;
  }
  if constexpr (model == fixed_corotated) {
    c.energy += 0.5 * lambda * away * away;
    c.k = lambda * away;
    c.n[5] = lambda;
  }
  if constexpr (model == neo_hookean) {
    // A masked lane holds an infinity or a NaN.
    bad = bad | ~(a.j > 0.0);
    const Reals j = bad ? reals(1.0) : a.j;
    const Reals log = each(j, [](double v) { return __builtin_log(v); });
    c.energy = 0.5 * mu * (a.i - 3.0) - mu * log + 0.5 * lambda * log * log;
    c.f = mu;
    c.k = (lambda * log - mu) / j;
    c.n[5] = (mu + lambda - lambda * log) / (j * j);
  }
  if constexpr (model == stable_neo_hookean) {
    const Reals stiffness = 4.0 / 3.0 * mu, bulk = lambda + 5.0 / 6.0 * mu, more = 1.0 / (a.i + 1.0);
    const Reals log = each((a.i - 3.0) / 4.0, [](double v) { return __builtin_log1p(v); });
    c.energy = 0.5 * stiffness * (a.i - 3.0 - log) - 0.75 * stiffness * away + 0.5 * bulk * away * away;
    c.f = stiffness * (1.0 - more);
    c.k = bulk * away - 0.75 * stiffness;
    c.n[3] = 2.0 * stiffness * more * more;
    c.n[5] = bulk;
  }
  return bad;
}

template <Model model>
ELECTRET_INLINE Mask coefficients(Kinematics& a, Reals mu, Reals lambda, Coefficients& c) {
  if constexpr (rotates(model)) rotate(a);
  return rotated_coefficients<model>(a, mu, lambda, c);
}

ELECTRET_INLINE void linear_stress(const double* f, Reals mu, Reals lambda, double* energy, double* stress) {
  Reals m[9];
  for (int k = 0; k < 9; ++k) m[k] = load(f + width * k);
  const Reals trace = m[0] + m[4] + m[8] - 3.0;
  Reals square{};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const Reals strain = 0.5 * (m[3 * i + j] + m[3 * j + i]) - (i == j ? 1.0 : 0.0);
      square += strain * strain;
      Reals p = 2.0 * mu * strain;
      if (i == j) p += lambda * trace;
      store(stress + width * (3 * i + j), p);
    }
  store(energy, mu * square + 0.5 * lambda * trace * trace);
}

template <Model model>
PointMask stress(int points, const double* f, const BatchLame& lame, double* energies, double* stresses) {
  PointMask masked = 0;
  for (int q = 0; q < points; ++q, f += 9 * width, energies += width, stresses += 9 * width)
    for (int l = 0; l < width; l += lanes) {
      const Reals mu = load(lame.mu + l), lambda = load(lame.lambda + l);
      if constexpr (model == linear) {
        linear_stress(f + l, mu, lambda, energies + l, stresses + l);
      } else {
        Kinematics a = kinematics(f + l);
        Coefficients c;
        masked |= bits(coefficients<model>(a, mu, lambda, c)) << (width * q + l);
        store(energies + l, c.energy);
        for (int k = 0; k < 9; ++k) {
          Reals p = c.f * a.f.at[k] + c.k * a.k.at[k];
          if constexpr (rotates(model)) p += c.r * a.r.at[k];
          store(stresses + l + width * k, p);
        }
      }
    }
  return masked;
}

/// The parts of a tangent, for the eight elements of a batch. N belongs to R, `a` and `b`.
template <class T>
struct TangentParts {
  alignas(64) T f[9][width], r[9][width], a[9][width], b[9][width], g[6][width], n[6][width];
  alignas(64) T by_r[width], by_f[width], by_k[width];
};

/// G = (tr S I - S)⁻¹: the entries 00, 01, 02, 11, 12, 22.
ELECTRET_INLINE void turning(const Kinematics& a, Reals (&g)[6]) {
  const Reals *r = a.r.at, *f = a.f.at;
  const auto s = [&](int i, int j) { return r[i] * f[j] + r[3 + i] * f[3 + j] + r[6 + i] * f[6 + j]; };
  const Reals s00 = s(0, 0), s11 = s(1, 1), s22 = s(2, 2);
  const Reals d0 = s11 + s22, d1 = s00 + s22, d2 = s00 + s11;
  const Reals o01 = -0.5 * (s(0, 1) + s(1, 0)), o02 = -0.5 * (s(0, 2) + s(2, 0)),
              o12 = -0.5 * (s(1, 2) + s(2, 1));
  const Reals c00 = d1 * d2 - o12 * o12, c01 = o02 * o12 - o01 * d2, c02 = o01 * o12 - o02 * d1;
  const Reals inverse = 1.0 / (d0 * c00 + o01 * c01 + o02 * c02);
  g[0] = c00 * inverse;
  g[1] = c01 * inverse;
  g[2] = c02 * inverse;
  g[3] = (d0 * d2 - o02 * o02) * inverse;
  g[4] = (o01 * o02 - d0 * o12) * inverse;
  g[5] = (d0 * d1 - o01 * o01) * inverse;
}

/// Changes N from the basis R, F, K to the basis R, A = F - (f/3) R, B = K + (f/3) A - (i_2/3) R. At a
/// uniform stretch, R, F and K are parallel, and float32 could not represent their differences; A and B
/// vanish there.
ELECTRET_INLINE void centre(Kinematics& at, Reals (&n)[6]) {
  const Reals third = at.trace / 3.0, i2 = (at.trace * at.trace - at.i) / 6.0;
  for (int k = 0; k < 9; ++k) {
    at.f.at[k] -= third * at.r.at[k];
    at.k.at[k] += third * at.f.at[k] - i2 * at.r.at[k];
  }
  // F = A + f/3 R, K = B - f/3 A + i_2/3 R.
  const Reals rr = n[0], rf = n[1], rk = n[2], ff = n[3], fk = n[4], kk = n[5];
  const Reals r_f = rf + third * ff + i2 * fk, r_k = rk + third * fk + i2 * kk;
  n[0] = rr + third * rf + i2 * rk + third * r_f + i2 * r_k;
  n[1] = r_f - third * r_k;
  n[2] = r_k;
  n[3] = ff - 2.0 * third * fk + third * third * kk;
  n[4] = fk - third * kk;
}

template <Model model, class T>
ELECTRET_INLINE PointMask tangent_parts(const double* f, const BatchLame& lame, TangentParts<T>& parts) {
  PointMask masked = 0;
  for (int l = 0; l < width; l += lanes) {
    Kinematics a = kinematics(f + l);
    Coefficients c;
    const Mask bad = coefficients<model>(a, load(lame.mu + l), load(lame.lambda + l), c);
    masked |= bits(bad) << l;
    for (int k = 0; k < 9; ++k) store(parts.f[k] + l, a.f.at[k]);
    if constexpr (rotates(model)) {
      for (int k = 0; k < 9; ++k) store(parts.r[k] + l, a.r.at[k]);
      Reals g[6];
      turning(a, g);
      for (int k = 0; k < 6; ++k) store(parts.g[k] + l, g[k]);
    }
    if constexpr (model == projective) centre(a, c.n);
    for (int k = 0; k < 9; ++k) store(parts.a[k] + l, a.f.at[k]);
    for (int k = 0; k < 9; ++k) store(parts.b[k] + l, a.k.at[k]);
    for (int k = 0; k < 6; ++k) store(parts.n[k] + l, c.n[k]);
    store(parts.by_r + l, c.r);
    store(parts.by_f + l, c.f);
    store(parts.by_k + l, c.k);
  }
  return masked;
}

/// Adds p_R dR. t_m has two columns, which are columns of R up to their signs.
template <class T>
ELECTRET_INLINE void add_turning(const Matrix<T>& r, const Vector<T> (&g)[3][3], Vector<T> factor,
                                 Vector<T> (&h)[9][9]) {
  // Column j of t_m is signs · column `from` of R, for the two m ≠ j.
  constexpr int first[3] = {1, 0, 0}, first_from[3] = {2, 2, 1}, first_sign[3] = {-1, 1, -1};
  constexpr int second[3] = {2, 2, 1}, second_from[3] = {1, 0, 0}, second_sign[3] = {1, -1, 1};
  Vector<T> t[9][2], u[9][3];
#pragma GCC unroll 9
  for (int ij = 0; ij < 9; ++ij) {
    const int i = 3 * (ij / 3), j = ij % 3;
    t[ij][0] = first_sign[j] > 0 ? r.at[i + first_from[j]] : -r.at[i + first_from[j]];
    t[ij][1] = second_sign[j] > 0 ? r.at[i + second_from[j]] : -r.at[i + second_from[j]];
    for (int n = 0; n < 3; ++n) u[ij][n] = factor * (t[ij][0] * g[first[j]][n] + t[ij][1] * g[second[j]][n]);
  }
#pragma GCC unroll 9
  for (int ij = 0; ij < 9; ++ij)
#pragma GCC unroll 9
    for (int kl = ij; kl < 9; ++kl)
      h[ij][kl] += u[ij][first[kl % 3]] * t[kl][0] + u[ij][second[kl % 3]] * t[kl][1];
}

/// Sets p_K dK + p_F dF, where dK_ij = ε_ikm ε_jln F_mn dF_kl.
template <class T>
ELECTRET_INLINE void set_linear_parts(const Matrix<T>& f, Vector<T> by_f, Vector<T> by_k,
                                      Vector<T> (&h)[9][9]) {
#pragma GCC unroll 9
  for (int ij = 0; ij < 9; ++ij)
#pragma GCC unroll 9
    for (int kl = ij; kl < 9; ++kl) {
      const int i = ij / 3, j = ij % 3, k = kl / 3, l = kl % 3;
      if (i == k || j == l) {
        h[ij][kl] = ij == kl ? by_f : Vector<T>{};
        continue;
      }
      const bool minus = ((k - i + 3) % 3 == 1) != ((l - j + 3) % 3 == 1);
      const Vector<T> entry = by_k * f.at[3 * (3 - i - k) + 3 - j - l];
      h[ij][kl] = minus ? -entry : entry;
    }
}

/// Adds [R A B] N [R A B]ᵀ, without R if the model does not use it.
template <bool with_rotation, class T>
ELECTRET_INLINE void add_products(const Matrix<T>& r, const Matrix<T>& a, const Matrix<T>& b,
                                  const Vector<T> (&n)[6], Vector<T> (&h)[9][9]) {
#pragma GCC unroll 9
  for (int ij = 0; ij < 9; ++ij) {
    Vector<T> of_r{}, of_a = n[3] * a.at[ij] + n[4] * b.at[ij], of_b = n[4] * a.at[ij] + n[5] * b.at[ij];
    if constexpr (with_rotation) {
      of_r = n[0] * r.at[ij] + n[1] * a.at[ij] + n[2] * b.at[ij];
      of_a += n[1] * r.at[ij];
      of_b += n[2] * r.at[ij];
    }
#pragma GCC unroll 9
    for (int kl = ij; kl < 9; ++kl) {
      h[ij][kl] += of_a * a.at[kl] + of_b * b.at[kl];
      if constexpr (with_rotation) h[ij][kl] += of_r * r.at[kl];
    }
  }
}

template <class T>
ELECTRET_INLINE Matrix<T> load_matrix(const T (&from)[9][width], int l) {
  Matrix<T> m;
  for (int k = 0; k < 9; ++k) m.at[k] = load(from[k] + l);
  return m;
}

template <bool with_rotation, class T>
void assemble(const TangentParts<T>& parts, T* tangent) {
  for (int l = 0; l < width; l += Lanes<T>::count) {
    Vector<T> n[6], h[9][9];
    for (int k = 0; k < 6; ++k) n[k] = load(parts.n[k] + l);
    set_linear_parts(load_matrix(parts.f, l), load(parts.by_f + l), load(parts.by_k + l), h);
    Matrix<T> r;
    if constexpr (with_rotation) {
      r = load_matrix(parts.r, l);
      Vector<T> g[3][3];
      for (int a = 0, k = 0; a < 3; ++a)
        for (int b = a; b < 3; ++b, ++k) g[a][b] = g[b][a] = load(parts.g[k] + l);
      add_turning(r, g, load(parts.by_r + l), h);
    }
    add_products<with_rotation>(r, load_matrix(parts.a, l), load_matrix(parts.b, l), n, h);
    for (int ij = 0, k = 0; ij < 9; ++ij)
      for (int kl = ij; kl < 9; ++kl, ++k) store(tangent + width * k + l, h[ij][kl]);
  }
}

/// The eigenvalues are 0 for rotations, 2μ for shear and 2μ + 3λ for volume.
template <bool clamped, class T>
void linear_tangent(const BatchLame& lame, T* tangent) {
  for (int l = 0; l < width; ++l) {
    double shear = 2.0 * lame.mu[l], volume = shear + 3.0 * lame.lambda[l];
    if (clamped && shear < 0.0) shear = 0.0;
    if (clamped && volume < 0.0) volume = 0.0;
    for (int ij = 0, k = 0; ij < 9; ++ij)
      for (int kl = ij; kl < 9; ++kl, ++k) {
        const double of_shear = (ij == kl ? 0.5 : 0.0) + (3 * (ij % 3) + ij / 3 == kl ? 0.5 : 0.0);
        const double of_trace = ij % 4 == 0 && kl % 4 == 0 ? (volume - shear) / 3.0 : 0.0;
        tangent[width * k + l] = static_cast<T>(shear * of_shear + of_trace);
      }
  }
}

template <Model model, class T>
PointMask tangent(int points, const double* f, const BatchLame& lame, T* tangents) {
  PointMask masked = 0;
  for (int q = 0; q < points; ++q, f += 9 * width, tangents += tangent_entries * width) {
    if constexpr (model == linear) {
      linear_tangent<false>(lame, tangents);
    } else {
      TangentParts<T> parts;
      masked |= tangent_parts<model>(f, lame, parts) << (width * q);
      assemble<rotates(model)>(parts, tangents);
    }
  }
  return masked;
}

void multiply(int points, const double* tangents, const double* changes, double* results) {
  for (int q = 0; q < points; ++q, changes += 9 * width, results += 9 * width)
    for (int l = 0; l < width; l += lanes) {
      Reals d[9], sums[9] = {};
      for (int k = 0; k < 9; ++k) d[k] = load(changes + width * k + l);
      const double* entry = tangents + (tangent_entries * q) * width + l;
#pragma GCC unroll 9
      for (int ij = 0; ij < 9; ++ij)
#pragma GCC unroll 9
        for (int kl = ij; kl < 9; ++kl, entry += width) {
          const Reals h = load(entry);
          sums[ij] += h * d[kl];
          if (kl != ij) sums[kl] += h * d[ij];
        }
      for (int k = 0; k < 9; ++k) store(results + width * k + l, sums[k]);
    }
}

void rest_stress(int points, const double* f, const double* d, const double* p, const double* dp,
                 double* results) {
  for (std::int64_t q = 0; q < points; ++q)
    for (int l = 0; l < width; l += lanes) {
      const std::int64_t at = 9 * width * q + l;
      const auto entry = [&](const double* matrices, int i, int j) {
        return load(matrices + at + width * (3 * i + j));
      };
      Reals product{};
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) product += entry(p, i, j) * entry(d, i, j);
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
          Reals sum = i == j ? product : Reals{};
          for (int k = 0; k < 3; ++k)
            sum -= entry(f, k, i) * entry(dp, k, j) + entry(d, k, i) * entry(p, k, j);
          store(results + at + width * (3 * i + j), sum);
        }
    }
}
