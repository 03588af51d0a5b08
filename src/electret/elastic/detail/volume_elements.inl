// Maps numbers at corners to Gauss points and back for the eight elements of a batch, and makes the table of
// all kernels. It is included after the other files.

/// The slopes ∂N_a/∂ξ of a hexahedron are products over the axes of factors ½(1 ± ξ) and ±½. The Gauss points
/// are at ±1/√3.
constexpr double near = 0.5 + 0.28867513459481288225, far = 0.5 - 0.28867513459481288225;

/// Gmsh's number of the corner at (x, y, z).
constexpr int corner_at[2][2][2] = {{{0, 4}, {3, 7}}, {{1, 5}, {2, 6}}};

/// The place (x, y, z) of a corner or point, 0 or 1 along each axis, and its number.
struct Cube {
  int at[3];
  constexpr int corner() const { return corner_at[at[0]][at[1]][at[2]]; }
  constexpr int point() const { return 4 * at[0] + 2 * at[1] + at[2]; }
};
constexpr Cube cube(int axis, int along, int one, int other) {
  Cube c{};
  c.at[axis] = along;
  c.at[(axis + 1) % 3] = one;
  c.at[(axis + 2) % 3] = other;
  return c;
}

/// The derivative along `axis` of the trilinear function with the given values at the corners. It is constant
/// along `axis`, so that there are four values: one for each line of points along `axis`.
ELECTRET_INLINE void derivative(const double* corners, int axis, Reals (&out)[2][2]) {
  Reals lines[2][2], half[2][2];
  for (int one = 0; one < 2; ++one)
    for (int other = 0; other < 2; ++other)
      lines[one][other] = 0.5 * (load(corners + 3 * width * cube(axis, 1, one, other).corner()) -
                                 load(corners + 3 * width * cube(axis, 0, one, other).corner()));
  for (int other = 0; other < 2; ++other) {
    half[0][other] = near * lines[0][other] + far * lines[1][other];
    half[1][other] = far * lines[0][other] + near * lines[1][other];
  }
  for (int one = 0; one < 2; ++one) {
    out[one][0] = near * half[one][0] + far * half[one][1];
    out[one][1] = far * half[one][0] + near * half[one][1];
  }
}

ELECTRET_INLINE const double* shape_at(const BatchShape& shape, int q) {
  return shape.values + q * shape.stride;
}

void hexahedron_gradients(const BatchShape& shape, const double* v, double* gradients) {
  for (int l = 0; l < width; l += lanes)
    for (int i = 0; i < 3; ++i) {
      Reals along[3][2][2];
      for (int axis = 0; axis < 3; ++axis) derivative(v + width * i + l, axis, along[axis]);
#pragma GCC unroll 8
      for (int q = 0; q < 8; ++q) {
        const int x = q / 4, y = q / 2 % 2, z = q % 2;
        const double* inverse = shape_at(shape, q) + l;
        for (int j = 0; j < 3; ++j)
          store(gradients + width * (9 * q + 3 * i + j) + l, along[0][y][z] * load(inverse + width * j) +
                                                                  along[1][z][x] * load(inverse + width * (3 + j)) +
                                                                  along[2][x][y] * load(inverse + width * (6 + j)));
      }
    }
}

/// Adds the transpose of `derivative`.
ELECTRET_INLINE void add_transposed(const Reals (&in)[2][2], int axis, Reals (&corners)[8]) {
  Reals half[2][2];
  for (int one = 0; one < 2; ++one) {
    half[one][0] = near * in[one][0] + far * in[one][1];
    half[one][1] = far * in[one][0] + near * in[one][1];
  }
  for (int other = 0; other < 2; ++other) {
    const Reals first = 0.5 * (near * half[0][other] + far * half[1][other]);
    const Reals second = 0.5 * (far * half[0][other] + near * half[1][other]);
    corners[cube(axis, 1, 0, other).corner()] += first;
    corners[cube(axis, 0, 0, other).corner()] -= first;
    corners[cube(axis, 1, 1, other).corner()] += second;
    corners[cube(axis, 0, 1, other).corner()] -= second;
  }
}

