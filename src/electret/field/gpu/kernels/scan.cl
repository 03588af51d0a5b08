/* Prefix sums of numbers that are not negative, in groups of 128 lanes. A sum beyond the largest integer is that integer:
   then the total says so, and the sums before are not to be used. */
#define SCAN_LANES 128
#define SCAN_EACH 8
#define SCAN_BLOCK (SCAN_LANES * SCAN_EACH)

/* a + b, at most the largest integer. Sums of several numbers are the same in any order. */
int limited_sum(int a, int b) { return (int)min((uint)a + (uint)b, 0x7FFFFFFFu); }

/* The sum of `value` over the lanes before this one. *total is that of all lanes. `work` has 2*SCAN_LANES numbers,
   and is free again afterwards. [Hillis and Steele] */
int sum_before(int value, LOCAL int* work, int* total) {
  int from = 0;
  work[LANE] = value;
  BARRIER;
  for (int step = 1; step < SCAN_LANES; step *= 2) {
    const int to = SCAN_LANES - from;
    int sum = work[from + LANE];
    if (LANE >= step) sum = limited_sum(sum, work[from + LANE - step]);
    work[to + LANE] = sum;
    BARRIER;
    from = to;
  }
  const int before = work[from + LANE] - value;
  *total = work[from + SCAN_LANES - 1];
  BARRIER;
  return before;
}

/* Replaces values[first ... first + SCAN_BLOCK) below n by the sums of those before, plus `start`. Returns their sum. */
int scan_block(GLOBAL int* values, int first, int n, int start, LOCAL int* work) {
  const int own = first + LANE * SCAN_EACH;
  int value[SCAN_EACH], sum = 0, total;
#pragma unroll
  for (int k = 0; k < SCAN_EACH; ++k) {
    value[k] = own + k < n ? values[own + k] : 0;
    sum = limited_sum(sum, value[k]);
  }
  int before = limited_sum(start, sum_before(sum, work, &total));
#pragma unroll
  for (int k = 0; k < SCAN_EACH; ++k) {
    if (own + k < n) values[own + k] = before;
    before = limited_sum(before, value[k]);
  }
  return total;
}

/* One group: prefix sums of values[0 ... n). totals[at] gets the sum of all. */
KERNEL(SCAN_LANES) void scan_one(GLOBAL int* values, int n, GLOBAL int* totals, int at) {
  LOCAL int work[2 * SCAN_LANES];
  int start = 0;
  for (int first = 0; first < n; first += SCAN_BLOCK)
    start = limited_sum(start, scan_block(values, first, n, start, work));
  if (LANE == 0) totals[at] = start;
}

/* A group per block: the sum of each block. */
KERNEL(SCAN_LANES) void scan_sums(GLOBAL const int* values, int n, GLOBAL int* sums) {
  LOCAL int work[2 * SCAN_LANES];
  int sum = 0, total;
  for (int k = 0; k < SCAN_EACH; ++k) {
    const int i = GROUP * SCAN_BLOCK + k * SCAN_LANES + LANE;
    if (i < n) sum = limited_sum(sum, values[i]);
  }
  sum_before(sum, work, &total);
  if (LANE == 0) sums[GROUP] = total;
}

/* A group per block: prefix sums of the block, from the prefix sums of the blocks' sums. */
KERNEL(SCAN_LANES) void scan_add(GLOBAL int* values, int n, GLOBAL const int* sums) {
  LOCAL int work[2 * SCAN_LANES];
  scan_block(values, GROUP * SCAN_BLOCK, n, sums[GROUP], work);
}
