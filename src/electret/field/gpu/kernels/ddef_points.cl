/* The points of ddef: charges, separate targets, vertices of the grid, one after the other. The host hands over scaled
   float64 coordinates. A place is such a coordinate relative to the frame's centre, as an integer: differences of
   places are exact, wherever the origin is. */

/* The bits of a float64 number times 2^units, modulo 2^64; what is below 1 is dropped. */
long place_of(ulong bits, int units) {
  const int exponent = (int)(bits >> 52) & 2047;
  const ulong digits = (bits & 0xfffffffffffffUL) | (exponent ? 0x10000000000000UL : 0UL);
  const int shift = (exponent ? exponent : 1) - 1075 + units;
  ulong place = 0;
  if (shift >= 0 && shift < 64) place = digits << shift;
  if (shift < 0 && shift > -64) place = digits >> -shift;
  return (long)(bits >> 63 ? 0UL - place : place);
}

/* The high part is the place rounded to float32, the low part is the rest. */
#define SPLIT(place, high, low)              \
  {                                          \
    const float rounded = (float)(place);    \
    high = unit * rounded;                   \
    low = unit * (float)((place) - (long)rounded); \
  }

/* A lane a point. `unit` is 2^-units. `tetrahedra` holds the tetrahedron of each of the `sources` first points; the
   points of tetrahedron t are [first[t], first[t + 1]). */
KERNEL(128)
void ddef_place(GLOBAL const ulong* coordinates, int points, int stride, long centre_x, long centre_y, long centre_z,
                int units, float unit, GLOBAL const int* first, int tetrahedron_count, int sources,
                GLOBAL float4* high, GLOBAL float4* low, GLOBAL long* places, GLOBAL int* tetrahedra) {
  const int i = GROUP * 128 + LANE;
  if (i < points) {
    const long x = place_of(coordinates[i], units) - centre_x;
    const long y = place_of(coordinates[stride + i], units) - centre_y;
    const long z = place_of(coordinates[2 * (ulong)stride + i], units) - centre_z;
    places[i] = x;
    places[stride + i] = y;
    places[2 * (ulong)stride + i] = z;
    float4 h, l;
    SPLIT(x, h.x, l.x)
    SPLIT(y, h.y, l.y)
    SPLIT(z, h.z, l.z)
    h.w = 0.0f;
    l.w = 0.0f;
    high[i] = h;
    low[i] = l;
  }
  if (i < sources) {
    int t = 0, end = tetrahedron_count; /* first[t] <= i < first[end] */
    while (end - t > 1) {
      const int middle = (t + end) / 2;
      if (first[middle] <= i)
        t = middle;
      else
        end = middle;
    }
    tetrahedra[i] = t;
  }
}

KERNEL(128)
void ddef_charges(GLOBAL const float* charges, int sources, GLOBAL float4* high) {
  const int i = GROUP * 128 + LANE;
  if (i < sources) {
    float4 point = high[i];
    point.w = charges[i];
    high[i] = point;
  }
}

/* Vectors as rows of high and low parts; their components are at most 1. A lane a vector. */
KERNEL(128)
void ddef_vectors(GLOBAL const ulong* components, int number, int units, float unit, GLOBAL float4* high,
                  GLOBAL float4* low) {
  const int i = GROUP * 128 + LANE;
  if (i < number) {
    const long x = place_of(components[i], units);
    const long y = place_of(components[number + i], units);
    const long z = place_of(components[2 * (ulong)number + i], units);
    float4 h, l;
    SPLIT(x, h.x, l.x)
    SPLIT(y, h.y, l.y)
    SPLIT(z, h.z, l.z)
    h.w = 0.0f;
    l.w = 0.0f;
    high[i] = h;
    low[i] = l;
  }
}
