/* Barycentric coordinates, from sums in two parts. */

#define GEOMETRY 7 /* float4 a tetrahedron: see barycentric, and near sums */

/* A number in two parts. */
typedef struct {
  float high, low;
} Two;

/* sum + a·b */
INLINED Two plus_product(Two sum, Two a, Two b) {
  const float p = a.high * b.high;
  const float rest = FMA(a.high, b.high, -p) + FMA(a.high, b.low, a.low * b.high);
  float error;
  TWO_SUM(sum.high, p, sum.high, error);
  sum.low += error + rest;
  return sum;
}

INLINED Two product_of(Two a, Two b) {
  Two result;
  result.high = a.high * b.high;
  result.low = FMA(a.high, b.high, -result.high) + FMA(a.high, b.low, a.low * b.high);
  return result;
}

/* (a - b)·factor, of high and low parts. */
INLINED Two scaled_difference(float a, float a_low, float b, float b_low, float factor, float factor_low) {
  Two d, f;
  float error;
  TWO_SUM(a, -b, d.high, error);
  d.low = error + (a_low - b_low);
  f.high = factor;
  f.low = factor_low;
  return product_of(d, f);
}

INLINED float coordinate_of(Two x, Two y, Two z, float4 g, float4 g_low) {
  Two psi = {0.0f, 0.0f}, part;
  part.high = g.x, part.low = g_low.x;
  psi = plus_product(psi, part, x);
  part.high = g.y, part.low = g_low.y;
  psi = plus_product(psi, part, y);
  part.high = g.z, part.low = g_low.z;
  psi = plus_product(psi, part, z);
  return psi.high + psi.low;
}

/* Barycentric coordinates of a point in the tetrahedron whose first vertex is `origin`. geometry: gradients of the last
   three by the unit cube's coordinates, high and low parts in turn. */
INLINED void barycentric(const Points* points, int point, int origin, GLOBAL const float4* geometry, float* psi) {
  GLOBAL const float* f = points->frame + INVERSE_SIZE;
  const float4 a = points->high[point], a_low = points->low[point];
  const float4 b = points->high[origin], b_low = points->low[origin];
  const Two x = scaled_difference(a.x, a_low.x, b.x, b_low.x, f[0], f[3]);
  const Two y = scaled_difference(a.y, a_low.y, b.y, b_low.y, f[1], f[4]);
  const Two z = scaled_difference(a.z, a_low.z, b.z, b_low.z, f[2], f[5]);
  psi[1] = coordinate_of(x, y, z, geometry[0], geometry[1]);
  psi[2] = coordinate_of(x, y, z, geometry[2], geometry[3]);
  psi[3] = coordinate_of(x, y, z, geometry[4], geometry[5]);
  psi[0] = 1.0f - (psi[1] + psi[2] + psi[3]);
}
