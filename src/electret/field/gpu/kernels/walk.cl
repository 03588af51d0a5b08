/* Finds the interaction lists, as the CPU's Traversal does: a group per target cell takes the candidates that its parent
   has not decided, and cuts sources until each pair is far, near, or left to the target's children. */
#define WALK_LANES 64
#define STACK 1024
/* With more cells than this on the stack, one at a time is taken from it: then it grows by at most 7 a level. */
#define STACK_HIGH 448
#define SOURCES 8 /* the most cells whose children are tested at once: eight each */

/* Verdicts: near or cut the target, the number of a list of far pairs, cut the source. Lists are the orders of harmonic
   expansions from 1 to `orders`, then those of Taylor series, `taylor` of them. */
#define NEAR_OR_CUT_TARGET 0
#define CUT_SOURCE 31
#define VERDICTS 32

/* settings: squares of the closest distance, of the largest reach by distance, of the distance below which pairs are
   softened, and of the softening; then by order from 1 the edges of harmonic expansions, by list from 1 the worth in
   pairs, and by order from 1 the edges of Taylor series. */
#define CLOSEST 0
#define LARGEST 1
#define SOFTENED 2
#define SOFTENING 3
#define EDGES 4
#define WORTH 24
#define TAYLOR_EDGES 56

/* The square of the largest reach by distance that any pair may have. */
#define FARTHEST 0.9025f

/* state: the length of `passed`, and flags: there was no room; a leaf has more points than one group should sum. */
#define WALK_LENGTH 0
#define WALK_FLAGS 1
#define WALK_OVERFLOW 1
#define WALK_LONG_LEAF 2
#define WALK_BEGINS 4 /* where the pairs of each order begin; one number more than orders */

#define POINTS_OF_LEAF(points, family, c) \
  ((family)[c].y > 0 ? INFINITY : (float)((points)[c].y - (points)[c].x))

/* The rule of fmm::Acceptance. With target and source exchanged, all numbers but the last three lines' are the same, so
   that a pair is far in both directions or in none. Bins of u^2 are compared, not computed: no division. */
int verdict_on(int a, float4 target, float4 target_low, float target_points, int b, float4 source, float4 source_low,
               float source_points, GLOBAL const float* settings, int orders, int taylor) {
  const float x = (target.x - source.x) + (target_low.x - source_low.x),
              y = (target.y - source.y) + (target_low.y - source_low.y),
              z = (target.z - source.z) + (target_low.z - source_low.z);
  const float square = FMA(x, x, FMA(y, y, z * z)), reach = target_low.w + source_low.w, reach_square = reach * reach;
  const bool soft = square < settings[SOFTENED];
  /* The series of softened pairs converge by their softened distance, but their cells must be apart. */
  const float by = soft ? square + settings[SOFTENING] : square;
  if (square > settings[CLOSEST] && reach_square < by * settings[LARGEST] &&
      (!soft || (reach_square < square * FARTHEST && 1024.0f * reach_square < by * settings[TAYLOR_EDGES + taylor]))) {
    const int edges = soft ? TAYLOR_EDGES : EDGES, count = soft ? taylor : orders;
    int order = 1;
    for (int p = 1; p < count; ++p) order += 1024.0f * reach_square >= by * settings[edges + p];
    if (soft) order += orders;
    if (!(target_points * source_points < settings[WORTH + order])) return order;
  }
  /* A leaf is never cut. As a target it counts as smaller than any source. */
  if (source_points < INFINITY) return NEAR_OR_CUT_TARGET;
  if (target_points < INFINITY || source_low.w > target_low.w) return CUT_SOURCE;
  return source_low.w == target_low.w && a > b ? CUT_SOURCE : NEAR_OR_CUT_TARGET;
}

/* A tree's cells. */
#define TREE_ARGUMENTS(t)                                                                   \
  GLOBAL const int2 *t##_points, GLOBAL const int4 *t##_family, GLOBAL const float4 *t##_centre, \
      GLOBAL const float4 *t##_centre_low
#define TREE(t) t##_points, t##_family, t##_centre, t##_centre_low

#define COUNT 0 /* adds up the cell's pairs by verdict, in count[] */
#define PASS 1  /* writes what is left to the children, from near + count[0] on */
/* The bits of what is listed. */
#define LIST_NEAR 2 /* writes a leaf's near leaves from near + count[0] on */
#define LIST_FAR 4  /* writes the far pairs of a list from far + count[list] on */

/* Visits one target cell. Rounds take 64 sources: children of cut cells, as long as there are enough of them, and else
   candidates. Within a verdict, pairs are in the order of rounds and lanes. `count` is changed. */
