/* M2L of Taylor series, and the sums of its rows. Needs taylor.cl.

   one_less[c] = {numbers with one power less of x, y, z, 0}, two_less[c] likewise; T_NUMBERS if there is none.
   factorial[c] = i! j! k!. */
#define BLOCK 32
#define PAIR_LANES 128
#define PAIRS 4      /* pairs at once */
#define OF_PAIR 32   /* lanes a pair */
#define STEPS (T_NUMBERS + 1)

/* A group a block of 32 pairs {target, source} of one order, as m2l_any.cl. `softening` is ε².
   With T_a = ∂^a (1/ρ)/a! and R in units of ρ, n T_a = -(2n-1) Σ_d R_d T_{a-e_d} - (n-1) Σ_d T_{a-2e_d}, n = |a|. */
KERNEL(PAIR_LANES) void taylor_m2l(int order, float softening, int begin, int skip, int end, GLOBAL const int2* pairs,
                                   GLOBAL const float4* target_centre, GLOBAL const float4* target_low,
                                   GLOBAL const float4* source_centre, GLOBAL const float4* source_low, TAYLOR_TABLES,
                                   GLOBAL const int4* one_less, GLOBAL const int4* two_less,
                                   GLOBAL const float* factorial, GLOBAL const float* moments, long first_row,
                                   GLOBAL float* rows) {
  LOCAL float moment[PAIRS * T_NUMBERS], derivative[PAIRS * T_NUMBERS];
  LOCAL float steps[PAIRS * STEPS]; /* T by number; then the locals */
  LOCAL float sum[T_NUMBERS], of_source[PAIRS * T_POWERS], of_target[PAIRS * T_POWERS], place[PAIRS * 4];
  LOCAL int row_of[T_POWERS * T_POWERS];
  LOCAL int2 present[PAIRS];
  const int all = COUNT_OF(order);
  const int first = begin + max(GROUP * BLOCK, skip), last = min(begin + (GROUP + 1) * BLOCK, end);
  const int pair = LANE / OF_PAIR, lane = LANE & (OF_PAIR - 1);
  int target = pairs[first].x;
  for (int c = LANE; c < all; c += PAIR_LANES) sum[c] = 0.0f;
  for (int c = LANE; c < T_POWERS * T_POWERS; c += PAIR_LANES) row_of[c] = row[c];
  for (int pass = first; pass < last; pass += PAIRS) {
    const int count = min(PAIRS, last - pass), numbers = pair < count ? all : 0;
    if (LANE < count) {
      const int2 of = pairs[pass + LANE];
      const float4 at = target_centre[of.x], from = source_centre[of.y];
      const float4 r = offset_of(at, target_low[of.x], from, source_low[of.y], 1.0f);
      const float inverse = accurate_rsqrt(FMA(r.x, r.x, FMA(r.y, r.y, FMA(r.z, r.z, softening))));
      present[LANE] = of;
      place[LANE * 4] = r.x * inverse, place[LANE * 4 + 1] = r.y * inverse, place[LANE * 4 + 2] = r.z * inverse;
      /* In units of ρ everything is of order one. */
      float source_power = inverse, target_power = 1.0f;
      for (int n = 0; n <= order; ++n) {
        of_source[LANE * T_POWERS + n] = source_power, of_target[LANE * T_POWERS + n] = target_power;
        source_power *= from.w * inverse, target_power *= at.w * inverse;
      }
      steps[LANE * STEPS + T_NUMBERS] = 0.0f;
      steps[LANE * STEPS] = 1.0f;
      derivative[LANE * T_NUMBERS] = 1.0f;
    }
    BARRIER;
    for (int c = lane; c < numbers; c += OF_PAIR) {
      const int4 of = powers[c];
      moment[pair * T_NUMBERS + place_in_rows(of, row)] =
          moments[(long)present[pair].y * T_ROOM + c] * of_source[pair * T_POWERS + of.w];
    }
    for (int n = 1; n <= order; ++n) {
      const float second = -(float)(n - 1) * inverse_of[n], factor = -(float)(2 * n - 1) * inverse_of[n];
      for (int c = COUNT_OF(n - 1) + lane; c < min(COUNT_OF(n), numbers); c += OF_PAIR) {
        const int4 one = one_less[c], two = two_less[c];
        LOCAL float* t = steps + pair * STEPS;
        LOCAL const float* r = place + pair * 4;
        float value = second * ((t[two.x] + t[two.y]) + t[two.z]);
        value = FMA(factor * r[0], t[one.x], FMA(factor * r[1], t[one.y], FMA(factor * r[2], t[one.z], value)));
        t[c] = value;
        derivative[pair * T_NUMBERS + place_in_rows(powers[c], row)] = value * factorial[c];
      }
      BARRIER;
    }
    /* Neighbouring lanes take numbers of one degree, which have as many terms. */
    for (int e = LANE; e < PAIRS * all; e += PAIR_LANES) {
      const int of_pair = e & (PAIRS - 1), c = e / PAIRS;
      const int4 a = powers[c];
      const int left = order - a.w;
      float local_sum = 0.0f;
      for (int k = 0; k <= (of_pair < count ? left : -1); ++k)
        for (int j = 0; j + k <= left; ++j) {
          LOCAL const float* m = moment + of_pair * T_NUMBERS + row_of[j * T_POWERS + k];
          LOCAL const float* d = derivative + of_pair * T_NUMBERS + row_of[(a.y + j) * T_POWERS + a.z + k] + a.x;
          for (int i = 0; i + j + k <= left; ++i) local_sum = FMA(m[i], d[i], local_sum);
        }
      if (of_pair < count) steps[of_pair * STEPS + c] = local_sum * of_target[of_pair * T_POWERS + a.w];
    }
    BARRIER;
    int row_target = target;
    for (int c = LANE; c < all; c += PAIR_LANES) {
      row_target = target;
      for (int k = 0; k < count; ++k) {
        if (present[k].x != row_target) {
          rows[first_row + (long)(GROUP + row_target) * all + c] = sum[c];
          sum[c] = 0.0f;
          row_target = present[k].x;
        }
        sum[c] += steps[k * STEPS + c];
      }
    }
    target = present[count - 1].x;
    BARRIER;
  }
  for (int c = LANE; c < all; c += PAIR_LANES) rows[first_row + (long)(GROUP + target) * all + c] = sum[c];
}

/* The locals of the cells from `first_cell` on, before their parents' are added, as collect_rows of m2l_any.cl. The
   lists of Taylor series follow the `orders` of harmonic expansions. */
KERNEL(64) void taylor_collect_rows(int first_cell, int cells, int orders, GLOBAL const int* far_start, int batch_at,
                                    GLOBAL const long* first_rows, GLOBAL const float* rows, GLOBAL float* locals) {
  const int target = first_cell + GROUP;
  for (int c = LANE; c < T_NUMBERS; c += 64) {
    float sum = 0.0f;
    for (int p = TAYLOR; p > 0 && c < COUNT_OF(p); --p) {
      const int list = orders + p;
      const int begin = far_start[list * cells + target], end = far_start[list * cells + target + 1];
      const int of_order = far_start[list * cells];
      const int first = (begin - of_order) / BLOCK, last = (end - of_order + BLOCK - 1) / BLOCK;
      for (int block = first; block < (begin < end ? last : first); ++block)
        sum += rows[first_rows[batch_at + p] + (long)(block + target) * COUNT_OF(p) + c];
    }
    locals[(long)target * T_ROOM + c] = sum;
  }
}
