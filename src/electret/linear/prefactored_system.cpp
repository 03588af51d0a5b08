#include <electret/core/errors.hpp>
#include <electret/linear/detail/factorise.hpp>
#include <electret/linear/prefactored_system.hpp>

namespace electret {
namespace {

class PanelSystem final : public PrefactoredSystem {
 public:
  PanelSystem(const SparseMatrix& matrix, std::span<const Index> pins, bool cholmod)
      : name_(cholmod ? "cholmod" : "eigen"), is_pinned_(static_cast<std::size_t>(matrix.rows), 0) {
    for (const Index pin : pins) {
      require(pin >= 0 && pin < matrix.rows, "a pin names a vertex that does not exist");
      is_pinned_[static_cast<std::size_t>(pin)] = 1;
    }
    const std::vector<Index> free = free_vertices();
    if (!free.empty()) factorise(matrix, free, cholmod);
    work_.resize(free.size());
    scratch_.resize(static_cast<std::size_t>(factor_.tallest()));
  }

  [[nodiscard]] std::string_view name() const override { return name_; }
  [[nodiscard]] Count factor_nonzeros() const override { return factor_.nonzeros(); }

  void solve(VectorView rhs, VectorSpan solution) override {
    const std::size_t n = is_pinned_.size();
    require(rhs.size() == n && solution.size() == n,
            "linear solve: the arrays do not have the system's size");
    for (std::size_t k = 0; k < order_.size(); ++k)
      work_[k] = padded64(rhs[static_cast<std::size_t>(order_[k])]);
    detail::solve_in_place(factor_, work_.data(), scratch_.data());
    for (std::size_t i = 0; i < n; ++i)
      if (is_pinned_[i]) solution[i] = Vec3{};
    for (std::size_t k = 0; k < order_.size(); ++k)
      solution[static_cast<std::size_t>(order_[k])] = unpadded(work_[k]);
  }

 private:
  [[nodiscard]] std::vector<Index> free_vertices() const {
    std::vector<Index> free;
    for (std::size_t i = 0; i < is_pinned_.size(); ++i)
      if (!is_pinned_[i]) free.push_back(static_cast<Index>(i));
    return free;
  }

  /// Calls visit(column, value) for each entry of a row.
  template <class Visit>
  static void for_row(const SparseMatrix& matrix, Index row, Visit&& visit) {
    const auto r = static_cast<std::size_t>(row);
    for (Count k = matrix.offsets[r]; k < matrix.offsets[r + 1]; ++k)
      visit(matrix.columns[static_cast<std::size_t>(k)], matrix.values[static_cast<std::size_t>(k)]);
  }

  void factorise(const SparseMatrix& matrix, const std::vector<Index>& free, bool cholmod) {
    std::vector<Index> number(is_pinned_.size(), -1);
    for (std::size_t k = 0; k < free.size(); ++k)
      number[static_cast<std::size_t>(free[k])] = static_cast<Index>(k);
    // The matrix is symmetric, so that a column of the lower triangle is a row of the upper one.
    detail::LowerTriangle lower;
    lower.size = static_cast<Count>(free.size());
    lower.offsets.push_back(0);
    for (const Index i : free) {
      for_row(matrix, i, [&](Index column, double value) {
        if (column < i || is_pinned_[static_cast<std::size_t>(column)]) return;
        lower.rows.push_back(number[static_cast<std::size_t>(column)]);
        lower.values.push_back(value);
      });
      lower.offsets.push_back(static_cast<std::int64_t>(lower.rows.size()));
    }
#ifdef ELECTRET_HAS_CHOLMOD
    factor_ = cholmod ? detail::factorise_by_cholmod(lower) : detail::factorise_by_eigen(lower);
#else
    require(!cholmod, "CHOLMOD is not built in");
    factor_ = detail::factorise_by_eigen(lower);
#endif
    order_.reserve(free.size());
    for (const Index k : factor_.permutation) order_.push_back(free[static_cast<std::size_t>(k)]);
  }

  std::string_view name_;
  std::vector<char> is_pinned_;
  detail::PanelFactor factor_;
  std::vector<Index> order_;  ///< Row k of the factor is vertex order_[k].
  std::vector<Padded64> work_, scratch_;
};

#ifdef ELECTRET_HAS_CHOLMOD
constexpr bool has_cholmod = true;
#else
constexpr bool has_cholmod = false;
#endif

}  // namespace

std::unique_ptr<PrefactoredSystem> make_prefactored_system(const SparseMatrix& matrix,
                                                           std::span<const Index> pins,
                                                           Factorisation factorisation) {
  require(matrix.offsets.size() == static_cast<std::size_t>(matrix.rows) + 1, "a matrix without its rows");
  require(factorisation != Factorisation::cholmod || has_cholmod, "CHOLMOD is not built in");
  return std::make_unique<PanelSystem>(matrix, pins, has_cholmod && factorisation != Factorisation::eigen);
}

}  // namespace electret
