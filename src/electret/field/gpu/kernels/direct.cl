/* Direct sums. Defines: COMPENSATED (0 or 1), PRODUCTS (0 or 1); FLOAT64 for sums in float64.

   A group sums a part of the sources for 128 targets: group = part · target_groups + target group. A part is `chunk`
   sources; a launch sums those from `from` to `to` of every part, and takes up the sums where the last launch left
   them. Each tile of 128 sources is summed in plain float32, and the tiles are added with their rounding errors.

   closest: ρ² below which a pair is left to the host, which sums it in float64. Such pairs are written down. Left out,
   a pair has an infinite ρ², so that each of its terms is 0. */

typedef struct {
  REAL x, y, z, p;
#if PRODUCTS
  REAL jx, jy, jz, g;
#endif
} Sums;

/* The pairs that are left to the host: written in any order, which the host mends. The count stops one above `allowed`
   and never runs over: the host discards the sums then. */
void note(int target, int source, GLOBAL int *count, int allowed, GLOBAL int2 *pairs, int capacity) {
  const int place = atomic_inc(count);
  if (place > allowed) {
    atomic_add(count, -1);
  } else if (place < capacity) {
    int2 pair;
    pair.x = target;
    pair.y = source;
    pairs[place] = pair;
  }
}

#define AT_ONCE 4

/* The differences and ρ² of AT_ONCE sources from k on. */
#if COMPENSATED
#define SUBTRACT_LOW                    \
  {                                     \
    const REAL4 low = s_low[k + n];    \
    dx[n] += at_low.x - low.x;          \
    dy[n] += at_low.y - low.y;          \
    dz[n] += at_low.z - low.z;          \
  }
#else
#define SUBTRACT_LOW
#endif
#define DISTANCES                                                                                       \
  REAL dx[AT_ONCE], dy[AT_ONCE], dz[AT_ONCE], q[AT_ONCE], rho2[AT_ONCE];                               \
  UNROLL(AT_ONCE) for (int n = 0; n < AT_ONCE; ++n) {                                                   \
    const REAL4 source = s[k + n];                                                                     \
    dx[n] = at.x - source.x;                                                                            \
    dy[n] = at.y - source.y;                                                                            \
    dz[n] = at.z - source.z;                                                                            \
    q[n] = source.w;                                                                                    \
    SUBTRACT_LOW                                                                                        \
    rho2[n] = FMA(dz[n], dz[n], FMA(dy[n], dy[n], FMA(dx[n], dx[n], softening_squared)));               \
  }

#define LEAVE_OUT_CLOSE                                                                                 \
  if (fmin(fmin(rho2[0], rho2[1]), fmin(rho2[2], rho2[3])) < closest)                                   \
    UNROLL(AT_ONCE) for (int n = 0; n < AT_ONCE; ++n) if (rho2[n] < closest) {                          \
      if (i < target_count) note(i, base + k + n, close_count, close_allowed, close_pairs, close_capacity); \
      rho2[n] = INFINITY;                                                                               \
    }

/* Float32 takes differences of vectors from twice its digits, because smooth vectors cancel. */
#ifdef FLOAT64
#define ADD_LOW(a, b)
#define LOAD_LOW_VECTOR
#else
#define ADD_LOW(a, b) +((a) - (b))
#define LOAD_LOW_VECTOR const REAL4 v_low = u_low[k + n];
#endif

#if PRODUCTS
#define ADD_PRODUCTS                                                                                    \
  {                                                                                                     \
    const REAL4 v = u[k + n];                                                                           \
    LOAD_LOW_VECTOR                                                                                     \
    const REAL wx = (z.x - v.x) ADD_LOW(z_low.x, v_low.x), wy = (z.y - v.y) ADD_LOW(z_low.y, v_low.y),  \
               wz = (z.z - v.z) ADD_LOW(z_low.z, v_low.z);                                              \
    const REAL dw = FMA(dz[n], wz, FMA(dy[n], wy, dx[n] * wx)), turn = -3 * (dw * inverse2);        \
    tile.jx = FMA(factor, FMA(turn, dx[n], wx), tile.jx);                                               \
    tile.jy = FMA(factor, FMA(turn, dy[n], wy), tile.jy);                                               \
    tile.jz = FMA(factor, FMA(turn, dz[n], wz), tile.jz);                                               \
    tile.g = FMA(factor, dw, tile.g);                                                                   \
  }
#else
#define ADD_PRODUCTS
#endif

#define ADD_TERMS                                                                                       \
  UNROLL(AT_ONCE) for (int n = 0; n < AT_ONCE; ++n) {                                                   \
    const REAL inverse = RSQRT(rho2[n]), inverse2 = inverse * inverse, potential = q[n] * inverse;     \
    const REAL factor = potential * inverse2;                                                          \
    tile.x = FMA(factor, dx[n], tile.x);                                                                \
    tile.y = FMA(factor, dy[n], tile.y);                                                                \
    tile.z = FMA(factor, dz[n], tile.z);                                                                \
    tile.p += potential;                                                                                \
    ADD_PRODUCTS                                                                                        \
  }

/* Adds a component of the tile to the sums. */
#define ADD(component)                                                            \
  {                                                                               \
    REAL rounding;                                                               \
    TWO_SUM(total.component, tile.component, total.component, rounding)           \
    error.component += rounding;                                                  \
  }

