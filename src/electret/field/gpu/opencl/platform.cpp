#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdlib>
#include <limits>
#include <tuple>

#include <dlfcn.h>
#include <unistd.h>

#include <electret/core/errors.hpp>
#include <electret/core/text.hpp>
#include <electret/field/gpu/opencl/platform.hpp>
#include <electret/field/gpu/placement.hpp>

namespace electret::gpu {
namespace {

/// The process that asked the drivers, 0 before that. A forked one cannot use them.
std::atomic<pid_t> process_of_devices = 0;

std::string platform_text(cl_platform_id platform, cl_platform_info what) {
  std::size_t size = 0;
  if (opencl()->clGetPlatformInfo(platform, what, 0, nullptr, &size) != CL_SUCCESS || size == 0) return {};
  std::string text(size, '\0');
  opencl()->clGetPlatformInfo(platform, what, size, text.data(), nullptr);
  return text.c_str();  // without the 0 at the end
}

std::string device_text(cl_device_id device, cl_device_info what) {
  std::size_t size = 0;
  if (opencl()->clGetDeviceInfo(device, what, 0, nullptr, &size) != CL_SUCCESS || size == 0) return {};
  std::string text(size, '\0');
  opencl()->clGetDeviceInfo(device, what, size, text.data(), nullptr);
  return text.c_str();
}

template <class T>
T device_number(cl_device_id device, cl_device_info what) {
  T number{};
  opencl()->clGetDeviceInfo(device, what, sizeof number, &number, nullptr);
  return number;
}

/// The memory that ELECTRET_GPU_MEMORY (bytes) leaves of `memory`: tests set it.
Count limited(Count memory) {
  const char* text = std::getenv("ELECTRET_GPU_MEMORY");
  if (!text) return memory;
  Count limit = 0;
  const std::string_view digits = text;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), limit);
  return error == std::errc{} && limit > 0 ? std::min(memory, limit) : memory;
}

Kind kind_of(cl_device_id device) {
  if (!(device_number<cl_device_type>(device, CL_DEVICE_TYPE) & CL_DEVICE_TYPE_GPU)) return Kind::processor;
  return device_number<cl_bool>(device, CL_DEVICE_HOST_UNIFIED_MEMORY) ? Kind::integrated : Kind::discrete;
}

std::string why_unusable(cl_device_id device, const Facts& facts) {
  constexpr Count local_memory_needed = 32768;
  if (!device_number<cl_bool>(device, CL_DEVICE_AVAILABLE)) return "the driver says that it is not available";
  if (!device_number<cl_bool>(device, CL_DEVICE_COMPILER_AVAILABLE)) return "its driver has no compiler";
  if (facts.local_memory < local_memory_needed) return "it has less than 32 KiB of local memory";
  if (device_number<std::size_t>(device, CL_DEVICE_MAX_WORK_GROUP_SIZE) < 128)
    return "its groups have fewer than 128 lanes";
  return {};
}

Found described(cl_platform_id platform, cl_device_id device) {
  Found found;
  found.id = device;
  Facts& facts = found.facts;
  facts.name = device_text(device, CL_DEVICE_NAME);
  facts.vendor = device_text(device, CL_DEVICE_VENDOR);
  facts.driver = device_text(device, CL_DRIVER_VERSION);
  facts.platform = platform_text(platform, CL_PLATFORM_NAME);
  facts.version = platform_text(platform, CL_PLATFORM_VERSION);
  facts.kind = kind_of(device);
  const auto bytes = [&](cl_device_info what) {
    constexpr auto most = static_cast<cl_ulong>(std::numeric_limits<Count>::max());
    return static_cast<Count>(std::min(device_number<cl_ulong>(device, what), most));
  };
  facts.memory = limited(bytes(CL_DEVICE_GLOBAL_MEM_SIZE));
  facts.largest_buffer = std::min(facts.memory, bytes(CL_DEVICE_MAX_MEM_ALLOC_SIZE));
  facts.local_memory = bytes(CL_DEVICE_LOCAL_MEM_SIZE);
  facts.compute_units = device_number<cl_uint>(device, CL_DEVICE_MAX_COMPUTE_UNITS);
  facts.clock = device_number<cl_uint>(device, CL_DEVICE_MAX_CLOCK_FREQUENCY);
  facts.float64 = device_number<cl_device_fp_config>(device, CL_DEVICE_DOUBLE_FP_CONFIG) != 0;
  found.unusable = why_unusable(device, facts);
  return found;
}

