/* P2P: a group a leaf of targets, one-sided. Each target has as many lanes as fit, which share the sources; their sums
   are added in order. Sources are gathered by 128, with a search in the prefix sums of the list's leaves.
   ARITHMETIC: 0, differences of coordinates relative to the leaf's centre, rounded once; 1, differences of such
   coordinates with what rounding lost, tiles added with their rounding errors, but plain differences for leaves at some
   distance, whose many errors are independent; 2, differences of integers, exact to 2^-61 of the frame.
   A leaf whose pairs are too close for one arithmetic is left to the next by its flag.
   PRODUCTS: also sums q K'(z - u) and q K·(z - u), for vectors z of targets and u of sources; not with arithmetic 0. */
#define LANES 128
#define PADDED 192

#if ARITHMETIC == 2 && PRODUCTS
#define NEAR_KERNEL near_products_exact
#elif ARITHMETIC == 2
#define NEAR_KERNEL near_exact
#elif PRODUCTS
#define NEAR_KERNEL near_products_compensated
#elif ARITHMETIC == 1
#define NEAR_KERNEL near_compensated
#else
#define NEAR_KERNEL near_plain
#endif
/* Leaves at some distance are summed in a sweep of their own. */
#define FIRST_SWEEP (ARITHMETIC == 1 && !PRODUCTS ? 0 : 1)
/* Padding: no charge, and far from everything. */
#define NOWHERE 1e3f

typedef struct {
  float x, y, z, p;
#if PRODUCTS
  float jx, jy, jz, g;
#endif
} PointSums;

#if PRODUCTS
#define NO_SUMS {0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f}
#define EACH_SUM(ADD) ADD(x) ADD(y) ADD(z) ADD(p) ADD(jx) ADD(jy) ADD(jz) ADD(g)
#else
#define NO_SUMS {0.0f, 0.0f, 0.0f, 0.0f}
#define EACH_SUM(ADD) ADD(x) ADD(y) ADD(z) ADD(p)
#endif

#define ADD_ROUNDED(component) total.component += tile.component;
#define ADD_EXACTLY(component)                                              \
  TWO_SUM(total.component, tile.component, total.component, rounding)       \
  rest.component += rounding;

#if PRODUCTS
#define ADD_PRODUCTS                                                                                \
  const float4 u = source_vector[s];                                                                \
  const float wx = own_vector.x - u.x, wy = own_vector.y - u.y, wz = own_vector.z - u.z;            \
  const float dw = FMA(dz, wz, FMA(dy, wy, dx * wx)), turn = -3.0f * (dw * (inverse * inverse));    \
  tile.jx = FMA(factor, FMA(turn, dx, wx), tile.jx);                                                \
  tile.jy = FMA(factor, FMA(turn, dy, wy), tile.jy);                                                \
  tile.jz = FMA(factor, FMA(turn, dz, wz), tile.jz);                                                \
  tile.g = FMA(factor, dw, tile.g);
#else
#define ADD_PRODUCTS
#endif

/* One source at this lane's target: dx, dy, dz and q are known. */
#define ADD_PAIR                                                             \
  const float inverse = RSQRT(rho2), potential = q * inverse;                \
  tile.p += potential;                                                       \
  const float factor = potential * inverse * inverse;                        \
  tile.x = FMA(dx, factor, tile.x);                                          \
  tile.y = FMA(dy, factor, tile.y);                                          \
  tile.z = FMA(dz, factor, tile.z);                                          \
  ADD_PRODUCTS

#define PLAIN_DIFFERENCES                                                    \
  const float4 source = source_high[s];                                      \
  const float dx = x.x - source.x, dy = x.y - source.y, dz = x.z - source.z; \
  float q = source.w, rho2 = FMA(dz, dz, FMA(dy, dy, FMA(dx, dx, softening)));
#if ARITHMETIC == 0
#define DIFFERENCES PLAIN_DIFFERENCES
#elif ARITHMETIC == 1
#define DIFFERENCES                                                                       \
  const float4 source = source_high[s], source_rest = source_low[s];                      \
  const float dx = (x.x - source.x) + (x_low.x - source_rest.x);                          \
  const float dy = (x.y - source.y) + (x_low.y - source_rest.y);                          \
  const float dz = (x.z - source.z) + (x_low.z - source_rest.z);                          \
  float q = source.w, rho2 = FMA(dz, dz, FMA(dy, dy, FMA(dx, dx, softening)));
