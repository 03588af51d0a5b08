/// Replaces the solver in a build without Qhull.

#include <electret/core/errors.hpp>
#include <electret/field/ddef/ddef.hpp>

namespace electret {
namespace {

[[noreturn]] void refuse() {
  throw InputError(Finding{{},
                           "coulomb.solver = \"ddef\" is not available in this build",
                           "it needs Qhull when Electret is built; allowed here: auto, direct"});
}

}  // namespace

std::unique_ptr<DdefFieldSolver> make_ddef_field_solver(const FieldOptions&, Threads&) {
  refuse();
}

std::unique_ptr<DdefFieldSolver> make_ddef_field_solver(const FieldOptions&, Threads&, direct::InstructionSet,
                                                        direct::Arithmetic) {
  refuse();
}

bool ddef_available() {
  return false;
}

}  // namespace electret
