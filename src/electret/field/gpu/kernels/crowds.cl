/* Keys for crowds: cells of too many points that share a key. A crowd's points get keys of the next generation in the
   crowd's own box, and are put in order by (key, number), as on the CPU. Points of crowds are gathered side by side,
   crowd by crowd; a place there is a member. */

/* Whether the points [x, y) of a leaf are a crowd. */
int is_crowd(GLOBAL const uint* keys, int n, int generations, int leaf_size, int2 points) {
  return points.y - points.x > leaf_size && keys[(long)n * (generations - 1) + points.x] != AT_ONE_PLACE;
}

/* A lane per leaf: the number of its members, and whether it is a crowd. */
KERNEL(128) void crowd_sizes(GLOBAL const uint* keys, int n, int generations, int leaf_size, GLOBAL const int2* points,
                             GLOBAL const int* leaves, int leaf_count, GLOBAL int* members, GLOBAL int* numbers) {
  const int k = GROUP * 128 + LANE;
  if (k < leaf_count) {
    const int2 own = points[leaves[k]];
    const int crowd = is_crowd(keys, n, generations, leaf_size, own);
    members[k] = crowd ? own.y - own.x : 0;
    numbers[k] = crowd;
  }
}

/* A lane per leaf, after prefix sums: crowds[...] = {first point, first member, 0, 0}, and the end after the last. */
KERNEL(128) void crowd_list(GLOBAL const uint* keys, int n, int generations, int leaf_size, GLOBAL const int2* points,
                            GLOBAL const int* leaves, int leaf_count, GLOBAL const int* members,
                            GLOBAL const int* numbers, GLOBAL int2* crowds, int crowd_count, int member_count) {
  const int k = GROUP * 128 + LANE;
  if (k < leaf_count && is_crowd(keys, n, generations, leaf_size, points[leaves[k]])) {
    int2 crowd;
    crowd.x = points[leaves[k]].x;
    crowd.y = members[k];
    crowds[numbers[k]] = crowd;
  }
  if (k == 0) {
    int2 end;
    end.x = n;
    end.y = member_count;
    crowds[crowd_count] = end;
  }
}

/* 1024/size as mantissa*2^exponent, rounded as float64 rounds. */
ulong inverse_of(ulong size, GLOBAL long* exponent) {
  const int empty = (int)clz(size);
  const ulong divisor = rounded_to_53(size << empty, 0);
  ulong rest = 0x10000000000000UL, quotient = 0UL; /* of 2^105 */
  if (rest >= divisor) {
    rest -= divisor;
    quotient = 1UL;
  }
  for (int k = 0; k < 53; ++k) {
    rest <<= 1;
    quotient <<= 1;
    if (rest >= divisor) {
      rest -= divisor;
      quotient |= 1UL;
    }
  }
  if (2UL * rest > divisor || (2UL * rest == divisor && (quotient & 1UL))) ++quotient;
  *exponent = 10 - 105 - (11 - empty);
  return quotient;
}

/* `parts` groups per crowd: boxes[6 * group ...] = {low x, y, z, the complements of high x, y, z} of some of the
   members, from the lowest integer on. */
KERNEL(BALL_LANES) void crowd_boxes(GLOBAL const int2* crowds, int parts, GLOBAL const long* fixed, GLOBAL const int* order,
                                    GLOBAL ulong* boxes) {
  LOCAL ulong box[6 * BALL_LANES];
  const int crowd = GROUP / parts, part = GROUP - crowd * parts;
  const int first = crowds[crowd].x, count = crowds[crowd + 1].y - crowds[crowd].y;
  for (int k = 0; k < 6; ++k) box[k * BALL_LANES + LANE] = ~0UL;
  for (int i = part * BALL_LANES + LANE; i < count; i += parts * BALL_LANES) {
    GLOBAL const long* row = fixed + 3 * (long)order[first + i];
    for (int k = 0; k < 3; ++k) {
      const ulong x = (ulong)row[k] + 0x8000000000000000UL;
      LOCAL ulong *low = box + k * BALL_LANES + LANE, *high = box + (k + 3) * BALL_LANES + LANE;
      *low = min(*low, x);
      *high = min(*high, ~x);
    }
  }
  smallest_of_six(box);
  if (LANE < 6) boxes[6 * (long)GROUP + LANE] = box[LANE * BALL_LANES];
}

