#include "device.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>

#include <electret/core/errors.hpp>
#include <electret/field/gpu/kernel_texts.hpp>

#include "driver.hpp"

namespace electret::ptx {
namespace {

constexpr std::size_t most_arguments = 64;

std::mutex mutex_of_times;
LoadingTimes times;

class PtxMemory final : public gpu::Memory {
 public:
  PtxMemory(Address address, std::size_t bytes, std::shared_ptr<std::size_t> total)
      : Memory(bytes), address_(address), total_(std::move(total)) {
    *total_ += bytes;
  }
  ~PtxMemory() override {
    *total_ -= bytes();
    driver()->cuMemFree_v2(address_);
  }
  PtxMemory(const PtxMemory&) = delete;
  PtxMemory& operator=(const PtxMemory&) = delete;
  [[nodiscard]] Address address() const { return address_; }

 private:
  Address address_;
  std::shared_ptr<std::size_t> total_;
};

Address address_of(const gpu::Memory& memory, std::size_t offset = 0) {
  return static_cast<const PtxMemory&>(memory).address() + offset;
}

class PtxKernel final : public gpu::Kernel {
 public:
  PtxKernel(Function function, int lanes, std::string name)
      : Kernel(lanes), function_(function), name_(std::move(name)) {}
  [[nodiscard]] Function function() const { return function_; }
  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  Function function_;
  std::string name_;
};

/// The size of a kernel's groups, which PTX has behind its arguments: ".reqntid 128, 1, 1".
int lanes_of(const std::string& text, const std::string& kernel) {
  const std::string directive = ".reqntid ";
  const auto entry = text.find(".entry " + kernel + "(");
  const auto at = entry == std::string::npos ? entry : text.find(directive, entry);
  if (at == std::string::npos) throw InternalError("a program has no kernel " + kernel);
  return std::stoi(text.substr(at + directive.size(), 8));
}

class PtxProgram final : public gpu::Program {
 public:
  PtxProgram(Module module, std::string text) : module_(module), text_(std::move(text)) {}
  [[nodiscard]] std::unique_ptr<gpu::Kernel> kernel(const std::string& name) const override {
    Function function = nullptr;
    check(driver()->cuModuleGetFunction(&function, module_, name.c_str()), "making a kernel");
    return std::make_unique<PtxKernel>(function, lanes_of(text_, name), name);
  }

