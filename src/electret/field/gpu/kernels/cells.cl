/* Cuts cells level by level, by the rule of the CPU's CellCutter: by up to three bits of the key at once, parts that are
   small enough no further. Keys have several generations of n numbers each: points that share a key of one generation
   and are too many for a leaf have keys of the next one, in their own box. */
#define CUT_LANES SCAN_LANES
#define CUT_CELLS (CUT_LANES / 4) /* cells of a group: four lanes cut a cell into up to eight parts */

/* The key of points that all are at one place: no generation of keys can divide them. Points that are in no crowd have
   it in the next generation. */
#define AT_ONE_PLACE 0xFFFFFFFFu

/* What all kernels know. */
#define STATE_CROWDS 0   /* the number of cells that need keys of their own */
#define STATE_OVERFLOW 1 /* whether there was no room for all cells */
#define STATE_CUT 2      /* the number of cells that were cut */
#define STATE_LEVELS 4   /* where each level begins */

/* Where the keys of points [begin, end) have the first one with the highest bit that divides them; `end` if none does. */
int middle_of(GLOBAL const uint* keys, int begin, int end) {
  const uint different = keys[begin] ^ keys[end - 1];
  if (different == 0u) return end;
  const uint bit = 0x80000000u >> clz(different);
  int low = begin, high = end - 1; /* the bit of `low` is 0, that of `high` is 1 */
  while (high - low > 1) {
    const int half_way = low + (high - low) / 2;
    if (keys[half_way] & bit)
      high = half_way;
    else
      low = half_way;
  }
  return high;
}

/* {begin, middle, end, number of parts} of the two parts of a cell that this lane of its four finds; either may be
   empty. A cell that is not cut has none. */
int4 parts_of(GLOBAL const uint* keys, int n, int generations, int leaf_size, GLOBAL const int2* points, int cell,
              GLOBAL int* state) {
  int4 found;
  found.x = 0;
  found.y = 0;
  found.z = 0;
  found.w = 0;
  const int2 all = points[cell];
  if (all.y - all.x > leaf_size) {
    for (int g = 1; g < generations && keys[all.x] == keys[all.y - 1]; ++g) keys += n;
    int a = all.x, b = all.y, middle = middle_of(keys, a, b);
    if (middle < b) {
      if (LANE & 2)
        a = middle;
      else
        b = middle;
      middle = b - a > leaf_size ? middle_of(keys, a, b) : b;
      if (LANE & 1)
        a = middle;
      else
        b = middle;
      found.x = a;
      found.y = b - a > leaf_size ? middle_of(keys, a, b) : b;
      found.z = b;
      found.w = (found.y > a) + (b > found.y);
    } else if ((LANE & 3) == 0 && keys[a] != AT_ONE_PLACE) {
      atomic_inc(&state[STATE_CROWDS]);
    }
  }
  return found;
}

/* Writes the parts as cells from number `at` on, and tells their parent. counts: the number of parts by lane. */
void write_cells(int4 found, int at, int cell, int level, LOCAL const int* counts, GLOBAL int2* points,
                 GLOBAL int4* family, GLOBAL int* state) {
  if ((LANE & 3) == 0 && found.w > 0) {
    int4 own = family[cell];
    own.x = at;
    own.y = counts[LANE] + counts[LANE + 1] + counts[LANE + 2] + counts[LANE + 3];
    family[cell] = own;
    atomic_inc(&state[STATE_CUT]);
  }
  int4 child;
  child.x = 0;
  child.y = 0;
  child.z = cell;
  child.w = level + 1;
  int2 range;
  if (found.y > found.x) {
    range.x = found.x;
    range.y = found.y;
    points[at] = range;
    family[at] = child;
    ++at;
  }
  if (found.z > found.y) {
    range.x = found.y;
    range.y = found.z;
    points[at] = range;
    family[at] = child;
  }
}

