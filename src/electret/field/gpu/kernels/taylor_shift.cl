/* M2M and L2L of Taylor series: a group a parent, with all of its children at once, 16 lanes each. Needs taylor.cl.
   A series is moved along x, then y, then z, in rows in local memory. */
#define SHIFT_LANES 128
#define CHILDREN 8
#define OF_CHILD 16

/* The shift's powers d^t/t! by axis, and the powers of the child's scale by the parent's. `along` is -1 for moments,
   whose points are at (centre - x). */
void set_shift(int child, int parent, float along, GLOBAL const float4* centre, GLOBAL const float4* centre_low,
               LOCAL float* shift, LOCAL float* ratio) {
  const float4 high = centre[child], above = centre[parent];
  const float inverse = reciprocal_of_power(above.w);
  const float4 d = offset_of(high, centre_low[child], above, centre_low[parent], along * inverse);
  put_powers(d.x, 0, 1, shift);
  put_powers(d.y, 0, 1, shift + T_POWERS);
  put_powers(d.z, 0, 1, shift + 2 * T_POWERS);
  float power = 1.0f;
  for (int n = 0; n <= TAYLOR; ++n) {
    ratio[n] = power;
    power *= high.w * inverse;
  }
}

/* Along one axis. A moment of power n is a sum of those of powers n - t, a local of those of powers n + t. */
void shift_along(int axis, int moments, int numbers, TAYLOR_TABLES, LOCAL const float* shift, LOCAL const float* in,
                 LOCAL float* out) {
  for (int c = LANE & (OF_CHILD - 1); c < numbers; c += OF_CHILD) {
    const int4 of = powers[c];
    const int n = axis == 0 ? of.x : axis == 1 ? of.y : of.z, way = moments ? -1 : 1;
    const int terms = moments ? n : TAYLOR - of.w;
    float sum = 0.0f;
    for (int t = 0; t <= terms; ++t) {
      int4 from = of;
      if (axis == 0) from.x += way * t;
      if (axis == 1) from.y += way * t;
      if (axis == 2) from.z += way * t;
      sum = FMA(shift[axis * T_POWERS + t], in[place_in_rows(from, row)], sum);
    }
    out[place_in_rows(of, row)] = sum;
  }
}

#define SHIFT_MEMORY                                                       \
  LOCAL float a[CHILDREN * T_NUMBERS], b[CHILDREN * T_NUMBERS];            \
  LOCAL float shift[CHILDREN * 3 * T_POWERS], ratio[CHILDREN * T_POWERS];  \
  const int parent = first + GROUP;                                        \
  const int4 of_parent = family[parent];                                   \
  const int count = of_parent.y, child = LANE / OF_CHILD;                  \
  const int numbers = child < count ? T_NUMBERS : 0;                       \
  LOCAL float *own_a = a + child * T_NUMBERS, *own_b = b + child * T_NUMBERS; \
  LOCAL const float *own_shift = shift + child * 3 * T_POWERS, *own_ratio = ratio + child * T_POWERS;
/* From a[] to b[]. All lanes come by. */
#define SHIFT(moments)                                                     \
  shift_along(0, moments, numbers, powers, row, own_shift, own_a, own_b);  \
  BARRIER;                                                                 \
  shift_along(1, moments, numbers, powers, row, own_shift, own_b, own_a);  \
  BARRIER;                                                                 \
  shift_along(2, moments, numbers, powers, row, own_shift, own_a, own_b);  \
  BARRIER;

/* Moments of the cells from `first`, one a group, are the sums of their children's. Leaves keep theirs. */
KERNEL(SHIFT_LANES) void taylor_moments_up(int first, GLOBAL const int4* family, GLOBAL const float4* centre,
                                           GLOBAL const float4* centre_low, TAYLOR_TABLES, GLOBAL float* moments) {
  SHIFT_MEMORY
  if (LANE < count)
    set_shift(of_parent.x + LANE, parent, -1.0f, centre, centre_low, shift + LANE * 3 * T_POWERS,
              ratio + LANE * T_POWERS);
  BARRIER;
  for (int c = LANE & (OF_CHILD - 1); c < numbers; c += OF_CHILD)
    own_a[place_in_rows(powers[c], row)] = moments[(long)(of_parent.x + child) * T_ROOM + c] * own_ratio[powers[c].w];
  BARRIER;
  SHIFT(1)
  for (int c = LANE; c < (count > 0 ? T_NUMBERS : 0); c += SHIFT_LANES) {
    const int place = place_in_rows(powers[c], row);
    float sum = 0.0f;
    for (int k = 0; k < count; ++k) sum += b[k * T_NUMBERS + place];
    moments[(long)parent * T_ROOM + c] = sum;
  }
}

/* Adds the locals of the cells from `first` to their children's. */
KERNEL(SHIFT_LANES) void taylor_locals_down(int first, GLOBAL const int4* family, GLOBAL const float4* centre,
                                            GLOBAL const float4* centre_low, TAYLOR_TABLES, GLOBAL float* locals) {
  SHIFT_MEMORY
  if (LANE < count)
    set_shift(of_parent.x + LANE, parent, 1.0f, centre, centre_low, shift + LANE * 3 * T_POWERS,
              ratio + LANE * T_POWERS);
  BARRIER;
  for (int c = LANE & (OF_CHILD - 1); c < numbers; c += OF_CHILD)
    own_a[place_in_rows(powers[c], row)] = locals[(long)parent * T_ROOM + c];
  BARRIER;
  SHIFT(0)
  for (int c = LANE & (OF_CHILD - 1); c < numbers; c += OF_CHILD) {
    const int at = (of_parent.x + child) * T_ROOM + c;
    locals[at] = FMA(own_b[place_in_rows(powers[c], row)], own_ratio[powers[c].w], locals[at]);
  }
}
