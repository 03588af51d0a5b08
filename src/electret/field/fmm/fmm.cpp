#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <electret/field/crossover.hpp>
#include <electret/field/detail/checks.hpp>
#include <electret/field/direct/arrays.hpp>
#include <electret/field/fmm/fmm.hpp>
#include <electret/field/fmm/passes/sums.hpp>

namespace electret::fmm {
namespace {

/// Cells closer than this (the frame has size 1) interact by P2P, because 1/R² must stay within float32's
/// range.
constexpr double closest_far = 0x1p-36;

/// The settings of derivative products at separate targets.
Plan sharpened(const Plan& plan) {
  constexpr double sharpest = 3e-16;  // With 1e-14, small sets missed 1e-9 by a factor of ten.
  return {std::max(sharpest, std::min(plan.tolerance, 1e-4 * plan.tolerance)),
          std::min(max_order, plan.order + 4), plan.leaf_size, true};
}

/// The tree keeps the caller's own coordinates, scaled by a power of two, so nothing is rounded. float32
/// kernels use coordinates relative to the frame's centre, and the low parts that rounding lost.
template <class T>
class FmmFieldSolver final : public FmmSolver {
 public:
  FmmFieldSolver(const FieldOptions& options, Threads& threads, InstructionSet set, const Plan& plan)
      : options_(options),
        set_(set),
        constant_(options.constant),
        softening_(options.softening),
        accuracy_(options.accuracy.value_or(default_field_accuracy)),
        plan_(plan),
        threads_(threads),
        sums_(plan, fmm::kernels(set).template of<T>(), threads) {
    check_field_options(options);
  }

  [[nodiscard]] std::string_view name() const override { return "fmm"; }

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
  void products(ScalarView charges, VectorView z, VectorSpan product, ScalarSpan charge_gradient) override;
  void field_and_products(ScalarView charges, VectorView z, VectorSpan field, ScalarSpan potential,
                          VectorSpan product, ScalarSpan charge_gradient) override;
  void target_adjoint(ScalarView charges, VectorView w, VectorSpan target_gradient,
                      VectorSpan source_gradient, ScalarSpan charge_gradient) override;
  [[nodiscard]] Count coincident_pairs() const override { return coincident_; }
  void move_within_tree(VectorView sources) override;

 private:
  /// A set of points with its charges and vectors.
  struct Side {
    Tree tree;
    PlacedPoints<T> points;
    PaddedArray<T> charges;
    PaddedVectors<T> vectors, dipoles;
  };

  void place(VectorView sources, VectorView targets);
  void place(Side& side, VectorView points, const Box& box);
  void set_charges(Side& side, ScalarView charges, double factor);
  void set_vectors(Side& side, VectorView vectors, double factor);
  [[nodiscard]] SumSettings settings() const;
  /// Calls put(number, PointSums) for every target. `first` is where the first target's vector goes, or null.
  template <class Put>
  Count evaluate(const Sources<T>& sources, const Targets<T>& targets, const Vec3* first, Put put);
  template <class Put>
  void sum_products(ScalarView charges, VectorView z, bool potential, const Vec3* first, Put put);

  void prepare_sharper();

  FieldOptions options_;
  InstructionSet set_;
  double constant_, softening_, accuracy_;
  Plan plan_;
  Threads& threads_;
  Sums<T> sums_;

