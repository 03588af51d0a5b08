// The nearest matrix of determinant 1, computed without singular values. It is included by volume_points.inl.
//
// Its singular values t have t_0 t_1 t_2 = 1 and s_i = t_i + τ/t_i. With a = Σ t, b = Σ 1/t = Σ t_i t_j the
// invariants i_1 = Σ s, i_2 = Σ s_i s_j and J are polynomials of (a, b, τ):
//
//   i_1 = a + τb,   i_2 = b + τ(ab - 3) + τ²a,   J = 1 + τ(b² - 2a) + τ²(a² - 2b) + τ³,
//
// and |F - N|² = Σ τ²/t² = τ²(b² - 2a).

struct Projection {
  Reals a, b, tau;
  Mask bad;
};

/// Newton's method in b and τ, with a = i_1 - τb. It starts from the projection of a uniform stretch.
ELECTRET_INLINE Projection project(Reals i1, Reals i2, Reals j) {
  // The cube root of J by two of Halley's steps.
  Reals side = (1.0 + 2.0 * j) / (2.0 + j);
  for (int step = 0; step < 2; ++step) {
    const Reals cube = side * side * side;
    side = side * (cube + 2.0 * j) / (2.0 * cube + j);
  }
  Reals b = i2 / (side * side), tau = i1 * (1.0 - 1.0 / side) / b, a{};
  Mask done{};
  for (int step = 0; step < 12; ++step) {
    a = i1 - tau * b;
    const Reals t2 = tau * tau, a2 = a * a - 2.0 * b, b2 = b * b - 2.0 * a;
    const Reals g1 = b + tau * (a * b - 3.0) + t2 * a - i2;
    const Reals g2 = 1.0 + tau * b2 + t2 * a2 + t2 * tau - j;
    const Reals g1_b = 1.0 + tau * (a - b * tau) - t2 * tau;
    const Reals g1_tau = a * b - 3.0 - tau * b * b + 2.0 * tau * a - t2 * b;
    const Reals g2_b = 2.0 * tau * b - 2.0 * a * t2 * tau;
    const Reals g2_tau = b2 + 2.0 * tau * b + 2.0 * tau * a2 - 2.0 * t2 * a * b + 3.0 * t2;
    const Reals inverse = 1.0 / (g1_b * g2_tau - g1_tau * g2_b);
    const Reals by_b = (g2 * g1_tau - g1 * g2_tau) * inverse, by_tau = (g1 * g2_b - g2 * g1_b) * inverse;
    b += by_b;
    tau += by_tau;
    done = (magnitude(by_b) <= 1e-9 * b) & (magnitude(by_tau) <= 1e-9);
    if (all(done)) break;
  }
  a = i1 - tau * b;
  return {a, b, tau, ~done};
}

/// The lanes in which (a, b, τ) is not known to be the nearest: some t is not positive, is not real, or has
/// t² < τ, which is another branch.
ELECTRET_INLINE Mask is_doubtful(const Projection& p) {
  const Reals a = p.a, b = p.b, tau = p.tau, ab = a * b;
  const Reals discriminant = ab * ab - 4.0 * b * b * b - 4.0 * a * a * a + 18.0 * ab - 27.0;
  const Reals a2 = a * a - 2.0 * b, b2 = b * b - 2.0 * a;  // Σ t², Σ t_i² t_j²
  // The elementary symmetric functions of t² - τ.
  const Reals one = a2 - 3.0 * tau, two = b2 - 2.0 * tau * a2 + 3.0 * tau * tau;
  const Reals three = 1.0 - tau * b2 + tau * tau * a2 - tau * tau * tau;
  return p.bad | ~((a > 0.0) & (b > 0.0) & (discriminant >= -1e-9 * ab * ab) & (one > 0.0) & (two > 0.0) &
                   (three > 0.02));
}

/// The energy e = (λ/2)|F - N|² and its derivatives. i_1, i_2 and J are functions of q = (a, b, τ), so that φ
/// = ∂e/∂(i_1, i_2, J) solves (∂i/∂q)ᵀ φ = ∂e/∂q. The second derivatives are those of e - Σ φ_k i_k with
/// respect to q, transformed in the same way.
ELECTRET_INLINE Mask add_projection_part(const Kinematics& at, Reals lambda, Coefficients& c) {
  const Reals f = at.trace;
  const Projection p = project(f, 0.5 * (f * f - at.i), at.j);
  const Reals a = p.a, b = p.b, tau = p.tau, t2 = tau * tau;
  const Reals a2 = a * a - 2.0 * b, b2 = b * b - 2.0 * a;
  c.energy += 0.5 * lambda * t2 * b2;
  // ∂(i_1, i_2, J)/∂(a, b, τ) and its inverse M.
  const Reals i00 = reals(1.0), i01 = tau, i02 = b;
  const Reals i10 = tau * b + t2, i11 = 1.0 + tau * a, i12 = a * b - 3.0 + 2.0 * tau * a;
  const Reals i20 = 2.0 * tau * (a * tau - 1.0), i21 = 2.0 * tau * (b - tau),
              i22 = b2 + 2.0 * tau * a2 + 3.0 * t2;
  Matrix<double> m = cofactors(Matrix<double>{{i00, i01, i02, i10, i11, i12, i20, i21, i22}});
  const Reals inverse = 1.0 / (i00 * m.at[0] + i01 * m.at[1] + i02 * m.at[2]);
  for (Reals& entry : m.at) entry = entry * inverse;
  // `m` is M transposed: m[3 k + q] = ∂q/∂i_k.
  Reals phi[3];
  for (int k = 0; k < 3; ++k)
    phi[k] = -t2 * m.at[3 * k] + t2 * b * m.at[3 * k + 1] + tau * b2 * m.at[3 * k + 2];
  // Second derivatives with respect to (a, b, τ): aa, ab, aτ, bb, bτ, ττ.
  const Reals aa = -2.0 * phi[2] * t2, ab = -phi[1] * tau,
              at_ = -2.0 * tau - phi[1] * (b + 2.0 * tau) - phi[2] * (4.0 * a * tau - 2.0),
              bb = t2 - 2.0 * phi[2] * tau, bt = 2.0 * tau * b - phi[0] - phi[1] * a - phi[2] * (2.0 * b - 4.0 * tau),
              tt = b2 - 2.0 * phi[1] * a - phi[2] * (2.0 * a2 + 6.0 * tau);
  Reals h[3][3];
  for (int k = 0; k < 3; ++k) {
    const Reals *u = m.at + 3 * k, x = aa * u[0] + ab * u[1] + at_ * u[2], y = ab * u[0] + bb * u[1] + bt * u[2],
                z = at_ * u[0] + bt * u[1] + tt * u[2];
    for (int l = k; l < 3; ++l) h[k][l] = lambda * (x * m.at[3 * l] + y * m.at[3 * l + 1] + z * m.at[3 * l + 2]);
  }
  for (Reals& slope : phi) slope = lambda * slope;
  // ∂i_1/∂F = R and ∂i_2/∂F = fR - F.
  c.r += phi[0] + f * phi[1];
  c.f -= phi[1];
  c.k += phi[2];
  c.n[0] = h[0][0] + 2.0 * f * h[0][1] + f * f * h[1][1] + phi[1];
  c.n[1] = -h[0][1] - f * h[1][1];
  c.n[2] = h[0][2] + f * h[1][2];
  c.n[3] = h[1][1];
  c.n[4] = -h[1][2];
  c.n[5] = h[2][2];
  return is_doubtful(p);
}