/* A group per crowd: frames[5 * crowd ...] = {low x, y, z, mantissa, exponent} of the keys; mantissa 0 if all points are at
   one place. */
KERNEL(BALL_LANES) void crowd_frames(int parts, GLOBAL const ulong* boxes, GLOBAL long* frames) {
  LOCAL ulong box[6 * BALL_LANES];
  for (int k = 0; k < 6; ++k) {
    ulong least = ~0UL;
    for (int part = LANE; part < parts; part += BALL_LANES)
      least = min(least, boxes[6 * ((long)GROUP * parts + part) + k]);
    box[k * BALL_LANES + LANE] = least;
  }
  smallest_of_six(box);
  if (LANE == 0) {
    GLOBAL long* frame = frames + 5 * (long)GROUP;
    ulong size = 0UL;
    for (int k = 0; k < 3; ++k) {
      const ulong low = box[k * BALL_LANES], high = ~box[(k + 3) * BALL_LANES];
      frame[k] = (long)(low - 0x8000000000000000UL);
      size = max(size, high - low);
    }
    frame[4] = 0;
    frame[3] = size > 0UL ? (long)inverse_of(size, frame + 4) : 0;
  }
}

/* A lane per member: its crowd, key and number. */
KERNEL(128) void crowd_keys(GLOBAL const int2* crowds, int crowd_count, int member_count, GLOBAL const long* frames,
                            GLOBAL const long* fixed, GLOBAL const int* order, GLOBAL uint* keys, GLOBAL int* values,
                            GLOBAL int* crowd_of, GLOBAL int* point_of, GLOBAL uint* key_of) {
  const int i = GROUP * 128 + LANE;
  if (i < member_count) {
    int low = 0, high = crowd_count; /* the crowd's first member is not behind i, that of `high` is */
    while (high - low > 1) {
      const int half_way = (low + high) / 2;
      if (crowds[half_way].y <= i)
        low = half_way;
      else
        high = half_way;
    }
    const int point = order[crowds[low].x + i - crowds[low].y];
    GLOBAL const long *frame = frames + 5 * (long)low, *row = fixed + 3 * (long)point;
    const ulong mantissa = (ulong)frame[3];
    const int exponent = (int)frame[4];
    const uint key = spread(key_place((ulong)(row[0] - frame[0]), mantissa, exponent)) << 2 |
                     spread(key_place((ulong)(row[1] - frame[1]), mantissa, exponent)) << 1 |
                     spread(key_place((ulong)(row[2] - frame[2]), mantissa, exponent));
    keys[i] = mantissa == 0UL ? AT_ONE_PLACE : key;
    key_of[i] = keys[i];
    values[i] = i;
    crowd_of[i] = low;
    point_of[i] = point;
  }
}

/* A lane per member, sorted by key: the crowd as the key of the sort that follows. */
KERNEL(128) void crowd_numbers(GLOBAL const int* values, GLOBAL const int* crowd_of, int member_count, GLOBAL uint* keys) {
  const int i = GROUP * 128 + LANE;
  if (i < member_count) keys[i] = (uint)crowd_of[values[i]];
}

/* A lane per member, sorted by crowd and key: puts the points in order, and their keys into the next generation. */
KERNEL(128) void crowd_put(GLOBAL const int2* crowds, GLOBAL const int* values, GLOBAL const int* crowd_of,
                           GLOBAL const int* point_of, GLOBAL const uint* key_of, int member_count, int n,
                           int generations, GLOBAL int* order, GLOBAL uint* keys) {
  const int i = GROUP * 128 + LANE;
  if (i < member_count) {
    const int v = values[i], crowd = crowd_of[v], to = crowds[crowd].x + i - crowds[crowd].y;
    order[to] = point_of[v];
    keys[(long)n * generations + to] = key_of[v];
  }
}
