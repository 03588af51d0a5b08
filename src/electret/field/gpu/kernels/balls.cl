/* The cells' balls, as the CPU's tree finds them: around the middle of the box, moved in five steps for cells of few
   points; for larger cells the smaller of the box's ball and that of the children's. */
#define BALL_LANES 64
#define SMALL_BALL 512 /* the most points of a cell, other than a leaf, for which the steps are made */
#define OUTER 64       /* the most points that the steps look at */
#define STEPS 5

/* The square root, rounded as IEEE's is but for rare last bits, whatever the device's rsqrt. */
float root(float square) {
  if (!(square > 1.0e-37f)) return 0.0f;
  const float inverse = RSQRT(square), r = square * inverse;
  return FMA(FMA(-r, r, square), 0.5f * inverse, r);
}

/* A power of two from one to two times the radius, but not below 2^-40. */
float scale_of(float radius) {
  const float smallest_scale = 9.094947017729282e-13f;
  return radius > smallest_scale ? as_float((as_uint(radius) & 0x7F800000u) + 0x800000u) : smallest_scale;
}

/* Integers in the order of the numbers high + low, where `high` is the rounded number. */
uint ordered_float(float x) {
  const uint bits = as_uint(x);
  return bits >> 31 ? ~bits : bits | 0x80000000u;
}
ulong ordered_parts(float high, float low) {
  return (ulong)ordered_float(high) << 32 | (ulong)ordered_float(low);
}
float float_of(uint ordered_bits) {
  return as_float(ordered_bits >> 31 ? ordered_bits & 0x7FFFFFFFu : ~ordered_bits);
}
long integer_of(ulong ordered_bits) {
  const float unit = 2305843009213693952.0f; /* 2^61 */
  return (long)(float_of((uint)(ordered_bits >> 32)) * unit) + (long)(float_of((uint)ordered_bits) * unit);
}

/* numbers[k * BALL_LANES ...]: the smallest of all lanes, in the first of each k below 6. */
void smallest_of_six(LOCAL ulong* numbers) {
  for (int half_of = BALL_LANES / 2; half_of > 0; half_of /= 2) {
    BARRIER;
    if (LANE < half_of) {
      for (int k = 0; k < 6; ++k) {
        LOCAL ulong* own = numbers + k * BALL_LANES + LANE;
        own[0] = min(own[0], own[half_of]);
      }
    }
  }
  BARRIER;
}

/* The number of bits that are 1. */
int number_of_bits(uint x) {
  x -= (x >> 1) & 0x55555555u;
  x = (x & 0x33333333u) + ((x >> 2) & 0x33333333u);
  return (int)((((x + (x >> 4)) & 0x0F0F0F0Fu) * 0x01010101u) >> 24);
}

/* A group per cell: its box {low x, y, z, high x, y, z}, unless it has many points and children. The ball of leaves and
   of cells of few points. */
