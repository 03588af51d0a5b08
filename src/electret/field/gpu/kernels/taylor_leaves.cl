/* P2M and L2P of Taylor series. Needs taylor.cl. Powers of points are in local memory, by axis, exponent and point. */
#define T_LANES 64
#define T_POINTS 32 /* the points of which powers are kept at once for moments */
#define LINES (TAYLOR + 3) /* up to two zeros, then exponents 0 to TAYLOR */

/* Each lane sums some numbers over the points; blocks of points are added with their rounding errors. */
#define MOMENTS_OF_LEAF(LOAD_VECTOR, TERM)                                                                             \
  LOCAL float at_power[3 * LINES * T_POINTS], weight[4 * T_POINTS], total[T_NUMBERS], rest[T_NUMBERS];                 \
  const int leaf = leaves[GROUP];                                                                                      \
  const int2 range = points[leaf];                                                                                     \
  const float inverse = reciprocal_of_power(centre[leaf].w);                                                           \
  for (int c = LANE; c < T_NUMBERS; c += T_LANES) total[c] = 0.0f, rest[c] = 0.0f;                                     \
  for (int first = range.x; first < range.y; first += T_POINTS) {                                                      \
    const int point = LANE & (T_POINTS - 1), i = min(first + point, range.y - 1);                                      \
    const float4 high_row = high[i];                                                                                   \
    const float charge = first + point < range.y ? high_row.w : 0.0f;                                                  \
    const float4 at = offset_of(high_row, low[i], centre[leaf], centre_low[leaf], inverse);                            \
    BARRIER;                                                                                                           \
    if (LANE < T_POINTS) {                                                                                             \
      weight[point] = charge;                                                                                          \
      LOAD_VECTOR                                                                                                      \
      put_powers(-at.x, 2, T_POINTS, at_power + 2 * T_POINTS + point);                                                 \
      put_powers(-at.y, 2, T_POINTS, at_power + (LINES + 2) * T_POINTS + point);                                       \
    } else {                                                                                                           \
      put_powers(-at.z, 2, T_POINTS, at_power + (2 * LINES + 2) * T_POINTS + point);                                   \
    }                                                                                                                  \
    BARRIER;                                                                                                           \
    for (int c = LANE; c < T_NUMBERS; c += T_LANES) {                                                                  \
      const int4 of = powers[c];                                                                                       \
      LOCAL const float *x = at_power + (2 + of.x) * T_POINTS, *y = at_power + (LINES + 2 + of.y) * T_POINTS,          \
                        *z = at_power + (2 * LINES + 2 + of.z) * T_POINTS;                                             \
      float sum = 0.0f, error;                                                                                         \
      for (int s = 0; s < T_POINTS; ++s) sum += TERM;                                                                  \
      TWO_SUM(total[c], sum, total[c], error)                                                                          \
      rest[c] += error;                                                                                                \
    }                                                                                                                  \
  }                                                                                                                    \
  for (int c = LANE; c < T_NUMBERS; c += T_LANES) moments[(long)leaf * T_ROOM + c] = total[c] + rest[c];

/* Moments of the leaves, one a group: Σ q (centre - x)^b/b! in units of σ. */
KERNEL(T_LANES) void taylor_moments_of_leaves(GLOBAL const int* leaves, GLOBAL const int2* points,
                                              GLOBAL const float4* centre, GLOBAL const float4* centre_low,
                                              GLOBAL const float4* high, GLOBAL const float4* low, TAYLOR_TABLES,
                                              GLOBAL float* moments) {
  MOMENTS_OF_LEAF(, weight[s] * (x[s] * (y[s] * z[s])))
}

/* The elements before, of a derivative. */
#define BEFORE(line) ((line)[s - T_POINTS])