void visit(int a, int mode, TREE_ARGUMENTS(target), TREE_ARGUMENTS(source), GLOBAL const float* settings, int orders, int taylor,
           GLOBAL const int* candidates, int candidate_count, GLOBAL int* near_or_passed, GLOBAL int2* far,
           LOCAL int* stack, LOCAL uint* mask, LOCAL int* count) {
  const float4 centre = target_centre[a], centre_low = target_centre_low[a];
  const float points = POINTS_OF_LEAF(target_points, target_family, a);
  const int half_of = LANE >> 5;
  const uint bit = 1u << (LANE & 31);
  int depth = 0, next = 0;
  if (LANE < VERDICTS) {
    mask[2 * LANE] = 0u;
    mask[2 * LANE + 1] = 0u;
  }
  BARRIER;
  while (next < candidate_count || depth > 0) {
    int b = -1;
    if (depth >= SOURCES || next >= candidate_count) {
      const int taken = depth > STACK_HIGH ? 1 : min(depth, SOURCES), s = LANE >> 3;
      depth -= taken;
      if (s < taken) {
        const int4 family = source_family[stack[depth + s]];
        if ((LANE & 7) < family.y) b = family.x + (LANE & 7);
      }
    } else {
      if (next + LANE < candidate_count) b = candidates[next + LANE];
      next += WALK_LANES;
    }
    int verdict = -1;
    if (b >= 0) {
      verdict = verdict_on(a, centre, centre_low, points, b, source_centre[b], source_centre_low[b],
                           POINTS_OF_LEAF(source_points, source_family, b), settings, orders, taylor);
      atomic_or(&mask[2 * verdict + half_of], bit);
    }
    BARRIER;
    const int cut = number_of_bits(mask[2 * CUT_SOURCE]) + number_of_bits(mask[2 * CUT_SOURCE + 1]);
    if (verdict >= 0) {
      int rank = number_of_bits(mask[2 * verdict + half_of] & (bit - 1u));
      if (half_of) rank += number_of_bits(mask[2 * verdict]);
      if (verdict == CUT_SOURCE) {
        stack[depth + rank] = b;
      } else if (mode != COUNT) {
        rank += count[verdict];
        if (verdict == NEAR_OR_CUT_TARGET) {
          if (mode == PASS || ((mode & LIST_NEAR) && points < INFINITY)) near_or_passed[rank] = b;
        } else if (mode & LIST_FAR) {
          int2 pair;
          pair.x = a;
          pair.y = b;
          far[rank] = pair;
        }
      }
    }
    depth += cut;
    BARRIER;
    if (LANE < VERDICTS) {
      count[LANE] += number_of_bits(mask[2 * LANE]) + number_of_bits(mask[2 * LANE + 1]);
      mask[2 * LANE] = 0u;
      mask[2 * LANE + 1] = 0u;
    }
    BARRIER;
  }
}

/* One group: the source's root is the only candidate of the target's. The last count of each kind becomes the end of all
   lists. */
KERNEL(WALK_LANES) void walk_start(GLOBAL int* passed, GLOBAL int* far_counts, int far_end, GLOBAL int* near_counts,
                                   int near_end, GLOBAL int* state) {
  if (LANE == 0) {
    far_counts[far_end] = 0;
    near_counts[near_end] = 0;
    passed[0] = 0;
    state[WALK_LENGTH] = 1;
    state[WALK_FLAGS] = 0;
  }
}

/* A group per cell of a level: counts its pairs, far_counts[list * cells + cell] and near_counts[leaf], and writes what is
   left to its children: passed_at[cell] = {begin, number} in `passed`. Which part of `passed` it gets depends on chance;
   what it writes does not. */
KERNEL(WALK_LANES) void walk_level(int first, TREE_ARGUMENTS(target), TREE_ARGUMENTS(source), GLOBAL const int* leaf_of,
                                   GLOBAL const float* settings, int orders, int taylor, int cells, GLOBAL int* passed,
                                   int capacity, GLOBAL int2* passed_at, GLOBAL int* far_counts,
                                   GLOBAL int* near_counts, int longest_leaf, GLOBAL int* state) {
  LOCAL int stack[STACK];
  LOCAL uint mask[2 * VERDICTS];
  LOCAL int count[VERDICTS];
  LOCAL int begin_of_passed[1];
  const int a = first + GROUP, parent = target_family[a].z, leaf = target_family[a].y == 0;
  int from = 0, candidates = 1;
  if (parent >= 0) {
    const int2 at = passed_at[parent];
    from = at.x;
    candidates = at.y;
  }
  int modes = 1;
  for (int mode = COUNT; mode < modes; ++mode) {
    if (LANE < VERDICTS) count[LANE] = 0;
    visit(a, mode, TREE(target), TREE(source), settings, orders, taylor, passed + from, candidates,
          passed + (mode == PASS ? begin_of_passed[0] : 0), (GLOBAL int2*)0, stack, mask, count);
    if (mode == COUNT) {
      if (LANE <= orders + taylor) far_counts[LANE * cells + a] = LANE == 0 ? 0 : count[LANE];
      if (LANE == 0) {
        if (leaf) {
          near_counts[leaf_of[a]] = count[0];
          if (target_points[a].y - target_points[a].x > longest_leaf) atomic_or(&state[WALK_FLAGS], WALK_LONG_LEAF);
        } else {
          int2 at;
          at.y = count[0];
          /* Once there was no room, nothing is added: the length would wrap. */
          at.x = (atomic_or(&state[WALK_FLAGS], 0) & WALK_OVERFLOW) ? -1 : atomic_add(&state[WALK_LENGTH], at.y);
          begin_of_passed[0] = at.x;
          if (at.x > capacity - at.y || at.x < 0) {
            atomic_or(&state[WALK_FLAGS], WALK_OVERFLOW);
            begin_of_passed[0] = -1;
            at.x = 0;
            at.y = 0;
          }
          passed_at[a] = at;
        }
      }
      BARRIER;
      if (!leaf && begin_of_passed[0] >= 0) modes = 2;
    }
  }
}

