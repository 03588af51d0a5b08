/* The field at targets: the charges near their tetrahedron, and the far field interpolated from its vertices. */

#define TILE 256    /* sources that a group reads at a time */

/* What the lanes of a group read of a tile of sources. `flags`: bit k says that the source's tetrahedron is not near
   vertex k, so that the far field there has it; bit 4 is set. `source` is its number. */
typedef struct {
  LOCAL const float4 *high, *low;
  LOCAL const uint* flags;
  LOCAL const int* source;
} Tile;

/* A row of sums: at the point `at`, over the sources with a flag of `mask`, without source `self`. `target` is -1 for a
   vertex. */
typedef struct {
  float4 high, low;
  uint mask;
  int at, self, target;
} Row;

#if COMPENSATED
#define NEAR_DIFFERENCE(axis) ((row->high.axis - s.axis) + (row->low.axis - s_low.axis))
#else
#define NEAR_DIFFERENCE(axis) (row->high.axis - s.axis)
#endif

/* Adds the sources from, from + step, … below `to`. Returns the smallest squared distance. */
INLINED float add_tile(float* sum, const Tile* tile, const Row* row, int from, int to, int step, float softening,
               bool with_self) {
  float closest = INFINITY;
  for (int j = from; j < to; j += step) {
    const float4 s = tile->high[j];
#if COMPENSATED
    const float4 s_low = tile->low[j];
#endif
    bool taken = (tile->flags[j] & row->mask) != 0;
    if (with_self) taken = taken && tile->source[j] != row->self;
    const float dx = NEAR_DIFFERENCE(x), dy = NEAR_DIFFERENCE(y), dz = NEAR_DIFFERENCE(z);
    const float rho2 = FMA(dz, dz, FMA(dy, dy, FMA(dx, dx, taken ? softening : INFINITY)));
    closest = fmin(closest, rho2);
    add_pair(sum, dx, dy, dz, rho2, s.w);
  }
  return closest;
}

/* The same for pairs that are too close for it. Returns the number of charges at the point's place. Pairs of targets that
   float32 cannot hold are written down; those of vertices add nothing. */
INLINED uint add_close_tile(float* sum, const Tile* tile, const Row* row, const Points* points, const CloseList* close,
                    int from, int to, int step) {
  uint coincident = 0;
  for (int j = from; j < to; j += step) {
    const int source = tile->source[j];
    if (!(tile->flags[j] & row->mask) || source == row->self) continue;
    const int verdict = add_close_pair(sum, points, row->at, source);
    if (verdict == OF_ONE_PLACE && points->high[source].w != 0.0f) ++coincident;
    if (verdict == TOO_CLOSE && row->target >= 0) note_close(close, row->target, source);
  }
  return coincident;
}

/* A group some targets {tetrahedron, first, number, 1 for the tetrahedron's first} (at most 124) of one tetrahedron. Its rows are the tetrahedron's
   vertices and the targets; as many lanes as fit share a row. `near` lists the tetrahedra near each tetrahedron: number
   and, from bit 27 on, four flags (see Tile). out: {field, potential} in the caller's order. corner_fields: the far field at
   the tetrahedron's vertices without the near charges, SUMS numbers each. */
