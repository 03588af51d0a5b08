/* What derivative products of ddef spread from charges to the vertices of their tetrahedron: with weights w = q z,
   W_v = Σ ψ_v w and, with TAYLOR, M_v = ½ Σ ψ_v sym(w (x - u_v)ᵀ). */

/* Adds a product to a number in two parts. */
#define ADD_TERM(k, term)                     \
  {                                           \
    float error;                              \
    TWO_SUM(sum[k], (term), sum[k], error);   \
    rest[k] += error;                         \
  }
/* W, and M as xx, yy, zz, xy, xz, yz. */
#if TAYLOR
#define WEIGHTS 9
#else
#define WEIGHTS 3
#endif

INLINED void store_weights(const float* sum, const float* rest, GLOBAL float4* to) {
  float4 w;
  w.x = sum[0] + rest[0];
  w.y = sum[1] + rest[1];
  w.z = sum[2] + rest[2];
  w.w = 0.0f;
  to[0] = w;
#if TAYLOR
  w.x = sum[3] + rest[3];
  w.y = sum[4] + rest[4];
  w.z = sum[5] + rest[5];
  w.w = sum[6] + rest[6];
  to[1] = w;
  w.x = sum[7] + rest[7];
  w.y = sum[8] + rest[8];
  w.z = w.w = 0.0f;
  to[2] = w;
#endif
}

/* A lane a vertex of a tetrahedron. vectors: z. weights: QUADS float4 by tetrahedron and vertex. */
KERNEL(128)
void ddef_spread(GLOBAL const float4* high, GLOBAL const float4* low, GLOBAL const long* places,
                 GLOBAL const ulong* coordinates, int stride, GLOBAL const float* frame, GLOBAL const int* first,
                 GLOBAL const int* corners, GLOBAL const float4* geometry, GLOBAL const float4* vectors,
                 int first_vertex, int tetrahedra, GLOBAL float4* weights) {
  const int corner = GROUP * 128 + LANE, t = corner / 4, k = corner % 4;
  const Points points = {high, low, places, coordinates, (ulong)stride, frame};
  if (t < tetrahedra) {
    float sum[WEIGHTS], rest[WEIGHTS];
    for (int c = 0; c < WEIGHTS; ++c) sum[c] = rest[c] = 0.0f;
    const int origin = first_vertex + corners[4 * t];
#if TAYLOR
    const float taylor = geometry[(ulong)t * GEOMETRY + 6].w;
    const float4 u = high[first_vertex + corners[corner]], u_low = low[first_vertex + corners[corner]];
#endif
    for (int i = first[t]; i < first[t + 1]; ++i) {
      float psi[4];
      barycentric(&points, i, origin, geometry + (ulong)t * GEOMETRY, psi);
      const float4 x = high[i], z = vectors[i];
      const float own = k == 0 ? psi[0] : k == 1 ? psi[1] : k == 2 ? psi[2] : psi[3];
      const float factor = own * x.w, wx = factor * z.x, wy = factor * z.y, wz = factor * z.z;
      ADD_TERM(0, wx)
      ADD_TERM(1, wy)
      ADD_TERM(2, wz)
#if TAYLOR
      const float4 x_low = low[i];
      const float dx = taylor * ((x.x - u.x) + (x_low.x - u_low.x));
      const float dy = taylor * ((x.y - u.y) + (x_low.y - u_low.y));
      const float dz = taylor * ((x.z - u.z) + (x_low.z - u_low.z));
      ADD_TERM(3, wx * dx)
      ADD_TERM(4, wy * dy)
      ADD_TERM(5, wz * dz)
      ADD_TERM(6, 0.5f * FMA(wx, dy, wy * dx))
      ADD_TERM(7, 0.5f * FMA(wx, dz, wz * dx))
      ADD_TERM(8, 0.5f * FMA(wy, dz, wz * dy))
#endif
    }
    store_weights(sum, rest, weights + (ulong)corner * QUADS);
  }
}

/* A lane a vertex of the grid: adds what its tetrahedra have, in order. `around` names their corners. */
KERNEL(128)
void ddef_total_weights(GLOBAL const int* around_begin, GLOBAL const int* around, int vertices,
                        GLOBAL const float4* weights, GLOBAL float4* totals) {
  const int v = GROUP * 128 + LANE;
  if (v < vertices) {
    float sum[WEIGHTS], rest[WEIGHTS];
    for (int c = 0; c < WEIGHTS; ++c) sum[c] = rest[c] = 0.0f;
    for (int e = around_begin[v]; e < around_begin[v + 1]; ++e) {
      GLOBAL const float4* w = weights + (ulong)around[e] * QUADS;
      ADD_TERM(0, w[0].x)
      ADD_TERM(1, w[0].y)
      ADD_TERM(2, w[0].z)
#if TAYLOR
      ADD_TERM(3, w[1].x)
      ADD_TERM(4, w[1].y)
      ADD_TERM(5, w[1].z)
      ADD_TERM(6, w[1].w)
      ADD_TERM(7, w[2].x)
      ADD_TERM(8, w[2].y)
#endif
    }
    store_weights(sum, rest, totals + (ulong)v * QUADS);
  }
}
