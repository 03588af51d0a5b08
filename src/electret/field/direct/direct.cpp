#include <algorithm>
#include <atomic>
#include <cmath>

#include <electret/field/detail/checks.hpp>
#include <electret/field/direct/arrays.hpp>
#include <electret/field/direct/direct.hpp>
#include <electret/field/direct/pairing.hpp>

namespace electret::direct {
namespace {

/// Pairs a parallel task sums at least: some ten microseconds' work, well above the cost of handing it out.
constexpr Count pairs_per_task = Count{1} << 17;
/// Coordinates of padding targets: away from all charges (which lie within 1), so that none looks close.
constexpr float float32_padding = 4.0F;

/// ρ² (in the scaled frame, coordinates in [-1, 1]) under which an arithmetic may lose more than the least
/// accuracy it is used for. Coordinates rounded by δ put K off by 4√3 δ/ρ at most; δ = 2⁻²⁵ for float32 gives
/// 2e-4 at ρ = 1e-3, δ = 2⁻⁵⁰ for compensated coordinates 1e-6 at ρ = 6e-9.
constexpr float closest_for_float32 = 1e-6F;
constexpr float closest_for_compensated = 3.6e-17F;

/// Charges (the largest scaled to (1/2, 1]) that forces can be divided by again: their products, and forces
/// smaller by far, keep within float32's range.
constexpr double smallest_paired_charge = 0x1p-40;

Count padded(Count n) {
  return (n + group_size - 1) / group_size * group_size;
}

bool all_finite(const GroupSums& sums, int count) {
  bool finite = true;
  for (int l = 0; l < count; ++l)
    finite &= std::isfinite(sums.vector[0][l] + sums.vector[1][l] + sums.vector[2][l] + sums.scalar[l]);
  return finite;
}

/// Float64 differences are taken between the caller's own coordinates (scaled exactly, not centred: centring
/// would round them). Where a fast kernel meets a pair at distance 0, or one too close for its range, the
/// sums come out non-finite and that group of targets is summed again by the masked kernel.
///
/// Where the targets are the sources, each pair is summed once for both its charges: forces, which divided by
/// the charges are the field. Charges that are 0, or next to the largest as good as 0, forbid the division:
/// then, as at other targets, every target sums all sources.
class DirectFieldSolver final : public FieldSolver {
 public:
  DirectFieldSolver(const FieldOptions& options, Threads& threads, InstructionSet set, Arithmetic arithmetic)
      : constant_(options.constant),
        softening_(options.softening),
        threads_(threads),
        kernels_(kernels(set)),
        arithmetic_(arithmetic),
        sufficient_(arithmetic) {
    check_field_options(options);
  }

  [[nodiscard]] std::string_view name() const override { return "direct"; }

  void prepare(VectorView sources) override {
    own_targets_ = true;
    place(sources, sources);
  }

  void prepare(VectorView sources, VectorView targets) override {
    own_targets_ = false;
    place(sources, targets);
  }

  void field(ScalarView charges, VectorSpan field, ScalarSpan potential) override;
  void transposed_jacobian_product(ScalarView charges, VectorView z, VectorSpan out) override;
  void charge_gradient(ScalarView charges, VectorView z, ScalarSpan out) override;
  void field_and_products(ScalarView charges, VectorView z, VectorSpan field, ScalarSpan potential,
                          VectorSpan product, ScalarSpan charge_gradient) override;
  void target_adjoint(ScalarView charges, VectorView w, VectorSpan target_gradient,
                      VectorSpan source_gradient, ScalarSpan charge_gradient) override;
  [[nodiscard]] Count coincident_pairs() const override { return coincident_total_; }

