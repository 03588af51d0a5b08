/* Derivative products of ddef: what the grid's vertices add to charges. */

/* A group a tile of charges (ddef_far's), a lane a charge; the sources are the grid's vertices that are not near the
   charge, with their total weights. sums: {product, charge product} in two parts, by charge. */
KERNEL(128)
void ddef_far_products(GLOBAL const float4* high, GLOBAL const float4* low, GLOBAL const long* places,
                       GLOBAL const ulong* coordinates, int stride, GLOBAL const float* frame,
                       GLOBAL const int* tetrahedra, GLOBAL const int4* tiles, int first_tile,
                       GLOBAL const int* mask_rows, GLOBAL const uint* masks, int chunks, int first_vertex, int vertices,
                       GLOBAL const float4* totals, GLOBAL float4* sums) {
  LOCAL float4 tile[128], tile_low[128], tile_weights[QUADS * 128];
  LOCAL uint words[128];
  const int lane = LANE;
  const int4 t = tiles[first_tile + GROUP];
  const int at = t.x + min(lane, t.y - 1);
  const uint bit = 1u << (tetrahedra[at] & 31);
  const Points points = {high, low, places, coordinates, (ulong)stride, frame};
  const float softening = frame[SOFTENING], allowed = frame[EXACT];
  const float4 x = high[at], x_low = low[at];
  float total[4] = {0.0f, 0.0f, 0.0f, 0.0f}, total_low[4] = {0.0f, 0.0f, 0.0f, 0.0f};
  for (int base = 0; base < vertices; base += 128) {
    const int filled = min(128, vertices - base);
    const int row = mask_rows[base / 256 * chunks + t.z];
    BARRIER;
    if (lane < filled) {
      const int v = base + lane;
      tile[lane] = high[first_vertex + v];
      tile_low[lane] = low[first_vertex + v];
      words[lane] = row < 0 ? 0u : masks[(ulong)row * 256 + v % 256];
      for (int q = 0; q < QUADS; ++q) tile_weights[q * 128 + lane] = totals[(ulong)v * QUADS + q];
    }
    BARRIER;
    for (int from = 0; from < filled; from += TERMS) {
      const int to = min(from + TERMS, filled);
      float sum[4] = {0.0f, 0.0f, 0.0f, 0.0f}, closest = INFINITY;
      for (int j = from; j < to; ++j) {
        const float4 u = tile[j], u_low = tile_low[j], w = tile_weights[j];
        const float dx = (x.x - u.x) + (x_low.x - u_low.x), dy = (x.y - u.y) + (x_low.y - u_low.y);
        const float dz = (x.z - u.z) + (x_low.z - u_low.z);
        const float start = words[j] & bit ? INFINITY : softening;
        const float rho2 = FMA(dz, dz, FMA(dy, dy, FMA(dx, dx, start)));
        closest = fmin(closest, rho2);
        const float r = RSQRT(rho2), square = r * r, cube = r * square;
#if TAYLOR
        add_moment_pair(sum, 1.0f, dx, dy, dz, cube, square, w, tile_weights[128 + j], tile_weights[256 + j]);
#else
        add_vector_pair(sum, dx, dy, dz, cube, square, -w.x, -w.y, -w.z);
#endif
      }
      if (closest < allowed) {
        sum[0] = sum[1] = sum[2] = sum[3] = 0.0f;
        for (int j = from; j < to; ++j) {
          float d[3], inverse;
          if (words[j] & bit || difference_of(&points, at, first_vertex + base + j, d, &inverse) == TOO_CLOSE) continue;
          const float4 w = tile_weights[j];
#if TAYLOR
          add_close_moment_pair(sum, 1.0f, d, inverse, w, tile_weights[128 + j], tile_weights[256 + j]);
#else
          add_close_vector_pair(sum, d, inverse, 1.0f, -w.x, -w.y, -w.z);
#endif
        }
      }
      add_in_two_parts(total, total_low, sum);
    }
  }
  if (lane < t.y) {
    float4 h, l;
    h.x = total[0], h.y = total[1], h.z = total[2], h.w = total[3];
    l.x = total_low[0], l.y = total_low[1], l.z = total_low[2], l.w = total_low[3];
    sums[2 * (ulong)at] = h;
    sums[2 * (ulong)at + 1] = l;
  }
}