KERNEL(128)
void ddef_near(GLOBAL const float4* high, GLOBAL const float4* low, GLOBAL const long* places,
               GLOBAL const ulong* coordinates, int stride, GLOBAL const float* frame, GLOBAL const int4* work, int first_group,
               GLOBAL const int* first,
               GLOBAL const uint* near_begin, GLOBAL const uint* near, GLOBAL const int* corners,
               GLOBAL const float4* geometry, GLOBAL const float4* far, int padded, GLOBAL const int* order,
               int sources, int first_target, int first_vertex, int near_only, GLOBAL float4* out,
               GLOBAL float* corner_fields, GLOBAL uint* coincident, GLOBAL int* close_count, GLOBAL int2* close_pairs, int close_capacity) {
  LOCAL float4 tile_high[TILE];
#if COMPENSATED
  LOCAL float4 tile_low[TILE];
#endif
  LOCAL uint tile_flags[TILE];
  LOCAL int tile_source[TILE];
  LOCAL int ends[128], starts[128];
  LOCAL uint list_flags[128];
  LOCAL int own[2];
  LOCAL float shared[2 * SUMS * 128];
  LOCAL float corner_sums[4 * SUMS];

  const int lane = LANE;
  const int4 task = work[first_group + GROUP];
  const int t = task.x, rows = 4 + task.z, sharing = 128 / rows, row_number = lane % rows, turn = lane / rows;
  GLOBAL const int* corner = corners + 4 * t;
  const Points points = {high, low, places, coordinates, (ulong)stride, frame};
  const CloseList close = {close_count, close_pairs, close_capacity};
  const float softening = frame[SOFTENING];
  const float4 shape = geometry[t * GEOMETRY + 6]; /* half the sides of the near set's box; the Taylor term's factor */

  /* Plain differences are taken relative to the tetrahedron's middle. */
  float4 middle;
  {
    const float4 a = high[first_vertex + corner[0]], b = high[first_vertex + corner[1]];
    const float4 c = high[first_vertex + corner[2]], d = high[first_vertex + corner[3]];
    middle.x = 0.25f * (a.x + b.x + c.x + d.x);
    middle.y = 0.25f * (a.y + b.y + c.y + d.y);
    middle.z = 0.25f * (a.z + b.z + c.z + d.z);
    middle.w = 0.0f;
  }
#if COMPENSATED
  const float allowed = frame[EXACT];
#else
  const float radius = fmax(fmax(shape.x * frame[SIZE], shape.y * frame[SIZE + 1]), shape.z * frame[SIZE + 2]);
  const float closest_near = fmax(frame[EXACT], frame[CLOSEST_NEAR] * radius * radius);
  /* A softening does not hide close pairs, unless it is so large that they add nothing to the sums' errors. */
  const bool hides = softening > 0.0f && softening < 0.04f * radius * radius;
  const float allowed = hides ? 1.000001f * (softening + closest_near) : closest_near;
#endif

  Row row;
  row.at = row_number < 4 ? first_vertex + corner[row_number < 4 ? row_number : 0]
                          : first_target + task.y + row_number - 4;
  row.self = row_number < 4 ? -1 : row.at;
  row.target = row_number < 4 ? -1 : task.y + row_number - 4;
  row.mask = row_number < 4 ? 1u << row_number : 16u;
  row.high = high[row.at];
  row.low = low[row.at];
  const float own_charge = row.high.w;
#if !COMPENSATED
  row.high.x = (row.high.x - middle.x) + row.low.x;
  row.high.y = (row.high.y - middle.y) + row.low.y;
  row.high.z = (row.high.z - middle.z) + row.low.z;
#endif

  float total[SUMS], total_low[SUMS];
#pragma unroll
  for (int c = 0; c < SUMS; ++c) total[c] = total_low[c] = 0.0f;
  uint left_out = 0;
  int near_sources = 0;
#if COMPENSATED
  const Tile tile = {tile_high, tile_low, tile_flags, tile_source};
#else
  const Tile tile = {tile_high, tile_high, tile_flags, tile_source};
#endif

  const uint list_end = near_begin[t + 1];
  for (uint list = near_begin[t]; list < list_end; list += 128) {
    /* How many charges each of 128 tetrahedra has: ends[k] counts those of the first k + 1. */
    BARRIER;
    int s = -1, number = 0;
    if (list + lane < list_end) {
      const uint entry = near[list + lane];
      s = entry & 0x7ffffff;
      list_flags[lane] = 16u | (entry >> 27 & 15u);
      starts[lane] = first[s];
      number = first[s + 1] - starts[lane];
    }
    if (lane < 2) own[lane] = 0;
    count_up(ends, number);
    const int end = ends[lane];
    starts[lane] -= end - number;
    if (s == t) own[0] = end - number, own[1] = end;
    BARRIER;
    const int count = ends[127];
    near_sources += count;

    for (int base = 0; base < count; base += TILE) {
      const int filled = min(TILE, count - base);
      BARRIER;
      for (int k = lane; k < filled; k += 128) {
        const int e = entry_of(ends, base + k);
        const int source = starts[e] + base + k;
        float4 h = high[source];
        const float4 l = low[source];
#if COMPENSATED
        tile_low[k] = l;
#else
        h.x = (h.x - middle.x) + l.x;
        h.y = (h.y - middle.y) + l.y;
        h.z = (h.z - middle.z) + l.z;
#endif
        tile_high[k] = h;
        tile_flags[k] = list_flags[e];
        tile_source[k] = source;
      }
      BARRIER;
      const bool with_self = own[0] < base + filled && own[1] > base;
      const int step = sharing, to_all = turn < sharing ? filled : 0;
      for (int from = turn; from < to_all; from += TERMS * step) {
        const int to = min(from + TERMS * step, to_all);
        float sum[SUMS], closest;
#pragma unroll
        for (int c = 0; c < SUMS; ++c) sum[c] = 0.0f;
        if (with_self)
          closest = add_tile(sum, &tile, &row, from, to, step, softening, true);
        else
          closest = add_tile(sum, &tile, &row, from, to, step, softening, false);
        if (closest < allowed) {
#pragma unroll
          for (int c = 0; c < SUMS; ++c) sum[c] = 0.0f;
          left_out += add_close_tile(sum, &tile, &row, &points, &close, from, to, step);
        }
        add_sums(total, total_low, sum);
      }
    }
  }

  add_up_rows(total, total_low, SUMS, shared, rows, sharing);

  /* If all sources are near the far field is 0, and not what rounding leaves of a difference. */
  if (lane < 4) {
    const bool nothing = near_only || near_sources == sources;
#pragma unroll
    for (int quad = 0; quad < QUADS; ++quad) {
      const float4 f = far[(ulong)(2 * quad) * padded + corner[lane]];
      const float4 f_low = far[(ulong)(2 * quad + 1) * padded + corner[lane]];
      const float high4[4] = {f.x, f.y, f.z, f.w}, low4[4] = {f_low.x, f_low.y, f_low.z, f_low.w};
#pragma unroll
      for (int k = 0; k < 4; ++k) {
        const int c = 4 * quad + k;
        if (c < SUMS) {
          float rest, error;
          TWO_SUM(high4[k], -total[c < SUMS ? c : 0], rest, error);
          rest += error + (low4[k] - total_low[c < SUMS ? c : 0]);
          rest = nothing ? 0.0f : rest;
          corner_sums[lane * SUMS + c] = rest;
          if (task.w) corner_fields[(4 * (ulong)t + lane) * SUMS + c] = rest;
        }
      }
    }
  }
  BARRIER;
  if (lane >= 4 && lane < rows) {
    float psi[4];
    barycentric(&points, row.at, first_vertex + corner[0], geometry + t * GEOMETRY, psi);
    float sum[4] = {total_low[0], total_low[1], total_low[2], total_low[3]};
    for (int k = 0; k < 4; ++k) {
      LOCAL const float* g = corner_sums + k * SUMS;
      float x = g[0], y = g[1], z = g[2], scalar = g[3];
#if TAYLOR
      const float4 a = high[row.at], a_low = low[row.at];
      const float4 b = high[first_vertex + corner[k]], b_low = low[first_vertex + corner[k]];
      const float dx = shape.w * ((a.x - b.x) + (a_low.x - b_low.x));
      const float dy = shape.w * ((a.y - b.y) + (a_low.y - b_low.y));
      const float dz = shape.w * ((a.z - b.z) + (a_low.z - b_low.z));
      scalar -= FMA(g[2], dz, FMA(g[1], dy, g[0] * dx));
      x += FMA(g[8], dz, FMA(g[7], dy, g[4] * dx));
      y += FMA(g[9], dz, FMA(g[5], dy, g[7] * dx));
      z += FMA(g[6], dz, FMA(g[9], dy, g[8] * dx));
#endif
      sum[0] = FMA(psi[k], x, sum[0]);
      sum[1] = FMA(psi[k], y, sum[1]);
      sum[2] = FMA(psi[k], z, sum[2]);
      sum[3] = FMA(psi[k], scalar, sum[3]);
    }
    float4 result;
    result.x = total[0] + sum[0];
    result.y = total[1] + sum[1];
    result.z = total[2] + sum[2];
    result.w = total[3] + sum[3];
    out[order[row.target]] = result;
  }

  /* A count of 64 bits in two words. A charge of 0 that is itself a source counts nothing. */
  if (row_number >= 4 && left_out > 0 && (first_target > 0 || own_charge != 0.0f)) {
    const uint before = atomic_add(&coincident[0], left_out);
    if (before + left_out < before) atomic_add(&coincident[1], 1u);
  }
}
