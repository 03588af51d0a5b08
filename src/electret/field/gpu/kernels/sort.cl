/* A stable radix sort of (key, value), five bits a pass: count the digits of each block, add up, put in order. */
#define SORT_BITS 5
#define SORT_DIGITS (1 << SORT_BITS)
#define SORT_LANES SCAN_LANES
#define SORT_EACH 8
#define SORT_BLOCK (SORT_LANES * SORT_EACH)

#define DIGIT(key, shift) ((int)((key) >> (shift)) & (SORT_DIGITS - 1))
/* A lane's own elements are neighbours; a gap after every eighth keeps lanes in different banks. */
#define SORT_PLACE(i) ((i) + ((i) >> 3))
/* The same for counts by (digit, lane), of which a lane adds up 32 neighbours of two bytes. */
#define COUNT_OF(digit, lane) COUNT_PLACE((digit) * SORT_LANES + (lane))
#define COUNT_PLACE(i) ((i) + 2 * ((i) >> 5))

/* A group per block. counts[digit * blocks + block]. */
KERNEL(SORT_LANES) void sort_count(GLOBAL const uint* keys, GLOBAL int* counts, int n, int shift, int blocks) {
  LOCAL int count[SORT_DIGITS];
  if (LANE < SORT_DIGITS) count[LANE] = 0;
  BARRIER;
  for (int k = 0; k < SORT_EACH; ++k) {
    const int i = GROUP * SORT_BLOCK + k * SORT_LANES + LANE;
    if (i < n) atomic_inc(&count[DIGIT(keys[i], shift)]);
  }
  BARRIER;
  if (LANE < SORT_DIGITS) counts[LANE * blocks + GROUP] = count[LANE];
}

/* A group per digit: prefix sums over the blocks, and the digit's total. */
KERNEL(SORT_LANES) void sort_rows(GLOBAL int* counts, GLOBAL int* totals, int blocks) {
  LOCAL int work[2 * SCAN_LANES];
  int start = 0;
  for (int first = 0; first < blocks; first += SCAN_BLOCK)
    start += scan_block(counts + GROUP * blocks, first, blocks, start, work);
  if (LANE == 0) totals[GROUP] = start;
}

/* A group per block: sorts the block in local memory, then writes each digit's run to its place. */
KERNEL(SORT_LANES) void sort_place(GLOBAL const uint* keys, GLOBAL const int* values, GLOBAL const int* counts,
                                   GLOBAL const int* totals, GLOBAL uint* keys_out, GLOBAL int* values_out, int n,
                                   int shift, int blocks) {
  LOCAL uint local_key[SORT_PLACE(SORT_BLOCK)];
  LOCAL int local_value[SORT_PLACE(SORT_BLOCK)];
  LOCAL ushort place[COUNT_PLACE(SORT_DIGITS * SORT_LANES)];  /* counts, then places, by (digit, lane) */
  LOCAL int work[2 * SCAN_LANES];
  LOCAL int base[SORT_DIGITS];  /* what to add to a place in the block */
  const int first = GROUP * SORT_BLOCK;
  for (int k = 0; k < SORT_EACH; ++k) {
    const int i = k * SORT_LANES + LANE;
    const int inside = first + i < n;
    /* The padding's digit is the largest, and it stands behind all others. */
    local_key[SORT_PLACE(i)] = inside ? keys[first + i] : 0xFFFFFFFFu;
    local_value[SORT_PLACE(i)] = inside ? values[first + i] : 0;
  }
  for (int d = 0; d < SORT_DIGITS; ++d) place[COUNT_OF(d, LANE)] = 0;
  BARRIER;
  uint key[SORT_EACH];
  int value[SORT_EACH];
#pragma unroll
  for (int k = 0; k < SORT_EACH; ++k) {
    const int i = SORT_PLACE(LANE * SORT_EACH + k);
    key[k] = local_key[i];
    value[k] = local_value[i];
    ++place[COUNT_OF(DIGIT(key[k], shift), LANE)];
  }
  BARRIER;
  int sum = 0, total;
  for (int k = 0; k < SORT_DIGITS; ++k) sum += place[COUNT_PLACE(LANE * SORT_DIGITS + k)];
  int before = sum_before(sum, work, &total);
  for (int k = 0; k < SORT_DIGITS; ++k) {
    const int at = COUNT_PLACE(LANE * SORT_DIGITS + k), count = place[at];
    place[at] = (ushort)before;
    before += count;
  }
  BARRIER;
  if (LANE < SORT_DIGITS) {
    int smaller = 0;
    for (int d = 0; d < LANE; ++d) smaller += totals[d];
    base[LANE] = smaller + counts[LANE * blocks + GROUP] - place[COUNT_OF(LANE, 0)];
  }
  BARRIER;
#pragma unroll
  for (int k = 0; k < SORT_EACH; ++k) {
    const int at = COUNT_OF(DIGIT(key[k], shift), LANE), to = place[at];
    place[at] = (ushort)(to + 1);
    local_key[to] = key[k];
    local_value[to] = value[k];
  }
  BARRIER;
  for (int k = 0; k < SORT_EACH; ++k) {
    const int i = k * SORT_LANES + LANE;
    if (first + i >= n) continue;
    const int to = base[DIGIT(local_key[i], shift)] + i;
    keys_out[to] = local_key[i];
    values_out[to] = local_value[i];
  }
}
