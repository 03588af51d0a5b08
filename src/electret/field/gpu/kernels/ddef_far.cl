/* The far field at the vertices of the grid: each vertex sums the charges that are not near it. */

#define VERTICES 256 /* a group's: two a lane */

/* A group a block of vertices and part of the charges, from `first_part` on. A part's tiles are {first charge, number, chunk}: up to 128
   charges in the 32 tetrahedra of a chunk. Where a block has vertices near a chunk, `mask_rows` names its row of
   `masks`: bit b of a vertex's word says that the chunk's tetrahedron b is near it. Elsewhere it is -1. */
KERNEL(128)
void ddef_far(GLOBAL const float4* high, GLOBAL const float4* low, GLOBAL const long* places,
              GLOBAL const ulong* coordinates, int stride, GLOBAL const float* frame,
              GLOBAL const int* tetrahedra, GLOBAL const int4* tiles,
              GLOBAL const int* part_begin, int parts, GLOBAL const int* mask_rows, GLOBAL const uint* masks,
              int chunks, int first_vertex, int vertices, int blocks, int first_part, GLOBAL float4* part_sums) {
  LOCAL float4 tile[128];
#if COMPENSATED
  LOCAL float4 tile_low[128];
#endif
  LOCAL uint bits[128];
  const int lane = LANE, block = GROUP % blocks, part = first_part + GROUP / blocks;
  const float softening = frame[SOFTENING];
#if COMPENSATED
  const float allowed = frame[EXACT];
#else
  const float allowed = frame[CLOSEST_FAR];
#endif
  const Points points = {high, low, places, coordinates, (ulong)stride, frame};

  /* Lanes without a vertex sum for the last one. */
  int vertex[2];
  float4 u[2];
#if COMPENSATED
  float4 u_low[2];
#endif
  float total[2][SUMS], total_low[2][SUMS];
#pragma unroll
  for (int k = 0; k < 2; ++k) {
    vertex[k] = first_vertex + min(block * VERTICES + k * 128 + lane, vertices - 1);
    u[k] = high[vertex[k]];
#if COMPENSATED
    u_low[k] = low[vertex[k]];
#endif
#pragma unroll
    for (int c = 0; c < SUMS; ++c) total[k][c] = total_low[k][c] = 0.0f;
  }

#if COMPENSATED
#define FAR_DIFFERENCE(k, axis) ((u[k].axis - s.axis) + (u_low[k].axis - s_low.axis))
#define READ_LOW const float4 s_low = tile_low[j];
#else
#define FAR_DIFFERENCE(k, axis) (u[k].axis - s.axis)
#define READ_LOW
#endif
#define FAR_PAIR(k, start)                                                                                  \
  {                                                                                                         \
    const float dx = FAR_DIFFERENCE(k, x), dy = FAR_DIFFERENCE(k, y), dz = FAR_DIFFERENCE(k, z);            \
    const float rho2 = FMA(dz, dz, FMA(dy, dy, FMA(dx, dx, (start))));                                      \
    closest[k] = fmin(closest[k], rho2);                                                                    \
    add_pair(sum[k], dx, dy, dz, rho2, s.w);                                                                \
  }

  const int last = part_begin[part + 1];
  for (int i = part_begin[part]; i < last; ++i) {
    const int4 t = tiles[i];
    BARRIER;
    if (lane < t.y) {
      tile[lane] = high[t.x + lane];
#if COMPENSATED
      tile_low[lane] = low[t.x + lane];
#endif
      bits[lane] = 1u << (tetrahedra[t.x + lane] & 31);
    }
    BARRIER;
    const int row = mask_rows[block * chunks + t.z];
    uint mask[2] = {0, 0};
    if (row >= 0) {
      mask[0] = masks[(ulong)row * VERTICES + lane];
      mask[1] = masks[(ulong)row * VERTICES + 128 + lane];
    }
    for (int from = 0; from < t.y; from += TERMS) {
      const int to = min(from + TERMS, t.y);
      float sum[2][SUMS], closest[2] = {INFINITY, INFINITY};
#pragma unroll
      for (int c = 0; c < SUMS; ++c) sum[0][c] = sum[1][c] = 0.0f;
      if (row < 0) {
        for (int j = from; j < to; ++j) {
          const float4 s = tile[j];
          READ_LOW
          FAR_PAIR(0, softening)
          FAR_PAIR(1, softening)
        }
      } else {
        for (int j = from; j < to; ++j) {
          const float4 s = tile[j];
          READ_LOW
          const uint bit = bits[j];
          FAR_PAIR(0, mask[0] & bit ? INFINITY : softening)
          FAR_PAIR(1, mask[1] & bit ? INFINITY : softening)
        }
      }
#pragma unroll
      for (int k = 0; k < 2; ++k) {
        if (closest[k] < allowed) {
#pragma unroll
          for (int c = 0; c < SUMS; ++c) sum[k][c] = 0.0f;
          for (int j = from; j < to; ++j)
            if (!(mask[k] & bits[j])) add_close_pair(sum[k], &points, vertex[k], t.x + j);
        }
        add_sums(total[k], total_low[k], sum[k]);
      }
    }
  }

  /* part_sums: by quad, by high and low part, by part of the charges, by vertex. */
  const ulong padded = (ulong)blocks * VERTICES;
#pragma unroll
  for (int k = 0; k < 2; ++k)
#pragma unroll
    for (int quad = 0; quad < QUADS; ++quad) {
      const int c = 4 * quad;
      float4 h, l;
      h.x = total[k][c], h.y = total[k][c + 1];
      l.x = total_low[k][c], l.y = total_low[k][c + 1];
      h.z = c + 2 < SUMS ? total[k][c + 2 < SUMS ? c + 2 : 0] : 0.0f;
      h.w = c + 2 < SUMS ? total[k][c + 2 < SUMS ? c + 3 : 0] : 0.0f;
      l.z = c + 2 < SUMS ? total_low[k][c + 2 < SUMS ? c + 2 : 0] : 0.0f;
      l.w = c + 2 < SUMS ? total_low[k][c + 2 < SUMS ? c + 3 : 0] : 0.0f;
      const ulong v = (ulong)block * VERTICES + k * 128 + lane;
      part_sums[((ulong)(2 * quad) * parts + part) * padded + v] = h;
      part_sums[((ulong)(2 * quad + 1) * parts + part) * padded + v] = l;
    }
}

#define ADD_PART(axis)                           \
  {                                              \
    float error;                                 \
    TWO_SUM(high.axis, h.axis, high.axis, error); \
    low.axis += error + l.axis;                  \
  }

/* Adds the parts in order. A lane a vertex and quad. far: by quad, by high and low part, by vertex. */
KERNEL(128)
void ddef_add_parts(GLOBAL const float4* part_sums, int parts, int padded, GLOBAL float4* far) {
  const int groups = padded / 128, quad = GROUP / groups, v = GROUP % groups * 128 + LANE;
  float4 high, low;
  high.x = high.y = high.z = high.w = 0.0f;
  low = high;
  for (int part = 0; part < parts; ++part) {
    const float4 h = part_sums[((ulong)(2 * quad) * parts + part) * padded + v];
    const float4 l = part_sums[((ulong)(2 * quad + 1) * parts + part) * padded + v];
    ADD_PART(x)
    ADD_PART(y)
    ADD_PART(z)
    ADD_PART(w)
  }
  far[(ulong)(2 * quad) * padded + v] = high;
  far[(ulong)(2 * quad + 1) * padded + v] = low;
}
