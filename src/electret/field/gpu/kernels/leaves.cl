/* P2M and L2P: a lane a point, whatever the order. Needs series.cl.

   The harmonics of one order m share a factor: C_n^m + i S_n^m = Q_n^m (x + iy)^m, up to constants, and Q follows a
   recurrence in n. `steps` has one row per (m, n), m outside, padded to STEP_ROWS: {α, β, kind, 0}. Kind 0 goes on:
   Q_n = α z Q_{n-1} - β r² Q_{n-2}; kind 1 begins m with (x + iy)^m = α (x + iy) (x + iy)^{m-1}; kind 2 begins m = 0;
   kind 3 is padding. numbers[2 k] and numbers[2 k + 1] are the places of the cosine and the sine of row k; -1: none. */
#define LEAF_LANES 64
#define STEP_COUNT ((ORDER + 1) * (ORDER + 2) / 2)
#define CHUNK 16
#define CHUNKS ((STEP_COUNT + CHUNK - 1) / CHUNK)
#define STEP_ROWS (CHUNKS * CHUNK)

typedef struct {
  float x, y, z, r2;
  float re, im, q, before;
} Harmonics;

#define NEXT_HARMONIC(h, step)                                                                  \
  {                                                                                             \
    if (step.z == 0.0f) {                                                                       \
      const float next = FMA(step.x * h.z, h.q, -(step.y * h.r2) * h.before);                   \
      h.before = h.q, h.q = next;                                                               \
    } else {                                                                                    \
      const float sx = step.x * h.x, sy = step.x * h.y;                                         \
      const float re = FMA(h.re, sx, -(h.im * sy)), im = FMA(h.re, sy, h.im * sx);              \
      h.re = step.z == 1.0f ? re : step.z == 2.0f ? 1.0f : 0.0f;                                \
      h.im = step.z == 1.0f ? im : 0.0f;                                                        \
      h.q = 1.0f, h.before = 0.0f;                                                              \
    }                                                                                           \
  }

/* (x - centre)/σ */
float4 place_in_cell(float4 high, float4 low, float4 centre, float4 centre_low) {
  return offset_of(high, low, centre, centre_low, reciprocal_of_power(centre.w));
}

/* Moments of the leaves, one a group. Each chunk of steps passes through local memory, where two lanes add up the
   terms of 64 points; blocks of points are added with their rounding errors, because equal terms round alike. */
KERNEL(64) void moments_of_leaves(GLOBAL const int* leaves, GLOBAL const int2* points, GLOBAL const float4* centre,
                                  GLOBAL const float4* centre_low, GLOBAL const float4* high,
                                  GLOBAL const float4* low, GLOBAL const float4* steps, GLOBAL const int* numbers,
                                  GLOBAL float* moments) {
  LOCAL float terms[2 * CHUNK * 66], halves[LEAF_LANES];
  LOCAL float total[2 * STEP_ROWS], rest[2 * STEP_ROWS];
  const int leaf = leaves[GROUP];
  const int2 range = points[leaf];
  const int row = LANE >> 1, half_at = (LANE & 1) * 33;
  for (int k = LANE; k < 2 * STEP_ROWS; k += LEAF_LANES) total[k] = 0.0f, rest[k] = 0.0f;
  BARRIER;
  for (int first = range.x; first < range.y; first += LEAF_LANES) {
    const int i = min(first + LANE, range.y - 1);
    const float charge = first + LANE < range.y ? high[i].w : 0.0f;
    const float4 at = place_in_cell(high[i], low[i], centre[leaf], centre_low[leaf]);
    Harmonics h;
    h.x = -at.x, h.y = -at.y, h.z = -at.z;
    h.r2 = FMA(at.z, at.z, FMA(at.y, at.y, at.x * at.x));
    h.re = 1.0f, h.im = 0.0f, h.q = 1.0f, h.before = 0.0f;
    for (int chunk = 0; chunk < CHUNKS; ++chunk) {
      for (int k = 0; k < CHUNK; ++k) {
        const float4 step = steps[chunk * CHUNK + k];
        NEXT_HARMONIC(h, step)
        const float q = charge * h.q;
        terms[2 * k * 66 + LANE + (LANE >> 5)] = q * h.re;
        terms[(2 * k + 1) * 66 + LANE + (LANE >> 5)] = q * h.im;
      }
      BARRIER;
      float sum = 0.0f;
      for (int k = 0; k < 32; ++k) sum += terms[row * 66 + half_at + k];
      halves[LANE] = sum;
      BARRIER;
      if (LANE < 2 * CHUNK) {
        const int at_row = chunk * 2 * CHUNK + LANE;
        float error;
        TWO_SUM(total[at_row], halves[2 * LANE] + halves[2 * LANE + 1], total[at_row], error)
        rest[at_row] += error;
      }
    }
    BARRIER;
  }
  for (int k = LANE; k < 2 * STEP_COUNT; k += LEAF_LANES) {
    const int number = numbers[k];
    if (number >= 0) moments[leaf * ROOM + number] = total[k] + rest[k];
  }
}

