#pragma once
/// \file
/// Compiling programs, and the two caches of what was compiled.

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include <electret/field/gpu/opencl/platform.hpp>

namespace electret::gpu {

/// A program that the driver has built.
class OpenClProgram final : public Program {
 public:
  OpenClProgram(cl_program program, cl_device_id device) : program_(program), device_(device) {}
  ~OpenClProgram() override {
    if (!was_forked()) opencl()->clReleaseProgram(program_);
  }
  OpenClProgram(const OpenClProgram&) = delete;
  OpenClProgram& operator=(const OpenClProgram&) = delete;

  [[nodiscard]] std::unique_ptr<Kernel> kernel(const std::string& name) const override;

 private:
  cl_program program_;
  cl_device_id device_;
};

/// A kernel of such a program, with arguments of its own.
class OpenClKernel final : public Kernel {
 public:
  OpenClKernel(cl_kernel kernel, int lanes, std::string name)
      : Kernel(lanes), kernel_(kernel), name_(std::move(name)) {}
  ~OpenClKernel() override {
    if (!was_forked()) opencl()->clReleaseKernel(kernel_);
  }
  OpenClKernel(const OpenClKernel&) = delete;
  OpenClKernel& operator=(const OpenClKernel&) = delete;
  [[nodiscard]] cl_kernel get() const { return kernel_; }
  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  cl_kernel kernel_;
  std::string name_;
};

/// A device's context, which all its queues share, and the programs that were compiled for it.
class Context {
 public:
  explicit Context(const Found& found);

  [[nodiscard]] cl_context get() const { return context_; }
  [[nodiscard]] const Found& device() const { return found_; }
  /// As Device::program.
  std::shared_ptr<const Program> program(const ProgramSource& source);

 private:
  Found found_;
  cl_context context_;
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const Program>> programs_;  ///< By their whole text.
};

/// The context of a device, made once a process and kept to its end: a driver may already be gone when static
/// objects are destroyed.
Context& context_of(const Found& found);

}  // namespace electret::gpu
