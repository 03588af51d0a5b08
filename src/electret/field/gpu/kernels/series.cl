/* Moves expansions in solid harmonics by rotation, as the host does (expansions/rotation_bodies.hpp). A group moves up
   to SLOTS expansions at once, SLOT_LANES lanes each, with their numbers in local memory. ORDER is the largest order;
   ROOM numbers lie between two cells' expansions in global memory.

   Needs geometry.cl.

   Tables (fmm/series_tables.hpp), by a number's place c in its expansion:
   places[c] = {degree n, order m, -1 for a cosine or 1 for a sine, the place of the other function of n and m}
   swaps[c] = {first factor in `swap`, first place of what it takes, how many of them, 0} for the exchange of x and z. */
#define LANES 128
#define SLOTS 8
#define SLOT_LANES 16
#define POWERS (ORDER + 1)
#define NUMBERS (POWERS * POWERS)
#define ROOM ((NUMBERS + 15) / 16 * 16)
#define SLOT_NUMBERS (SLOTS * NUMBERS)
#define SLOT_POWERS (SLOTS * POWERS)
#define GEOMETRY 8

/* The place of C_n^m (sine = 0) or S_n^m (sine = 1). */
int place_of(int n, int m, int sine) {
  const int even = n * n + (m >> 1) + (sine ? n >> 1 : 0);
  const int odd = n * n + 2 * (n >> 1) + 1 + (m >> 1) + (sine ? (n + 1) >> 1 : 0);
  return (m & 1) ? odd : even;
}

/* A Direction in local memory. */
void put_direction(Direction d, LOCAL float* geometry) {
  geometry[0] = d.c1, geometry[1] = d.s1, geometry[2] = d.c2, geometry[3] = d.s2;
  geometry[4] = d.length, geometry[5] = d.inverse;
}

/* Multiples of both turns' angles, and powers of two numbers. `turns` holds the cosines and sines of the first turn,
   then those of the second. */
void set_powers(int count, int order, LOCAL const float* geometry, LOCAL const float* bases, LOCAL float* turns,
                LOCAL float* powers) {
  for (int i = LANE; i < count * POWERS; i += LANES) {
    const int slot = i / POWERS, n = i - slot * POWERS;
    LOCAL const float* g = geometry + slot * GEOMETRY;
    LOCAL const float* b = bases + slot * 4;
    float c1 = 1.0f, s1 = 0.0f, c2 = 1.0f, s2 = 0.0f, p = b[1], q = b[3];
    for (int k = 0; k < n; ++k) {
      const float next1 = FMA(c1, g[0], -(s1 * g[1])), next2 = FMA(c2, g[2], -(s2 * g[3]));
      s1 = FMA(s1, g[0], c1 * g[1]), s2 = FMA(s2, g[2], c2 * g[3]);
      c1 = next1, c2 = next2;
      p = p * b[0], q = q * b[2];
    }
    turns[i] = c1, turns[SLOT_POWERS + i] = s1;
    turns[2 * SLOT_POWERS + i] = c2, turns[3 * SLOT_POWERS + i] = s2;
    powers[i] = p, powers[SLOT_POWERS + i] = q;
  }
}

/* A rotation about z: `way` is 1, or -1 for the inverse. */
float turned(GLOBAL const int4* places, int c, float way, LOCAL const float* turns, LOCAL const float* in) {
  const int4 at = places[c];
  const float sine = way * (float)at.z * turns[SLOT_POWERS + at.y];
  return FMA(in[c], turns[at.y], in[at.w] * sine);
}
void turn(int slot, int numbers, float way, GLOBAL const int4* places, LOCAL const float* turns,
          LOCAL const float* in, LOCAL float* out) {
  for (int c = LANE & (SLOT_LANES - 1); c < numbers; c += SLOT_LANES)
    out[slot * NUMBERS + c] = turned(places, c, way, turns + slot * POWERS, in + slot * NUMBERS);
}
void exchange(int slot, int numbers, GLOBAL const int4* swaps, GLOBAL const float* swap, LOCAL const float* in,
              LOCAL float* out) {
  for (int c = LANE & (SLOT_LANES - 1); c < numbers; c += SLOT_LANES) {
    const int4 of = swaps[c];
    LOCAL const float* from = in + slot * NUMBERS + of.y;
    float sum = 0.0f;
    for (int r = 0; r < of.z; ++r) sum = FMA(swap[of.x + r], from[r], sum);
    out[slot * NUMBERS + c] = sum;
  }
}

/* The rotation of a[] until the direction lies along z, and its inverse but for the last turn. `slot` is -1 for lanes
   without an expansion. All lanes come by. */
#define TO_AXIS(slot, numbers)                                      \
  turn(slot, numbers, 1.0f, places, turns, a, b);                   \
  BARRIER;                                                          \
  exchange(slot, numbers, swaps, swap, b, a);                       \
  BARRIER;                                                          \
  turn(slot, numbers, 1.0f, places, turns + 2 * SLOT_POWERS, a, b); \
  BARRIER;                                                          \
  exchange(slot, numbers, swaps, swap, b, a);                       \
  BARRIER;
/* From b[] to a[]. */
#define FROM_AXIS(slot, numbers)                                     \
  exchange(slot, numbers, swaps, swap, b, a);                        \
  BARRIER;                                                           \
  turn(slot, numbers, -1.0f, places, turns + 2 * SLOT_POWERS, a, b); \
  BARRIER;                                                           \
  exchange(slot, numbers, swaps, swap, b, a);                        \
  BARRIER;
#define SERIES_MEMORY                                                           \
  LOCAL float a[SLOT_NUMBERS], b[SLOT_NUMBERS], geometry[SLOTS * GEOMETRY];     \
  LOCAL float bases[SLOTS * 4], turns[4 * SLOT_POWERS], powers[2 * SLOT_POWERS];
#define SERIES_TABLES GLOBAL const int4 *places, GLOBAL const int4 *swaps, GLOBAL const float *swap, \
                      GLOBAL const float *factors
