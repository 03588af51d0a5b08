#include <algorithm>

#include <electret/core/errors.hpp>
#include <electret/field/gpu/opencl/program.hpp>

namespace electret::gpu {
namespace {

class OpenClMemory final : public Memory {
 public:
  /// `total` counts the bytes while the buffer lives.
  OpenClMemory(cl_mem memory, std::size_t bytes, std::shared_ptr<std::size_t> total)
      : Memory(bytes), memory_(memory), total_(std::move(total)) {
    *total_ += bytes;
  }
  ~OpenClMemory() override {
    *total_ -= bytes();
    if (memory_ && !was_forked()) opencl()->clReleaseMemObject(memory_);
  }
  OpenClMemory(const OpenClMemory&) = delete;
  OpenClMemory& operator=(const OpenClMemory&) = delete;
  [[nodiscard]] cl_mem get() const { return memory_; }

 private:
  cl_mem memory_;
  std::shared_ptr<std::size_t> total_;  ///< Shared, because a buffer may outlive its device.
};

cl_mem handle(const Memory& memory) {
  return static_cast<const OpenClMemory&>(memory).get();
}

const OpenClKernel& kernel_of(const Kernel& kernel) {
  return static_cast<const OpenClKernel&>(kernel);
}

void check_process() {
  if (was_forked())
    throw DeviceError(std::string("the device is the parent's: this process was forked; ") + fork_remedy);
}

void check_range(const Memory& memory, std::size_t offset, std::size_t bytes) {
  require(offset <= memory.bytes() && bytes <= memory.bytes() - offset, "a copy beyond the end of a buffer");
}

class OpenClDevice final : public Device {
 public:
  OpenClDevice(Context& context, bool timed) : context_(context), timed_(timed) {
    cl_int error = 0;
    queue_ = opencl()->clCreateCommandQueue(context.get(), context.device().id,
                                            timed ? CL_QUEUE_PROFILING_ENABLE : 0, &error);
    check(error, "making a queue");
  }
  ~OpenClDevice() override {
    if (was_forked()) return;
    opencl()->clFinish(queue_);
    for (const Event& event : events_) opencl()->clReleaseEvent(event.event);
    opencl()->clReleaseCommandQueue(queue_);
  }
  OpenClDevice(const OpenClDevice&) = delete;
  OpenClDevice& operator=(const OpenClDevice&) = delete;

  [[nodiscard]] const Facts& facts() const override { return context_.device().facts; }
  [[nodiscard]] std::unique_ptr<Memory> allocate(std::size_t bytes) override;
  void upload(Memory& to, std::size_t offset, const void* from, std::size_t bytes) override;
  void download(const Memory& from, std::size_t offset, void* to, std::size_t bytes) override;
  void copy(const Memory& from, std::size_t from_offset, Memory& to, std::size_t to_offset,
            std::size_t bytes) override;
  void fill(Memory& to, std::size_t offset, std::size_t bytes, std::uint32_t word) override;
  [[nodiscard]] std::shared_ptr<const Program> program(const ProgramSource& source) override {
    return context_.program(source);
  }
  void run(const Kernel& kernel, Count groups, std::span<const Argument> arguments) override;
  [[nodiscard]] std::size_t allocated() const override { return *allocated_; }
  void finish() override {
    check_process();
    check(opencl()->clFinish(queue_), "computing");
  }
  [[nodiscard]] std::vector<Timing> timings() override;

 private:
  struct Event {
    std::string what;
    cl_event event = nullptr;
  };
  /// Where the event of the next call goes; null unless the device is timed.
  cl_event* next(const std::string& what) {
    return timed_ ? &events_.emplace_back(Event{what, nullptr}).event : nullptr;
  }