#define LOAD(from, sums, a, b, c, d) \
  {                                  \
    const REAL4 row = from[at_row]; \
    sums.a = row.x;                  \
    sums.b = row.y;                  \
    sums.c = row.z;                  \
    sums.d = row.w;                  \
  }
#define STORE(to, sums, a, b, c, d) \
  {                                 \
    REAL4 row;                     \
    row.x = sums.a;                 \
    row.y = sums.b;                 \
    row.z = sums.c;                 \
    row.w = sums.d;                 \
    to[at_row] = row;               \
  }

KERNEL(128)
void direct(GLOBAL const REAL4 *targets, GLOBAL const REAL4 *targets_low, GLOBAL const REAL4 *sources,
            GLOBAL const REAL4 *sources_low,
#if PRODUCTS
            GLOBAL const REAL4 *target_vectors, GLOBAL const REAL4 *target_vectors_low,
            GLOBAL const REAL4 *source_vectors, GLOBAL const REAL4 *source_vectors_low,
#endif
            GLOBAL const REAL *charges, int target_count, int source_count, int target_groups, int chunk, int from, int to, int own,
            REAL softening_squared, REAL closest, GLOBAL REAL4 *partial, GLOBAL REAL4 *partial_errors,
#if PRODUCTS
            GLOBAL REAL4 *partial_products, GLOBAL REAL4 *partial_product_errors,
#endif
            GLOBAL int *close_count, int close_allowed, GLOBAL int2 *close_pairs, int close_capacity) {
  LOCAL REAL4 s[128];
#if COMPENSATED
  LOCAL REAL4 s_low[128];
#endif
#if PRODUCTS
  LOCAL REAL4 u[128];
#ifndef FLOAT64
  LOCAL REAL4 u_low[128];
#endif
#endif
  const int lane = LANE, part = GROUP / target_groups, block = GROUP - part * target_groups;
  const int i = block * 128 + lane;
  const int first = part * chunk + from, last = min(part * chunk + min(to, chunk), source_count);
  const size_t at_row = (size_t)part * target_groups * 128 + i;
  const REAL4 at = targets[i];
#if COMPENSATED
  const REAL4 at_low = targets_low[i];
#endif
  Sums total, error;
  if (from == 0) {
    total.x = total.y = total.z = total.p = error.x = error.y = error.z = error.p = 0;
  } else {
    LOAD(partial, total, x, y, z, p)
    LOAD(partial_errors, error, x, y, z, p)
  }
#if PRODUCTS
  const REAL4 z = target_vectors[i];
#ifndef FLOAT64
  const REAL4 z_low = target_vectors_low[i];
#endif
  if (from == 0) {
    total.jx = total.jy = total.jz = total.g = error.jx = error.jy = error.jz = error.g = 0;
  } else {
    LOAD(partial_products, total, jx, jy, jz, g)
    LOAD(partial_product_errors, error, jx, jy, jz, g)
  }
#endif
  for (int base = first; base < last; base += 128) {
    BARRIER;
    REAL4 row = sources[base + lane];
    row.w = charges[base + lane];
    /* Padding is far from every target. */
    if (base + lane >= last) {
      row.x = sources[base].x + 64;
      row.w = 0;
    }
    s[lane] = row;
#if COMPENSATED
    s_low[lane] = sources_low[base + lane];
#endif
#if PRODUCTS
    u[lane] = source_vectors[base + lane];
#ifndef FLOAT64
    u_low[lane] = source_vectors_low[base + lane];
#endif
#endif
    BARRIER;
    Sums tile;
    tile.x = tile.y = tile.z = tile.p = 0;
#if PRODUCTS
    tile.jx = tile.jy = tile.jz = tile.g = 0;
#endif
    if (own && base == block * 128) {
      for (int k = 0; k < 128; k += AT_ONCE) {
        DISTANCES
        UNROLL(AT_ONCE) for (int n = 0; n < AT_ONCE; ++n) if (k + n == lane) rho2[n] = INFINITY;
        LEAVE_OUT_CLOSE
        ADD_TERMS
      }
    } else {
      for (int k = 0; k < 128; k += AT_ONCE) {
        DISTANCES
        LEAVE_OUT_CLOSE
        ADD_TERMS
      }
    }
    ADD(x) ADD(y) ADD(z) ADD(p)
#if PRODUCTS
    ADD(jx) ADD(jy) ADD(jz) ADD(g)
#endif
  }
  STORE(partial, total, x, y, z, p)
  STORE(partial_errors, error, x, y, z, p)
#if PRODUCTS
  STORE(partial_products, total, jx, jy, jz, g)
  STORE(partial_product_errors, error, jx, jy, jz, g)
#endif
}

/* Adds the parts of each target in their order. */
KERNEL(128)
void add_parts(GLOBAL const REAL4 *partial, GLOBAL const REAL4 *partial_errors, int parts, int stride,
               GLOBAL REAL4 *sums) {
  const int i = GROUP * 128 + LANE;
  REAL4 total = {0, 0, 0, 0}, error = {0, 0, 0, 0};
  for (int k = 0; k < parts; ++k) {
    const REAL4 tile = partial[(size_t)k * stride + i], rest = partial_errors[(size_t)k * stride + i];
    ADD(x) ADD(y) ADD(z) ADD(w)
    error.x += rest.x;
    error.y += rest.y;
    error.z += rest.z;
    error.w += rest.w;
  }
  total.x += error.x;
  total.y += error.y;
  total.z += error.z;
  total.w += error.w;
  sums[i] = total;
}