#endif

#if ARITHMETIC < 2
#define PAIR                          \
  {                                   \
    DIFFERENCES                       \
    closest = fmin(closest, rho2);    \
    ADD_PAIR                          \
  }
#define APART_PAIR    \
  {                   \
    PLAIN_DIFFERENCES \
    ADD_PAIR          \
  }
/* The leaf's own points meet themselves. */
#define OWN_PAIR                      \
  {                                   \
    DIFFERENCES                       \
    const bool self = s == self_at;   \
    rho2 = self ? 1.0f : rho2;        \
    q = self ? 0.0f : q;              \
    closest = fmin(closest, rho2);    \
    ADD_PAIR                          \
  }
#else
/* Integers of 2^-61. A pair at distance 0 is counted and left out. One that is too close even for integers is left to
   the host, by its numbers in the caller's order. */
#define PAIR                                                                                              \
  {                                                                                                       \
    const float unit = 0x1p-61f;                                                                          \
    const float dx = (float)(at_x - fixed_x[s]) * unit, dy = (float)(at_y - fixed_y[s]) * unit,           \
                dz = (float)(at_z - fixed_z[s]) * unit;                                                   \
    float q = charge[s], rho2 = FMA(dz, dz, FMA(dy, dy, FMA(dx, dx, softening)));                         \
    if (s != self_at && rho2 < least && q != 0.0f && row < rows) {                                        \
      const bool one_place = softening == 0.0f && are_same(target_rows, i_number, source_rows, number[s]); \
      if (one_place) ++coincident;                                                                        \
      else note(i_number, number[s], counters + counters_at + 2, close_pairs, capacity);                  \
    }                                                                                                     \
    const bool none = s == self_at || rho2 < least;                                                       \
    rho2 = none ? 1.0f : rho2;                                                                            \
    q = none ? 0.0f : q;                                                                                  \
    ADD_PAIR                                                                                              \
  }
#define OWN_PAIR PAIR
#define APART_PAIR PAIR
#endif

#if ARITHMETIC == 0
#define ADD_TILE EACH_SUM(ADD_ROUNDED)
#else
#define ADD_TILE float rounding; EACH_SUM(ADD_EXACTLY)
#endif
#define ADD_REST(component) total.component += rest.component;

#if PRODUCTS
#define GATHER_VECTOR(point, to) source_vector[to] = point >= 0 ? vectors[point] : (float4)(0.0f, 0.0f, 0.0f, 0.0f);
#else
#define GATHER_VECTOR(point, to)
#endif

#if ARITHMETIC == 2
/* Whether two points have equal coordinates, whose bits these are. Zeros may have either sign. */
bool is_same(ulong a, ulong b) { return a == b || ((a | b) << 1) == 0; }
bool are_same(GLOBAL const ulong* a, int i, GLOBAL const ulong* b, int j) {
  const long k = 3 * (long)i, l = 3 * (long)j;
  return is_same(a[k], b[l]) && is_same(a[k + 1], b[l + 1]) && is_same(a[k + 2], b[l + 2]);
}
/* A count beyond this stands still, so that it never starts again at 0. */
#define MOST_COUNTED (1u << 30)
/* Writes a pair down in any order, which the host mends. */
void note(int target, int source, GLOBAL uint* count, GLOBAL int2* pairs, uint capacity) {
  const uint place = atomic_inc(count);
  if (place >= MOST_COUNTED) atomic_add(count, ~0u);
  else if (place < capacity) pairs[place] = (int2)(target, source);
}
#endif

#if ARITHMETIC == 1
/* (high + low) - (centre + centre_low), rounded, and what rounding lost. */
typedef struct {
  float high, low;
} Parts;
Parts parts_of(float high, float low, float centre, float centre_low) {
  float sum, error;
  TWO_SUM(high, -centre, sum, error)
  error += low - centre_low;
  Parts parts;
  parts.high = sum + error;
  parts.low = error - (parts.high - sum);
  return parts;
}
#endif