 private:
  Module module_;  ///< Kept to the process's end, as its context is.
  std::string text_;
};

std::string read(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// A GPU's context, the programs that were loaded into it, and where they come from.
class Gpu {
 public:
  Gpu(const gpu::Facts& facts, std::string folder) : facts_(facts), folder_(std::move(folder)) {
    if (!driver()) throw gpu::DeviceError(why_no_driver());
    check(driver()->cuDevicePrimaryCtxRetain(&context_, number_of(facts.name)), "making a context");
    enter();
  }
  [[nodiscard]] const gpu::Facts& facts() const { return facts_; }
  /// Every thread that calls the driver has to say whose context it means.
  void enter() const { check(driver()->cuCtxSetCurrent(context_), "entering a context"); }

  std::shared_ptr<const gpu::Program> program(const gpu::ProgramSource& source) {
    const std::string text = gpu::text_of(source), name = gpu::name_of(source);
    {
      const std::lock_guard lock(mutex_);
      if (const auto made = programs_.find(text); made != programs_.end()) return made->second;
    }
    auto made = loaded(text, name);
    const std::lock_guard lock(mutex_);
    return programs_.try_emplace(text, std::move(made)).first->second;
  }

 private:
  static DeviceNumber number_of(const std::string& name) {
    int count = 0;
    check(driver()->cuDeviceGetCount(&count), "counting the GPUs");
    if (count == 1) return 0;
    for (int k = 0; k < count; ++k) {
      DeviceNumber device = 0;
      std::array<char, 256> found{};
      check(driver()->cuDeviceGet(&device, k), "finding a GPU");
      check(driver()->cuDeviceGetName(found.data(), static_cast<int>(found.size()) - 1, device),
            "naming a GPU");
      if (name == found.data()) return device;
    }
    throw gpu::DeviceError("NVIDIA's driver finds no GPU called " + name);
  }

  std::shared_ptr<const gpu::Program> loaded(const std::string& text, const std::string& name) const {
    const std::string path = folder_ + "/" + name;
    if (read(path + ".cl") != text)
      throw gpu::DeviceError(path + ".cl is not there or is another text: run make_ptx.py");
    std::string assembly = read(path + ".ptx");
    if (assembly.empty()) throw gpu::DeviceError(path + ".ptx is not there: run make_ptx.py");
    enter();
    const auto start = std::chrono::steady_clock::now();
    Module module = compiled(assembly);
    const std::lock_guard lock(mutex_of_times);
    ++times.programs;
    times.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return std::make_shared<PtxProgram>(module, std::move(assembly));
  }

  /// The driver's compiler says in its log what it does not like.
  static Module compiled(const std::string& assembly) {
    constexpr int error_log = 5, size_of_error_log = 6;  // CUjit_option
    std::array<char, 2048> log{};
    std::array<int, 2> names = {error_log, size_of_error_log};
    std::array<void*, 2> values = {log.data(), reinterpret_cast<void*>(log.size() - 1)};
    Module module = nullptr;
    const Status status =
        driver()->cuModuleLoadDataEx(&module, assembly.c_str(), 2, names.data(), values.data());
    check(status, (std::string("loading a program (") + log.data() + ")").c_str());
    return module;
  }

  gpu::Facts facts_;
  std::string folder_;
  Context context_ = nullptr;
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const gpu::Program>> programs_;  ///< By their whole text.
};

class PtxDevice final : public gpu::Device {
 public:
  PtxDevice(Gpu& gpu, bool timed) : gpu_(gpu), timed_(timed) {
    constexpr unsigned non_blocking = 1;
    gpu_.enter();
    check(driver()->cuStreamCreate(&stream_, non_blocking), "making a queue");
  }
  ~PtxDevice() override {
    driver()->cuStreamSynchronize(stream_);
    for (const Span& span : spans_) {
      driver()->cuEventDestroy_v2(span.begin);
      driver()->cuEventDestroy_v2(span.end);
    }
    driver()->cuStreamDestroy_v2(stream_);
  }
  PtxDevice(const PtxDevice&) = delete;
  PtxDevice& operator=(const PtxDevice&) = delete;

  [[nodiscard]] const gpu::Facts& facts() const override { return gpu_.facts(); }
  [[nodiscard]] std::unique_ptr<gpu::Memory> allocate(std::size_t bytes) override {
    Address address = 0;
    check(driver()->cuMemAlloc_v2(&address, std::max<std::size_t>(bytes, 16)), "making a buffer");
    return std::make_unique<PtxMemory>(address, bytes, allocated_);
  }
  void upload(gpu::Memory& to, std::size_t offset, const void* from, std::size_t bytes) override {
    enqueue("upload", bytes,
            [&] { return driver()->cuMemcpyHtoDAsync_v2(address_of(to, offset), from, bytes, stream_); });
    finish();  // the host's bytes have been read
  }
  void download(const gpu::Memory& from, std::size_t offset, void* to, std::size_t bytes) override {
    enqueue("download", bytes,
            [&] { return driver()->cuMemcpyDtoHAsync_v2(to, address_of(from, offset), bytes, stream_); });
    finish();
  }
  void copy(const gpu::Memory& from, std::size_t from_offset, gpu::Memory& to, std::size_t to_offset,
            std::size_t bytes) override {
    enqueue("copy", bytes, [&] {
      return driver()->cuMemcpyDtoDAsync_v2(address_of(to, to_offset), address_of(from, from_offset), bytes,
                                            stream_);
    });
  }
  void fill(gpu::Memory& to, std::size_t offset, std::size_t bytes, std::uint32_t word) override {
    enqueue("fill", bytes, [&] {
      return driver()->cuMemsetD32Async(address_of(to, offset), word, bytes / sizeof word, stream_);
    });
  }
  [[nodiscard]] std::shared_ptr<const gpu::Program> program(const gpu::ProgramSource& source) override {
    return gpu_.program(source);
  }
  void run(const gpu::Kernel& kernel, Count groups, std::span<const gpu::Argument> arguments) override;
  [[nodiscard]] std::size_t allocated() const override { return *allocated_; }
  void finish() override { check(driver()->cuStreamSynchronize(stream_), "computing"); }
  [[nodiscard]] std::vector<gpu::Timing> timings() override;

 private:
  /// A piece of work, between two events.
  struct Span {
    std::string what;
    Event begin = nullptr, end = nullptr;
  };

  Event recorded() {
    Event event = nullptr;
    check(driver()->cuEventCreate(&event, 0), "making an event");
    check(driver()->cuEventRecord(event, stream_), "recording an event");
    return event;
  }
  template <class Call>
  void enqueue(const std::string& what, std::size_t size, const Call& call) {
    if (size == 0) return;
    const Event begin = timed_ ? recorded() : nullptr;
    check(call(), ("running " + what).c_str());
    if (timed_) spans_.push_back({what, begin, recorded()});
  }

  Gpu& gpu_;
  bool timed_;
  Stream stream_ = nullptr;
  std::vector<Span> spans_;
  std::shared_ptr<std::size_t> allocated_ = std::make_shared<std::size_t>(0);
};

void PtxDevice::run(const gpu::Kernel& kernel, Count groups, std::span<const gpu::Argument> arguments) {
  const auto& made = static_cast<const PtxKernel&>(kernel);
  require(arguments.size() <= most_arguments, "a kernel with too many arguments");
  std::array<std::uint64_t, most_arguments> values{};
  std::array<void*, most_arguments> pointers{};
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    std::visit(
        [&](auto value) {
          if constexpr (std::is_same_v<decltype(value), const gpu::Memory*>)
            values[k] = address_of(*value);
          else
            std::memcpy(&values[k], &value, sizeof value);
        },
        arguments[k]);
    pointers[k] = &values[k];
  }
  enqueue(made.name(), static_cast<std::size_t>(groups), [&] {
    return driver()->cuLaunchKernel(made.function(), static_cast<unsigned>(groups), 1, 1,
                                    static_cast<unsigned>(made.lanes()), 1, 1, 0, stream_, pointers.data(),
                                    nullptr);
  });
}

std::vector<gpu::Timing> PtxDevice::timings() {
  finish();
  std::vector<gpu::Timing> all;
  for (const Span& span : spans_) {
    float milliseconds = 0.0F;
    check(driver()->cuEventElapsedTime(&milliseconds, span.begin, span.end), "reading an event");
    driver()->cuEventDestroy_v2(span.begin);
    driver()->cuEventDestroy_v2(span.end);
    auto timing =
        std::find_if(all.begin(), all.end(), [&](const gpu::Timing& t) { return t.what == span.what; });
    if (timing == all.end()) timing = all.insert(all.end(), gpu::Timing{span.what, 0, 0.0});
    ++timing->count;
    timing->seconds += 1e-3 * static_cast<double>(milliseconds);
  }
  spans_.clear();
  return all;
}

}  // namespace

LoadingTimes loading_times() {
  const std::lock_guard lock(mutex_of_times);
  return times;
}

std::unique_ptr<gpu::Device> open_device(const gpu::Facts& facts, const std::string& folder, bool timed) {
  static std::mutex mutex;
  static auto& gpus = *new std::map<std::string, std::unique_ptr<Gpu>>;
  const std::lock_guard lock(mutex);
  auto& made = gpus[facts.name + '\n' + folder];
  if (!made) made = std::make_unique<Gpu>(facts, folder);
  made->enter();
  return std::make_unique<PtxDevice>(*made, timed);
}

}  // namespace electret::ptx
