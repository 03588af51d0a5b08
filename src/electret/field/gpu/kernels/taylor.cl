/* What all kernels of Taylor series share: series of the softened 1/ρ, which is not harmonic, so that every power
   x^i y^j z^k with i + j + k up to the order counts (expansions/taylor.hpp). A cell's numbers are stored by degree in
   global memory. In local memory they lie in rows of equal j and k, in which i grows. TAYLOR is the largest order.

   Needs geometry.cl.

   Tables (fmm/taylor_tables.hpp):
   powers[c] = {i, j, k, degree} of number c.
   row[j * T_POWERS + k] is where the row x^0 y^j z^k begins in local memory. */
#define T_POWERS (TAYLOR + 1)
#define T_NUMBERS ((TAYLOR + 1) * (TAYLOR + 2) * (TAYLOR + 3) / 6)
#define T_ROOM ((T_NUMBERS + 15) / 16 * 16)
#define COUNT_OF(order) (((order) + 1) * ((order) + 2) * ((order) + 3) / 6)
#define TAYLOR_TABLES GLOBAL const int4 *powers, GLOBAL const int *row

CONSTANT float inverse_of[13] = {0.0f,        1.0f,        1.0f / 2.0f, 1.0f / 3.0f,  1.0f / 4.0f,  1.0f / 5.0f, 1.0f / 6.0f,
                                 1.0f / 7.0f, 1.0f / 8.0f, 1.0f / 9.0f, 1.0f / 10.0f, 1.0f / 11.0f, 1.0f / 12.0f};

int place_in_rows(int4 power, GLOBAL const int* row) { return row[power.y * T_POWERS + power.z] + power.x; }

/* x^n/n! up to the order at out[n * stride], with `zeros` zeros before it: a derivative of x^n/n! is the element before. */
void put_powers(float x, int zeros, int stride, LOCAL float* out) {
  for (int n = 1; n <= zeros; ++n) out[-n * stride] = 0.0f;
  float value = 1.0f;
  out[0] = value;
  for (int n = 1; n <= TAYLOR; ++n) {
    value *= x * inverse_of[n];
    out[n * stride] = value;
  }
}