/* One group: the root, and `levels` cuts of levels that have CUT_CELLS cells at most. `room` is the length of `state`. */
KERNEL(CUT_LANES) void cut_top(GLOBAL const uint* keys, int n, int generations, int leaf_size, int levels, int room,
                               GLOBAL int2* points, GLOBAL int4* family, GLOBAL int* state) {
  LOCAL int work[2 * SCAN_LANES];
  LOCAL int counts[CUT_LANES];
  if (LANE == 0) {
    int2 all;
    all.x = 0;
    all.y = n;
    points[0] = all;
    int4 none;
    none.x = 0;
    none.y = 0;
    none.z = -1;
    none.w = 0;
    family[0] = none;
  }
  for (int k = LANE; k < room; k += CUT_LANES) state[k] = k > STATE_LEVELS ? 1 : 0;
  int begin = 0, end = 1;
  for (int level = 0; level < levels; ++level) {
    BARRIER_GLOBAL;
    const int cell = begin + (LANE >> 2);
    int4 found;
    found.x = 0;
    found.y = 0;
    found.z = 0;
    found.w = 0;
    if (cell < end) found = parts_of(keys, n, generations, leaf_size, points, cell, state);
    int total, at = end + sum_before(found.w, work, &total);
    counts[LANE] = found.w;
    BARRIER;
    if (cell < end) write_cells(found, at, cell, level, counts, points, family, state);
    begin = end;
    end += total;
    if (LANE == 0) state[STATE_LEVELS + level + 2] = end;
  }
}

/* Finds the parts of the cells of a level: parts[4 * cell of the level + lane]. sums: the number of parts of each
   CUT_CELLS cells. The host does not know the number of cells: a group takes several blocks. */
KERNEL(CUT_LANES) void cut_find(GLOBAL const uint* keys, int n, int generations, int leaf_size,
                                GLOBAL const int2* points, GLOBAL int* state, int level, GLOBAL int4* parts,
                                GLOBAL int* sums) {
  LOCAL int work[2 * SCAN_LANES];
  const int begin = state[STATE_LEVELS + level], end = state[STATE_LEVELS + level + 1];
  for (int block = GROUP; block * CUT_CELLS < end - begin; block += GROUPS) {
    const int i = block * CUT_LANES + LANE, cell = begin + (i >> 2);
    int4 found;
    found.x = 0;
    found.y = 0;
    found.z = 0;
    found.w = 0;
    if (cell < end) found = parts_of(keys, n, generations, leaf_size, points, cell, state);
    int total;
    sum_before(found.w, work, &total);
    parts[i] = found;
    if (LANE == 0) sums[block] = total;
  }
}

/* One group: prefix sums of the blocks' sums, and the next level's end. */
KERNEL(SCAN_LANES) void cut_number(GLOBAL int* sums, GLOBAL int* state, int level, int capacity) {
  LOCAL int work[2 * SCAN_LANES];
  const int end = state[STATE_LEVELS + level + 1], cells = end - state[STATE_LEVELS + level];
  const int blocks = (cells + CUT_CELLS - 1) / CUT_CELLS;
  int total = 0;
  for (int first = 0; first < blocks; first += SCAN_BLOCK) total += scan_block(sums, first, blocks, total, work);
  if (LANE == 0) {
    const int room = end + total <= capacity;
    if (!room) state[STATE_OVERFLOW] = 1;
    state[STATE_LEVELS + level + 2] = room ? end + total : end;
  }
}

/* Writes the cells of the next level. */
KERNEL(CUT_LANES) void cut_write(GLOBAL const int4* parts, GLOBAL const int* sums, GLOBAL int* state, int level,
                                 GLOBAL int2* points, GLOBAL int4* family) {
  LOCAL int work[2 * SCAN_LANES];
  LOCAL int counts[CUT_LANES];
  const int begin = state[STATE_LEVELS + level], end = state[STATE_LEVELS + level + 1];
  const int some = state[STATE_LEVELS + level + 2] > end;
  for (int block = GROUP; some && block * CUT_CELLS < end - begin; block += GROUPS) {
    const int i = block * CUT_LANES + LANE;
    const int4 found = parts[i];
    int total, at = end + sums[block] + sum_before(found.w, work, &total);
    counts[LANE] = found.w;
    BARRIER;
    write_cells(found, at, begin + (i >> 2), level, counts, points, family, state);
    BARRIER;
  }
}

/* A lane per cell: marks[first point of a leaf] = 1. */
KERNEL(128) void mark_leaves(GLOBAL const int2* points, GLOBAL const int4* family, int cells, GLOBAL int* marks) {
  const int c = GROUP * 128 + LANE;
  if (c < cells && family[c].y == 0) marks[points[c].x] = 1;
}

/* A lane per cell: the leaves in the order of their points, from the prefix sums of the marks. */
KERNEL(128) void list_leaves(GLOBAL const int2* points, GLOBAL const int4* family, int cells, GLOBAL const int* marks,
                             GLOBAL int* leaves, GLOBAL int* leaf_of) {
  const int c = GROUP * 128 + LANE;
  if (c < cells && family[c].y == 0) {
    const int k = marks[points[c].x];
    leaves[k] = c;
    leaf_of[c] = k;
  }
}