/* Takes source `point`, or padding if it is -1, into place `to` of the tile. */
#if ARITHMETIC == 0
#define GATHER(point, to)                                                                              \
  {                                                                                                    \
    const float4 gathered = high[max(point, 0)], gathered_low = low[max(point, 0)];                    \
    const float gx = (gathered.x - centre.x) + (gathered_low.x - centre_low.x),                        \
                gy = (gathered.y - centre.y) + (gathered_low.y - centre_low.y),                        \
                gz = (gathered.z - centre.z) + (gathered_low.z - centre_low.z);                        \
    const bool is = point >= 0;                                                                        \
    reach = fmax(reach, is ? FMA(gz, gz, FMA(gy, gy, gx * gx)) : 0.0f);                                \
    source_high[to] = is ? (float4)(gx, gy, gz, gathered.w) : (float4)(NOWHERE, NOWHERE, NOWHERE, 0.0f); \
  }
#elif ARITHMETIC == 1
#define GATHER(point, to)                                                                                \
  {                                                                                                      \
    const Parts at_x = parts_of(high[max(point, 0)].x, low[max(point, 0)].x, centre.x, centre_low.x);    \
    const Parts at_y = parts_of(high[max(point, 0)].y, low[max(point, 0)].y, centre.y, centre_low.y);    \
    const Parts at_z = parts_of(high[max(point, 0)].z, low[max(point, 0)].z, centre.z, centre_low.z);    \
    const bool is = point >= 0;                                                                          \
    const float charge = high[max(point, 0)].w;                                                          \
    source_high[to] =                                                                                    \
        is ? (float4)(at_x.high, at_y.high, at_z.high, charge) : (float4)(NOWHERE, NOWHERE, NOWHERE, 0.0f); \
    source_low[to] = is ? (float4)(at_x.low, at_y.low, at_z.low, 0.0f) : (float4)(0.0f, 0.0f, 0.0f, 0.0f);  \
    GATHER_VECTOR(point, to)                                                                             \
  }
#else
#define GATHER(point, to)                                  \
  {                                                        \
    const int of = source_order[max(point, 0)];            \
    number[to] = of;                                       \
    fixed_x[to] = fixed[3 * (long)of];                     \
    fixed_y[to] = fixed[3 * (long)of + 1];                 \
    fixed_z[to] = fixed[3 * (long)of + 2];                 \
    charge[to] = point >= 0 ? high[max(point, 0)].w : 0.0f; \
    GATHER_VECTOR(point, to)                               \
  }
#endif

/* The pairs of the gathered tile; each lane takes every `rows`-th source. */
#define SUM_TILE(ONE)                                              \
  {                                                                \
    PointSums tile = NO_SUMS;                                      \
    const int rounds = row < rows ? (filled + rows - 1) / rows : 0; \
    int s = row;                                                   \
    _Pragma("unroll 4") for (int k = 0; k < rounds; ++k) {         \
      ONE                                                          \
      s += rows;                                                   \
    }                                                              \
    ADD_TILE                                                       \
  }

/* Adds the sums of a target's lanes in order. */
#define ADD_ROWS(own_sum, to)                              \
  {                                                        \
    BARRIER;                                               \
    added[LANE] = own_sum;                                 \
    BARRIER;                                               \
    if (LANE < targets) {                                  \
      float4 sum = added[LANE];                            \
      for (int r = 1; r < rows; ++r) {                     \
        const float4 more = added[r * targets + LANE];     \
        sum.x += more.x, sum.y += more.y, sum.z += more.z, sum.w += more.w; \
      }                                                    \
      to[i] = sum;                                         \
    }                                                      \
  }

/* The distance of a source cell's centre from the leaf's. */
#define FIND_DISTANCE(cell)                                                                            \
  distance_of(source_centre[cell], source_centre_low[cell], centre, centre_low)
float distance_of(float4 a, float4 a_low, float4 b, float4 b_low) {
  const float x = (a.x - b.x) + (a_low.x - b_low.x), y = (a.y - b.y) + (a_low.y - b_low.y),
              z = (a.z - b.z) + (a_low.z - b_low.z);
  return sqrt(FMA(z, z, FMA(y, y, x * x)));
}

/* The smallest or largest number of all lanes. */
#define FIND_WHOLE(number, numbers, which)                              \
  {                                                                     \
    numbers[LANE] = number;                                             \
    for (int half_count = LANES / 2; half_count > 0; half_count /= 2) { \
      BARRIER;                                                          \
      if (LANE < half_count) numbers[LANE] = which(numbers[LANE], numbers[LANE + half_count]); \
    }                                                                   \
    BARRIER;                                                            \
    number = numbers[0];                                                \
  }

