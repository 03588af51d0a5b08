/* Pairs of ddef. COMPENSATED: differences are taken from high and low parts. TAYLOR: gradients are summed, too. */

/* A call would keep a lane's sums in memory. */
#define INLINED __attribute__((always_inline))

#if TAYLOR
#define SUMS 10  /* field, potential, gradient (xx, yy, zz, xy, xz, yz) */
#define QUADS 3  /* the float4 that hold them */
#else
#define SUMS 4
#define QUADS 1
#endif
/* The number of terms that are added in float32 before their sum goes to sums in two parts. */
#define TERMS 64

/* What a frame holds. */
#define INVERSE_SIZE 0      /* 1/side of the box: three high parts, three low parts */
#define SIZE 6              /* the box's sides */
#define SOFTENING 9         /* its square */
#define SOFTENING_UNITS 10  /* the same in units of places */
#define UNITS 11            /* units of places a length */
#define EXACT 12            /* differences of places are needed below this squared distance */
#define CLOSEST_FAR 13      /* squared distances that plain differences may have, of far pairs */
#define CLOSEST_NEAR 14     /* and of near ones, relative to the squared radius of the near set */
#define UNIT 15             /* its inverse */

/* Squared distances in units of places below which places are too coarse. */
#define TOO_FEW_UNITS 0x1p48f

/* All points. */
typedef struct {
  GLOBAL const float4 *high, *low;
  GLOBAL const long* places;
  GLOBAL const ulong* coordinates; /* float64 */
  ulong stride;                    /* of places and coordinates */
  GLOBAL const float* frame;
} Points;

#define OF_ONE_PLACE 1
#define TOO_CLOSE 2

/* Adds q K(d), q/ρ and q K'(d). ρ² = ∞ adds 0. */
INLINED void add_pair(float* sum, float dx, float dy, float dz, float rho2, float q) {
  const float r = RSQRT(rho2), scalar = q * r, square = r * r, c = scalar * square;
  sum[0] = FMA(c, dx, sum[0]);
  sum[1] = FMA(c, dy, sum[1]);
  sum[2] = FMA(c, dz, sum[2]);
  sum[3] += scalar;
#if TAYLOR
  const float g = -3.0f * (c * square), gx = g * dx, gy = g * dy;
  sum[4] = FMA(gx, dx, sum[4] + c);
  sum[5] = FMA(gy, dy, sum[5] + c);
  sum[6] = FMA(g * dz, dz, sum[6] + c);
  sum[7] = FMA(gx, dy, sum[7]);
  sum[8] = FMA(gx, dz, sum[8]);
  sum[9] = FMA(gy, dz, sum[9]);
#endif
}

/* Adds the pair of a point and a source, however close they are. If they are at the same place, or closer than float32
   sums can hold, nothing is added, and that is returned. */
INLINED int add_close_pair(float* sum, const Points* points, int at, int source) {
  const float4 a = points->high[at], a_low = points->low[at];
  const float4 b = points->high[source], b_low = points->low[source];
  GLOBAL const float* frame = points->frame;
  float dx = (a.x - b.x) + (a_low.x - b_low.x);
  float dy = (a.y - b.y) + (a_low.y - b_low.y);
  float dz = (a.z - b.z) + (a_low.z - b_low.z);
  const float rho2 = FMA(dz, dz, FMA(dy, dy, FMA(dx, dx, frame[SOFTENING])));
  if (rho2 >= frame[EXACT]) {
    add_pair(sum, dx, dy, dz, rho2, b.w);
    return 0;
  }
  GLOBAL const long* places = points->places;
  const ulong stride = points->stride;
  dx = (float)(places[at] - places[source]);
  dy = (float)(places[stride + at] - places[stride + source]);
  dz = (float)(places[2 * stride + at] - places[2 * stride + source]);
  const float units2 = FMA(dz, dz, FMA(dy, dy, FMA(dx, dx, frame[SOFTENING_UNITS])));
  if (units2 < TOO_FEW_UNITS) {
    GLOBAL const ulong* x = points->coordinates;
    const bool same = x[at] == x[source] && x[stride + at] == x[stride + source] &&
                      x[2 * stride + at] == x[2 * stride + source];
    return same && frame[SOFTENING_UNITS] == 0.0f ? OF_ONE_PLACE : TOO_CLOSE;
  }
  /* 1/ρ³ may be beyond float32: the field is (q/ρ²)·(d/ρ). */
  const float r = RSQRT(units2), inverse = frame[UNITS] * r;
  const float scalar = b.w * inverse, square = scalar * inverse;
  const float ux = r * dx, uy = r * dy, uz = r * dz;
  sum[0] = FMA(square, ux, sum[0]);
  sum[1] = FMA(square, uy, sum[1]);
  sum[2] = FMA(square, uz, sum[2]);
  sum[3] += scalar;
#if TAYLOR
  const float c = square * inverse, g = -3.0f * c;
  sum[4] += FMA(g * ux, ux, c);
  sum[5] += FMA(g * uy, uy, c);
  sum[6] += FMA(g * uz, uz, c);
  sum[7] = FMA(g * ux, uy, sum[7]);
  sum[8] = FMA(g * ux, uz, sum[8]);
  sum[9] = FMA(g * uy, uz, sum[9]);
#endif
  return 0;
}

/* Pairs {target, source} that the host adds, in any order. */
typedef struct {
  GLOBAL int* count;
  GLOBAL int2* pairs;
  int capacity;
} CloseList;

/* A count beyond this stands still, so that it never starts again at 0. */
#define MOST_COUNTED (1 << 30)

INLINED void note_close(const CloseList* close, int target, int source) {
  const int place = atomic_inc(close->count);
  if (place >= MOST_COUNTED) {
    atomic_add(close->count, -1);
  } else if (place < close->capacity) {
    int2 pair;
    pair.x = target;
    pair.y = source;
    close->pairs[place] = pair;
  }
}

/* Adds `sum` to sums in two parts. */
INLINED void add_sums(float* high, float* low, const float* sum) {
#pragma unroll
  for (int k = 0; k < SUMS; ++k) {
    float error;
    TWO_SUM(high[k], sum[k], high[k], error);
    low[k] += error;
  }
}
