/// \file
/// FMM3D (Flatiron Institute), measured as Electret is: fmm3d_driver … EPS (see driver.hpp).
///
/// EPS is FMM3D's own asked precision. One call makes tree and lists, evaluates and sorts back. FMM3D's
/// kernel is 1/(4π r), its gradient that of the potential.

#include <omp.h>

#include "driver.hpp"

extern "C" void lfmm3d_s_c_g_(double* eps, std::int64_t* n, double* source, double* charge, double* potential,
                              double* gradient, std::int64_t* error);

int main(int argc, char** argv) {
  return peers::run(argc, argv, [](const peers::Arguments& arguments, const peers::Charges& charges) {
    constexpr double four_pi = 12.566370614359172;
    omp_set_num_threads(arguments.threads);
    double eps = arguments.number(0);
    auto n = static_cast<std::int64_t>(charges.q.size());
    peers::measure(arguments, charges, [&](const peers::Charges& now, peers::Result& result) {
      auto* x = const_cast<double*>(now.x.data());  // Fortran does not say what it only reads
      auto* q = const_cast<double*>(now.q.data());
      std::int64_t error = 0;
      lfmm3d_s_c_g_(&eps, &n, x, q, result.potential.data(), result.field.data(), &error);
      if (error != 0) throw std::runtime_error("FMM3D reports error " + std::to_string(error));
      for (double& value : result.potential) value *= four_pi;
      for (double& value : result.field) value *= -four_pi;
    });
  });
}
