/* P2M and L2P of derivative products: moments of dipoles q u, and the derivatives of both series at the points. Needs
   leaves.cl. */

/* What the moments of the leaves gain as their points move along u: Σ q (-u/σ)·∇H. The sums of harmonics are found for
   each component of -q u/σ, as moments_of_leaves does; `derivative` makes the gradient's moments of them. */
KERNEL(64) void dipoles_of_leaves(GLOBAL const int* leaves, GLOBAL const int2* points, GLOBAL const float4* centre,
                                  GLOBAL const float4* centre_low, GLOBAL const float4* high,
                                  GLOBAL const float4* low, GLOBAL const float4* vectors, GLOBAL const float4* steps,
                                  GLOBAL const int* numbers, GLOBAL const int4* derivative_at,
                                  GLOBAL const float4* derivative, GLOBAL float* moments) {
  LOCAL float terms[2 * CHUNK * 66], halves[LEAF_LANES];
  LOCAL float total[2 * STEP_ROWS], rest[2 * STEP_ROWS];
  LOCAL float by_axis[3 * NUMBERS];
  const int leaf = leaves[GROUP];
  const int2 range = points[leaf];
  const int row = LANE >> 1, half_at = (LANE & 1) * 33;
  const float inverse = reciprocal_of_power(centre[leaf].w);
  for (int axis = 0; axis < 3; ++axis) {
    for (int k = LANE; k < 2 * STEP_ROWS; k += LEAF_LANES) total[k] = 0.0f, rest[k] = 0.0f;
    BARRIER;
    for (int first = range.x; first < range.y; first += LEAF_LANES) {
      const int i = min(first + LANE, range.y - 1);
      const float4 point = high[i], vector = vectors[i];
      const float component = axis == 0 ? vector.x : axis == 1 ? vector.y : vector.z;
      const float charge = first + LANE < range.y ? -(point.w * component) * inverse : 0.0f;
      const float4 at = place_in_cell(point, low[i], centre[leaf], centre_low[leaf]);
      Harmonics h;
      h.x = -at.x, h.y = -at.y, h.z = -at.z;
      h.r2 = FMA(at.z, at.z, FMA(at.y, at.y, at.x * at.x));
      h.re = 1.0f, h.im = 0.0f, h.q = 1.0f, h.before = 0.0f;
      for (int chunk = 0; chunk < CHUNKS; ++chunk) {
        for (int k = 0; k < CHUNK; ++k) {
          const float4 step = steps[chunk * CHUNK + k];
          NEXT_HARMONIC(h, step)
          const float q = charge * h.q;
          terms[2 * k * 66 + LANE + (LANE >> 5)] = q * h.re;
          terms[(2 * k + 1) * 66 + LANE + (LANE >> 5)] = q * h.im;
        }
        BARRIER;
        float sum = 0.0f;
        for (int k = 0; k < 32; ++k) sum += terms[row * 66 + half_at + k];
        halves[LANE] = sum;
        BARRIER;
        if (LANE < 2 * CHUNK) {
          const int at_row = chunk * 2 * CHUNK + LANE;
          float error;
          TWO_SUM(total[at_row], halves[2 * LANE] + halves[2 * LANE + 1], total[at_row], error)
          rest[at_row] += error;
        }
      }
      BARRIER;
    }
    for (int k = LANE; k < 2 * STEP_COUNT; k += LEAF_LANES) {
      const int number = numbers[k];
      if (number >= 0) by_axis[axis * NUMBERS + number] = total[k] + rest[k];
    }
    BARRIER;
  }
  for (int c = LANE; c < NUMBERS; c += LEAF_LANES) {
    const int4 at = derivative_at[2 * c], at_z = derivative_at[2 * c + 1];
    const float4 f = derivative[2 * c], f_z = derivative[2 * c + 1];
    float sum = f.x * by_axis[at.x];
    sum = FMA(f.y, by_axis[at.y], sum);
    sum = FMA(f.z, by_axis[NUMBERS + at.z], sum);
    sum = FMA(f.w, by_axis[NUMBERS + at.w], sum);
    moments[leaf * ROOM + c] = FMA(f_z.x, by_axis[2 * NUMBERS + at_z.x], sum);
  }
}

/* One number of the gradient of a series whose numbers are `from` apart by `stride`: by x, y and z. */
float4 gradient_number(int c, GLOBAL const int4* gradient_at, GLOBAL const float4* gradient, LOCAL const float* from,
                       int stride) {
  const int4 at = gradient_at[2 * c], at_z = gradient_at[2 * c + 1];
  const float4 f = gradient[2 * c], f_z = gradient[2 * c + 1];
  return (float4)(FMA(f.x, from[at.x * stride], f.y * from[at.y * stride]),
                  FMA(f.z, from[at.z * stride], f.w * from[at.w * stride]), f_z.x * from[at_z.x * stride], 0.0f);
}

/* Field, potential, and products of the leaves' locals, one a group, together with the near sums, in the caller's
   order. `dipole_locals` come from the dipoles' moments. The series are, by number: `first` {φ, ∂x, ∂y, ∂z}, `second`
   {∂xx, ∂xy, ∂xz, ∂yy}, `last` ∂yz, and `dipole` as `first`. */
