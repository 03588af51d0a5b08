#include "first_use.hpp"

#include <electret/field/gpu/devices.hpp>
#include <electret/field/gpu/placement.hpp>
#include <electret/field/gpu/solvers.hpp>
#include <electret/field/options.hpp>

#include "print.hpp"

namespace electret::app {

void tell_of_first_use(const std::string& device) {
  if (!asks_for_gpu(device) || !gpu::is_first_use(device)) return;
  tell("electret: the first use of {}: its kernels are compiled and it is tested, which takes some seconds\n",
       gpu::device_text(gpu::device_facts(device)));
}

}  // namespace electret::app