/* What these moments gain as the points move along u. */
KERNEL(T_LANES) void taylor_dipoles_of_leaves(GLOBAL const int* leaves, GLOBAL const int2* points,
                                              GLOBAL const float4* centre, GLOBAL const float4* centre_low,
                                              GLOBAL const float4* high, GLOBAL const float4* low,
                                              GLOBAL const float4* vectors, TAYLOR_TABLES, GLOBAL float* moments) {
  MOMENTS_OF_LEAF(
      const float4 u = vectors[i]; const float factor = -charge * inverse;
      weight[T_POINTS + point] = factor * u.x; weight[2 * T_POINTS + point] = factor * u.y;
      weight[3 * T_POINTS + point] = factor * u.z;,
      (FMA(weight[T_POINTS + s] * BEFORE(x), y[s] * z[s],
           x[s] * FMA(weight[2 * T_POINTS + s] * BEFORE(y), z[s], weight[3 * T_POINTS + s] * (y[s] * BEFORE(z))))))
}

/* Calls BODY for every row {j, k} of a series, whose numbers are series[at] up to series[at + last]. */
#define FOR_ROWS(BODY)                                   \
  for (int k = 0; k <= TAYLOR; ++k)                      \
    for (int j = 0; j + k <= TAYLOR; ++j) {              \
      const int at = row[j * T_POWERS + k], last = TAYLOR - j - k; \
      BODY                                               \
    }
/* A lane's own column of powers: by axis and exponent, from -2 on. */
#define POWER(axis, n) column[((axis) * LINES + 2 + (n)) * T_LANES]

/* The locals of a leaf in rows, and each point's powers. */
#define LOCALS_OF_LEAF                                                                                          \
  LOCAL float series[T_NUMBERS], at_power[3 * LINES * T_LANES];                                                 \
  const int leaf = leaves[GROUP];                                                                               \
  const int2 range = points[leaf];                                                                              \
  const float inverse = reciprocal_of_power(centre[leaf].w);                                                    \
  LOCAL float* column = at_power + LANE;                                                                        \
  for (int c = LANE; c < T_NUMBERS; c += T_LANES)                                                               \
    series[place_in_rows(powers[c], row)] = locals[(long)leaf * T_ROOM + c];
#define POWERS_OF_POINT(i)                                                                     \
  {                                                                                            \
    const float4 place = offset_of(high[i], low[i], centre[leaf], centre_low[leaf], inverse);  \
    put_powers(place.x, 2, T_LANES, &POWER(0, 0));                                             \
    put_powers(place.y, 2, T_LANES, &POWER(1, 0));                                             \
    put_powers(place.z, 2, T_LANES, &POWER(2, 0));                                             \
  }

/* Adds field and potential of the leaves' locals, one a group, to `near` in tree order. */
KERNEL(T_LANES) void taylor_field_of_leaves(GLOBAL const int* leaves, GLOBAL const int2* points,
                                            GLOBAL const float4* centre, GLOBAL const float4* centre_low,
                                            GLOBAL const float4* high, GLOBAL const float4* low, TAYLOR_TABLES,
                                            GLOBAL const float* locals, GLOBAL float4* near) {
  LOCALS_OF_LEAF
  BARRIER;
  for (int i = range.x + LANE; i < range.y; i += T_LANES) {
    POWERS_OF_POINT(i)
    float value = 0.0f, x = 0.0f, y = 0.0f, z = 0.0f;
    FOR_ROWS({
      float sum = 0.0f;
      float by_x = 0.0f;
      for (int n = 0; n <= last; ++n) {
        sum = FMA(series[at + n], POWER(0, n), sum);
        by_x = FMA(series[at + n], POWER(0, n - 1), by_x);
      }
      const float across = POWER(1, j) * POWER(2, k);
      value = FMA(sum, across, value);
      x = FMA(by_x, across, x);
      y = FMA(sum, POWER(1, j - 1) * POWER(2, k), y);
      z = FMA(sum, POWER(1, j) * POWER(2, k - 1), z);
    })
    const float4 sum = near[i];
    near[i] = (float4)(sum.x - x * inverse, sum.y - y * inverse, sum.z - z * inverse, sum.w + value);
  }
}

