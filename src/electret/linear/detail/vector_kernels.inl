// The vector kernels: plain loops, which the compiler vectorises. One file per instruction set includes this
// in an unnamed namespace. Everything stays inside the including file.

/// Eight sums, each of every eighth product. They are added in one fixed order, so that registers of every
/// width give the same bits.
struct EightSums {
  double lane[8] = {};
  void add(const float* a, const float* b, int count) {
    for (int k = 0; k < count; ++k) lane[k] += static_cast<double>(a[k]) * static_cast<double>(b[k]);
  }
  double total() const {
    const double low = (lane[0] + lane[4]) + (lane[1] + lane[5]);
    return low + ((lane[2] + lane[6]) + (lane[3] + lane[7]));
  }
};

double dot(const float* a, const float* b, std::int64_t rows) {
  EightSums sums;
  const std::int64_t even = rows / 2 * 8;
  for (std::int64_t i = 0; i < even; i += 8) sums.add(a + i, b + i, 8);
  if (rows % 2 != 0) sums.add(a + even, b + even, 4);
  return sums.total();
}

void add_scaled(float s, const float* x, float* y, std::int64_t rows) {
  for (std::int64_t i = 0; i < 4 * rows; ++i) y[i] += s * x[i];
}

void scale_and_add(float s, const float* x, float* y, std::int64_t rows) {
  for (std::int64_t i = 0; i < 4 * rows; ++i) y[i] = x[i] + s * y[i];
}

double step(float s, const float* p, const float* q, float* x, float* r, std::int64_t rows) {
  for (std::int64_t i = 0; i < 4 * rows; ++i) {
    x[i] += s * p[i];
    r[i] -= s * q[i];
  }
  return dot(r, r, rows);
}
