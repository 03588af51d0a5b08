#include "driver.hpp"

#include <cstdlib>

#include <dlfcn.h>

#include <electret/field/gpu/devices.hpp>

namespace electret::ptx {
namespace {

struct Loaded {
  Driver functions;
  std::string why;
};

/// Without the driver's words, where it has none for a status.
std::string words_of(const Driver& functions, Status status) {
  const char* words = nullptr;
  if (functions.cuGetErrorString) functions.cuGetErrorString(status, &words);
  return (words ? std::string(words) : std::string("no words for it")) + " (CUDA " + std::to_string(status) +
         ")";
}

Loaded load() {
  Loaded loaded;
  const char* other = std::getenv("ELECTRET_CUDA_LIBRARY");
  const std::string name = other && *other ? other : "libcuda.so.1";
  void* library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    loaded.why = "no driver of NVIDIA's on this machine: " + name + " is not there";
    return loaded;
  }
#define ELECTRET_CUDA_LOAD(function, arguments)                                                 \
  loaded.functions.function = reinterpret_cast<Status(*) arguments>(dlsym(library, #function)); \
  if (!loaded.functions.function) loaded.why = name + " lacks " #function;
  ELECTRET_CUDA_FUNCTIONS(ELECTRET_CUDA_LOAD)
#undef ELECTRET_CUDA_LOAD
  if (!loaded.why.empty()) return loaded;
  int count = 0;
  Status status = loaded.functions.cuInit(0);
  if (status == 0) status = loaded.functions.cuDeviceGetCount(&count);
  if (status != 0)
    loaded.why = "NVIDIA's driver does not start: " + words_of(loaded.functions, status);
  else if (count == 0)
    loaded.why = "NVIDIA's driver finds no GPU";
  return loaded;
}

const Loaded& loaded() {
  static const Loaded once = load();
  return once;
}

}  // namespace

const Driver* driver() {
  return loaded().why.empty() ? &loaded().functions : nullptr;
}

std::string why_no_driver() {
  return loaded().why;
}

void check(Status status, const char* what) {
  constexpr Status out_of_memory = 2;
  if (status == 0) return;
  const std::string message =
      std::string("the device failed while ") + what + ": " + words_of(loaded().functions, status);
  if (status == out_of_memory) throw gpu::OutOfDeviceMemory(message);
  throw gpu::DeviceError(message);
}

}  // namespace electret::ptx
