/* M2M and L2L: a group a parent, with all of its children at once. Needs series.cl.
   factors[(m (p + 1) + n) (p + 1) + k] is the share of C_k^m(x) in C_n^m(x + e_z). */

/* Children's geometry: `along` is -1 for moments, whose points are at (centre - x). */
void set_child(int child, int parent, float along, GLOBAL const float4* centre, GLOBAL const float4* centre_low,
               LOCAL float* geometry, LOCAL float* bases) {
  const float4 high = centre[child], above = centre[parent];
  const float inverse = reciprocal_of_power(above.w);
  const float4 d = offset_of(high, centre_low[child], above, centre_low[parent], along * inverse);
  put_direction(direction_of(d.x, d.y, d.z), geometry);
  bases[0] = geometry[4], bases[1] = 1.0f;
  bases[2] = high.w * inverse, bases[3] = 1.0f;
}

/* Along z, from a[] to b[]. */
void shift_along_axis(int slot, int moments, GLOBAL const int4* places, GLOBAL const float* factors,
                      LOCAL const float* distance, LOCAL const float* in, LOCAL float* out) {
  for (int c = LANE & (SLOT_LANES - 1); c < NUMBERS; c += SLOT_LANES) {
    const int4 at = places[c];
    const int n = at.x, m = at.y, sine = at.z > 0;
    float sum = 0.0f;
    for (int k = moments ? m : n; k <= (moments ? n : ORDER); ++k) {
      const int high = moments ? n : k, low = moments ? k : n;
      const float factor = factors[(m * POWERS + high) * POWERS + low] * distance[slot * POWERS + high - low];
      sum = FMA(factor, in[slot * NUMBERS + place_of(k, m, sine)], sum);
    }
    out[slot * NUMBERS + c] = sum;
  }
}

/* Moments of the cells from `first`, one a group, are the sums of their children's. Leaves keep theirs. */
KERNEL(LANES) void moments_up(int first, GLOBAL const int4* family, GLOBAL const float4* centre,
                              GLOBAL const float4* centre_low, SERIES_TABLES, GLOBAL float* moments) {
  SERIES_MEMORY
  const int parent = first + GROUP;
  const int4 of = family[parent];
  const int count = of.y, slot = LANE / SLOT_LANES, numbers = slot < count ? NUMBERS : 0;
  if (LANE < count)
    set_child(of.x + LANE, parent, -1.0f, centre, centre_low, geometry + LANE * GEOMETRY, bases + LANE * 4);
  BARRIER;
  set_powers(count, ORDER, geometry, bases, turns, powers);
  BARRIER;
  for (int c = LANE & (SLOT_LANES - 1); c < numbers; c += SLOT_LANES)
    a[slot * NUMBERS + c] =
        moments[(of.x + slot) * ROOM + c] * powers[SLOT_POWERS + slot * POWERS + places[c].x];
  BARRIER;
  TO_AXIS(slot, numbers)
  if (slot < count) shift_along_axis(slot, 1, places, factors, powers, a, b);
  BARRIER;
  FROM_AXIS(slot, numbers)
  for (int c = LANE; c < (count > 0 ? NUMBERS : 0); c += LANES) {
    float sum = 0.0f;
    for (int k = 0; k < count; ++k) sum += turned(places, c, -1.0f, turns + k * POWERS, a + k * NUMBERS);
    moments[parent * ROOM + c] = sum;
  }
}

/* Adds the locals of the cells from `first` to their children's. */
KERNEL(LANES) void locals_down(int first, GLOBAL const int4* family, GLOBAL const float4* centre,
                               GLOBAL const float4* centre_low, SERIES_TABLES, GLOBAL float* locals) {
  SERIES_MEMORY
  const int parent = first + GROUP;
  const int4 of = family[parent];
  const int count = of.y, slot = LANE / SLOT_LANES, numbers = slot < count ? NUMBERS : 0;
  if (LANE < count)
    set_child(of.x + LANE, parent, 1.0f, centre, centre_low, geometry + LANE * GEOMETRY, bases + LANE * 4);
  BARRIER;
  set_powers(count, ORDER, geometry, bases, turns, powers);
  for (int c = LANE & (SLOT_LANES - 1); c < numbers; c += SLOT_LANES)
    a[slot * NUMBERS + c] = locals[parent * ROOM + c];
  BARRIER;
  TO_AXIS(slot, numbers)
  if (slot < count) shift_along_axis(slot, 0, places, factors, powers, a, b);
  BARRIER;
  FROM_AXIS(slot, numbers)
  for (int c = LANE & (SLOT_LANES - 1); c < numbers; c += SLOT_LANES) {
    const float sum = turned(places, c, -1.0f, turns + slot * POWERS, a + slot * NUMBERS);
    const int at = (of.x + slot) * ROOM + c;
    locals[at] = FMA(sum, powers[SLOT_POWERS + slot * POWERS + places[c].x], locals[at]);
  }
}