/* A group takes leaf number (first_leaf + group). flags: per leaf the arithmetic that it needs. `all`: this kernel sums the leaves of lower flags, too. `least` is
   the ρ² below which a pair is too close. `relative`, in units of the farthest source's distance: for arithmetic 0
   another such ρ²; for 1 the gap from which leaves are summed by plain differences.
   The exact kernel adds to three numbers at `counters_at`: the pairs at distance 0 (two words), and the pairs in
   close_pairs, of which the first `capacity` are written. */
KERNEL(128) void NEAR_KERNEL(int first_leaf, int all, int own, float softening, float relative, float least, GLOBAL const int* leaves,
                             GLOBAL const int2* target_points, GLOBAL const float4* target_centre,
                             GLOBAL const float4* target_centre_low, GLOBAL const float4* target_high,
                             GLOBAL const float4* target_low, GLOBAL const int* near_begin, GLOBAL const int* near,
                             GLOBAL const int2* points, GLOBAL const float4* source_centre,
                             GLOBAL const float4* source_centre_low, GLOBAL const float4* high, GLOBAL const float4* low,
#if ARITHMETIC == 2
                             GLOBAL const int* target_order, GLOBAL const long* target_fixed,
                             GLOBAL const ulong* target_rows, GLOBAL const int* source_order,
                             GLOBAL const long* fixed, GLOBAL const ulong* source_rows, GLOBAL uint* counters,
                             int counters_at, GLOBAL int2* close_pairs, uint capacity,
#endif
#if PRODUCTS
                             GLOBAL const float4* target_vectors, GLOBAL const float4* vectors,
                             GLOBAL float4* products,
#endif
                             GLOBAL int* flags, GLOBAL float4* sums) {
#if PRODUCTS
  LOCAL float4 source_vector[PADDED];
#endif
#if ARITHMETIC == 2
  LOCAL long fixed_x[PADDED], fixed_y[PADDED], fixed_z[PADDED];
  LOCAL float charge[PADDED];
  LOCAL int number[PADDED];
#else
  LOCAL float4 source_high[PADDED];
#endif
#if ARITHMETIC == 1
  LOCAL float4 source_low[PADDED];
#endif
  LOCAL float4 added[LANES];
  LOCAL float least_of[LANES], reach_of[LANES];
  LOCAL int first_of[LANES], prefix[2 * LANES];
  const int leaf_number = first_leaf + GROUP;
  const int leaf = leaves[leaf_number];
  const int flag = flags[leaf_number];
  const int2 range = target_points[leaf];
  /* A group without work goes round no loop. */
  const int range_end = ARITHMETIC == 0 || flag == ARITHMETIC || all ? range.y : range.x;
  const int near_first = near_begin[leaf_number], near_last = near_begin[leaf_number + 1];
  const int own_count = own ? range.y - range.x : 0;
  const float4 centre = target_centre[leaf], centre_low = target_centre_low[leaf];
  float closest = 1.0f, reach = 0.0f;
  {
    const int none = -1;
    if (LANE < PADDED - LANES) GATHER(none, LANES + LANE)
  }
  /* Plain differences serve at this distance. */
  float apart = 0.0f;
  if (FIRST_SWEEP == 0) {
    for (int list = near_first + LANE; list < (range_end > range.x ? near_last : near_first); list += LANES)
      reach = fmax(reach, FIND_DISTANCE(near[list]) + source_centre_low[near[list]].w);
    FIND_WHOLE(reach, reach_of, fmax)
    apart = fmax(relative * fmax(reach, centre_low.w), 6e-9f);
  }
  for (int block = range.x; block < range_end; block += LANES) {
    const int targets = min(LANES, range.y - block), rows = LANES / targets;
    const int row = LANE / targets, i = block + LANE - row * targets;
#if ARITHMETIC == 0
    const float4 i_high = target_high[i], i_low = target_low[i];
    const float4 x = (float4)((i_high.x - centre.x) + (i_low.x - centre_low.x),
                              (i_high.y - centre.y) + (i_low.y - centre_low.y),
                              (i_high.z - centre.z) + (i_low.z - centre_low.z), 0.0f);
#elif ARITHMETIC == 1
    const Parts i_x = parts_of(target_high[i].x, target_low[i].x, centre.x, centre_low.x);
    const Parts i_y = parts_of(target_high[i].y, target_low[i].y, centre.y, centre_low.y);
    const Parts i_z = parts_of(target_high[i].z, target_low[i].z, centre.z, centre_low.z);
    const float4 x = (float4)(i_x.high, i_y.high, i_z.high, 0.0f), x_low = (float4)(i_x.low, i_y.low, i_z.low, 0.0f);
#else
    const int i_number = target_order[i];
    const long at_x = target_fixed[3 * (long)i_number], at_y = target_fixed[3 * (long)i_number + 1],
               at_z = target_fixed[3 * (long)i_number + 2];
    uint coincident = 0;
#endif
#if PRODUCTS
    const float4 own_vector = target_vectors[i];
#endif
    PointSums total = NO_SUMS;
#if ARITHMETIC > 0
    PointSums rest = NO_SUMS;
#endif
    for (int base = 0; base < own_count; base += LANES) {
      const int filled = min(LANES, own_count - base);
      const int point = LANE < filled ? range.x + base + LANE : -1;
      BARRIER;
      GATHER(point, LANE)
      BARRIER;
      const int self_at = i - range.x - base;
      SUM_TILE(OWN_PAIR)
    }
    for (int sweep = FIRST_SWEEP; sweep < 2; ++sweep)
    for (int list = near_first; list < near_last; list += LANES) {
      /* Where each leaf's points begin among all of them. */
      const int2 nothing = (int2)(0, 0);
      const int entry = list + LANE < near_last ? near[list + LANE] : -1;
      bool taken = entry >= 0 && !(own && entry == leaf);
      if (FIRST_SWEEP == 0 && taken)
        taken = (FIND_DISTANCE(entry) - (centre_low.w + source_centre_low[entry].w) >= apart) == (sweep == 0);
      const int2 of = taken ? points[entry] : nothing;
      int at = LANE;
      BARRIER;
      first_of[LANE] = of.x;
      prefix[LANE] = of.y - of.x;
      for (int step = 1; step < LANES; step *= 2) {
        BARRIER;
        const int before = LANE >= step ? prefix[at - step] : 0, here = prefix[at];
        at = at < LANES ? at + LANES : at - LANES;
        prefix[at] = here + before;
      }
      BARRIER;
      /* Seven steps end where they began or in the other half. */
      const int half_at = at - LANE, total_count = prefix[half_at + LANES - 1];
      for (int base = 0; base < total_count; base += LANES) {
        const int filled = min(LANES, total_count - base), number_in_list = base + LANE;
        int place = 0;
        for (int step = LANES / 2; step > 0; step /= 2)
          if (prefix[half_at + place + step - 1] <= number_in_list) place += step;
        const int before = place > 0 ? prefix[half_at + place - 1] : 0;
        const int point = LANE < filled ? first_of[place] + number_in_list - before : -1;
        BARRIER;
        GATHER(point, LANE)
        BARRIER;
        const int self_at = -1;
        if (FIRST_SWEEP == 0 && sweep == 0) SUM_TILE(APART_PAIR)
        else SUM_TILE(PAIR)
      }
    }
#if ARITHMETIC > 0
    EACH_SUM(ADD_REST)
#endif
    const float4 here = (float4)(total.x, total.y, total.z, total.p);
    ADD_ROWS(here, sums)
#if PRODUCTS
    const float4 here_too = (float4)(total.jx, total.jy, total.jz, total.g);
    ADD_ROWS(here_too, products)
#endif
#if ARITHMETIC == 2
    if (coincident > 0 && (!own || target_high[i].w != 0.0f)) {
      const uint old = atomic_add(counters + counters_at, coincident);
      if (old + coincident < old) atomic_inc(counters + counters_at + 1);
    }
#endif
  }
  BARRIER_GLOBAL; /* all lanes have read the flag */
  FIND_WHOLE(closest, least_of, fmin)
  if (ARITHMETIC == 0) FIND_WHOLE(reach, reach_of, fmax)
  if (LANE == 0 && range_end > range.x) {
    float bound = ARITHMETIC == 0 ? fmax(least, relative * fmax(reach, 0x1p-50f)) : least;
    /* A softening does not hide close pairs, unless it is so large that they add nothing to the sums' errors. */
    if (ARITHMETIC == 0 && softening > 0.0f && softening < 0.04f * reach) bound = 1.000001f * (softening + bound);
    flags[leaf_number] = ARITHMETIC < 2 && !(closest >= bound && bound < 1.0f) ? ARITHMETIC + 1 : 0;
  }
}
