// Muscles (muscle_stencil.hpp) of the eight elements of a batch (inside volume_elements.inl).

/// ∂N_a/∂ξ at the points.
template <int corners>
struct PreciseSlopes {
  double at[corners == 8 ? 8 : 1][corners][3];
  constexpr PreciseSlopes() : at() {
    for (int q = 0; q < (corners == 8 ? 8 : 1); ++q)
      for (int a = 0; a < corners; ++a)
        for (int r = 0; r < 3; ++r) at[q][a][r] = slope<corners>(q, a, r);
  }
};

/// A muscle at one point of as many elements as there are lanes.
template <int corners>
struct MusclePoint {
  Reals c[corners];           ///< c_a = G_a·m.
  Reals u[3];                 ///< F m.
  Reals length, inverse;      ///< ℓ, and 1/ℓ, or 0 if ℓ is 0.
  Reals weight, activation;   ///< w and a.
  Reals stiffness;            ///< w k.
};

/// Σ_a c_a v_a.
template <int corners>
ELECTRET_INLINE void weighted(const Reals (&c)[corners], const double* v, Reals (&sum)[3]) {
  for (int i = 0; i < 3; ++i) {
    sum[i] = c[0] * load(v + width * i);
    for (int a = 1; a < corners; ++a) sum[i] += c[a] * load(v + width * (3 * a + i));
  }
}