  bool own_targets_ = true;
  direct::Frame frame_;
  Side sources_, targets_;
  PaddedVectors<T> weights_;
  VectorArray zeros_;
  std::vector<double> ones_;
  std::unique_ptr<FieldSolver> sharper_;
  bool sharper_is_placed_ = false;  ///< Whether the sharper solver has the present points.
  VectorArray unscaled_sources_, unscaled_targets_;
  Count coincident_ = 0;
};

template <class T>
void FmmFieldSolver<T>::place(VectorView sources, VectorView targets) {
  sharper_is_placed_ = false;
  const Box own = bounds(sources, threads_);
  const Box others = own_targets_ || targets.empty() ? own : bounds(targets, threads_);
  const Box all = sources.empty() ? others : united(own, others);
  frame_ = direct::frame_of(all.low, all.high, softening_);
  place(sources_, sources, own);
  if (!own_targets_) place(targets_, targets, others);
}

template <class T>
void FmmFieldSolver<T>::place(Side& side, VectorView points, const Box& box) {
  side.tree.build(points, frame_.scale, box, plan_.leaf_size, threads_);
  side.points.assign(side.tree, frame_.scale * frame_.centre, threads_);
}

/// Makes the sharper solver if there is none, and gives it the points of the last `place` or move, once.
template <class T>
void FmmFieldSolver<T>::prepare_sharper() {
  if (sharper_is_placed_) return;
  if (!sharper_)
    sharper_ = std::make_unique<FmmFieldSolver<double>>(options_, threads_, set_, sharpened(plan_));
  const auto unscaled = [&](const Tree& tree, VectorArray& points) {
    points.resize(tree.points().size());
    for (std::size_t i = 0; i < points.size(); ++i)
      points[static_cast<std::size_t>(tree.order()[i])] = (1.0 / frame_.scale) * tree.points()[i];
  };
  unscaled(sources_.tree, unscaled_sources_);
  if (own_targets_) {
    sharper_->prepare(unscaled_sources_);
  } else {
    unscaled(targets_.tree, unscaled_targets_);
    sharper_->prepare(unscaled_sources_, unscaled_targets_);
  }
  sharper_is_placed_ = true;
}

template <class T>
void FmmFieldSolver<T>::move_within_tree(VectorView sources) {
  sharper_is_placed_ = false;
  sources_.tree.move_points(sources, frame_.scale);
  sources_.points.assign(sources_.tree, frame_.scale * frame_.centre, threads_);
}

template <class T>
void FmmFieldSolver<T>::set_charges(Side& side, ScalarView charges, double factor) {
  put_in_order(side.tree, charges, factor, side.charges, threads_);
}

template <class T>
void FmmFieldSolver<T>::set_vectors(Side& side, VectorView vectors, double factor) {
  put_in_order(side.tree, vectors, factor, side.vectors, threads_);
  const std::size_t n = vectors.size();
  for (int axis = 0; axis < 3; ++axis) {
    side.dipoles[axis].resize(n);
    for (std::size_t i = 0; i < n; ++i) side.dipoles[axis][i] = side.charges[i] * side.vectors[axis][i];
  }
}

/// Harmonic expansions represent 1/r. The softened 1/ρ is not harmonic. Harmonic expansions therefore serve
/// only where the difference, 3/2 (ε/R)², is within a tenth of the accuracy.
template <class T>
SumSettings FmmFieldSolver<T>::settings() const {
  const double softening = frame_.scale * softening_;
  // If coordinates within X are rounded by 2⁻²⁵ X, K changes by at most 4√3 2⁻²⁵ X/ρ. A quarter of the
  // accuracy is allowed for that. Where this bound would make many leaves repeat their sums, compensated
  // differences are cheaper.
  const double closest_plain = 7.0 * 0x1p-25 / (0.25 * accuracy_);
  constexpr double rarely_met = 1e-3;
  // Sources at a distance are many, and their rounding errors are independent. If the gap is at least an
  // eighth of the reach, the sum of these errors stays below 1e-7.
  constexpr double apart = 0.125;
  return {
      .softening = softening,
      .closest_far = closest_far,
      .closest_harmonic = softening * std::sqrt(15.0 / accuracy_),
      .closest_plain = closest_plain <= rarely_met ? closest_plain : std::numeric_limits<double>::infinity(),
      .apart_plain = std::min(apart, closest_plain),
      .estimate = fmm::kernels(set_).template of<T>().mutual.estimate_error <= 0.1 * accuracy_};
}

template <class T>
template <class Put>
Count FmmFieldSolver<T>::evaluate(const Sources<T>& sources, const Targets<T>& targets, const Vec3* first,
                                  Put put) {
  struct Context {
    Put& put;
    const Vec3* first;
  } context{put, first};
  const Store store{[](void* c, Store::Numbers numbers) {
                      const Vec3* first_vector = static_cast<Context*>(c)->first;
                      if (!first_vector) return;
                      for (const Index i : numbers) __builtin_prefetch(first_vector + i, 1);
                    },
                    [](void* c, Store::Numbers numbers, const PointSums* sums) {
                      for (const Index i : numbers)
                        static_cast<Context*>(c)->put(static_cast<std::size_t>(i), *sums++);
                    },
                    &context};
  return sums_.evaluate(sources, targets, settings(), store);
}

template <class T>
void FmmFieldSolver<T>::field(ScalarView charges, VectorSpan field, ScalarSpan potential) {
  const Side& at = own_targets_ ? sources_ : targets_;
  check_field_sizes(sources_.tree.points().size(), at.tree.points().size(), charges, field, potential);
  const double charge_scale = direct::power_of_two_scale(charges);
  set_charges(sources_, charges, charge_scale);
  const double potential_unit = constant_ * frame_.scale / charge_scale;
  const double field_unit = potential_unit * frame_.scale;
  coincident_ = evaluate(
      Sources<T>{&sources_.points, &sources_.charges},
      Targets<T>{&at.points, nullptr, !potential.empty(), own_targets_ ? &sources_.charges : nullptr},
      field.data(), [&](std::size_t i, const PointSums& sums) {
        field[i] = field_unit * sums.field;
        if (!potential.empty()) potential[i] = potential_unit * sums.potential;
      });
}

/// Computes all sums at the charges' own positions. z may have any magnitude: it is scaled to about 1.
template <class T>
template <class Put>
void FmmFieldSolver<T>::sum_products(ScalarView charges, VectorView z, bool potential, const Vec3* first,
                                     Put put) {
  check_own_targets(own_targets_);
  const double charge_scale = direct::power_of_two_scale(charges);
  const double vector_scale = direct::power_of_two_scale(z);
  set_charges(sources_, charges, charge_scale);
  set_vectors(sources_, z, vector_scale);
  evaluate(Sources<T>{&sources_.points, &sources_.charges, &sources_.vectors, &sources_.dipoles},
           Targets<T>{&sources_.points, &sources_.vectors, potential, &sources_.charges}, first,
           [&, unit = constant_ * frame_.scale / charge_scale](std::size_t i, const PointSums& sums) {
             put(i, sums, unit, vector_scale);
           });
}

template <class T>
void FmmFieldSolver<T>::transposed_jacobian_product(ScalarView charges, VectorView z, VectorSpan out) {
  check_product_sizes(sources_.tree.points().size(), charges, z, out.size());
  sum_products(charges, z, false, out.data(),
               [&](std::size_t i, const PointSums& sums, double unit, double vector_scale) {
                 out[i] = (unit * frame_.scale * frame_.scale / vector_scale * charges[i]) * sums.product;
               });
}

template <class T>
void FmmFieldSolver<T>::charge_gradient(ScalarView charges, VectorView z, ScalarSpan out) {
  check_product_sizes(sources_.tree.points().size(), charges, z, out.size());
  sum_products(charges, z, false, nullptr,
               [&](std::size_t i, const PointSums& sums, double unit, double vector_scale) {
                 out[i] = (unit * frame_.scale / vector_scale) * sums.charge_product;
               });
}

template <class T>
void FmmFieldSolver<T>::products(ScalarView charges, VectorView z, VectorSpan product,
                                 ScalarSpan charge_gradient) {
  check_product_sizes(sources_.tree.points().size(), charges, z, product.size());
  check_product_sizes(sources_.tree.points().size(), charges, z, charge_gradient.size());
  sum_products(charges, z, false, product.data(),
               [&](std::size_t i, const PointSums& sums, double unit, double vector_scale) {
                 product[i] = (unit * frame_.scale * frame_.scale / vector_scale * charges[i]) * sums.product;
                 charge_gradient[i] = (unit * frame_.scale / vector_scale) * sums.charge_product;
               });
}

template <class T>
void FmmFieldSolver<T>::field_and_products(ScalarView charges, VectorView z, VectorSpan field,
                                           ScalarSpan potential, VectorSpan product,
                                           ScalarSpan charge_gradient) {
  check_field_sizes(sources_.tree.points().size(), sources_.tree.points().size(), charges, field, potential);
  check_product_sizes(sources_.tree.points().size(), charges, z, product.size());
  check_product_sizes(sources_.tree.points().size(), charges, z, charge_gradient.size());
  sum_products(charges, z, !potential.empty(), field.data(),
               [&](std::size_t i, const PointSums& sums, double unit, double vector_scale) {
                 field[i] = (unit * frame_.scale) * sums.field;
                 if (!potential.empty()) potential[i] = unit * sums.potential;
                 product[i] = (unit * frame_.scale * frame_.scale / vector_scale * charges[i]) * sums.product;
                 charge_gradient[i] = (unit * frame_.scale / vector_scale) * sums.charge_product;
               });
}

/// Computes two sums. At the targets, the charges act with z = w: Σ_j q_j K'(r_aj) w_a. At the sources, unit
/// charges with u = w at the targets act with z = 0: -Σ_a K' w_a and -Σ_a w_a·K(x_j - y_a) = Σ_a w_a·K(r_aj).
///
/// Separate targets have no near pairs that dominate. Second derivatives then miss the accuracy that the
/// order rule gives the field. A sharper solver in float64 therefore computes these sums.
template <class T>
void FmmFieldSolver<T>::target_adjoint(ScalarView charges, VectorView w, VectorSpan target_gradient,
                                       VectorSpan source_gradient, ScalarSpan charge_gradient) {
  Side& at = own_targets_ ? sources_ : targets_;
  check_adjoint_sizes(sources_.tree.points().size(), at.tree.points().size(), charges, w, target_gradient,
                      source_gradient, charge_gradient);
  if (plan_.tolerance > sharpened(plan_).tolerance) {
    prepare_sharper();
    return sharper_->target_adjoint(charges, w, target_gradient, source_gradient, charge_gradient);
  }
  const double charge_scale = direct::power_of_two_scale(charges);
  const double vector_scale = direct::power_of_two_scale(w);
  const double unit = constant_ * frame_.scale * frame_.scale / vector_scale;
  zeros_.assign(charges.size(), Vec3{});
  ones_.assign(w.size(), 1.0);
  set_charges(sources_, charges, charge_scale);
  set_vectors(sources_, zeros_, 1.0);
  put_in_order(at.tree, w, vector_scale, weights_, threads_);
  evaluate(Sources<T>{&sources_.points, &sources_.charges, &sources_.vectors, &sources_.dipoles},
           Targets<T>{&at.points, &weights_, false, nullptr}, target_gradient.data(),
           [&](std::size_t a, const PointSums& sums) {
             target_gradient[a] = (unit * frame_.scale / charge_scale) * sums.product;
           });
  set_charges(at, ones_, 1.0);
  set_vectors(at, w, vector_scale);
  put_in_order(sources_.tree, zeros_, 1.0, weights_, threads_);
  evaluate(Sources<T>{&at.points, &at.charges, &at.vectors, &at.dipoles},
           Targets<T>{&sources_.points, &weights_, false, nullptr}, source_gradient.data(),
           [&](std::size_t j, const PointSums& sums) {
             source_gradient[j] = (unit * frame_.scale * charges[j]) * sums.product;
             charge_gradient[j] = unit * sums.charge_product;
           });
}

/// Chooses another plan for separate targets (accuracy_part_apart).
class FmmSolverByAccuracy final : public FmmSolver {
 public:
  FmmSolverByAccuracy(const FieldOptions& options, Threads& threads, InstructionSet set)
      : options_(options), threads_(threads), set_(set) {
    check_field_options(options);
  }

