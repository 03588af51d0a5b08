// The vectors that the volume kernels compute with. The including file has defined, in an unnamed namespace,
// the numbers `lanes` of float64 and `lanes32` of float32 in a vector, these vectors `Reals` and `Floats`,
// root(Reals), signs(Reals), and for 3×3 blocks transpose, add_block and add_transposed_block. Everything
// stays inside the including file.

constexpr int width = 8;  ///< Elements in a batch.
using Mask = decltype(Reals{} < Reals{});

ELECTRET_INLINE Reals reals(double a) {
  return Reals{} + a;
}
ELECTRET_INLINE Reals load(const double* p) {
  Reals a;
  __builtin_memcpy(&a, p, sizeof a);
  return a;
}
ELECTRET_INLINE Floats load(const float* p) {
  Floats a;
  __builtin_memcpy(&a, p, sizeof a);
  return a;
}
ELECTRET_INLINE void store(double* p, Reals a) {
  __builtin_memcpy(p, &a, sizeof a);
}
ELECTRET_INLINE void store(float* p, Floats a) {
  __builtin_memcpy(p, &a, sizeof a);
}
/// Rounded to float32.
typedef float Rounded __attribute__((vector_size(4 * lanes)));
ELECTRET_INLINE void store(float* p, Reals a) {
  const Rounded b = __builtin_convertvector(a, Rounded);
  __builtin_memcpy(p, &b, sizeof b);
}

ELECTRET_INLINE PointMask bits(Mask mask) {
  Reals a;
  __builtin_memcpy(&a, &mask, sizeof a);
  return signs(a);
}
ELECTRET_INLINE bool all(Mask mask) {
  return bits(mask) == (PointMask{1} << lanes) - 1;
}
ELECTRET_INLINE Reals magnitude(Reals a) {
  return a < 0.0 ? -a : a;
}
/// function(a) in every lane.
template <class Function>
ELECTRET_INLINE Reals each(Reals a, Function&& function) {
  Reals result;
  for (int l = 0; l < lanes; ++l) result[l] = function(a[l]);
  return result;
}

/// Vectors of numbers of type T.
template <class T>
struct Lanes;
template <>
struct Lanes<double> {
  using Type = Reals;
  static constexpr int count = lanes;
};
template <>
struct Lanes<float> {
  using Type = Floats;
  static constexpr int count = lanes32;
};
template <class T>
using Vector = typename Lanes<T>::Type;
