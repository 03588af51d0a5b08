// The nearest positive semi-definite tangents, by singular values (after volume_points.inl).
//
// Let F = U diag(s) Vᵀ with rotations U and V. The tangent then has three kinds of eigenvectors. The
// stretches are those of a 3×3 matrix M. For each pair (i, j) of axes, whose third axis is k, there is the
// twist u_i v_jᵀ - u_j v_iᵀ with the eigenvalue p_F + p_K s_k + 2 p_R/(s_i + s_j), and the flip u_i v_jᵀ +
// u_j v_iᵀ with p_F - p_K s_k.

/// Columns are `u[3 k + …]`.
struct SingularValues {
  Reals u[9], v[9], s[3];
  Mask bad;
};

ELECTRET_INLINE Reals dot(const Reals* a, const Reals* b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// Turns columns a and b: (c a - s b, s a + c b).
ELECTRET_INLINE void turn(Reals* a, Reals* b, Reals c, Reals s) {
  for (int i = 0; i < 3; ++i) {
    const Reals x = a[i];
    a[i] = c * x - s * b[i];
    b[i] = s * x + c * b[i];
  }
}

/// The tangent of the smaller of the two angles that make ((a, o), (o, b)) diagonal.
ELECTRET_INLINE Reals tangent_of_turn(Reals a, Reals b, Reals o) {
  const Reals away = b - a, size = root(away * away + 4.0 * o * o);
  const Reals divisor = away < 0.0 ? away - size : away + size;
  return divisor == 0.0 ? reals(0.0) : 2.0 * o / divisor;
}

/// Exchanges two columns where the second is longer. One of them is negated, so that rotations stay
/// rotations.
ELECTRET_INLINE void order(Reals* a, Reals* b, Reals* va, Reals* vb) {
  const Mask swapped = dot(b, b) > dot(a, a);
  for (int i = 0; i < 3; ++i) {
    const Reals x = a[i], y = va[i];
    a[i] = swapped ? b[i] : x;
    b[i] = swapped ? -x : b[i];
    va[i] = swapped ? vb[i] : y;
    vb[i] = swapped ? -y : vb[i];
  }
}

/// One-sided Jacobi's method, which turns columns of F until they are orthogonal.
ELECTRET_INLINE SingularValues singular_values(const Matrix<double>& f) {
  SingularValues r;
  Reals b[9];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      b[3 * j + i] = f.at[3 * i + j];
      r.v[3 * j + i] = reals(i == j ? 1.0 : 0.0);
    }
  Mask done{};
  for (int sweep = 0; sweep < 8; ++sweep) {
    done = ~Mask{};
    for (int k = 2; k >= 0; --k) {
      const int p = k == 0 ? 1 : 0, q = k == 2 ? 1 : 2;
      const Reals pp = dot(b + 3 * p, b + 3 * p), qq = dot(b + 3 * q, b + 3 * q), pq = dot(b + 3 * p, b + 3 * q);
      done = done & (pq * pq <= 1e-30 * pp * qq);
      const Reals t = tangent_of_turn(pp, qq, pq), c = 1.0 / root(1.0 + t * t);
      turn(b + 3 * p, b + 3 * q, c, c * t);
      turn(r.v + 3 * p, r.v + 3 * q, c, c * t);
    }
    if (all(done)) break;
  }
  order(b, b + 3, r.v, r.v + 3);
  order(b + 3, b + 6, r.v + 3, r.v + 6);
  order(b, b + 3, r.v, r.v + 3);
  const Reals longest = dot(b, b);
  r.bad = ~(dot(b + 3, b + 3) > 1e-12 * longest);
  r.s[0] = root(longest);
  for (int i = 0; i < 3; ++i) r.u[i] = b[i] / r.s[0];
  const Reals along = dot(r.u, b + 3);
  for (int i = 0; i < 3; ++i) r.u[3 + i] = b[3 + i] - along * r.u[i];
  r.s[1] = root(dot(r.u + 3, r.u + 3));
  for (int i = 0; i < 3; ++i) r.u[3 + i] = r.u[3 + i] / r.s[1];
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    r.u[6 + i] = r.u[j] * r.u[3 + k] - r.u[k] * r.u[3 + j];
  }
  r.s[2] = dot(r.u + 6, b + 6);
  return r;
}

/// Makes the negative eigenvalues of the symmetric M (00, 01, 02, 11, 12, 22) 0, by Jacobi's method.
ELECTRET_INLINE void clamp(Reals (&m)[6]) {
  Reals a[3][3] = {{m[0], m[1], m[2]}, {m[1], m[3], m[4]}, {m[2], m[4], m[5]}};
  Reals q[9];  // columns
  for (int k = 0; k < 9; ++k) q[k] = reals(k % 4 == 0 ? 1.0 : 0.0);
  for (int sweep = 0; sweep < 5; ++sweep)
    for (int k = 2; k >= 0; --k) {
      const int i = k == 0 ? 1 : 0, j = k == 2 ? 1 : 2;
      const Reals t = tangent_of_turn(a[i][i], a[j][j], a[i][j]), c = 1.0 / root(1.0 + t * t), s = c * t;
      a[i][i] -= t * a[i][j];
      a[j][j] += t * a[i][j];
      a[i][j] = a[j][i] = Reals{};
      const Reals x = a[i][k], y = a[j][k];
      a[i][k] = a[k][i] = c * x - s * y;
      a[j][k] = a[k][j] = s * x + c * y;
      turn(q + 3 * i, q + 3 * j, c, s);
    }
  for (int i = 0, n = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j, ++n) {
      m[n] = Reals{};
      for (int k = 0; k < 3; ++k) {
        const Reals value = a[k][k] > 0.0 ? a[k][k] : Reals{};
        m[n] += value * q[3 * k + i] * q[3 * k + j];
      }
    }
}