KERNEL(BALL_LANES) void balls_of_points(GLOBAL const int2* points, GLOBAL const int4* family, GLOBAL const float4* high,
                                        GLOBAL const float4* low, GLOBAL long* boxes, GLOBAL float4* centre,
                                        GLOBAL float4* centre_low) {
  LOCAL ulong box[6 * BALL_LANES];
  LOCAL float px[SMALL_BALL], py[SMALL_BALL], pz[SMALL_BALL];
  LOCAL uint mask[SMALL_BALL / 32];
  LOCAL int outer[OUTER];
  LOCAL uint largest[STEPS + 2]; /* squares, as integers: first, of each step, last */
  LOCAL int farthest[STEPS];
  const int c = GROUP;
  const int2 range = points[c];
  const int count = range.y - range.x;
  if (family[c].y == 0 || count <= SMALL_BALL) {
    ulong least_x = ~0UL, least_y = ~0UL, least_z = ~0UL, most_x = 0UL, most_y = 0UL, most_z = 0UL;
    for (int i = LANE; i < count; i += BALL_LANES) {
      const float4 h = high[range.x + i], l = low[range.x + i];
      const ulong x = ordered_parts(h.x, l.x), y = ordered_parts(h.y, l.y), z = ordered_parts(h.z, l.z);
      least_x = min(least_x, x);
      least_y = min(least_y, y);
      least_z = min(least_z, z);
      most_x = max(most_x, x);
      most_y = max(most_y, y);
      most_z = max(most_z, z);
    }
    box[LANE] = least_x;
    box[BALL_LANES + LANE] = least_y;
    box[2 * BALL_LANES + LANE] = least_z;
    box[3 * BALL_LANES + LANE] = ~most_x;
    box[4 * BALL_LANES + LANE] = ~most_y;
    box[5 * BALL_LANES + LANE] = ~most_z;
    smallest_of_six(box);
    const long low_x = integer_of(box[0]), low_y = integer_of(box[BALL_LANES]), low_z = integer_of(box[2 * BALL_LANES]);
    const long high_x = integer_of(~box[3 * BALL_LANES]), high_y = integer_of(~box[4 * BALL_LANES]),
               high_z = integer_of(~box[5 * BALL_LANES]);
    const long middle_x = low_x + (high_x - low_x) / 2, middle_y = low_y + (high_y - low_y) / 2,
               middle_z = low_z + (high_z - low_z) / 2;
    float4 m, m_low;
    PARTS(middle_x, m.x, m_low.x);
    PARTS(middle_y, m.y, m_low.y);
    PARTS(middle_z, m.z, m_low.z);
    /* A leaf of more points than there is room for has them all at one place. */
    const int kept = count <= SMALL_BALL ? count : 0;
    float own_largest = 0.0f;
    for (int i = LANE; i < kept; i += BALL_LANES) {
      const float4 h = high[range.x + i], l = low[range.x + i];
      const float x = (h.x - m.x) + (l.x - m_low.x), y = (h.y - m.y) + (l.y - m_low.y),
                  z = (h.z - m.z) + (l.z - m_low.z);
      px[i] = x;
      py[i] = y;
      pz[i] = z;
      own_largest = fmax(own_largest, FMA(x, x, FMA(y, y, z * z)));
    }
    if (LANE < STEPS + 2) largest[LANE] = 0u;
    if (LANE < STEPS) farthest[LANE] = OUTER;
    if (LANE < SMALL_BALL / 32) mask[LANE] = 0u;
    BARRIER;
    atomic_max(&largest[0], as_uint(own_largest));
    BARRIER;
    const float first = as_float(largest[0]);
    for (int i = LANE; i < kept; i += BALL_LANES) {
      const float x = px[i], y = py[i], z = pz[i];
      if (FMA(x, x, FMA(y, y, z * z)) > 0.64f * first) atomic_or(&mask[i >> 5], 1u << (i & 31));
    }
    BARRIER;
    int outer_count = 0;
    for (int w = 0; w < SMALL_BALL / 32; ++w) {
      /* The lanes of a word put its points behind those of the words before. */
      const uint bits = mask[w];
      if (LANE / 32 == (w & 1) && (bits >> (LANE & 31) & 1u)) {
        const int rank = outer_count + number_of_bits(bits & ((1u << (LANE & 31)) - 1u));
        if (rank < OUTER) outer[rank] = 32 * w + (LANE & 31);
      }
      outer_count += number_of_bits(bits);
    }
    const int all = outer_count <= OUTER;
    if (outer_count > OUTER) outer_count = OUTER;
    BARRIER;
    float ox = 0.0f, oy = 0.0f, oz = 0.0f;
    if (LANE < outer_count) {
      const int i = outer[LANE];
      ox = px[i];
      oy = py[i];
      oz = pz[i];
    }
    float x = 0.0f, y = 0.0f, z = 0.0f, best_x = 0.0f, best_y = 0.0f, best_z = 0.0f, least = first;
    for (int k = 0; k < STEPS; ++k) {
      const float dx = ox - x, dy = oy - y, dz = oz - z;
      const uint square = as_uint(FMA(dx, dx, FMA(dy, dy, dz * dz)));
      if (LANE < outer_count) atomic_max(&largest[1 + k], square);
      BARRIER;
      const uint most = largest[1 + k];
      if (LANE < outer_count && square == most) atomic_min(&farthest[k], LANE);
      BARRIER;
      if (as_float(most) < least) {
        least = as_float(most);
        best_x = x;
        best_y = y;
        best_z = z;
      }
      /* Without points that stand apart, there is nothing to move to. */
      const int i = outer_count > 0 ? outer[farthest[k]] : 0;
      const float part = k == 0 ? 0.2f : k == 1 ? 0.1f : k == 2 ? 0.06666667f : k == 3 ? 0.05f : 0.04f;
      if (outer_count > 0) {
        x += part * (px[i] - x);
        y += part * (py[i] - y);
        z += part * (pz[i] - z);
      }
    }
    /* Unless the centre has moved far, no other point can have become the farthest. */
    const float others = FMA(0.8f, root(first), root(FMA(best_x, best_x, FMA(best_y, best_y, best_z * best_z))));
    float square = least;
    if (!(all && others * others < least)) {
      own_largest = 0.0f;
      for (int i = LANE; i < kept; i += BALL_LANES) {
        const float dx = px[i] - best_x, dy = py[i] - best_y, dz = pz[i] - best_z;
        own_largest = fmax(own_largest, FMA(dx, dx, FMA(dy, dy, dz * dz)));
      }
      atomic_max(&largest[STEPS + 1], as_uint(own_largest));
    }
    BARRIER;
    if (!(all && others * others < least)) square = as_float(largest[STEPS + 1]);
    const int moved = square < first;
    if (LANE == 0) {
      const float unit = 2305843009213693952.0f; /* 2^61 */
      const long cx = middle_x + (moved ? (long)(best_x * unit) : 0L), cy = middle_y + (moved ? (long)(best_y * unit) : 0L),
                 cz = middle_z + (moved ? (long)(best_z * unit) : 0L);
      float4 h, l;
      PARTS(cx, h.x, l.x);
      PARTS(cy, h.y, l.y);
      PARTS(cz, h.z, l.z);
      l.w = root(moved ? square : first);
      h.w = scale_of(l.w);
      centre[c] = h;
      centre_low[c] = l;
      boxes[6 * (long)c] = low_x;
      boxes[6 * (long)c + 1] = low_y;
      boxes[6 * (long)c + 2] = low_z;
      boxes[6 * (long)c + 3] = high_x;
      boxes[6 * (long)c + 4] = high_y;
      boxes[6 * (long)c + 5] = high_z;
    }
  }
}

