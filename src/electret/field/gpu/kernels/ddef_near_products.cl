/* Derivative products of ddef: near charges and the interpolated far field. */

/* Near sources of three kinds: charges near the group's tetrahedron, charges for which it is near but not the other way
   round, and vertices of the tetrahedra for which it is near, whose weights the total ones have too much. */
#define KINDS 3
#define VERTEX_KIND 2

/* What the lanes of a group read of a tile. `low.w` is 1 for the first kind, whose pairs take the point's vector, too.
   `source` is the number of the point. A weight of a vertex near the group's tetrahedron is left out: `taken` is 0. */
typedef struct {
  LOCAL const float4 *high, *low, *vector, *vector_low;
  LOCAL const float4* moments;
  LOCAL const int *source, *taken;
} ProductTile;

/* A row of sums: the charge `at` and its vector. */
typedef struct {
  float4 high, low, vector, vector_low;
  int at;
} ProductRow;

/* The difference w of the vectors of a row and a source. */
#define VECTOR_DIFFERENCE(axis)                                  \
  (FMA(s_low.w, row->vector.axis, -tile->vector[j].axis) +       \
   FMA(s_low.w, row->vector_low.axis, -tile->vector_low[j].axis))

/* Adds the sources from, from + step, … below `to`. Returns the smallest squared distance. */
INLINED float add_product_tile(float* sum, const ProductTile* tile, const ProductRow* row, int from, int to, int step,
                               float softening, bool vertices) {
  float closest = INFINITY;
  for (int j = from; j < to; j += step) {
    const float4 s = tile->high[j], s_low = tile->low[j];
    const float dx = (row->high.x - s.x) + (row->low.x - s_low.x);
    const float dy = (row->high.y - s.y) + (row->low.y - s_low.y);
    const float dz = (row->high.z - s.z) + (row->low.z - s_low.z);
    const bool taken = tile->taken[j] && tile->source[j] != row->at;
    const float rho2 = FMA(dz, dz, FMA(dy, dy, FMA(dx, dx, taken ? softening : INFINITY)));
    closest = fmin(closest, rho2);
    const float r = RSQRT(rho2), square = r * r;
#if TAYLOR
    if (vertices) {
      add_moment_pair(sum, -1.0f, dx, dy, dz, r * square, square, tile->vector[j], tile->moments[2 * j],
                      tile->moments[2 * j + 1]);
      continue;
    }
#endif
    add_vector_pair(sum, dx, dy, dz, (s.w * r) * square, square, VECTOR_DIFFERENCE(x), VECTOR_DIFFERENCE(y),
                    VECTOR_DIFFERENCE(z));
  }
  return closest;
}

/* The same for pairs that are too close for it. Pairs of charges that float32 cannot hold are written down. */
INLINED void add_close_product_tile(float* sum, const ProductTile* tile, const ProductRow* row, const Points* points,
                                    const CloseList* close, int from, int to, int step, bool vertices) {
  for (int j = from; j < to; j += step) {
    const int source = tile->source[j];
    if (!tile->taken[j] || source == row->at) continue;
    float d[3], inverse;
    const float4 s_low = tile->low[j];
    if (difference_of(points, row->at, source, d, &inverse) == TOO_CLOSE) {
      if (!vertices) note_close(close, row->at, source);
      continue;
    }
#if TAYLOR
    if (vertices) {
      add_close_moment_pair(sum, -1.0f, d, inverse, tile->vector[j], tile->moments[2 * j], tile->moments[2 * j + 1]);
      continue;
    }
#endif
    add_close_vector_pair(sum, d, inverse, tile->high[j].w, VECTOR_DIFFERENCE(x), VECTOR_DIFFERENCE(y),
                          VECTOR_DIFFERENCE(z));
  }
}