KERNEL(64) void products_of_leaves(GLOBAL const int* leaves, GLOBAL const int2* points, GLOBAL const float4* centre,
                                   GLOBAL const float4* centre_low, GLOBAL const float4* high,
                                   GLOBAL const float4* low, GLOBAL const float4* vectors, GLOBAL const int* order,
                                   GLOBAL const float4* steps, GLOBAL const int* numbers,
                                   GLOBAL const int4* gradient_at, GLOBAL const float4* gradient,
                                   GLOBAL const float* locals, GLOBAL const float* dipole_locals,
                                   GLOBAL const float4* near, GLOBAL const float4* near_products,
                                   GLOBAL float4* sums, GLOBAL float4* products) {
  LOCAL float4 first[NUMBERS], second[NUMBERS], dipole[NUMBERS];
  LOCAL float last[NUMBERS];
  const int leaf = leaves[GROUP];
  const int2 range = points[leaf];
  for (int c = LANE; c < NUMBERS; c += LEAF_LANES) {
    last[c] = locals[(long)leaf * ROOM + c];
    dipole[c] = (float4)(dipole_locals[(long)leaf * ROOM + c], 0.0f, 0.0f, 0.0f);
  }
  BARRIER;
  for (int c = LANE; c < NUMBERS; c += LEAF_LANES) {
    const float4 g = gradient_number(c, gradient_at, gradient, last, 1);
    first[c] = (float4)(last[c], g.x, g.y, g.z);
    second[c] = gradient_number(c, gradient_at, gradient, (LOCAL const float*)dipole, 4);
  }
  BARRIER;
  for (int c = LANE; c < NUMBERS; c += LEAF_LANES)
    dipole[c] = (float4)(dipole[c].x, second[c].x, second[c].y, second[c].z);
  BARRIER;
  for (int c = LANE; c < NUMBERS; c += LEAF_LANES) {
    const float4 of_x = gradient_number(c, gradient_at, gradient, (LOCAL const float*)first + 1, 4);
    const float4 of_y = gradient_number(c, gradient_at, gradient, (LOCAL const float*)first + 2, 4);
    second[c] = (float4)(of_x.x, of_x.y, of_x.z, of_y.y);
    last[c] = of_y.z;
  }
  BARRIER;
  const float inverse = reciprocal_of_power(centre[leaf].w);
  for (int i = range.x + LANE; i < range.y; i += LEAF_LANES) {
    const float4 at = place_in_cell(high[i], low[i], centre[leaf], centre_low[leaf]), v = vectors[i];
    Harmonics h;
    h.x = at.x, h.y = at.y, h.z = at.z;
    h.r2 = FMA(at.z, at.z, FMA(at.y, at.y, at.x * at.x));
    h.re = 1.0f, h.im = 0.0f, h.q = 1.0f, h.before = 0.0f;
    float4 f = (float4)(0.0f, 0.0f, 0.0f, 0.0f), s = f, d = f;
    float yz = 0.0f;
#pragma unroll 1
    for (int k = 0; k < STEP_COUNT; ++k) {
      const float4 step = steps[k];
      NEXT_HARMONIC(h, step)
#pragma unroll
      for (int part = 0; part < 2; ++part) {
        const int c = numbers[2 * k + part], number = max(c, 0);
        const float value = c < 0 ? 0.0f : part == 0 ? h.q * h.re : h.q * h.im;
        const float4 a = first[number], b = second[number], e = dipole[number];
        f.x = FMA(value, a.x, f.x), f.y = FMA(value, a.y, f.y), f.z = FMA(value, a.z, f.z), f.w = FMA(value, a.w, f.w);
        s.x = FMA(value, b.x, s.x), s.y = FMA(value, b.y, s.y), s.z = FMA(value, b.z, s.z), s.w = FMA(value, b.w, s.w);
        d.x = FMA(value, e.x, d.x), d.y = FMA(value, e.y, d.y), d.z = FMA(value, e.z, d.z), d.w = FMA(value, e.w, d.w);
        yz = FMA(value, last[number], yz);
      }
    }
    const float ex = -f.y * inverse, ey = -f.z * inverse, ez = -f.w * inverse, square = inverse * inverse;
    const float zz = -(s.x + s.w);
    const float px = FMA(s.x, v.x, FMA(s.y, v.y, s.z * v.z)), py = FMA(s.y, v.x, FMA(s.w, v.y, yz * v.z)),
                pz = FMA(s.z, v.x, FMA(yz, v.y, zz * v.z));
    const float4 n = near[i], m = near_products[i];
    sums[order[i]] = (float4)(n.x + ex, n.y + ey, n.z + ez, n.w + f.x);
    products[order[i]] =
        (float4)(m.x - px * square - d.y * inverse, m.y - py * square - d.z * inverse, m.z - pz * square - d.w * inverse,
                 m.w + FMA(v.x, ex, FMA(v.y, ey, v.z * ez)) - d.x);
  }
}
