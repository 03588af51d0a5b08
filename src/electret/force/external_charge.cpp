#include <array>
#include <string>

#include <electret/core/errors.hpp>
#include <electret/core/vertex_loops.hpp>
#include <electret/force/detail/point_charge.hpp>
#include <electret/force/external_charge.hpp>

namespace electret {
namespace {

enum Parameter : std::size_t { charges, external_charge, external_position };

/// The field of one external charge at one vertex, per unit of k_c Q.
struct Source {
  Vec3 r;
  detail::RadialField radial;
  [[nodiscard]] Vec3 field() const { return radial.along * r; }
  /// (∂e/∂x) z; symmetric.
  [[nodiscard]] Vec3 field_gradient_product(const Vec3& z) const {
    return radial.along * z + (radial.across * dot(r, z)) * r;
  }
};

class ExternalChargeForce final : public ExplicitForce {
 public:
  ExternalChargeForce(double constant, Index vertex_count, Index external_count, Threads& threads)
      : constant_(constant),
        threads_(threads),
        parameters_{{{"charges", "C", static_cast<std::size_t>(vertex_count), ParameterOwner::charges},
                     {"external_charges.charge", "C", static_cast<std::size_t>(external_count),
                      ParameterOwner::external_charges},
                     {"external_charges.position", "m", 3 * static_cast<std::size_t>(external_count),
                      ParameterOwner::external_positions}}} {}

  [[nodiscard]] std::string_view name() const override { return "external_charge"; }
  [[nodiscard]] EnergyColumn column() const override { return EnergyColumn::external; }
  [[nodiscard]] std::span<const ForceParameter> parameters() const override { return parameters_; }

  void add_force(const ForcePoint& at, VectorSpan f) override {
    for_rows(at, [&](std::size_t i) { f[i] += at.inputs.charges[i] * field(at, i); });
  }

  double potential_energy(const ForcePoint& at) override {
    check(at);
    return sum_over_vertices(threads_, at.positions.size(),
                             [&](std::size_t i) { return at.inputs.charges[i] * potential(at, i); });
  }

  void add_transposed_jacobian_x(const ForcePoint& at, VectorView z, VectorSpan out) override {
    for_rows(at, [&](std::size_t i) {
      Vec3 product;
      for_charged(at, [&](const PlacedCharge& c) {
        product += (constant_ * c.charge) * source(at, i, c).field_gradient_product(z[i]);
      });
      out[i] += at.inputs.charges[i] * product;
    });
  }

  void add_parameter_gradient(const ForcePoint& at, std::size_t parameter, VectorView z,
                              ScalarSpan out) override {
    if (parameter == charges) {
      for_rows(at, [&](std::size_t i) { out[i] += dot(z[i], field(at, i)); });
    } else if (parameter == external_charge) {
      for_external(at, [&](std::size_t c, const PlacedCharge& charge) {
        out[c] += sum(at, [&](std::size_t i) { return dot(z[i], source(at, i, charge).field()); });
      });
    } else {
      for_external(at, [&](std::size_t c, const PlacedCharge& charge) {
        if (charge.charge == 0.0) return;
        const Vec3 gradient =
            vector_sum(at, [&](std::size_t i) { return source(at, i, charge).field_gradient_product(z[i]); });
        for (int axis = 0; axis < 3; ++axis)
          out[3 * c + static_cast<std::size_t>(axis)] -= charge.charge * gradient[axis];
      });
    }
  }

  void add_potential_gradient(const ForcePoint& at, VectorSpan out) override {
    for_rows(at, [&](std::size_t i) { out[i] -= at.inputs.charges[i] * field(at, i); });
  }

  void add_potential_parameter_gradient(const ForcePoint& at, std::size_t parameter,
                                        ScalarSpan out) override {
    if (parameter == charges) {
      for_rows(at, [&](std::size_t i) { out[i] += potential(at, i); });
    } else if (parameter == external_charge) {
      for_external(at, [&](std::size_t c, const PlacedCharge& charge) {
        out[c] += sum(at, [&](std::size_t i) { return source(at, i, charge).radial.potential; });
      });
    } else {
      for_external(at, [&](std::size_t c, const PlacedCharge& charge) {
        if (charge.charge == 0.0) return;
        const Vec3 pull = vector_sum(at, [&](std::size_t i) { return source(at, i, charge).field(); });
        for (int axis = 0; axis < 3; ++axis)
          out[3 * c + static_cast<std::size_t>(axis)] += charge.charge * pull[axis];
      });
    }
  }