void hexahedron_forces(const BatchShape& shape, const double* stresses, double* forces) {
  for (int l = 0; l < width; l += lanes)
    for (int i = 0; i < 3; ++i) {
      Reals along[3][2][2] = {};
#pragma GCC unroll 8
      for (int q = 0; q < 8; ++q) {
        const int at[3] = {q / 4, q / 2 % 2, q % 2};
        const double* inverse = shape_at(shape, q) + l;
        const Reals weight = load(inverse + 9 * width);
        Reals p[3];
        for (int j = 0; j < 3; ++j) p[j] = weight * load(stresses + width * (9 * q + 3 * i + j) + l);
        for (int axis = 0; axis < 3; ++axis) {
          const double* row = inverse + 3 * width * axis;
          along[axis][at[(axis + 1) % 3]][at[(axis + 2) % 3]] +=
              p[0] * load(row) + p[1] * load(row + width) + p[2] * load(row + 2 * width);
        }
      }
      Reals corners[8] = {};
      for (int axis = 0; axis < 3; ++axis) add_transposed(along[axis], axis, corners);
      for (int a = 0; a < 8; ++a) store(forces + width * (3 * a + i) + l, corners[a]);
    }
}

void tetrahedron_gradients(const BatchShape& shape, const double* v, double* gradients) {
  for (int l = 0; l < width; l += lanes)
    for (int i = 0; i < 3; ++i) {
      const Reals origin = load(v + width * i + l);
      Reals along[3];
      for (int a = 0; a < 3; ++a) along[a] = load(v + width * (3 * a + 3 + i) + l) - origin;
      for (int j = 0; j < 3; ++j) {
        const double* column = shape.values + width * j + l;
        store(gradients + width * (3 * i + j) + l, along[0] * load(column) + along[1] * load(column + 3 * width) +
                                                       along[2] * load(column + 6 * width));
      }
    }
}

void tetrahedron_forces(const BatchShape& shape, const double* stresses, double* forces) {
  for (int l = 0; l < width; l += lanes)
    for (int i = 0; i < 3; ++i) {
      const Reals weight = load(shape.values + 9 * width + l);
      Reals p[3], origin{};
      for (int j = 0; j < 3; ++j) p[j] = weight * load(stresses + width * (3 * i + j) + l);
      for (int a = 0; a < 3; ++a) {
        const double* row = shape.values + 3 * width * a + l;
        const Reals force = p[0] * load(row) + p[1] * load(row + width) + p[2] * load(row + 2 * width);
        store(forces + width * (3 * a + 3 + i) + l, force);
        origin -= force;
      }
      store(forces + width * i + l, origin);
    }
}

/// ∂N_a/∂ξ_r at point q.
template <int corners>
constexpr double slope(int q, int a, int r) {
  if constexpr (corners == 4) return a == 0 ? -1.0 : a - 1 == r ? 1.0 : 0.0;
  const int p[3] = {q / 4, q / 2 % 2, q % 2};
  for (int x = 0; x < 2; ++x)
    for (int y = 0; y < 2; ++y)
      for (int z = 0; z < 2; ++z) {
        if (corner_at[x][y][z] != a) continue;
        const int c[3] = {x, y, z};
        double value = 1.0;
        for (int axis = 0; axis < 3; ++axis)
          value *= axis == r ? (c[axis] == 1 ? 0.5 : -0.5) : (c[axis] == p[axis] ? near : far);
        return value;
      }
  return 0.0;
}

/// Rounds eight numbers to float32.
ELECTRET_INLINE void round_to(float* out, const double* in) {
  for (int l = 0; l < width; ++l) out[l] = static_cast<float>(in[l]);
}

#include <electret/elastic/detail/volume_hexahedra.inl>

