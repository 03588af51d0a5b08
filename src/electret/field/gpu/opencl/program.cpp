#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <unistd.h>

#include <electret/core/errors.hpp>
#include <electret/core/text.hpp>
#include <electret/field/gpu/cache_files.hpp>
#include <electret/field/gpu/kernel_texts.hpp>
#include <electret/field/gpu/opencl/binary_cache.hpp>
#include <electret/field/gpu/opencl/program.hpp>

namespace electret::gpu {
namespace {

/// Never fast-math: it would remove the errors that TWO_SUM finds. Denormal numbers may be 0 on every device.
/// No warnings: some drivers print their number to stderr.
constexpr const char* build_options = "-cl-std=CL1.2 -cl-denorms-are-zero -w";

std::string build_log(cl_program program, cl_device_id device) {
  std::size_t size = 0;
  opencl()->clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size);
  std::string log(size, '\0');
  if (size > 0)
    opencl()->clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, size, log.data(), nullptr);
  return log;
}

/// Writes the compiler's log and the text, and returns the file's path.
std::string keep_log(const std::string& text, const std::string& log) {
  std::error_code ignored;
  const auto folder = std::filesystem::temp_directory_path(ignored);
  std::string path = (folder / ("electret-kernel-" + std::to_string(getpid()) + ".log")).string();
  std::ofstream(path) << log << "\n" << text;
  return path;
}

[[noreturn]] void refuse(const Facts& facts, const std::string& text, const std::string& log) {
  throw InputError(Finding{{},
                           "the compiler of " + in_quotes(facts.name) + " (driver " + facts.driver +
                               ") refuses Electret's kernels: its words and the text are in " +
                               keep_log(text, log),
                           "allowed: device = \"cpu\", or another driver"});
}

/// The binary of a program that was built; empty if the driver gives none.
std::string binary_of(cl_program program) {
  std::size_t size = 0;
  if (opencl()->clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, nullptr) != CL_SUCCESS)
    return {};
  std::string binary(size, '\0');
  char* to = binary.data();
  if (size == 0 ||
      opencl()->clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof to, &to, nullptr) != CL_SUCCESS)
    return {};
  return binary;
}

/// Null if the driver does not take the binary.
cl_program built_from(const std::string& binary, cl_context context, cl_device_id device) {
  if (binary.empty()) return nullptr;
  const std::size_t size = binary.size();
  const auto* bytes = reinterpret_cast<const unsigned char*>(binary.data());
  cl_int status = 0, error = 0;
  cl_program program =
      opencl()->clCreateProgramWithBinary(context, 1, &device, &size, &bytes, &status, &error);
  if (error != CL_SUCCESS || status != CL_SUCCESS) return nullptr;
  if (opencl()->clBuildProgram(program, 1, &device, build_options, nullptr, nullptr) == CL_SUCCESS)
    return program;
  opencl()->clReleaseProgram(program);
  return nullptr;
}

cl_program compiled(const std::string& text, cl_context context, const Found& found) {
  const char* characters = text.c_str();
  const std::size_t size = text.size();
  cl_int error = 0;
  cl_program program = opencl()->clCreateProgramWithSource(context, 1, &characters, &size, &error);
  check(error, "making a program");
  if (opencl()->clBuildProgram(program, 1, &found.id, build_options, nullptr, nullptr) == CL_SUCCESS)
    return program;
  const std::string log = build_log(program, found.id);
  opencl()->clReleaseProgram(program);
  refuse(found.facts, text, log);
}

}  // namespace

std::unique_ptr<Kernel> OpenClProgram::kernel(const std::string& name) const {
  cl_int error = 0;
  cl_kernel kernel = opencl()->clCreateKernel(program_, name.c_str(), &error);
  if (error == CL_INVALID_KERNEL_NAME) throw InternalError("a program has no kernel " + name);
  check(error, "making a kernel");
  std::size_t sizes[3] = {};
  opencl()->clGetKernelWorkGroupInfo(kernel, device_, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof sizes, sizes,
                                     nullptr);
  return std::make_unique<OpenClKernel>(kernel, static_cast<int>(sizes[0]), name);
}

Context::Context(const Found& found) : found_(found) {
  cl_int error = 0;
  context_ = opencl()->clCreateContext(nullptr, 1, &found.id, nullptr, nullptr, &error);
  check(error, "making a context");
}

std::shared_ptr<const Program> Context::program(const ProgramSource& source) {
  const std::string text = text_of(source);
  {
    const std::lock_guard lock(mutex_);
    if (const auto made = programs_.find(text); made != programs_.end()) return made->second;
  }
  // Compiled without the lock, so that several threads compile at once.
  const BinaryCache cache(found_.facts, kernel_cache_folder());
  cl_program built = built_from(cache.load(text), context_, found_.id);
  if (!built) {
    built = compiled(text, context_, found_);
    if (cache.is_used()) cache.store(text, binary_of(built));
  }
  auto program = std::make_shared<OpenClProgram>(built, found_.id);
  const std::lock_guard lock(mutex_);
  return programs_.try_emplace(text, std::move(program)).first->second;
}

Context& context_of(const Found& found) {
  static std::mutex mutex;
  static auto& contexts = *new std::map<cl_device_id, std::unique_ptr<Context>>;
  const std::lock_guard lock(mutex);
  auto& context = contexts[found.id];
  if (!context) context = std::make_unique<Context>(found);
  return *context;
}

}  // namespace electret::gpu
