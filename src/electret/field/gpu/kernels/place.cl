/* Positions: the box, integers, keys of the Morton order, and float32 parts. Positions are rows of three float64
   numbers, of which kernels read the bits. */
#define BOX_LANES 128

/* Integers in the order of the float64 numbers with these bits. */
ulong ordered(ulong bits) {
  return bits >> 63 ? ~bits : bits | 0x8000000000000000UL;
}

/* The smallest (or largest) number of all lanes, in numbers[0]. */
void smallest(LOCAL ulong* numbers) {
  for (int half_of = BOX_LANES / 2; half_of > 0; half_of /= 2) {
    BARRIER;
    if (LANE < half_of) numbers[LANE] = min(numbers[LANE], numbers[LANE + half_of]);
  }
  BARRIER;
}

/* parts[group * 6 + ...]: the smallest ordered x, y, z of each group's points, and the complements of the largest. */
KERNEL(BOX_LANES) void box_parts(GLOBAL const ulong* rows, int n, GLOBAL ulong* parts) {
  LOCAL ulong numbers[BOX_LANES];
  ulong low[3] = {~0UL, ~0UL, ~0UL}, high[3] = {~0UL, ~0UL, ~0UL};
  for (int i = GROUP * BOX_LANES + LANE; i < n; i += GROUPS * BOX_LANES) {
#pragma unroll
    for (int axis = 0; axis < 3; ++axis) {
      const ulong x = ordered(rows[3 * (long)i + axis]);
      low[axis] = min(low[axis], x);
      high[axis] = min(high[axis], ~x);
    }
  }
#pragma unroll
  for (int axis = 0; axis < 3; ++axis) {
    numbers[LANE] = low[axis];
    smallest(numbers);
    if (LANE == 0) parts[GROUP * 6 + axis] = numbers[0];
    BARRIER;
    numbers[LANE] = high[axis];
    smallest(numbers);
    if (LANE == 0) parts[GROUP * 6 + 3 + axis] = numbers[0];
    BARRIER;
  }
}

/* One group: the smallest of all groups' numbers. */
KERNEL(BOX_LANES) void box_whole(GLOBAL const ulong* parts, int groups, GLOBAL ulong* box) {
  LOCAL ulong numbers[BOX_LANES];
  for (int k = 0; k < 6; ++k) {
    ulong least = ~0UL;
    for (int g = LANE; g < groups; g += BOX_LANES) least = min(least, parts[g * 6 + k]);
    numbers[LANE] = least;
    smallest(numbers);
    if (LANE == 0) box[k] = numbers[0];
    BARRIER;
  }
}

/* x*2^shift as an integer modulo 2^64, rounded to the nearest (a tie away from 0), of the float64 x with these bits. */
long fixed_point(ulong bits, int shift) {
  const int exponent = (int)(bits >> 52) & 0x7FF;
  ulong size = bits & 0xFFFFFFFFFFFFFUL;
  if (exponent > 0) size |= 0x10000000000000UL;
  const int left = (exponent > 0 ? exponent : 1) - 1075 + shift;
  if (left >= 64 || left < -54)
    size = 0;
  else if (left >= 0)
    size <<= left;
  else
    size = (size + (1UL << (-left - 1))) >> -left;
  return (long)(bits >> 63 ? 0UL - size : size);
}

/* 2^53 times a number is rounded as float64 rounds: to the nearest, a tie to the even one. `top` has its highest bit
   set, and `rest` says whether anything but 0 comes after it. */
ulong rounded_to_53(ulong top, int rest) {
  const ulong cut = top & 0x7FFUL, kept = top >> 11;
  return kept + (cut > 0x400UL || (cut == 0x400UL && (rest || (kept & 1UL))) ? 1UL : 0UL);
}

/* The place 0 ... 1023 of a point on one axis, `offset` above the lower end: offset*mantissa*2^exponent, with the
   roundings of float64. So keys are those of the CPU. */
uint key_place(ulong offset, ulong mantissa, int exponent) {
  if (offset == 0UL || mantissa == 0UL) return 0u;
  const int empty = (int)clz(offset);
  const ulong size = rounded_to_53(offset << empty, 0);
  const ulong high = mul_hi(size, mantissa), low = size * mantissa;
  const int shift = (int)clz(high);
  const ulong product = rounded_to_53(high << shift | low >> (64 - shift), low << shift != 0UL);
  const int right = -(75 - shift + 11 - empty + exponent);
  if (right >= 64) return 0u;
  const ulong place = right > 0 ? product >> right : 1023UL;
  return (uint)min(place, 1023UL);
}

/* Spreads ten bits to every third place. */
uint spread(uint a) {
  a = (a | (a << 16)) & 0x030000FFu;
  a = (a | (a << 8)) & 0x0300F00Fu;
  a = (a | (a << 4)) & 0x030C30C3u;
  return (a | (a << 2)) & 0x09249249u;
}

/* A lane per point, in the caller's order: its coordinates as integers relative to the frame's centre, the key, and
   its number. low: the lower corner of the box of keys. */
KERNEL(128) void place_keys(GLOBAL const ulong* rows, int n, int shift, long centre_x, long centre_y, long centre_z,
                            long low_x, long low_y, long low_z, long mantissa, int exponent, GLOBAL long* fixed,
                            GLOBAL uint* keys, GLOBAL int* numbers) {
  const int i = GROUP * 128 + LANE;
  if (i < n) {
    const long x = fixed_point(rows[3 * (long)i], shift), y = fixed_point(rows[3 * (long)i + 1], shift),
               z = fixed_point(rows[3 * (long)i + 2], shift);
    fixed[3 * (long)i] = (long)((ulong)x - (ulong)centre_x);
    fixed[3 * (long)i + 1] = (long)((ulong)y - (ulong)centre_y);
    fixed[3 * (long)i + 2] = (long)((ulong)z - (ulong)centre_z);
    keys[i] = spread(key_place((ulong)x - (ulong)low_x, (ulong)mantissa, exponent)) << 2 |
              spread(key_place((ulong)y - (ulong)low_y, (ulong)mantissa, exponent)) << 1 |
              spread(key_place((ulong)z - (ulong)low_z, (ulong)mantissa, exponent));
    numbers[i] = i;
  }
}

#define FIXED_UNIT 4.336808689942018e-19f /* 2^-61 */

/* A number of the frame as float32 and what that rounding lost. */
#define PARTS(number, high, low)                         \
  {                                                      \
    const float parts_high = (float)(number);            \
    high = parts_high * FIXED_UNIT;                      \
    low = (float)((number) - (long)parts_high) * FIXED_UNIT; \
  }

/* A lane per point, in tree order. */
KERNEL(128) void place_points(GLOBAL const long* fixed, GLOBAL const int* order, int n, GLOBAL float4* high,
                              GLOBAL float4* low) {
  const int i = GROUP * 128 + LANE;
  if (i < n) {
    GLOBAL const long* row = fixed + 3 * (long)order[i];
    float4 h, l;
    PARTS(row[0], h.x, l.x);
    PARTS(row[1], h.y, l.y);
    PARTS(row[2], h.z, l.z);
    h.w = 0.0f;
    l.w = 0.0f;
    high[i] = h;
    low[i] = l;
  }
}