/* A lane per cell of a level, whose children are done. No child may have a larger radius than its parent: otherwise the
   walk could cut different cells of a pair in its two directions. */
KERNEL(64) void balls_of_children(GLOBAL const int2* points, GLOBAL const int4* family, int begin, int end,
                                  GLOBAL long* boxes, GLOBAL float4* centre, GLOBAL float4* centre_low) {
  const int c = begin + GROUP * 64 + LANE;
  if (c < end && family[c].y > 0) {
    const int first = family[c].x, last = first + family[c].y;
    float4 h = centre[c], l = centre_low[c];
    float largest = 0.0f;
    for (int k = first; k < last; ++k) largest = fmax(largest, centre_low[k].w);
    if (points[c].y - points[c].x > SMALL_BALL) {
      long low[3], high[3];
#pragma unroll
      for (int axis = 0; axis < 3; ++axis) {
        low[axis] = boxes[6 * (long)first + axis];
        high[axis] = boxes[6 * (long)first + 3 + axis];
        for (int k = first + 1; k < last; ++k) {
          low[axis] = min(low[axis], boxes[6 * (long)k + axis]);
          high[axis] = max(high[axis], boxes[6 * (long)k + 3 + axis]);
        }
        boxes[6 * (long)c + axis] = low[axis];
        boxes[6 * (long)c + 3 + axis] = high[axis];
      }
      const long middle_x = low[0] + (high[0] - low[0]) / 2, middle_y = low[1] + (high[1] - low[1]) / 2,
                 middle_z = low[2] + (high[2] - low[2]) / 2;
      PARTS(middle_x, h.x, l.x);
      PARTS(middle_y, h.y, l.y);
      PARTS(middle_z, h.z, l.z);
      float reach = 0.0f;
      for (int k = first; k < last; ++k) {
        const float4 other = centre[k], other_low = centre_low[k];
        const float x = (other.x - h.x) + (other_low.x - l.x), y = (other.y - h.y) + (other_low.y - l.y),
                    z = (other.z - h.z) + (other_low.z - l.z);
        reach = fmax(reach, root(FMA(x, x, FMA(y, y, z * z))) + other_low.w);
      }
      const float x = (float)(high[0] - low[0]) * FIXED_UNIT, y = (float)(high[1] - low[1]) * FIXED_UNIT,
                  z = (float)(high[2] - low[2]) * FIXED_UNIT;
      l.w = fmin(reach, 0.5f * root(FMA(x, x, FMA(y, y, z * z))));
    }
    l.w = fmax(l.w, largest);
    h.w = scale_of(l.w);
    centre[c] = h;
    centre_low[c] = l;
  }
}