/* The interpolated field's part: the gradient of z·E by x, and z·E. corner: SUMS numbers a vertex. */
INLINED void interpolated_product(const Points* points, int at, int first_vertex, GLOBAL const int* corners,
                                  GLOBAL const float4* geometry, GLOBAL const float* corner, float4 z, float* result) {
  float psi[4], along[4];
  barycentric(points, at, first_vertex + corners[0], geometry, psi);
  GLOBAL const float* frame = points->frame;
  float x = 0.0f, y = 0.0f, w = 0.0f;
#if TAYLOR
  const float taylor = geometry[6].w;
  const float4 a = points->high[at], a_low = points->low[at];
#endif
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    GLOBAL const float* g = corner + k * SUMS;
    along[k] = FMA(g[2], z.z, FMA(g[1], z.y, g[0] * z.x));
#if TAYLOR
    const float hx = taylor * FMA(g[8], z.z, FMA(g[7], z.y, g[4] * z.x));
    const float hy = taylor * FMA(g[9], z.z, FMA(g[5], z.y, g[7] * z.x));
    const float hz = taylor * FMA(g[6], z.z, FMA(g[9], z.y, g[8] * z.x));
    const float4 b = points->high[first_vertex + corners[k]], b_low = points->low[first_vertex + corners[k]];
    along[k] += hx * ((a.x - b.x) + (a_low.x - b_low.x)) + hy * ((a.y - b.y) + (a_low.y - b_low.y)) +
                hz * ((a.z - b.z) + (a_low.z - b_low.z));
    x = FMA(psi[k], hx, x);
    y = FMA(psi[k], hy, y);
    w = FMA(psi[k], hz, w);
#endif
  }
  float gx = 0.0f, gy = 0.0f, gz = 0.0f;
#pragma unroll
  for (int k = 1; k < 4; ++k) {
    const float4 g = geometry[2 * (k - 1)];
    const float step = along[k] - along[0];
    gx = FMA(step, g.x, gx);
    gy = FMA(step, g.y, gy);
    gz = FMA(step, g.z, gz);
  }
  result[0] = FMA(gx, frame[INVERSE_SIZE], x);
  result[1] = FMA(gy, frame[INVERSE_SIZE + 1], y);
  result[2] = FMA(gz, frame[INVERSE_SIZE + 2], w);
  result[3] = FMA(psi[3], along[3], FMA(psi[2], along[2], FMA(psi[1], along[1], psi[0] * along[0])));
}

#define PRODUCT_TILE 128

/* A group some charges {tetrahedron, first, number} (at most 128) of one tetrahedron; as many lanes as fit share a row.
   `near` and `seen` list the tetrahedra near each tetrahedron, and those that it is near for: number; from bit 27 on, in
   `seen`, four flags: the tetrahedron's vertex k is not near this one; bit 31: the other list has it, too. vectors: z in
   high and low parts, by charge. far_sums: of ddef_far_products. out: {product, charge product} by charge in the caller's
   order. */