  [[nodiscard]] std::string_view name() const override { return "fmm"; }
  void prepare(VectorView sources) override {
    if (!own_) own_ = make_fmm_field_solver(options_, threads_, set_, plan_for(accuracy()));
    present_ = own_.get();
    present_->prepare(sources);
  }
  void prepare(VectorView sources, VectorView targets) override {
    if (!apart_)
      apart_ = make_fmm_field_solver(options_, threads_, set_, plan_for(accuracy_part_apart * accuracy()));
    present_ = apart_.get();
    present_->prepare(sources, targets);
  }
  void field(ScalarView charges, VectorSpan field, ScalarSpan potential) override {
    present().field(charges, field, potential);
  }
  void transposed_jacobian_product(ScalarView charges, VectorView z, VectorSpan out) override {
    present().transposed_jacobian_product(charges, z, out);
  }
  void charge_gradient(ScalarView charges, VectorView z, ScalarSpan out) override {
    present().charge_gradient(charges, z, out);
  }
  void products(ScalarView charges, VectorView z, VectorSpan product, ScalarSpan charge_gradient) override {
    present().products(charges, z, product, charge_gradient);
  }
  void field_and_products(ScalarView charges, VectorView z, VectorSpan field, ScalarSpan potential,
                          VectorSpan product, ScalarSpan charge_gradient) override {
    present().field_and_products(charges, z, field, potential, product, charge_gradient);
  }
  void target_adjoint(ScalarView charges, VectorView w, VectorSpan target_gradient,
                      VectorSpan source_gradient, ScalarSpan charge_gradient) override {
    present().target_adjoint(charges, w, target_gradient, source_gradient, charge_gradient);
  }
  [[nodiscard]] Count coincident_pairs() const override {
    return present_ ? present_->coincident_pairs() : 0;
  }
  void move_within_tree(VectorView sources) override { present().move_within_tree(sources); }

 private:
  [[nodiscard]] double accuracy() const { return options_.accuracy.value_or(default_field_accuracy); }
  /// Before the first `prepare` there are no charges.
  FmmSolver& present() {
    if (!present_) prepare(VectorView{});
    return *present_;
  }

  FieldOptions options_;
  Threads& threads_;
  InstructionSet set_;
  std::unique_ptr<FmmSolver> own_, apart_;
  FmmSolver* present_ = nullptr;
};

}  // namespace

std::unique_ptr<FmmSolver> make_fmm_field_solver(const FieldOptions& options, Threads& threads,
                                                 InstructionSet instruction_set, const Plan& plan) {
  if (plan.float64) return std::make_unique<FmmFieldSolver<double>>(options, threads, instruction_set, plan);
  return std::make_unique<FmmFieldSolver<float>>(options, threads, instruction_set, plan);
}

std::unique_ptr<FmmSolver> make_fmm_field_solver(const FieldOptions& options, Threads& threads,
                                                 InstructionSet instruction_set) {
  return std::make_unique<FmmSolverByAccuracy>(options, threads, instruction_set);
}

}  // namespace electret::fmm
