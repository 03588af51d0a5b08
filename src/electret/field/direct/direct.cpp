#include <electret/field/closest.hpp>
#include <electret/field/direct/detail/direct_solver.hpp>
#include <electret/field/direct/pairing.hpp>

namespace electret::direct {
namespace {

/// Coordinates of padding targets. They are far from all charges, which lie within 1, so no pair with them
/// looks close.
constexpr float float32_padding = 4.0F;

/// The |r|² (in the scaled frame, coordinates in [-1, 1]) below which an arithmetic may lose more than the
/// finest accuracy that it is used for. Coordinates that are rounded by δ change K by at most 4√3 δ/|r|, with
/// a softening and without. For float32 δ = 2⁻²⁵, which gives 2e-4 at |r| = 1e-3.
constexpr float closest_for_float32 = 1e-6F;

/// The smallest charge (the largest is scaled to (1/2, 1]) that forces can be divided by. The products of
/// such charges, and much smaller forces, stay within float32's range.
constexpr double smallest_paired_charge = 0x1p-40;

}  // namespace

void DirectFieldSolver::place(VectorView sources, VectorView targets) {
  source_count_ = static_cast<Count>(sources.size());
  target_count_ = static_cast<Count>(targets.size());
  frame_ = frame_of(sources, own_targets_ ? VectorView{} : targets, softening_);
  sufficient_ = sufficient_for_products_ = arithmetic_;
  // Sources are padded like targets, because target_adjoint swaps them.
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
  if (arithmetic_ == Arithmetic::float64) return;
  charges32_.resize(charges_.size());
  std::transform(charges_.begin(), charges_.end(), charges32_.begin(),
                 [](double q) { return static_cast<float>(q); });
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

/// Calls body(blocks) once for every two blocks, and for every block with itself. The matches of a round run
/// concurrently.
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

/// Sums the field as sum_groups does, but computes each pair only once.
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
  const auto sum = [&]<class T>(const FieldKernel<T>(&kernels)[2], const PairKernel<T>(&pair_kernels)[2],
                                const FieldTask<T>& task, T closest_allowed) {
    return paired_ ? sum_pairs(pair_kernels[with_potential], task, closest_allowed, with_potential, store)
                   : sum_groups(kernels[with_potential], task, kernels_.float64_masked, float64_task(),
                                {target_count_, source_count_}, closest_allowed, store);
  };
  if (sufficient_ == Arithmetic::float32 &&
      !sum(kernels_.float32, kernels_.pairs32, float32_task(), softened(closest_for_float32)))
    sufficient_ = Arithmetic::float32_compensated;
  if (sufficient_ == Arithmetic::float32_compensated &&
      !sum(kernels_.float32_compensated, kernels_.pairs32_compensated, float32_task(),
           softened(closest_for_compensated)))
    sufficient_ = Arithmetic::float64;
  if (sufficient_ == Arithmetic::float64) sum(kernels_.float64, kernels_.pairs64, float64_task(), 0.0);
  coincident_total_ = 0;
  for (const Count c : coincident_) coincident_total_ += c;
}

Arithmetic arithmetic_for(std::optional<double> accuracy) {
  if (!accuracy || *accuracy < 2e-6) return Arithmetic::float64;
  return *accuracy < 2e-4 ? Arithmetic::float32_compensated : Arithmetic::float32;
}

std::unique_ptr<FieldSolver> make_direct_field_solver(const FieldOptions& options, Threads& threads,
                                                      InstructionSet instruction_set, Arithmetic arithmetic) {
  return std::make_unique<DirectFieldSolver>(options, threads, instruction_set, arithmetic);
}

}  // namespace electret::direct