/* The same with products (product_leaves.cl). */
KERNEL(T_LANES) void taylor_products_of_leaves(GLOBAL const int* leaves, GLOBAL const int2* points,
                                               GLOBAL const float4* centre, GLOBAL const float4* centre_low,
                                               GLOBAL const float4* high, GLOBAL const float4* low,
                                               GLOBAL const float4* vectors, TAYLOR_TABLES, GLOBAL const float* locals,
                                               GLOBAL const float* dipole_locals, GLOBAL float4* near,
                                               GLOBAL float4* near_products) {
  LOCAL float dipole[T_NUMBERS];
  LOCALS_OF_LEAF
  for (int c = LANE; c < T_NUMBERS; c += T_LANES)
    dipole[place_in_rows(powers[c], row)] = dipole_locals[(long)leaf * T_ROOM + c];
  BARRIER;
  for (int i = range.x + LANE; i < range.y; i += T_LANES) {
    POWERS_OF_POINT(i)
    float value = 0.0f, x = 0.0f, y = 0.0f, z = 0.0f;
    float xx = 0.0f, xy = 0.0f, xz = 0.0f, yy = 0.0f, yz = 0.0f, zz = 0.0f;
    float d = 0.0f, dx = 0.0f, dy = 0.0f, dz = 0.0f;
    FOR_ROWS({
      float sum = 0.0f;
      float by_x = 0.0f;
      float by_xx = 0.0f;
      float of_dipole = 0.0f;
      float dipole_by_x = 0.0f;
      for (int n = 0; n <= last; ++n) {
        const float p = POWER(0, n);
        const float before = POWER(0, n - 1);
        sum = FMA(series[at + n], p, sum);
        by_x = FMA(series[at + n], before, by_x);
        by_xx = FMA(series[at + n], POWER(0, n - 2), by_xx);
        of_dipole = FMA(dipole[at + n], p, of_dipole);
        dipole_by_x = FMA(dipole[at + n], before, dipole_by_x);
      }
      const float across = POWER(1, j) * POWER(2, k);
      const float along_y = POWER(1, j - 1) * POWER(2, k);
      const float along_z = POWER(1, j) * POWER(2, k - 1);
      value = FMA(sum, across, value);
      x = FMA(by_x, across, x);
      y = FMA(sum, along_y, y);
      z = FMA(sum, along_z, z);
      xx = FMA(by_xx, across, xx);
      xy = FMA(by_x, along_y, xy);
      xz = FMA(by_x, along_z, xz);
      yy = FMA(sum, POWER(1, j - 2) * POWER(2, k), yy);
      zz = FMA(sum, POWER(1, j) * POWER(2, k - 2), zz);
      yz = FMA(sum, POWER(1, j - 1) * POWER(2, k - 1), yz);
      d = FMA(of_dipole, across, d);
      dx = FMA(dipole_by_x, across, dx);
      dy = FMA(of_dipole, along_y, dy);
      dz = FMA(of_dipole, along_z, dz);
    })
    const float4 v = vectors[i], n = near[i], m = near_products[i];
    const float ex = -x * inverse, ey = -y * inverse, ez = -z * inverse, square = inverse * inverse;
    const float px = FMA(xx, v.x, FMA(xy, v.y, xz * v.z)), py = FMA(xy, v.x, FMA(yy, v.y, yz * v.z)),
                pz = FMA(xz, v.x, FMA(yz, v.y, zz * v.z));
    near[i] = (float4)(n.x + ex, n.y + ey, n.z + ez, n.w + value);
    near_products[i] = (float4)(m.x - px * square - dx * inverse, m.y - py * square - dy * inverse,
                                m.z - pz * square - dz * inverse, m.w + FMA(v.x, ex, FMA(v.y, ey, v.z * ez)) - d);
  }
}