 private:
  void place(VectorView sources, VectorView targets);
  void set_charges(ScalarView charges);
  [[nodiscard]] FieldTask<double> float64_task() const;
  [[nodiscard]] FieldTask<float> float32_task() const;
  template <class T, class Store>
  bool sum_field(FieldKernel<T> kernel, const FieldTask<T>& task, T closest_allowed, Store store);
  template <class T, class Store>
  bool sum_pairs(PairKernel<T> kernel, const FieldTask<T>& task, T closest_allowed, bool potential,
                 Store store);
  template <class Body>
  void for_matches(Body body);
  template <class Store>
  void sum_derivative_groups(const DerivativeTask& task, Count target_count, bool with_field, Store store);
  template <class Store>
  void sum_derivatives(const DerivativeTask& task, Count target_count, Store store);
  [[nodiscard]] DerivativeTask own_derivative_task(ScalarView charges, VectorView z);
  template <class Body>
  void for_groups(Count targets, Count sources, Body body);

  double constant_, softening_;
  Threads& threads_;
  const Kernels& kernels_;
  Arithmetic arithmetic_;

  bool own_targets_ = true;
  Count source_count_ = 0, target_count_ = 0;
  Frame frame_;
  double charge_scale_ = 1.0;
  bool paired_ = false;    ///< All charges can be divided by.
  Arithmetic sufficient_;  ///< What these positions, as far as they were summed, need.
  CoordinateArrays<double> sources_, targets_, source_vectors_, target_vectors_;
  CoordinateArrays<float> sources32_, targets32_;
  std::vector<double> charges_, ones_;
  std::vector<float> charges32_;
  std::vector<double> pair_sums_[4];  ///< x, y, z of forces; charges times potentials.
  std::vector<Count> coincident_;     ///< A target's count.
  Count coincident_total_ = 0;
};

void DirectFieldSolver::place(VectorView sources, VectorView targets) {
  source_count_ = static_cast<Count>(sources.size());
  target_count_ = static_cast<Count>(targets.size());
  frame_ = frame_of(sources, own_targets_ ? VectorView{} : targets, softening_);
  sufficient_ = arithmetic_;
  // Sources are padded like targets: target_adjoint sums over targets for the sources.
  const auto source_size = static_cast<std::size_t>(padded(source_count_));
  const auto target_size = static_cast<std::size_t>(padded(target_count_));
  sources_.assign(sources, {}, frame_.scale, source_size, 0.0);
  if (!own_targets_) targets_.assign(targets, {}, frame_.scale, target_size, 0.0);
  coincident_.assign(target_size / group_size, 0);
  if (own_targets_)
    for (auto& sums : pair_sums_) sums.resize(source_size);
  if (arithmetic_ == Arithmetic::float64) return;
  sources32_.assign(sources, frame_.centre, frame_.scale, source_size, float32_padding, true);
  if (!own_targets_)
    targets32_.assign(targets, frame_.centre, frame_.scale, target_size, float32_padding, true);
}

void DirectFieldSolver::set_charges(ScalarView charges) {
  charge_scale_ = power_of_two_scale(charges);
  charges_.assign(static_cast<std::size_t>(padded(source_count_)), 0.0);
  double smallest = 1.0;
  for (std::size_t j = 0; j < charges.size(); ++j) {
    charges_[j] = charge_scale_ * charges[j];
    smallest = std::min(smallest, std::abs(charges_[j]));
  }
  paired_ = own_targets_ && smallest >= smallest_paired_charge;
}

FieldTask<double> DirectFieldSolver::float64_task() const {
  const double softening = frame_.scale * softening_;
  return {own_targets_ ? sources_.view() : targets_.view(),
          sources_.view(),
          charges_.data(),
          source_count_,
          softening * softening,
          own_targets_};
}

FieldTask<float> DirectFieldSolver::float32_task() const {
  const double softening = frame_.scale * softening_;
  return {own_targets_ ? sources32_.view() : targets32_.view(),
          sources32_.view(),
          charges32_.data(),
          source_count_,
          static_cast<float>(softening * softening),
          own_targets_};
}

/// body(first, count) for every group of targets, several groups a task.
template <class Body>
void DirectFieldSolver::for_groups(Count targets, Count sources, Body body) {
  const Count groups_per_task =
      std::max<Count>(1, pairs_per_task / (group_size * std::max<Count>(1, sources)));
  threads_.for_chunks(targets, groups_per_task * group_size, [&](Count begin, Count end) {
    for (Count first = begin; first < end; first += group_size)
      body(first, static_cast<int>(std::min<Count>(group_size, end - first)));
  });
}

/// Sums the field of all groups and stores them. Returns false, with what is stored incomplete, where a pair
/// is closer than ρ² = `closest_allowed`: one arithmetic serves all targets, so that forces stay pairwise
/// opposite.
template <class T, class Store>
bool DirectFieldSolver::sum_field(FieldKernel<T> kernel, const FieldTask<T>& task, T closest_allowed,
                                  Store store) {
  std::atomic<bool> too_close{false};
  const FieldTask<double> exact = float64_task();
  for_groups(target_count_, source_count_, [&](Count first, int count) {
    if (too_close.load(std::memory_order_relaxed)) return;
    GroupSums sums;
    if (kernel(task, first, count, sums) < closest_allowed) {
      too_close.store(true, std::memory_order_relaxed);
      return;
    }
    if (!all_finite(sums, count)) kernels_.float64_masked(exact, first, count, sums);
    store(first, count, sums);
  });
  return !too_close.load();
}

/// body(rows, columns) for every two blocks once, matches of a round concurrently.
template <class Body>
void DirectFieldSolver::for_matches(Body body) {
  const Tournament blocks(source_count_);
  threads_.for_chunks(blocks.blocks(), 2, [&](Count begin, Count end) {
    for (Count b = begin; b < end; ++b)
      body(PairBlocks{blocks.first(b), blocks.count(b), blocks.first(b), blocks.count(b)});
  });
  for (Count round = 0; round < blocks.rounds(); ++round)
    threads_.for_chunks(blocks.matches(), 1, [&](Count m, Count) {
      const auto [a, b] = blocks.match(round, m);
      if (a != b) body(PairBlocks{blocks.first(b), blocks.count(b), blocks.first(a), blocks.count(a)});
    });
}

/// As sum_field, each pair once.
template <class T, class Store>
bool DirectFieldSolver::sum_pairs(PairKernel<T> kernel, const FieldTask<T>& task, T closest_allowed,
                                  bool potential, Store store) {
  for (auto& sums : pair_sums_) std::fill(sums.begin(), sums.end(), 0.0);
  const auto& s = pair_sums_;
  const PairSums pair_sums{{pair_sums_[0].data(), pair_sums_[1].data(), pair_sums_[2].data()},
                           potential ? pair_sums_[3].data() : nullptr};
  const PairTask<T> pairs{task.sources, task.charges, task.softening_squared};
  std::atomic<bool> too_close{false};
  for_matches([&](const PairBlocks& blocks) {
    if (too_close.load(std::memory_order_relaxed)) return;
    if (kernel(pairs, blocks, pair_sums) < closest_allowed) too_close.store(true, std::memory_order_relaxed);
  });
  if (too_close.load()) return false;
  const FieldTask<double> exact = float64_task();
  for_groups(source_count_, group_size, [&](Count first, int count) {
    GroupSums sums;
    for (int l = 0; l < group_size; ++l) {
      const auto i = static_cast<std::size_t>(first + l);
      const double inverse = 1.0 / static_cast<double>(task.charges[i]);
      for (int axis = 0; axis < 3; ++axis) sums.vector[axis][l] = inverse * s[axis][i];
      sums.scalar[l] = inverse * s[3][i];
      sums.coincident[l] = 0.0;
    }
    if (!all_finite(sums, count)) kernels_.float64_masked(exact, first, count, sums);
    store(first, count, sums);
  });
  return true;
}

void DirectFieldSolver::field(ScalarView charges, VectorSpan field, ScalarSpan potential) {
  check_field_sizes(static_cast<std::size_t>(source_count_), static_cast<std::size_t>(target_count_), charges,
                    field, potential);
  set_charges(charges);
  const double potential_unit = constant_ * frame_.scale / charge_scale_;
  const double field_unit = potential_unit * frame_.scale;
  const auto store = [&](Count first, int count, const GroupSums& sums) {
    double coincident = 0.0;
    for (int l = 0; l < count; ++l) {
      const auto i = static_cast<std::size_t>(first + l);
      field[i] = field_unit * Vec3{sums.vector[0][l], sums.vector[1][l], sums.vector[2][l]};
      if (!potential.empty()) potential[i] = potential_unit * sums.scalar[l];
      if (!own_targets_ || charges_[i] != 0.0) coincident += sums.coincident[l];
    }
    coincident_[static_cast<std::size_t>(first / group_size)] = static_cast<Count>(coincident);
  };
  const bool with_potential = !potential.empty();
  if (sufficient_ != Arithmetic::float64) {
    charges32_.resize(charges_.size());
    std::transform(charges_.begin(), charges_.end(), charges32_.begin(),
                   [](double q) { return static_cast<float>(q); });
  }
  const auto sum = [&]<class T>(const FieldKernel<T>(&kernels)[2], const PairKernel<T>(&pair_kernels)[2],
                                const FieldTask<T>& task, T closest_allowed) {
    return paired_ ? sum_pairs(pair_kernels[with_potential], task, closest_allowed, with_potential, store)
                   : sum_field(kernels[with_potential], task, closest_allowed, store);
  };
  if (sufficient_ == Arithmetic::float32 &&
      !sum(kernels_.float32, kernels_.pairs32, float32_task(), closest_for_float32))
    sufficient_ = Arithmetic::float32_compensated;
  if (sufficient_ == Arithmetic::float32_compensated &&
      !sum(kernels_.float32_compensated, kernels_.pairs32_compensated, float32_task(),
           closest_for_compensated))
    sufficient_ = Arithmetic::float64;
  if (sufficient_ == Arithmetic::float64) sum(kernels_.float64, kernels_.pairs64, float64_task(), 0.0);
  coincident_total_ = 0;
  for (const Count c : coincident_) coincident_total_ += c;
}

/// store(first, count, sums) for every group.
template <class Store>
void DirectFieldSolver::sum_derivative_groups(const DerivativeTask& task, Count target_count, bool with_field,
                                              Store store) {
  for_groups(target_count, task.pairs.source_count, [&](Count first, int count) {
    GroupSums sums;
    kernels_.derivative[with_field](task, first, count, sums);
    if (!all_finite(sums, count)) kernels_.derivative_masked[with_field](task, first, count, sums);
    store(first, count, sums);
  });
}

template <class Store>
void DirectFieldSolver::sum_derivatives(const DerivativeTask& task, Count target_count, Store store) {
  sum_derivative_groups(task, target_count, false, [&](Count first, int count, const GroupSums& sums) {
    for (int l = 0; l < count; ++l)
      store(static_cast<std::size_t>(first + l),
            Vec3{sums.vector[0][l], sums.vector[1][l], sums.vector[2][l]}, sums.scalar[l]);
  });
}

void DirectFieldSolver::field_and_products(ScalarView charges, VectorView z, VectorSpan field,
                                           ScalarSpan potential, VectorSpan product,
                                           ScalarSpan charge_gradient) {
  check_own_targets(own_targets_);
  const auto n = static_cast<std::size_t>(source_count_);
  check_field_sizes(n, n, charges, field, potential);
  check_product_sizes(n, charges, z, product.size());
  check_product_sizes(n, charges, z, charge_gradient.size());
  const DerivativeTask task = own_derivative_task(charges, z);
  const double potential_unit = constant_ * frame_.scale / charge_scale_;
  const double field_unit = potential_unit * frame_.scale, product_unit = field_unit * frame_.scale;
  sum_derivative_groups(task, source_count_, true, [&](Count first, int count, const GroupSums& sums) {
    for (int l = 0; l < count; ++l) {
      const auto i = static_cast<std::size_t>(first + l);
      field[i] = field_unit * Vec3{sums.field[0][l], sums.field[1][l], sums.field[2][l]};
      if (!potential.empty()) potential[i] = potential_unit * sums.potential[l];
      product[i] =
          (product_unit * charges[i]) * Vec3{sums.vector[0][l], sums.vector[1][l], sums.vector[2][l]};
      charge_gradient[i] = field_unit * sums.scalar[l];
    }
  });
}

DerivativeTask DirectFieldSolver::own_derivative_task(ScalarView charges, VectorView z) {
  set_charges(charges);
  source_vectors_.assign(z, {}, 1.0, static_cast<std::size_t>(padded(source_count_)), 0.0);
  return {float64_task(), source_vectors_.view(), source_vectors_.view()};
}

void DirectFieldSolver::transposed_jacobian_product(ScalarView charges, VectorView z, VectorSpan out) {
  check_own_targets(own_targets_);
  check_product_sizes(static_cast<std::size_t>(source_count_), charges, z, out.size());
  const DerivativeTask task = own_derivative_task(charges, z);
  const double unit = constant_ * frame_.scale / charge_scale_ * frame_.scale * frame_.scale;
  sum_derivatives(task, source_count_, [&](std::size_t i, const Vec3& product, double) {
    out[i] = (unit * charges[i]) * product;
  });
}

void DirectFieldSolver::charge_gradient(ScalarView charges, VectorView z, ScalarSpan out) {
  check_own_targets(own_targets_);
  check_product_sizes(static_cast<std::size_t>(source_count_), charges, z, out.size());
  const DerivativeTask task = own_derivative_task(charges, z);
  const double unit = constant_ * frame_.scale / charge_scale_ * frame_.scale;
  sum_derivatives(task, source_count_,
                  [&](std::size_t i, const Vec3&, double product) { out[i] = unit * product; });
}

/// Two sums of the same kernel. For the targets, w against vectors 0 of the sources: Σ_j q_j K'(r_aj) w_a.
/// For the sources j, vectors 0 of theirs against w and unit charges of the targets, r_ja = -r_aj: Σ_a
/// K'(r_ja)(0 - w_a) = -Σ_a K' w_a and Σ_a K(r_ja)·(0 - w_a) = Σ_a w_a·K(r_aj).
void DirectFieldSolver::target_adjoint(ScalarView charges, VectorView w, VectorSpan target_gradient,
                                       VectorSpan source_gradient, ScalarSpan charge_gradient) {
  check_adjoint_sizes(static_cast<std::size_t>(source_count_), static_cast<std::size_t>(target_count_),
                      charges, w, target_gradient, source_gradient, charge_gradient);
  set_charges(charges);
  const auto source_size = static_cast<std::size_t>(padded(source_count_));
  const auto target_size = static_cast<std::size_t>(padded(target_count_));
  source_vectors_.assign({}, {}, 1.0, source_size, 0.0);
  target_vectors_.assign(w, {}, 1.0, target_size, 0.0);
  ones_.assign(target_size, 1.0);
  const double charge_unit = constant_ * frame_.scale * frame_.scale;
  const double source_unit = charge_unit * frame_.scale;

  const FieldTask<double> pairs = float64_task();
  sum_derivatives({pairs, target_vectors_.view(), source_vectors_.view()}, target_count_,
                  [&](std::size_t a, const Vec3& product, double) {
                    target_gradient[a] = (source_unit / charge_scale_) * product;
                  });
  FieldTask<double> swapped = pairs;
  std::swap(swapped.targets, swapped.sources);
  swapped.charges = ones_.data();
  swapped.source_count = target_count_;
  sum_derivatives({swapped, source_vectors_.view(), target_vectors_.view()}, source_count_,
                  [&](std::size_t j, const Vec3& product, double charge_product) {
                    source_gradient[j] = (source_unit * charges[j]) * product;
                    charge_gradient[j] = charge_unit * charge_product;
                  });
}

}  // namespace

Arithmetic arithmetic_for(std::optional<double> accuracy) {
  if (!accuracy || *accuracy < 2e-6) return Arithmetic::float64;
  return *accuracy < 2e-4 ? Arithmetic::float32_compensated : Arithmetic::float32;
}

std::unique_ptr<FieldSolver> make_direct_field_solver(const FieldOptions& options, Threads& threads,
                                                      InstructionSet instruction_set, Arithmetic arithmetic) {
  return std::make_unique<DirectFieldSolver>(options, threads, instruction_set, arithmetic);
}

}  // namespace electret::direct