  Context& context_;
  bool timed_;
  cl_command_queue queue_ = nullptr;
  std::vector<Event> events_;
  std::shared_ptr<std::size_t> allocated_ = std::make_shared<std::size_t>(0);
};

std::vector<Timing> OpenClDevice::timings() {
  finish();
  std::vector<Timing> all;
  for (const Event& event : events_) {
    cl_ulong start = 0, end = 0;
    opencl()->clGetEventProfilingInfo(event.event, CL_PROFILING_COMMAND_START, sizeof start, &start, nullptr);
    opencl()->clGetEventProfilingInfo(event.event, CL_PROFILING_COMMAND_END, sizeof end, &end, nullptr);
    opencl()->clReleaseEvent(event.event);
    auto timing = std::find_if(all.begin(), all.end(), [&](const Timing& t) { return t.what == event.what; });
    if (timing == all.end()) timing = all.insert(all.end(), Timing{event.what, 0, 0.0});
    ++timing->count;
    timing->seconds += 1e-9 * static_cast<double>(end - start);
  }
  events_.clear();
  return all;
}

std::unique_ptr<Memory> OpenClDevice::allocate(std::size_t bytes) {
  check_process();
  constexpr std::size_t least = 16;  // OpenCL has no empty buffers, and a kernel's argument must be one
  const std::size_t size = std::max(bytes, least);
  if (static_cast<Count>(size) > std::max<Count>(facts().largest_buffer, least))
    throw OutOfDeviceMemory("the device has no room for a buffer of " + std::to_string(size) + " bytes");
  cl_int error = 0;
  cl_mem memory = opencl()->clCreateBuffer(context_.get(), CL_MEM_READ_WRITE, size, nullptr, &error);
  check(error, "making a buffer");
  return std::make_unique<OpenClMemory>(memory, bytes, allocated_);
}

void OpenClDevice::upload(Memory& to, std::size_t offset, const void* from, std::size_t bytes) {
  check_process();
  check_range(to, offset, bytes);
  if (bytes == 0) return;
  check(opencl()->clEnqueueWriteBuffer(queue_, handle(to), CL_TRUE, offset, bytes, from, 0, nullptr,
                                       next("upload")),
        "copying to the device");
}

void OpenClDevice::download(const Memory& from, std::size_t offset, void* to, std::size_t bytes) {
  check_process();
  check_range(from, offset, bytes);
  if (bytes == 0) return;
  check(opencl()->clEnqueueReadBuffer(queue_, handle(from), CL_TRUE, offset, bytes, to, 0, nullptr,
                                      next("download")),
        "copying from the device");
}

void OpenClDevice::copy(const Memory& from, std::size_t from_offset, Memory& to, std::size_t to_offset,
                        std::size_t bytes) {
  check_process();
  check_range(from, from_offset, bytes);
  check_range(to, to_offset, bytes);
  if (bytes == 0) return;
  check(opencl()->clEnqueueCopyBuffer(queue_, handle(from), handle(to), from_offset, to_offset, bytes, 0,
                                      nullptr, next("copy")),
        "copying on the device");
}

void OpenClDevice::fill(Memory& to, std::size_t offset, std::size_t bytes, std::uint32_t word) {
  check_process();
  check_range(to, offset, bytes);
  if (bytes == 0) return;
  check(opencl()->clEnqueueFillBuffer(queue_, handle(to), &word, sizeof word, offset, bytes, 0, nullptr,
                                      next("fill")),
        "filling a buffer");
}

void OpenClDevice::run(const Kernel& kernel, Count groups, std::span<const Argument> arguments) {
  check_process();
  if (groups == 0) return;
  auto* const handle_of_kernel = kernel_of(kernel).get();
  for (std::size_t k = 0; k < arguments.size(); ++k)
    std::visit(
        [&](auto value) {
          cl_int error = CL_SUCCESS;
          if constexpr (std::is_same_v<decltype(value), const Memory*>) {
            auto* const memory = handle(*value);
            error =
                opencl()->clSetKernelArg(handle_of_kernel, static_cast<cl_uint>(k), sizeof memory, &memory);
          } else {
            error = opencl()->clSetKernelArg(handle_of_kernel, static_cast<cl_uint>(k), sizeof value, &value);
          }
          check(error, "passing a kernel's argument");
        },
        arguments[k]);
  const auto lanes = static_cast<std::size_t>(kernel.lanes());
  const std::size_t size = static_cast<std::size_t>(groups) * lanes;
  check(opencl()->clEnqueueNDRangeKernel(queue_, handle_of_kernel, 1, nullptr, &size, &lanes, 0, nullptr,
                                         next(kernel_of(kernel).name())),
        "starting a kernel");
}

}  // namespace

std::unique_ptr<Device> open_device(std::string_view name, bool timed) {
  return std::make_unique<OpenClDevice>(context_of(found_device(name)), timed);
}

}  // namespace electret::gpu