 private:
  void check(const ForcePoint& at) const {
    require(at.positions.size() == parameters_[charges].size &&
                at.inputs.charges.size() == parameters_[charges].size &&
                at.inputs.external_charges.size() == parameters_[external_charge].size,
            "external charges: the arrays do not have one row per vertex and per charge");
  }

  /// Calls row(i) for every vertex, charged or not: the gradient by a vertex's charge needs the uncharged
  /// ones too.
  template <class Row>
  void for_rows(const ForcePoint& at, Row&& row) {
    check(at);
    for_vertices(threads_, at.positions.size(), row, vertex_chunk);
  }

  /// Calls charged(c) for every external charge that is not 0. One of 0 would cost as much as the others, and
  /// add ±0 to a sum that starts at +0, which changes no bit of it. Only the derivatives by the external
  /// charges themselves need all of them.
  template <class Charged>
  static void for_charged(const ForcePoint& at, Charged&& charged) {
    for (const PlacedCharge& c : at.inputs.external_charges)
      if (c.charge != 0.0) charged(c);
  }

  /// Calls external(c, charge) for every external charge, concurrently.
  template <class External>
  void for_external(const ForcePoint& at, External&& external) {
    check(at);
    const auto& all = at.inputs.external_charges;
    for_vertices(
        threads_, all.size(), [&](std::size_t c) { external(c, all[c]); }, 1);
  }

  /// k_c Σ_i q_i term(i), added in the order of the vertices.
  template <class Term>
  double sum(const ForcePoint& at, Term&& term) const {
    double total = 0.0;
    for (std::size_t i = 0; i < at.positions.size(); ++i) total += at.inputs.charges[i] * term(i);
    return constant_ * total;
  }
  template <class Term>
  Vec3 vector_sum(const ForcePoint& at, Term&& term) const {
    Vec3 total;
    for (std::size_t i = 0; i < at.positions.size(); ++i) total += at.inputs.charges[i] * term(i);
    return constant_ * total;
  }

  Source source(const ForcePoint& at, std::size_t i, const PlacedCharge& c) const {
    Source s;
    s.r = at.positions[i] - c.position;
    const double distance = norm(s.r);
    if (distance == 0.0 && c.width == 0.0) {
      if (at.inputs.charges[i] != 0.0 && c.charge != 0.0) report_touching(at, i, c);
      return s;  // If either side has no charge, there is no force.
    }
    s.radial = detail::radial_field(distance, c.width);
    return s;
  }

  [[noreturn]] static void report_touching(const ForcePoint& at, std::size_t i, const PlacedCharge& c) {
    const auto number = &c - at.inputs.external_charges.data();
    throw DivergenceError(0, static_cast<Index>(i),
                          "vertex " + std::to_string(i) + " is on external charge " + std::to_string(number),
                          "move one of them, use a smaller step, or give the external charge a width");
  }

  Vec3 field(const ForcePoint& at, std::size_t i) const {
    Vec3 e;
    for_charged(at, [&](const PlacedCharge& c) { e += (constant_ * c.charge) * source(at, i, c).field(); });
    return e;
  }

  double potential(const ForcePoint& at, std::size_t i) const {
    double phi = 0.0;
    for_charged(at, [&](const PlacedCharge& c) {
      phi += (constant_ * c.charge) * source(at, i, c).radial.potential;
    });
    return phi;
  }

  /// The cost of a row is proportional to the number of external charges, so the chunks are smaller than
  /// elsewhere.
  static constexpr Count vertex_chunk = 128;

  double constant_;
  Threads& threads_;
  std::array<ForceParameter, 3> parameters_;
};

}  // namespace

std::unique_ptr<ExplicitForce> make_external_charge_force(double constant, Index vertex_count,
                                                          Index external_count, Threads& threads) {
  return std::make_unique<ExternalChargeForce>(constant, vertex_count, external_count, threads);
}

}  // namespace electret