/// Tangents in terms of their eigenvectors, for the eight elements of a batch.
template <class T>
struct ClampedParts {
  alignas(64) T u[9][width], v[9][width], m[6][width], twist[3][width], flip[3][width];
};

template <Model model, class T>
ELECTRET_INLINE PointMask clamped_parts(const double* f, const BatchLame& lame, ClampedParts<T>& parts) {
  PointMask masked = 0;
  for (int l = 0; l < width; l += lanes) {
    Kinematics a = kinematics(f + l);
    const SingularValues svd = singular_values(a.f);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        a.r.at[3 * i + j] = svd.u[i] * svd.v[j] + svd.u[3 + i] * svd.v[3 + j] + svd.u[6 + i] * svd.v[6 + j];
    const Reals* s = svd.s;
    a.trace = s[0] + s[1] + s[2];
    Coefficients c;
    const Mask bad = rotated_coefficients<model>(a, load(lame.mu + l), load(lame.lambda + l), c) | svd.bad;
    masked |= bits(bad) << l;
    Reals m[6];
    for (int i = 0, n = 0; i < 3; ++i)
      for (int j = i; j < 3; ++j, ++n) {
        const Reals ki = s[(i + 1) % 3] * s[(i + 2) % 3], kj = s[(j + 1) % 3] * s[(j + 2) % 3];
        m[n] = c.n[0] + c.n[1] * (s[i] + s[j]) + c.n[2] * (ki + kj) + c.n[3] * s[i] * s[j] +
               c.n[4] * (s[i] * kj + ki * s[j]) + c.n[5] * ki * kj;
        m[n] += i == j ? c.f : c.k * s[3 - i - j];
      }
    clamp(m);
    for (int n = 0; n < 6; ++n) store(parts.m[n] + l, m[n]);
    for (int k = 0; k < 3; ++k) {
      Reals sum = s[(k + 1) % 3] + s[(k + 2) % 3];
      sum = magnitude(sum) > 1e-12 ? sum : reals(1e-12);
      const Reals twist = c.f + c.k * s[k] + 2.0 * c.r / sum, flip = c.f - c.k * s[k];
      store(parts.twist[k] + l, twist > 0.0 ? twist : Reals{});
      store(parts.flip[k] + l, flip > 0.0 ? flip : Reals{});
    }
    for (int k = 0; k < 9; ++k) store(parts.u[k] + l, svd.u[k]);
    for (int k = 0; k < 9; ++k) store(parts.v[k] + l, svd.v[k]);
  }
  return masked;
}

/// h += factor a aᵀ.
template <class T>
ELECTRET_INLINE void add_square(Vector<T> factor, const Vector<T> (&a)[9], Vector<T> (&h)[45]) {
  int n = 0;
#pragma GCC unroll 9
  for (int ij = 0; ij < 9; ++ij) {
    const Vector<T> scaled = factor * a[ij];
#pragma GCC unroll 9
    for (int kl = ij; kl < 9; ++kl, ++n) h[n] += scaled * a[kl];
  }
}

template <class T>
void assemble_clamped(const ClampedParts<T>& parts, T* tangent) {
  for (int l = 0; l < width; l += Lanes<T>::count) {
    const auto u = [&](int k, int ij) { return load(parts.u[3 * k + ij / 3] + l); };
    const auto v = [&](int k, int ij) { return load(parts.v[3 * k + ij % 3] + l); };
    Vector<T> h[45] = {};
    for (int k = 0; k < 3; ++k) {
      const int i = (k + 1) % 3, j = (k + 2) % 3;
      Vector<T> twist[9], flip[9];
      for (int n = 0; n < 9; ++n) {
        const Vector<T> one = u(i, n) * v(j, n), other = u(j, n) * v(i, n);
        twist[n] = one - other;
        flip[n] = one + other;
      }
      const Vector<T> half_twist = load(parts.twist[k] + l) / 2, half_flip = load(parts.flip[k] + l) / 2;
      add_square<T>(half_twist, twist, h);
      add_square<T>(half_flip, flip, h);
    }
    Vector<T> stretches[3][9];
    for (int k = 0; k < 3; ++k)
      for (int n = 0; n < 9; ++n) stretches[k][n] = u(k, n) * v(k, n);
    for (int ij = 0, n = 0; ij < 9; ++ij) {
      Vector<T> of[3] = {};
      for (int i = 0, e = 0; i < 3; ++i)
        for (int j = i; j < 3; ++j, ++e) {
          const Vector<T> entry = load(parts.m[e] + l);
          of[i] += entry * stretches[j][ij];
          if (i != j) of[j] += entry * stretches[i][ij];
        }
      for (int kl = ij; kl < 9; ++kl, ++n)
        h[n] += of[0] * stretches[0][kl] + of[1] * stretches[1][kl] + of[2] * stretches[2][kl];
    }
    for (int n = 0; n < 45; ++n) store(tangent + width * n + l, h[n]);
  }
}

template <Model model, class T>
PointMask clamped_tangent(int points, const double* f, const BatchLame& lame, T* tangents) {
  PointMask masked = 0;
  for (int q = 0; q < points; ++q, f += 9 * width, tangents += tangent_entries * width) {
    if constexpr (model == linear) {
      linear_tangent<true>(lame, tangents);
    } else {
      ClampedParts<T> parts;
      masked |= clamped_parts<model>(f, lame, parts) << (width * q);
      assemble_clamped(parts, tangents);
    }
  }
  return masked;
}
