/* What groups share that sum lists of tetrahedra for rows of points: 128 lanes, all of which come by. */

/* ends[k] becomes the sum of the numbers of the lanes 0 … k. */
INLINED void count_up(LOCAL int* ends, int number) {
  const int lane = LANE;
  ends[lane] = number;
  BARRIER;
  for (int d = 1; d < 128; d <<= 1) {
    const int before = lane >= d ? ends[lane - d] : 0;
    BARRIER;
    ends[lane] += before;
    BARRIER;
  }
}

/* The first e with ends[e] > k. */
INLINED int entry_of(LOCAL const int* ends, int k) {
  int e = 0;
  for (int d = 64; d > 0; d >>= 1) e += ends[e + d - 1] <= k ? d : 0;
  return e;
}

/* Adds up what lanes have of a row, in order: the lanes r, r + rows, … (`sharing` of them) share row r, and its lane r
   gets the sums. `shared` holds 2·128·number numbers. */
INLINED void add_up_rows(float* high, float* low, int number, LOCAL float* shared, int rows, int sharing) {
  const int lane = LANE;
  BARRIER;
#pragma unroll
  for (int c = 0; c < number; ++c) {
    shared[c * 128 + lane] = high[c];
    shared[(number + c) * 128 + lane] = low[c];
  }
  BARRIER;
  if (lane < rows)
    for (int k = 1; k < sharing; ++k) {
#pragma unroll
      for (int c = 0; c < number; ++c) {
        float error;
        TWO_SUM(high[c], shared[c * 128 + k * rows + lane], high[c], error);
        low[c] += error + shared[(number + c) * 128 + k * rows + lane];
      }
    }
}