/// Of one point. It computes H G_b for every b, then G_a · (H G_b).
void tetrahedron_matrices(const BatchShape& shape, const float* tangent, float* blocks) {
  alignas(64) float shape32[10][width];
  for (int k = 0; k < 10; ++k) round_to(shape32[k], shape.values + width * k);
  for (int l = 0; l < width; l += lanes32) {
    const Floats weight = load(shape32[9] + l);
    Floats g[4][3];
    for (int j = 0; j < 3; ++j) {
      for (int a = 1; a < 4; ++a) g[a][j] = load(shape32[3 * a - 3 + j] + l);
      g[0][j] = -g[1][j] - g[2][j] - g[3][j];
    }
    for (int b = 0; b < 4; ++b) {
      Floats y[9][3];
#pragma GCC unroll 9
      for (int ij = 0; ij < 9; ++ij)
#pragma GCC unroll 3
        for (int k = 0; k < 3; ++k) {
          Floats sum{};
#pragma GCC unroll 3
          for (int j = 0; j < 3; ++j) {
            const int kl = 3 * k + j, low = ij < kl ? ij : kl, high = ij < kl ? kl : ij;
            sum += load(tangent + width * (low * (17 - low) / 2 + high) + l) * g[b][j];
          }
          y[ij][k] = weight * sum;
        }
      for (int a = 0; a <= b; ++a) {
        float* block = blocks + 9 * width * (a * (7 - a) / 2 + b) + l;
#pragma GCC unroll 3
        for (int i = 0; i < 3; ++i)
#pragma GCC unroll 3
          for (int k = 0; k < 3; ++k)
            store(block + width * (3 * i + k),
                  g[a][0] * y[3 * i][k] + g[a][1] * y[3 * i + 1][k] + g[a][2] * y[3 * i + 2][k]);
      }
    }
  }
}

template <int corners>
void product(const float* blocks, const float* d, float* out) {
  for (int l = 0; l < width; l += lanes32) {
    Floats sums[corners][3] = {};
    const float* block = blocks + l;
    for (int a = 0; a < corners; ++a)
      for (int b = a; b < corners; ++b, block += 9 * width)
#pragma GCC unroll 3
        for (int i = 0; i < 3; ++i)
#pragma GCC unroll 3
          for (int k = 0; k < 3; ++k) {
            const Floats entry = load(block + width * (3 * i + k));
            sums[a][i] += entry * load(d + width * (3 * b + k) + l);
            if (a != b) sums[b][k] += entry * load(d + width * (3 * a + i) + l);
          }
    for (int a = 0; a < corners; ++a)
      for (int i = 0; i < 3; ++i) store(out + width * (3 * a + i) + l, sums[a][i]);
  }
}

template <int corners>
void scatter(const float* blocks, const std::int32_t* const* slots, int elements, float factor,
             float* values) {
  constexpr int numbers = 9 * corners * (corners + 1) / 2;
  alignas(64) float turned[width][(numbers + width - 1) / width * width];
  int k = 0;
  for (; k + width <= numbers; k += width) transpose(blocks + width * k, turned[0] + k, sizeof turned[0] / 4);
  for (; k < numbers; ++k)
    for (int l = 0; l < width; ++l) turned[l][k] = blocks[width * k + l];
  for (int l = 0; l < elements; ++l) {
    const float* block = turned[l];
    for (int a = 0; a < corners; ++a)
      for (int b = a; b < corners; ++b, block += 9) {
        add_transposed_block(values + 9 * std::int64_t{slots[l][corners * a + b]}, factor, block);
        if (a != b) add_block(values + 9 * std::int64_t{slots[l][corners * b + a]}, factor, block);
      }
  }
}

template <int corners>
void add_to_lattice(const float* blocks, const LatticePlace* places, std::int64_t stride, float factor) {
  for (int pair = 0; pair < corners * (corners + 1) / 2; ++pair, blocks += 9 * width) {
    float* out = places[pair].first;
    const std::int64_t row = places[pair].transposed ? stride : 3 * stride, column = 4 * stride - row;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        for (int l = 0; l < width; l += lanes32) {
          float* to = out + i * row + j * column + l;
          store(to, load(to) + factor * load(blocks + width * (3 * i + j) + l));
        }
  }
}

#include <electret/elastic/detail/muscle_elements.inl>

template <Model model>
constexpr PointKernels point_kernels{stress<model>, tangent<model, double>, tangent<model, float>,
                                     clamped_tangent<model, double>, clamped_tangent<model, float>};

constexpr VolumeKernels all_kernels{
    {tetrahedron_gradients, tetrahedron_forces, tetrahedron_matrices, product<4>, scatter<4>,
     add_to_lattice<4>},
    {hexahedron_gradients, hexahedron_forces, hexahedron_matrices, product<8>, scatter<8>,
     add_to_lattice<8>},
    {point_kernels<projective>, point_kernels<corotated>, point_kernels<fixed_corotated>,
     point_kernels<neo_hookean>, point_kernels<stable_neo_hookean>, point_kernels<linear>},
    multiply, rest_stress, muscle_kernels<4>, muscle_kernels<8>};
