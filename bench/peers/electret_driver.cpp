/// \file
/// Electret's fmm, measured as its peers are: bench_peers_electret … ACCURACY (see driver.hpp).

#include <electret/field/solver.hpp>

#include "driver.hpp"

int main(int argc, char** argv) {
  return peers::run(argc, argv, [](const peers::Arguments& arguments, const peers::Charges& charges) {
    const std::size_t n = charges.q.size();
    electret::FieldOptions options;
    options.solver = "fmm";
    options.constant = 1.0;
    options.accuracy = arguments.number(0);
    electret::Threads threads(arguments.threads);
    const auto solver = electret::make_field_solver(options, static_cast<electret::Count>(n), threads);
    static_assert(sizeof(electret::Vec3) == 3 * sizeof(double));  // positions are taken as they lie
    peers::measure(arguments, charges, [&](const peers::Charges& now, peers::Result& result) {
      solver->prepare({reinterpret_cast<const electret::Vec3*>(now.x.data()), n});
      solver->field(now.q, {reinterpret_cast<electret::Vec3*>(result.field.data()), n}, result.potential);
    });
  });
}
