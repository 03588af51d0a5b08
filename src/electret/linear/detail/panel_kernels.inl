// The panel kernels. One file per instruction set includes this. Before that it defines, in an unnamed
// namespace, the 4-lane vector type `Lanes` with load(p), store(p), zero(), multiply_add(acc, s, v) = acc +
// s·v, multiply_subtract(acc, s, v) = acc - s·v, scaled(v, s) = s·v and difference(a, b) = a - b, where s is
// a scalar. Everything stays inside the including file.

/// sum[k] = Σ_j L[row + k, j] y_j over j < columns, for k = 0 … count-1 (count ≤ 4).
template <int count>
inline void rows_product(const double* column, std::int64_t rows, std::int64_t columns, const double* y,
                         Lanes* sum) {
  for (int k = 0; k < count; ++k) sum[k] = zero();
  for (std::int64_t j = 0; j < columns; ++j, column += rows) {
    const Lanes yj = load(y + 4 * j);
    for (int k = 0; k < count; ++k) sum[k] = multiply_add(sum[k], column[k], yj);
  }
}

/// Rows first … first+count-1 of the panel's triangle: y_r ← (y_r - Σ_{j<r} L_rj y_j)/L_rr.
template <int count>
inline void triangle_rows(const Panel& p, std::int64_t first) {
  Lanes sum[count];
  rows_product<count>(p.values + first, p.rows, first, p.y, sum);
  for (int k = 0; k < count; ++k) {
    const std::int64_t r = first + k;
    Lanes value = difference(load(p.y + 4 * r), sum[k]);
    for (int j = 0; j < k; ++j)
      value = multiply_subtract(value, p.values[(first + j) * p.rows + r], load(p.y + 4 * (first + j)));
    store(p.y + 4 * r, scaled(value, p.inverse_diagonal[r]));
  }
}

template <int count>
inline void below_rows(const Panel& p, std::int64_t first) {
  Lanes sum[count];
  rows_product<count>(p.values + first, p.rows, p.columns, p.y, sum);
  for (int k = 0; k < count; ++k) {
    double* target = p.x + 4 * std::int64_t{p.row_index[first + k]};
    store(target, difference(load(target), sum[k]));
  }
}

void forward(const Panel& p) {
  std::int64_t r = 0;
  for (; r + 4 <= p.columns; r += 4) triangle_rows<4>(p, r);
  for (; r < p.columns; ++r) triangle_rows<1>(p, r);
  for (; r + 4 <= p.rows; r += 4) below_rows<4>(p, r);
  for (; r < p.rows; ++r) below_rows<1>(p, r);
}

/// Columns first … first+count-1: y_c ← (y_c - Σ_{r>c} L_rc v_r)/L_cc. v are the panel's rows in `scratch`;
/// those beyond the triangle come from x.
template <int count>
inline void triangle_columns(const Panel& p, std::int64_t first, double* scratch) {
  const double* column = p.values + first * p.rows;
  Lanes sum[count];
  for (int k = 0; k < count; ++k) sum[k] = zero();
  for (std::int64_t r = first + count; r < p.rows; ++r) {
    const Lanes v = load(scratch + 4 * r);
    for (int k = 0; k < count; ++k) sum[k] = multiply_add(sum[k], column[k * p.rows + r], v);
  }
  for (int k = count - 1; k >= 0; --k) {
    const std::int64_t c = first + k;
    Lanes value = difference(load(p.y + 4 * c), sum[k]);
    for (int j = count - 1; j > k; --j)
      value = multiply_subtract(value, p.values[c * p.rows + first + j], load(scratch + 4 * (first + j)));
    value = scaled(value, p.inverse_diagonal[c]);
    store(p.y + 4 * c, value);
    store(scratch + 4 * c, value);
  }
}

void backward(const Panel& p, double* scratch) {
  for (std::int64_t r = p.columns; r < p.rows; ++r)
    store(scratch + 4 * r, load(p.x + 4 * std::int64_t{p.row_index[r]}));
  std::int64_t c = p.columns;
  for (; c % 4 != 0; --c) triangle_columns<1>(p, c - 1, scratch);
  for (; c > 0; c -= 4) triangle_columns<4>(p, c - 4, scratch);
}
