#include <cmath>
#include <vector>

#include <electret/core/parallel.hpp>
#include <electret/field/field.hpp>
#include <electret/force/electric_field.hpp>
#include <electret/force/external_charge.hpp>
#include <electret/studio/session/field_arrows.hpp>

namespace electret::studio {
namespace {

VectorArray points_of(const AskField& grid) {
  VectorArray points;
  for (int row = 0; row < grid.rows; ++row)
    for (int column = 0; column < grid.columns; ++column)
      points.push_back(grid.corner + static_cast<double>(column) * grid.across +
                       static_cast<double>(row) * grid.along);
  return points;
}

std::vector<PlacedCharge> external_in(const FieldMoment& moment) {
  const Surroundings& around = moment.scenery.surroundings;
  const double time = moment.frame.time, step = around.time_step();
  std::vector<PlacedCharge> placed;
  for (const ExternalChargeTrack& track : around.external_tracks(moment.frame.external, time)) {
    const double charge = evaluate(track.charge, time, step) / static_cast<double>(track.points.size());
    for (const Vec3& point : track.points)
      placed.push_back({point + evaluate(track.position, time, step), charge, track.width});
  }
  const Floats& balls = moment.frame.balls;
  for (std::size_t k = 0; balls && k + 4 < balls->size(); k += 5) {
    const auto at = [&](std::size_t j) { return static_cast<double>((*balls)[k + j]); };
    placed.push_back({Vec3{at(0), at(1), at(2)} + moment.frame.origin, at(3), at(4)});
  }
  return placed;
}

/// There is no field on a point charge, or so near to it that the distance is 0 as a number; it is left out
/// there, as among the charges of bodies.
void add_external(VectorView points, const std::vector<PlacedCharge>& placed, double constant,
                  Threads& threads, VectorSpan field) {
  const auto count = static_cast<Index>(points.size());
  Inputs inputs;
  inputs.charges.assign(points.size(), 1.0);
  const VectorArray still(points.size());
  const std::vector<double> masses(points.size(), 1.0);
  const auto force = make_external_charge_force(constant, count, 1, threads);
  for (const PlacedCharge& each : placed) {
    for (std::size_t i = 0; i < points.size(); ++i)
      inputs.charges[i] = each.width == 0.0 && norm(points[i] - each.position) == 0.0 ? 0.0 : 1.0;
    inputs.external_charges = {each};
    force->add_force({points, still, masses, inputs}, field);
  }
}

void add_fields(VectorView points, const FieldMoment& moment, Threads& threads, VectorSpan field) {
  Inputs inputs;
  inputs.time = moment.frame.time;
  inputs.charges.assign(points.size(), 1.0);
  const VectorArray still(points.size());
  const std::vector<double> masses(points.size(), 1.0);
  for (const FieldExpression& each : moment.scenery.surroundings.field_expressions())
    make_electric_field_force(each, static_cast<Index>(points.size()), threads)
        ->add_force({points, still, masses, inputs}, field);
}

/// Few points of many charges: every pair is summed, where the processor's sums are.
void add_bodies(VectorView points, const FieldMoment& moment, VectorSpan field) {
  const std::size_t n = moment.scenery.shown.vertices();
  VectorArray positions(moment.positions.begin(), moment.positions.end());
  std::vector<double> charges(moment.charges.begin(), moment.charges.end());
  if (positions.empty()) positions = moment.scenery.shown.vertices_of(moment.frame.positions);
  if (charges.empty() && moment.frame.charges && moment.frame.charges->size() >= n)
    charges.assign(moment.frame.charges->begin(),
                   moment.frame.charges->begin() + static_cast<std::ptrdiff_t>(n));
  bool is_any = false;
  for (const double each : charges) is_any |= each != 0.0;
  if (!is_any || charges.size() != positions.size()) return;
  FieldOptions options = moment.scenery.scalars.field();
  options.solver = "direct";
  options.device = "cpu";
  const VectorArray own = coulomb_field_at(positions, charges, points, options, moment.threads).field;
  for (std::size_t i = 0; i < own.size(); ++i) field[i] += own[i];
}

}  // namespace

VectorArray field_on(const AskField& grid, const FieldMoment& moment) {
  const VectorArray points = points_of(grid);
  VectorArray field(points.size());
  Threads threads(moment.threads);
  add_bodies(points, moment, field);
  add_external(points, external_in(moment), moment.scenery.scalars.field().constant, threads, field);
  add_fields(points, moment, threads, field);
  for (Vec3& each : field)
    if (!std::isfinite(norm(each))) each = Vec3{};
  return field;
}

}  // namespace electret::studio