KERNEL(128)
void ddef_near_products(GLOBAL const float4* high, GLOBAL const float4* low, GLOBAL const long* places,
                        GLOBAL const ulong* coordinates, int stride, GLOBAL const float* frame,
                        GLOBAL const int4* work, int first_group, GLOBAL const int* first, GLOBAL const uint* near_begin,
                        GLOBAL const uint* near, GLOBAL const uint* seen_begin, GLOBAL const uint* seen,
                        GLOBAL const int* corners, GLOBAL const float4* geometry, GLOBAL const float* corner_fields,
                        GLOBAL const float4* vectors, GLOBAL const float4* vectors_low, GLOBAL const float4* weights,
                        GLOBAL const float4* far_sums, GLOBAL const int* order, int sources, int first_vertex, GLOBAL float4* out,
                        GLOBAL int* close_count, GLOBAL int2* close_pairs, int close_capacity) {
  LOCAL float4 tile_high[PRODUCT_TILE], tile_low[PRODUCT_TILE], tile_vector[PRODUCT_TILE];
  LOCAL float4 tile_vector_low[PRODUCT_TILE];
#if TAYLOR
  LOCAL float4 tile_moments[2 * PRODUCT_TILE];
#else
  LOCAL float4* tile_moments = tile_vector;
#endif
  LOCAL int tile_source[PRODUCT_TILE], tile_taken[PRODUCT_TILE];
  LOCAL int ends[128], starts[128];
  LOCAL uint entries[128];
  LOCAL float shared[8 * 128];
  LOCAL int seen_charges;

  const int lane = LANE;
  if (lane == 0) seen_charges = 0;
  BARRIER;
  const int4 task = work[first_group + GROUP];
  const int t = task.x, rows = task.z, sharing = 128 / rows, row_number = lane % rows, turn = lane / rows;
  const Points points = {high, low, places, coordinates, (ulong)stride, frame};
  const CloseList close = {close_count, close_pairs, close_capacity};
  const float softening = frame[SOFTENING], allowed = frame[EXACT];
  const ProductTile tile = {tile_high, tile_low, tile_vector, tile_vector_low, tile_moments, tile_source, tile_taken};
  ProductRow row;
  row.at = task.y + row_number;
  row.high = high[row.at];
  row.low = low[row.at];
  row.vector = vectors[row.at];
  row.vector_low = vectors_low[row.at];
  float total[4] = {0.0f, 0.0f, 0.0f, 0.0f}, total_low[4] = {0.0f, 0.0f, 0.0f, 0.0f};

  for (int kind = 0; kind < KINDS; ++kind) {
    GLOBAL const uint* lists = kind == 0 ? near : seen;
    GLOBAL const uint* begins = kind == 0 ? near_begin : seen_begin;
    /* If the tetrahedron is near for all charges nothing of the grid's sums is left, and not what rounding leaves of a
       difference. */
    const uint list_end = kind == VERTEX_KIND && seen_charges == sources ? begins[t] : begins[t + 1];
    for (uint list = begins[t]; list < list_end; list += 128) {
      BARRIER;
      int number = 0;
      if (list + lane < list_end) {
        const uint entry = lists[list + lane];
        const int s = entry & 0x7ffffff;
        entries[lane] = entry;
        starts[lane] = kind == VERTEX_KIND ? 4 * s : first[s];
        number = first[s + 1] - first[s];
        if (kind == 1) atomic_add(&seen_charges, number);
        if (kind == 1 && entry >> 31) number = 0;
        if (kind == VERTEX_KIND) number = number > 0 ? 4 : 0;
      }
      count_up(ends, number);
      starts[lane] -= ends[lane] - number;
      BARRIER;
      const int count = ends[127];
      for (int base = 0; base < count; base += PRODUCT_TILE) {
        const int filled = min(PRODUCT_TILE, count - base);
        BARRIER;
        if (lane < filled) {
          const int e = entry_of(ends, base + lane);
          const int item = starts[e] + base + lane;
          const uint entry = entries[e];
          const int source = kind == VERTEX_KIND ? first_vertex + corners[item] : item;
          float4 h = high[source], l = low[source], v, v_low;
          v.x = v.y = v.z = v.w = 0.0f;
          v_low = v;
          l.w = kind == 0 ? 1.0f : 0.0f;
          if (kind == VERTEX_KIND) {
            /* The weights are in w with the other sign, and so are taken out. */
            h.w = 1.0f;
            v = weights[(ulong)item * QUADS];
#if TAYLOR
            tile_moments[2 * lane] = weights[(ulong)item * QUADS + 1];
            tile_moments[2 * lane + 1] = weights[(ulong)item * QUADS + 2];
#else
            v.x = -v.x, v.y = -v.y, v.z = -v.z;
#endif
          } else if (kind == 1 || entry >> 31) {
            v = vectors[source];
            v_low = vectors_low[source];
          }
          tile_high[lane] = h;
          tile_low[lane] = l;
          tile_vector[lane] = v;
          tile_vector_low[lane] = v_low;
          tile_source[lane] = source;
          tile_taken[lane] = kind != VERTEX_KIND || (entry >> (27 + item % 4) & 1u);
        }
        BARRIER;
        const int step = sharing, to_all = turn < sharing ? filled : 0;
        for (int from = turn; from < to_all; from += TERMS * step) {
          const int to = min(from + TERMS * step, to_all);
          float sum[4] = {0.0f, 0.0f, 0.0f, 0.0f};
          const float closest = add_product_tile(sum, &tile, &row, from, to, step, softening, kind == VERTEX_KIND);
          if (closest < allowed) {
            sum[0] = sum[1] = sum[2] = sum[3] = 0.0f;
            add_close_product_tile(sum, &tile, &row, &points, &close, from, to, step, kind == VERTEX_KIND);
          }
          add_in_two_parts(total, total_low, sum);
        }
      }
    }
  }

  add_up_rows(total, total_low, 4, shared, rows, sharing);
  if (lane < rows) {
    const float4 far = far_sums[2 * (ulong)row.at], far_low = far_sums[2 * (ulong)row.at + 1];
    float interpolated[4];
    interpolated_product(&points, row.at, first_vertex, corners + 4 * t, geometry + (ulong)t * GEOMETRY,
                         corner_fields + 4 * (ulong)t * SUMS, row.vector, interpolated);
    const float far4[4] = {far.x, far.y, far.z, far.w};
    const float far_low4[4] = {far_low.x, far_low.y, far_low.z, far_low.w};
    const bool nothing = seen_charges == sources;
#pragma unroll
    for (int c = 0; c < 4; ++c) {
      float error;
      TWO_SUM(total[c], nothing ? 0.0f : far4[c], total[c], error);
      total_low[c] += error + (nothing ? 0.0f : far_low4[c]);
    }
    float4 result;
    result.x = total[0] + (total_low[0] + interpolated[0]);
    result.y = total[1] + (total_low[1] + interpolated[1]);
    result.z = total[2] + (total_low[2] + interpolated[2]);
    result.w = total[3] + (total_low[3] + interpolated[3]);
    out[order[row.at]] = result;
  }
}