std::vector<cl_device_id> devices_of(cl_platform_id platform) {
  cl_uint count = 0;
  if (opencl()->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count) != CL_SUCCESS) return {};
  std::vector<cl_device_id> ids(count);
  if (count > 0) opencl()->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, ids.data(), nullptr);
  return ids;
}

std::vector<cl_platform_id> platforms() {
  cl_uint count = 0;
  if (!opencl() || opencl()->clGetPlatformIDs(0, nullptr, &count) != CL_SUCCESS) return {};
  std::vector<cl_platform_id> ids(count);
  if (count > 0) opencl()->clGetPlatformIDs(count, ids.data(), nullptr);
  return ids;
}

std::vector<Found> find_devices() {
  std::vector<Found> all;
  for (cl_platform_id platform : platforms())
    for (cl_device_id device : devices_of(platform)) all.push_back(described(platform, device));
  const auto rank = [](const Found& found) {
    const Facts& f = found.facts;
    return std::tuple(static_cast<int>(f.kind), -f.compute_units * f.clock, -f.memory, f.name);
  };
  std::stable_sort(all.begin(), all.end(), [&](const Found& a, const Found& b) { return rank(a) < rank(b); });
  return all;
}

/// "NAME#2" as NAME and 2; without a number 1. 0 if what follows "#" is no number.
std::pair<std::string, int> split_name(std::string_view name) {
  const auto hash = name.rfind('#');
  if (hash == std::string_view::npos) return {std::string(name), 1};
  const std::string_view digits = name.substr(hash + 1);
  int number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc{} || end != digits.data() + digits.size()) number = 0;
  return {std::string(name.substr(0, hash)), number};
}

std::string list_of_names() {
  std::string names;
  for (const Found& found : found_devices())
    names += (names.empty() ? "" : ", ") + in_quotes("gpu:" + found.facts.name);
  return names;
}

[[noreturn]] void refuse(std::string_view name, const std::string& why, const std::string& remedy) {
  throw InputError(Finding{{}, "coulomb.device = " + in_quotes(std::string(name)) + ": " + why, remedy});
}

}  // namespace

const std::vector<Found>& found_devices() {
  static const std::vector<Found> once = (process_of_devices = getpid(), find_devices());
  return once;
}

std::string why_none() {
  if (!opencl()) return why_no_opencl();
  if (!found_devices().empty()) return {};
  if (void* nvidia = dlopen("libnvidia-opencl.so.1", RTLD_LAZY | RTLD_LOCAL)) {
    dlclose(nvidia);
    return "no OpenCL on this machine: the loader knows no platform, though NVIDIA's library is there; set "
           "OCL_ICD_FILENAMES=libnvidia-opencl.so.1, or put that name into /etc/OpenCL/vendors/nvidia.icd";
  }
  return "no OpenCL on this machine: the loader knows no platform; install the GPU's driver (docs/gpu.md "
         "says which "
         "package)";
}

const char* const fork_remedy =
    "start a new process instead (Python's multiprocessing: spawn), or take device = \"cpu\"";

bool was_forked() {
  return process_of_devices != 0 && process_of_devices != getpid();
}

const Found& found_device(std::string_view name) {
  if (was_forked())
    refuse(name, "OpenCL was in use before this process was forked, and its threads stayed behind",
           fork_remedy);
  if (found_devices().empty())
    refuse(name, why_none(), "allowed without a GPU: device = \"cpu\" or \"auto\"");
  const bool any = name == "gpu" || name == "gpu:";
  const auto [part, number] = split_name(any ? std::string_view{} : name.substr(name.find(':') + 1));
  if (!any && part.empty()) refuse(name, "the name is empty", "allowed: a part of " + list_of_names());
  int match = 0;
  for (const Found& found : found_devices()) {
    const bool fits = any ? found.facts.kind != Kind::processor : is_named(found.facts, part);
    if (!fits || ++match != number) continue;
    if (!found.unusable.empty())
      refuse(name, in_quotes(found.facts.name) + " cannot be used: " + found.unusable,
             "allowed: another device, or \"cpu\"");
    return found;
  }
  if (any)
    refuse(name, "this machine has no GPU", "allowed: \"cpu\", \"auto\", or by name " + list_of_names());
  refuse(name, "no device has this name",
         "allowed: \"cpu\", \"auto\", \"gpu\", or a part of " + list_of_names());
}

std::vector<Listed> devices() {
  std::vector<Listed> list;
  for (const Found& found : found_devices()) list.push_back({found.facts, found.unusable});
  return list;
}

Facts device_facts(std::string_view name) {
  return found_device(name).facts;
}

}  // namespace electret::gpu
