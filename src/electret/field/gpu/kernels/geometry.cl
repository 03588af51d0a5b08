/* The geometry of pairs of cells. */

/* The reciprocal of a power of two, exactly. */
float reciprocal_of_power(float power) { return as_float(0x7F000000 - as_int(power)); }

float accurate_rsqrt(float x) {
  const float r = RSQRT(x);
  return r * FMA(-0.5f * x * r, r, 1.5f);
}

/* The difference of two centres in units of one scale. */
float4 offset_of(float4 high, float4 low, float4 from_high, float4 from_low, float inverse) {
  return (float4)(((high.x - from_high.x) + (low.x - from_low.x)) * inverse,
                  ((high.y - from_high.y) + (low.y - from_low.y)) * inverse,
                  ((high.z - from_high.z) + (low.z - from_low.z)) * inverse, 0.0f);
}

/* What turns a vector to the z axis: cosines and sines of the two turns (rotation_bodies.hpp), its length and the
   length's reciprocal. */
typedef struct {
  float c1, s1, c2, s2, length, inverse;
} Direction;

/* A vector that underflows counts as the direction z; any angle about z serves close to it. */
Direction direction_of(float x, float y, float z) {
  const float least = 1e-36f;
  const float squared = FMA(z, z, FMA(y, y, x * x));
  const bool some = squared > least;
  Direction d;
  d.inverse = accurate_rsqrt(some ? squared : 1.0f);
  const float ux = some ? x * d.inverse : 0.0f, uy = some ? y * d.inverse : 0.0f, uz = some ? z * d.inverse : 1.0f;
  const float across = FMA(uy, uy, ux * ux);
  const bool tilted = across > least;
  const float of_radius = accurate_rsqrt(tilted ? across : 1.0f);
  d.c1 = tilted ? uy * of_radius : 1.0f;
  d.s1 = tilted ? ux * of_radius : 0.0f;
  d.c2 = uz;
  d.s2 = tilted ? -across * of_radius : 0.0f;
  d.length = some ? squared * d.inverse : 0.0f;
  return d;
}
