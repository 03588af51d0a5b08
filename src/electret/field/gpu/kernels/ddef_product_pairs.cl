/* Derivative products of ddef: sums at the charges. All differences are compensated.

   A source has a charge q (1 for vertices) and a vector; with w the difference of the point's and the source's vectors a
   pair adds q K'(d) w and q K(d)·w. With TAYLOR, vertices have moments M, too, which add D(d):M and K'(d):M, where D is
   the derivative of K'. */

/* Adds q K'(d) w and q K(d)·w; `c` is q/ρ³, `square` 1/ρ². */
INLINED void add_vector_pair(float* sum, float dx, float dy, float dz, float c, float square, float wx, float wy,
                             float wz) {
  const float along = FMA(dz, wz, FMA(dy, wy, dx * wx)), t = -3.0f * ((c * square) * along);
  sum[0] = FMA(t, dx, FMA(c, wx, sum[0]));
  sum[1] = FMA(t, dy, FMA(c, wy, sum[1]));
  sum[2] = FMA(t, dz, FMA(c, wz, sum[2]));
  sum[3] = FMA(c, along, sum[3]);
}

/* The same of a close pair, whose 1/ρ⁵ may be beyond float32. */
INLINED void add_close_vector_pair(float* sum, const float* d, float inverse, float q, float wx, float wy, float wz) {
  const float x = inverse * d[0], y = inverse * d[1], z = inverse * d[2];
  const float along = FMA(z, wz, FMA(y, wy, x * wx)), c = q * (inverse * inverse), t = -3.0f * along;
  sum[0] = FMA(c * inverse, FMA(t, x, wx), sum[0]);
  sum[1] = FMA(c * inverse, FMA(t, y, wy), sum[1]);
  sum[2] = FMA(c * inverse, FMA(t, z, wz), sum[2]);
  sum[3] = FMA(c, along, sum[3]);
}

#if TAYLOR
/* Adds sign·(D(d):M - K'(d) W) and sign·(K'(d):M - K(d)·W); `cube` is 1/ρ³. w: W and M. */
INLINED void add_moment_pair(float* sum, float sign, float dx, float dy, float dz, float cube, float square, float4 w,
                             float4 m, float4 n) {
  const float px = FMA(n.x, dz, FMA(m.w, dy, m.x * dx));
  const float py = FMA(n.y, dz, FMA(m.y, dy, m.w * dx));
  const float pz = FMA(m.z, dz, FMA(n.y, dy, n.x * dx));
  const float trace = m.x + m.y + m.z, fifth = 3.0f * (cube * square);
  const float along_w = FMA(dz, w.z, FMA(dy, w.y, dx * w.x)), along_p = FMA(dz, pz, FMA(dy, py, dx * px));
  const float radial = fifth * FMA(5.0f * along_p, square, along_w - trace), minus = -2.0f * fifth;
  sum[0] = FMA(sign, FMA(radial, dx, FMA(minus, px, -cube * w.x)), sum[0]);
  sum[1] = FMA(sign, FMA(radial, dy, FMA(minus, py, -cube * w.y)), sum[1]);
  sum[2] = FMA(sign, FMA(radial, dz, FMA(minus, pz, -cube * w.z)), sum[2]);
  sum[3] = FMA(sign, cube * (trace - along_w - 3.0f * (along_p * square)), sum[3]);
}
#endif

#if TAYLOR
INLINED void add_close_moment_pair(float* sum, float sign, const float* d, float inverse, float4 w, float4 m, float4 n) {
  add_close_vector_pair(sum, d, inverse, -sign, w.x, w.y, w.z);
  const float x = inverse * d[0], y = inverse * d[1], z = inverse * d[2];
  const float px = FMA(n.x, z, FMA(m.w, y, m.x * x));
  const float py = FMA(n.y, z, FMA(m.y, y, m.w * x));
  const float pz = FMA(m.z, z, FMA(n.y, y, n.x * x));
  const float trace = m.x + m.y + m.z, along = FMA(z, pz, FMA(y, py, x * px));
  const float bounded = fmin(inverse, 1e9f), cube = sign * (bounded * bounded * bounded), fourth = 3.0f * cube * bounded;
  const float radial = FMA(5.0f, along, -trace);
  sum[0] = FMA(fourth, FMA(radial, x, -2.0f * px), sum[0]);
  sum[1] = FMA(fourth, FMA(radial, y, -2.0f * py), sum[1]);
  sum[2] = FMA(fourth, FMA(radial, z, -2.0f * pz), sum[2]);
  sum[3] = FMA(cube, FMA(-3.0f, along, trace), sum[3]);
}
#endif

/* The difference of two points, however close they are. Returns TOO_CLOSE if float32 cannot hold what they add. */
INLINED int difference_of(const Points* points, int at, int source, float* d, float* inverse) {
  const float4 a = points->high[at], a_low = points->low[at];
  const float4 b = points->high[source], b_low = points->low[source];
  GLOBAL const float* frame = points->frame;
  d[0] = (a.x - b.x) + (a_low.x - b_low.x);
  d[1] = (a.y - b.y) + (a_low.y - b_low.y);
  d[2] = (a.z - b.z) + (a_low.z - b_low.z);
  const float rho2 = FMA(d[2], d[2], FMA(d[1], d[1], FMA(d[0], d[0], frame[SOFTENING])));
  *inverse = RSQRT(rho2);
  if (rho2 >= frame[EXACT]) return 0;
  GLOBAL const long* places = points->places;
  const ulong stride = points->stride;
  const float x = (float)(places[at] - places[source]);
  const float y = (float)(places[stride + at] - places[stride + source]);
  const float z = (float)(places[2 * stride + at] - places[2 * stride + source]);
  const float units2 = FMA(z, z, FMA(y, y, FMA(x, x, frame[SOFTENING_UNITS])));
  if (units2 < TOO_FEW_UNITS) return TOO_CLOSE;
  *inverse = frame[UNITS] * RSQRT(units2);
  const float unit = frame[UNIT];
  d[0] = unit * x;
  d[1] = unit * y;
  d[2] = unit * z;
  return 0;
}

INLINED void add_in_two_parts(float* high, float* low, const float* sum) {
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    float error;
    TWO_SUM(high[k], sum[k], high[k], error);
    low[k] += error;
  }
}
