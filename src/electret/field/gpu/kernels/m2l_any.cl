/* M2L of any order: a group a block of 32 pairs {target, source} of one order, SLOTS of them at once. The pairs of one
   target are neighbours; their sum is a row, number (block + target) of its order. Needs series.cl.
   The first `skip` pairs are another batch's.
   factors[(m (p + 1) + n) (p + 1) + k] goes from a moment of degree k to the local of degree n at distance 1. */
#define BLOCK 32

KERNEL(LANES) void m2l_any(int order, int begin, int skip, int end, GLOBAL const int2* pairs,
                           GLOBAL const float4* target_centre, GLOBAL const float4* target_low, GLOBAL const float4* source_centre,
                           GLOBAL const float4* source_low, SERIES_TABLES, GLOBAL const float* moments,
                           long first_row, GLOBAL float* rows) {
  SERIES_MEMORY
  LOCAL float sum[NUMBERS];
  LOCAL int2 present[SLOTS];
  const int all = (order + 1) * (order + 1);
  const int first = begin + max(GROUP * BLOCK, skip), last = min(begin + (GROUP + 1) * BLOCK, end);
  const int slot = LANE / SLOT_LANES;
  int target = pairs[first].x;
  for (int c = LANE; c < all; c += LANES) sum[c] = 0.0f;
  for (int pass = first; pass < last; pass += SLOTS) {
    const int count = min(SLOTS, last - pass), numbers = slot < count ? all : 0;
    if (LANE < count) {
      const int2 pair = pairs[pass + LANE];
      const float4 at = target_centre[pair.x], from = source_centre[pair.y];
      const float4 d = offset_of(at, target_low[pair.x], from, source_low[pair.y], 1.0f);
      LOCAL float *g = geometry + LANE * GEOMETRY, *base = bases + LANE * 4;
      put_direction(direction_of(d.x, d.y, d.z), g);
      present[LANE] = pair;
      /* In units of the distance R everything is of order one: moments times (σ_B/R)^k/R, locals times (σ_A/R)^n. */
      base[0] = from.w * g[5], base[1] = g[5];
      base[2] = at.w * g[5], base[3] = 1.0f;
    }
    BARRIER;
    set_powers(count, order, geometry, bases, turns, powers);
    BARRIER;
    for (int c = LANE & (SLOT_LANES - 1); c < numbers; c += SLOT_LANES)
      a[slot * NUMBERS + c] = moments[present[slot].y * ROOM + c] * powers[slot * POWERS + places[c].x];
    BARRIER;
    TO_AXIS(slot, numbers)
    for (int c = LANE & (SLOT_LANES - 1); c < numbers; c += SLOT_LANES) {
      const int4 at = places[c];
      const int n = at.x, m = at.y, sine = at.z > 0;
      float local_sum = 0.0f;
      for (int k = m; k <= order - n; ++k)
        local_sum = FMA(factors[(m * POWERS + n) * POWERS + k], a[slot * NUMBERS + place_of(k, m, sine)], local_sum);
      b[slot * NUMBERS + c] = local_sum * powers[SLOT_POWERS + slot * POWERS + n];
    }
    BARRIER;
    FROM_AXIS(slot, numbers)
    int row_target = target;
    for (int c = LANE; c < all; c += LANES) {
      row_target = target;
      for (int k = 0; k < count; ++k) {
        if (present[k].x != row_target) {
          rows[first_row + (long)(GROUP + row_target) * all + c] = sum[c];
          sum[c] = 0.0f;
          row_target = present[k].x;
        }
        sum[c] += turned(places, c, -1.0f, turns + k * POWERS, a + k * NUMBERS);
      }
    }
    target = present[count - 1].x;
    BARRIER;
  }
  for (int c = LANE; c < all; c += LANES) rows[first_row + (long)(GROUP + target) * all + c] = sum[c];
}

/* The locals of the cells from `first_cell` on, before their parents' are added: the sum of their rows, order by order.
   far_start is that of DeviceLists; first_rows[batch_at + p] is where row 0 of order p would begin. */
KERNEL(64) void collect_rows(int first_cell, int cells, GLOBAL const int* far_start, int batch_at,
                             GLOBAL const long* first_rows, GLOBAL const float* rows, GLOBAL float* locals) {
  const int target = first_cell + GROUP;
  for (int c = LANE; c < NUMBERS; c += 64) {
    float sum = 0.0f;
    for (int p = ORDER; p > 0 && c < (p + 1) * (p + 1); --p) {
      const int begin = far_start[p * cells + target], end = far_start[p * cells + target + 1];
      const int of_order = far_start[p * cells];
      const int first = (begin - of_order) / BLOCK, last = (end - of_order + BLOCK - 1) / BLOCK;
      for (int block = first; block < (begin < end ? last : first); ++block)
        sum += rows[first_rows[batch_at + p] + (long)(block + target) * ((p + 1) * (p + 1)) + c];
    }
    locals[target * ROOM + c] = sum;
  }
}
