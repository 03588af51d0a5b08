/* What the texts of M2L share (fmm/m2l_text.hpp): a lane a pair, 64 lanes a group. Needs geometry.cl. `room` numbers lie
   between two cells' moments. The lanes' results pass through local memory, CHUNK numbers at a time; there a lane a
   number and half group adds up each target's run of pairs to a row, as m2l_any.cl does. */
#define M2L_LANES 64
#define BLOCK 32
#define CHUNK 32
#define COLUMN 65

/* Adds the columns of `count` numbers from `first` to rows. `starts`: the pairs of this half at which runs begin. */
void add_columns(int first, int count, int all, uint starts, int pairs, int block, LOCAL const int* targets,
                 LOCAL const float* columns, GLOBAL float* rows) {
  const int number = LANE & (CHUNK - 1), half_first = LANE & BLOCK;
  BARRIER;
  uint rest = number < count ? starts : 0;
  while (rest != 0) {
    const int begin = 31 - clz(rest & (0u - rest));
    rest &= rest - 1;
    const int end = rest != 0 ? 31 - clz(rest & (0u - rest)) : pairs;
    float sum = 0.0f;
    for (int k = begin; k < end; ++k) sum += columns[number * COLUMN + half_first + k];
    rows[(long)(block + targets[half_first + begin]) * all + first + number] = sum;
  }
  BARRIER;
}

/* What a lane knows of its pair, and the runs of its half group. The first `skip` pairs are another batch's. */
#define M2L_PAIR                                                                                        \
  LOCAL float columns[CHUNK * COLUMN];                                                                  \
  LOCAL int targets[M2L_LANES];                                                                         \
  LOCAL uint run_starts[2];                                                                             \
  const int in_order = GROUP * M2L_LANES + LANE, pair_count = end - begin;                              \
  const int2 pair = pairs[begin + max(skip, min(in_order, pair_count - 1))];                            \
  targets[LANE] = pair.x;                                                                               \
  if (LANE < 2) run_starts[LANE] = 0;                                                                   \
  BARRIER;                                                                                              \
  if (in_order >= skip && in_order < pair_count &&                                                      \
      (in_order == skip || (LANE & (BLOCK - 1)) == 0 || targets[max(LANE - 1, 0)] != pair.x))           \
    atomic_or(run_starts + LANE / BLOCK, 1u << (LANE & (BLOCK - 1)));                                   \
  BARRIER;                                                                                              \
  const uint starts = run_starts[LANE / BLOCK];                                                         \
  const int block = GROUP * (M2L_LANES / BLOCK) + LANE / BLOCK;                                         \
  const int in_block = min(BLOCK, max(pair_count - block * BLOCK, 0));                                  \
  rows += first_row;                                                                                    \
  const float4 at = target_centre[pair.x], from = source_centre[pair.y];                                \
  const float4 offset = offset_of(at, target_low[pair.x], from, source_low[pair.y], 1.0f);              \
  const Direction direction = direction_of(offset.x, offset.y, offset.z);                               \
  const float source_ratio = from.w * direction.inverse, target_ratio = at.w * direction.inverse;       \
  GLOBAL const float4* m = (GLOBAL const float4*)(moments + (long)pair.y * room);