/* One group: gathers where the pairs of each list begin, and where all end, from the prefix sums of far_counts. */
KERNEL(WALK_LANES) void walk_totals(GLOBAL const int* far_start, int lists, int cells, GLOBAL int* state) {
  if (LANE <= lists + 1) state[WALK_BEGINS + LANE] = far_start[LANE * cells];
}

/* The numbers of a Taylor series, by its order. */
CONSTANT int series_numbers[13] = {1, 4, 10, 20, 35, 56, 84, 120, 165, 220, 286, 364, 455};

/* A lane per cell: the memory of its far pairs and of their sums, in numbers of four bytes. */
KERNEL(WALK_LANES) void walk_costs(GLOBAL const int* far_start, int orders, int taylor, int cells,
                                   GLOBAL int* costs) {
  const int c = GROUP * WALK_LANES + LANE;
  if (c < cells) {
    int cost = 0;
    for (int p = 1; p <= orders + taylor; ++p) {
      const int pairs = far_start[p * cells + c + 1] - far_start[p * cells + c];
      const int numbers = p <= orders ? (p + 1) * (p + 1) : series_numbers[p - orders];
      cost += 2 * pairs + (pairs * numbers + 31) / 32 + numbers;
    }
    costs[c] = cost;
  }
}

/* A group per end of a batch: windows[end * (lists + 1) + list], the first pair of each list that is behind it. */
KERNEL(WALK_LANES) void walk_windows(GLOBAL const int* far_start, int lists, int cells, GLOBAL const int* ends,
                                     GLOBAL int* windows) {
  if (LANE <= lists) windows[GROUP * (lists + 1) + LANE] = far_start[LANE * cells + ends[GROUP]];
}

/* A group per cell from `first` on: writes its lists, those of `mode`. bases[base_at + list]: what the numbers of pairs are reduced by. */
KERNEL(WALK_LANES) void walk_lists(int first, int mode, GLOBAL const int* bases, int base_at, TREE_ARGUMENTS(target), TREE_ARGUMENTS(source), GLOBAL const int* leaf_of,
                                   GLOBAL const float* settings, int orders, int taylor, int cells, GLOBAL int* passed,
                                   GLOBAL const int2* passed_at, GLOBAL const int* far_start,
                                   GLOBAL const int* near_begin, GLOBAL int2* far, GLOBAL int* near) {
  LOCAL int stack[STACK];
  LOCAL uint mask[2 * VERDICTS];
  LOCAL int count[VERDICTS];
  const int a = first + GROUP, parent = target_family[a].z, leaf = target_family[a].y == 0;
  int from = 0, candidates = 1;
  if (parent >= 0) {
    const int2 at = passed_at[parent];
    from = at.x;
    candidates = at.y;
  }
  if (LANE < VERDICTS)
    count[LANE] = LANE == 0 ? (leaf ? near_begin[leaf_of[a]] : 0) : LANE <= orders + taylor ? far_start[LANE * cells + a] - bases[base_at + LANE] : 0;
  if (leaf || (mode & LIST_FAR))
    visit(a, mode, TREE(target), TREE(source), settings, orders, taylor, passed + from, candidates, near, far, stack, mask, count);
}

/* One group: the sum of the leaves' radii. */
KERNEL(WALK_LANES) void walk_radii(GLOBAL const int* leaves, int leaf_count, GLOBAL const float4* centre_low,
                                   GLOBAL float* sum) {
  LOCAL float parts[WALK_LANES];
  float part = 0.0f;
  for (int k = LANE; k < leaf_count; k += WALK_LANES) part += centre_low[leaves[k]].w;
  parts[LANE] = part;
  BARRIER;
  if (LANE == 0) {
    float all = 0.0f;
    for (int k = 0; k < WALK_LANES; ++k) all += parts[k];
    sum[0] = all;
  }
}
