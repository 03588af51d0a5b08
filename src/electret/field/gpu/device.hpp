#pragma once
/// \file
/// A device that runs kernels: its memory, its programs, its queue. One implementation calls OpenCL
/// (opencl/); the solvers see this interface alone.
///
/// \code
///   auto device = electret::gpu::open_device("gpu");
///   auto program = device->program({{"direct.cl"}});
///   Array<float> numbers(*device, n);
///   device->launch(program->kernel("negate"), groups, numbers, static_cast<std::int32_t>(n));
///   numbers.download(host);                     // waits for all launches before it
/// \endcode

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <electret/core/types.hpp>
#include <electret/field/gpu/devices.hpp>

namespace electret::gpu {

/// A buffer. It is freed with the object.
class Memory {
 public:
  virtual ~Memory() = default;
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 protected:
  explicit Memory(std::size_t bytes) : bytes_(bytes) {}

 private:
  std::size_t bytes_;
};

/// A kernel of a program. `lanes` is the size of its groups, which its text fixes (KERNEL(lanes)).
class Kernel {
 public:
  virtual ~Kernel() = default;
  [[nodiscard]] int lanes() const { return lanes_; }

 protected:
  explicit Kernel(int lanes) : lanes_(lanes) {}

 private:
  int lanes_;
};

/// A compiled program. It is shared by all queues of one device, and each queue makes its own kernels.
class Program {
 public:
  virtual ~Program() = default;
  /// Throws InternalError if the program has no kernel of this name.
  [[nodiscard]] virtual std::unique_ptr<Kernel> kernel(const std::string& name) const = 0;
};

/// The text of a program: the dialect (kernels/dialect.h), then files of kernels/ in this order, then
/// generated text. `defines` become `#define NAME VALUE` before all of it.
struct ProgramSource {
  std::vector<std::string> files;
  std::vector<std::pair<std::string, std::string>> defines{};
  std::string generated{};
};

/// An argument of a kernel: a buffer, or a number.
using Argument = std::variant<const Memory*, std::int32_t, std::uint32_t, std::int64_t, float, double>;

/// The time that one kernel, or one kind of copy, took on the device.
struct Timing {
  std::string what;  ///< The kernel's name, "upload", "download", "copy" or "fill".
  Count count = 0;
  double seconds = 0.0;
};

/// One device with a queue of its own. Work runs in the order in which it is given. All calls throw
/// DeviceError if the device fails. An object is used by one thread at a time.
class Device {
 public:
  virtual ~Device() = default;
  [[nodiscard]] virtual const Facts& facts() const = 0;

  /// A buffer with undefined contents. `bytes` may be 0. Throws OutOfDeviceMemory.
  [[nodiscard]] virtual std::unique_ptr<Memory> allocate(std::size_t bytes) = 0;
  /// Copies to the device. The host's bytes have been read when the call returns.
  virtual void upload(Memory& to, std::size_t offset, const void* from, std::size_t bytes) = 0;
  /// Copies from the device, after all work given before.
  virtual void download(const Memory& from, std::size_t offset, void* to, std::size_t bytes) = 0;
  /// Copies on the device. The two ranges do not overlap.
  virtual void copy(const Memory& from, std::size_t from_offset, Memory& to, std::size_t to_offset,
                    std::size_t bytes) = 0;
  /// Fills with one 32-bit word. `offset` and `bytes` are multiples of 4.
  virtual void fill(Memory& to, std::size_t offset, std::size_t bytes, std::uint32_t word) = 0;

  /// Compiles a program, or takes it from this process's or the user's cache. Throws InputError with the path
  /// of the compiler's log if the driver refuses the text. Several threads may call this at once.
  [[nodiscard]] virtual std::shared_ptr<const Program> program(const ProgramSource& source) = 0;

  /// Runs a kernel in `groups` groups of kernel.lanes() lanes. Nothing happens if there are no groups.
  virtual void run(const Kernel& kernel, Count groups, std::span<const Argument> arguments) = 0;
  /// The bytes of all buffers that this object has allocated and that are not freed yet.
  [[nodiscard]] virtual std::size_t allocated() const = 0;
  /// Waits for all work.
  virtual void finish() = 0;
  /// What the work since the last call took, by its first use. Empty unless the device was opened to be
  /// timed.
  [[nodiscard]] virtual std::vector<Timing> timings() = 0;

  template <class... Arguments>
  void launch(const Kernel& kernel, Count groups, const Arguments&... arguments) {
    const Argument all[] = {as_argument(arguments)...};
    run(kernel, groups, all);
  }

 private:
  static Argument as_argument(const Memory& memory) { return &memory; }
  static Argument as_argument(std::int32_t number) { return number; }
  static Argument as_argument(std::uint32_t number) { return number; }
  static Argument as_argument(std::int64_t number) { return number; }
  static Argument as_argument(float number) { return number; }
  static Argument as_argument(double number) { return number; }
  template <class ArrayOfAny>
  static Argument as_argument(const ArrayOfAny& array) {
    return &array.memory();
  }
};

/// An array of T on a device. It grows and never shrinks, so that a solver that is warm allocates nothing.
template <class T>
class Array {
 public:
  explicit Array(Device& device, std::size_t size = 0) : device_(&device) { resize(size); }

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] const Memory& memory() const { return *memory_; }
  [[nodiscard]] Memory& memory() { return *memory_; }

  /// Makes room for `size` elements. Their values are undefined after the array has grown.
  void resize(std::size_t size) {
    if (!memory_ || memory_->bytes() < size * sizeof(T)) {
      size_ = 0;        // if there is no memory, the array is empty
      memory_.reset();  // frees the old one first: both might not fit
      memory_ = device_->allocate(size * sizeof(T));
    }
    size_ = size;
  }
  void assign(std::span<const T> values) {
    resize(values.size());
    upload(values);
  }
  void upload(std::span<const T> values, std::size_t first = 0) {
    device_->upload(*memory_, first * sizeof(T), values.data(), values.size_bytes());
  }
  void download(std::span<T> values, std::size_t first = 0) const {
    device_->download(*memory_, first * sizeof(T), values.data(), values.size_bytes());
  }
  [[nodiscard]] std::vector<T> downloaded() const {
    std::vector<T> values(size_);
    download(values);
    return values;
  }
  /// Sets all elements to one word: T has 4 bytes, or `word` is 0.
  void fill(std::uint32_t word) { device_->fill(*memory_, 0, size_ * sizeof(T), word); }

 private:
  Device* device_;
  std::size_t size_ = 0;
  std::unique_ptr<Memory> memory_;
};

/// Four float32 numbers, as kernels read a row.
struct alignas(16) Float4 {
  float x = 0, y = 0, z = 0, w = 0;
};
/// Four float64 numbers.
struct alignas(32) Double4 {
  double x = 0, y = 0, z = 0, w = 0;
};
/// Two integers.
struct alignas(8) Int2 {
  std::int32_t x = 0, y = 0;
};
/// Four integers.
struct alignas(16) Int4 {
  std::int32_t x = 0, y = 0, z = 0, w = 0;
};

/// The number of groups of `lanes` that hold n items.
inline Count groups_for(Count n, int lanes) {
  return (n + lanes - 1) / lanes;
}

/// Opens "gpu" or "gpu:NAME" (a part of a device's name or platform, whatever the case of its letters; "#2"
/// behind it takes the second such device). Throws InputError, which says what to do, if there is none.
/// `timed`: it keeps the times of its work (Device::timings), which costs some time itself.
std::unique_ptr<Device> open_device(std::string_view name, bool timed = false);

}  // namespace electret::gpu