ELECTRET_INLINE Reals inner(const Reals (&a)[3], const Reals (&b)[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// Entry 3i + j of 3×3 matrices in every lane, multiplied by the lane's fibre.
ELECTRET_INLINE void along_fibre(const double* matrices, const double* fibre, Reals (&out)[3]) {
  const Reals m[3] = {load(fibre), load(fibre + width), load(fibre + 2 * width)};
  for (int i = 0; i < 3; ++i)
    out[i] = m[0] * load(matrices + width * 3 * i) + m[1] * load(matrices + width * (3 * i + 1)) +
             m[2] * load(matrices + width * (3 * i + 2));
}

/// Point q of the elements from lane l on.
template <int corners>
ELECTRET_INLINE MusclePoint<corners> muscle_point(const BatchShape& shape, const BatchMuscle& muscle, const double* x,
                                                  int q, int l) {
  static constexpr PreciseSlopes<corners> slopes;
  MusclePoint<corners> p;
  const double* inverse = shape_at(shape, q) + l;
  Reals along[3];
  along_fibre(inverse, muscle.fibre + l, along);
  for (int a = 0; a < corners; ++a)
    p.c[a] = slopes.at[q][a][0] * along[0] + slopes.at[q][a][1] * along[1] + slopes.at[q][a][2] * along[2];
  weighted(p.c, x + l, p.u);
  p.length = root(inner(p.u, p.u));
  const Reals none{};
  p.inverse = p.length > none ? 1.0 / p.length : none;
  p.weight = load(inverse + 9 * width);
  p.activation = load(muscle.activation + l);
  p.stiffness = p.weight * load(muscle.stiffness + l);
  return p;
}

/// 1 - a/ℓ, which is K's eigenvalue across the fibre divided by k.
template <int corners>
ELECTRET_INLINE Reals across(const MusclePoint<corners>& p, bool clamped) {
  const Reals exact = 1.0 - p.activation * p.inverse, none{};
  return clamped && !all(exact >= none) ? (exact > none ? exact : none) : exact;
}

template <int corners>
constexpr int points_of = corners == 8 ? 8 : 1;

template <int corners>
void muscle_gradient(const BatchShape& shape, const BatchMuscle& muscle, const double* x, double* energies,
                     double* gradients) {
  for (int l = 0; l < width; l += lanes) {
    Reals energy{}, sums[corners][3] = {};
    for (int q = 0; q < points_of<corners>; ++q) {
      const MusclePoint<corners> p = muscle_point<corners>(shape, muscle, x, q, l);
      const Reals excess = p.length - p.activation, pull = p.stiffness * excess * p.inverse;
      energy += 0.5 * p.stiffness * (excess * excess);
      for (int i = 0; i < 3; ++i) {
        const Reals force = pull * p.u[i];
        for (int a = 0; a < corners; ++a) sums[a][i] += p.c[a] * force;
      }
    }
    store(energies + l, energy);
    for (int a = 0; a < corners; ++a)
      for (int i = 0; i < 3; ++i) store(gradients + width * (3 * a + i) + l, sums[a][i]);
  }
}

template <int corners>
void muscle_product(const BatchShape& shape, const BatchMuscle& muscle, bool clamped, const double* x, const double* d,
                    double* out) {
  for (int l = 0; l < width; l += lanes) {
    Reals sums[corners][3] = {};
    for (int q = 0; q < points_of<corners>; ++q) {
      const MusclePoint<corners> p = muscle_point<corners>(shape, muscle, x, q, l);
      Reals change[3];
      weighted(p.c, d + l, change);
      const Reals part = across(p, clamped), along = (1.0 - part) * inner(p.u, change) * (p.inverse * p.inverse);
      for (int i = 0; i < 3; ++i) {
        const Reals force = p.stiffness * (part * change[i] + along * p.u[i]);
        for (int a = 0; a < corners; ++a) sums[a][i] += p.c[a] * force;
      }
    }
    for (int a = 0; a < corners; ++a)
      for (int i = 0; i < 3; ++i) store(out + width * (3 * a + i) + l, sums[a][i]);
  }
}

/// The upper triangle of a symmetric 3×3 matrix.
constexpr int upper[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};

/// K_ab = Σ_q c_a c_b K_q from c and K at the points, in float32.
template <int corners>
ELECTRET_INLINE void muscle_blocks(const float (&c)[points_of<corners>][corners][width],
                                   const float (&k)[points_of<corners>][6][width], float* blocks) {
  for (int l = 0; l < width; l += lanes32) {
    float* block = blocks + l;
    for (int a = 0; a < corners; ++a)
      for (int b = a; b < corners; ++b, block += 9 * width) {
        Floats sums[6] = {};
#pragma GCC unroll 8
        for (int q = 0; q < points_of<corners>; ++q) {
          const Floats both = load(c[q][a] + l) * load(c[q][b] + l);
#pragma GCC unroll 6
          for (int n = 0; n < 6; ++n) sums[n] += both * load(k[q][n] + l);
        }
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j) store(block + width * (3 * i + j), sums[upper[i][j]]);
      }
  }
}

template <int corners>
void muscle_matrices(const BatchShape& shape, const BatchMuscle& muscle, bool clamped, const double* x,
                     float* blocks) {
  alignas(64) float c[points_of<corners>][corners][width], k[points_of<corners>][6][width];
  for (int q = 0; q < points_of<corners>; ++q)
    for (int l = 0; l < width; l += lanes) {
      const MusclePoint<corners> p = muscle_point<corners>(shape, muscle, x, q, l);
      for (int a = 0; a < corners; ++a) store(c[q][a] + l, p.c[a]);
      const Reals part = across(p, clamped), equal = p.stiffness * part;
      const Reals along = (p.stiffness - equal) * (p.inverse * p.inverse);
      for (int i = 0; i < 3; ++i)
        for (int j = i; j < 3; ++j) {
          const Reals of_fibre = along * p.u[i] * p.u[j];
          store(k[q][upper[i][j]] + l, i == j ? equal + of_fibre : of_fibre);
        }
    }
  muscle_blocks<corners>(c, k, blocks);
}

template <int corners>
void muscle_energy_slopes(const BatchShape& shape, const BatchMuscle& muscle, const double* x, double* by_stiffness,
                          double* by_activation) {
  for (int l = 0; l < width; l += lanes) {
    Reals of_k{}, of_a{};
    for (int q = 0; q < points_of<corners>; ++q) {
      const MusclePoint<corners> p = muscle_point<corners>(shape, muscle, x, q, l);
      const Reals excess = p.length - p.activation;
      of_k += 0.5 * p.weight * (excess * excess);
      of_a -= p.stiffness * excess;
    }
    store(by_stiffness + l, of_k);
    store(by_activation + l, of_a);
  }
}

template <int corners>
void muscle_gradient_slopes(const BatchShape& shape, const BatchMuscle& muscle, const double* x, const double* z,
                            double* by_stiffness, double* by_activation) {
  for (int l = 0; l < width; l += lanes) {
    Reals of_k{}, of_a{};
    for (int q = 0; q < points_of<corners>; ++q) {
      const MusclePoint<corners> p = muscle_point<corners>(shape, muscle, x, q, l);
      Reals change[3];
      weighted(p.c, z + l, change);
      const Reals stretch = p.inverse * inner(p.u, change);
      of_k += p.weight * (p.length - p.activation) * stretch;
      of_a -= p.stiffness * stretch;
    }
    store(by_stiffness + l, of_k);
    store(by_activation + l, of_a);
  }
}

/// P = k (ℓ - a) û mᵀ and dP = k [(1 - a/ℓ) v + (a/ℓ)(û·v) û] mᵀ with v = D m.
template <int corners>
void muscle_stresses(const BatchMuscle& muscle, const double* f, const double* d, double* p, double* dp) {
  for (int l = 0; l < width; l += lanes) {
    const Reals stiffness = load(muscle.stiffness + l), activation = load(muscle.activation + l), none{};
    for (int q = 0; q < points_of<corners>; ++q) {
      const int first = 9 * width * q + l;
      Reals u[3], change[3];
      along_fibre(f + first, muscle.fibre + l, u);
      along_fibre(d + first, muscle.fibre + l, change);
      const Reals length = root(inner(u, u));
      const Reals inverse = length > none ? 1.0 / length : none, part = 1.0 - activation * inverse;
      const Reals pull = stiffness * (length - activation) * inverse;
      const Reals along = (1.0 - part) * inner(u, change) * (inverse * inverse);
      for (int i = 0; i < 3; ++i) {
        const Reals stress = pull * u[i], moved = stiffness * (part * change[i] + along * u[i]);
        for (int j = 0; j < 3; ++j) {
          store(p + first + width * (3 * i + j), stress * load(muscle.fibre + width * j + l));
          store(dp + first + width * (3 * i + j), moved * load(muscle.fibre + width * j + l));
        }
      }
    }
  }
}

template <int corners>
constexpr MuscleKernels muscle_kernels{muscle_gradient<corners>, muscle_product<corners>, muscle_matrices<corners>,
                                       muscle_energy_slopes<corners>, muscle_gradient_slopes<corners>,
                                       muscle_stresses<corners>};