/* Field and potential of the leaves' locals, one a group, together with the near sums, in the caller's order. The
   locals become series of the potential and of its gradient, {φ, ∂x, ∂y, ∂z}, side by side by steps. A derivative's
   number c is f.x L[i.x] + f.y L[i.y] with i = gradient_at[2 c], f = gradient[2 c] by x and the z, w parts by y; by z
   it is gradient[2 c + 1].x L[gradient_at[2 c + 1].x]. */
KERNEL(64) void field_of_leaves(GLOBAL const int* leaves, GLOBAL const int2* points, GLOBAL const float4* centre,
                                GLOBAL const float4* centre_low, GLOBAL const float4* high, GLOBAL const float4* low,
                                GLOBAL const int* order, GLOBAL const float4* steps, GLOBAL const int* numbers,
                                GLOBAL const int4* gradient_at, GLOBAL const float4* gradient,
                                GLOBAL const float* locals, GLOBAL const float4* near, GLOBAL float4* sums) {
  LOCAL float4 series[2 * STEP_COUNT];
  const int leaf = leaves[GROUP];
  const int2 range = points[leaf];
  GLOBAL const float* own = locals + (long)leaf * ROOM;
  for (int k = LANE; k < 2 * STEP_COUNT; k += LEAF_LANES) {
    const int c = numbers[k];
    const int4 at = gradient_at[2 * max(c, 0)], at_z = gradient_at[2 * max(c, 0) + 1];
    const float4 f = gradient[2 * max(c, 0)], f_z = gradient[2 * max(c, 0) + 1];
    const float4 number = (float4)(own[max(c, 0)], FMA(f.x, own[at.x], f.y * own[at.y]),
                                   FMA(f.z, own[at.z], f.w * own[at.w]), f_z.x * own[at_z.x]);
    series[k] = c < 0 ? (float4)(0.0f, 0.0f, 0.0f, 0.0f) : number;
  }
  BARRIER;
  const float inverse = reciprocal_of_power(centre[leaf].w);
  for (int i = range.x + LANE; i < range.y; i += LEAF_LANES) {
    const float4 at = place_in_cell(high[i], low[i], centre[leaf], centre_low[leaf]);
    Harmonics h;
    h.x = at.x, h.y = at.y, h.z = at.z;
    h.r2 = FMA(at.z, at.z, FMA(at.y, at.y, at.x * at.x));
    h.re = 1.0f, h.im = 0.0f, h.q = 1.0f, h.before = 0.0f;
    float p = 0.0f, x = 0.0f, y = 0.0f, z = 0.0f;
#pragma unroll 4
    for (int k = 0; k < STEP_COUNT; ++k) {
      const float4 step = steps[k], cosine = series[2 * k], sine = series[2 * k + 1];
      NEXT_HARMONIC(h, step)
      const float c = h.q * h.re, s = h.q * h.im;
      p = FMA(c, cosine.x, FMA(s, sine.x, p));
      x = FMA(c, cosine.y, FMA(s, sine.y, x));
      y = FMA(c, cosine.z, FMA(s, sine.z, y));
      z = FMA(c, cosine.w, FMA(s, sine.w, z));
    }
    const float4 more = near[i];
    sums[order[i]] = (float4)(more.x - x * inverse, more.y - y * inverse, more.z - z * inverse, more.w + p);
  }
}
