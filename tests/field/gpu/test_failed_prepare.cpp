/// A solver whose device runs out of memory: it says so, does not sum what it has half of, and serves again.

#include <limits>

#include <field/gpu/device_for_tests.hpp>
#include <gtest/gtest.h>
#include <support/point_clouds.hpp>

#include <electret/field/ddef/ddef.hpp>
#include <electret/field/gpu/ddef/solver.hpp>
#include <electret/field/gpu/direct/direct.hpp>
#include <electret/field/gpu/fmm/fmm.hpp>

namespace electret::test {
namespace {

/// The tests' device, with room for so many more buffers.
class DeviceWithLittleRoom final : public gpu::Device {
 public:
  explicit DeviceWithLittleRoom(int& left) : device_(test_device()), left_(left) {}

  [[nodiscard]] const gpu::Facts& facts() const override { return device_->facts(); }
  [[nodiscard]] std::unique_ptr<gpu::Memory> allocate(std::size_t bytes) override {
    if (left_ == 0) throw gpu::OutOfDeviceMemory("no room");
    --left_;
    return device_->allocate(bytes);
  }
  void upload(gpu::Memory& to, std::size_t offset, const void* from, std::size_t bytes) override {
    device_->upload(to, offset, from, bytes);
  }
  void download(const gpu::Memory& from, std::size_t offset, void* to, std::size_t bytes) override {
    device_->download(from, offset, to, bytes);
  }
  void copy(const gpu::Memory& from, std::size_t from_offset, gpu::Memory& to, std::size_t to_offset,
            std::size_t bytes) override {
    device_->copy(from, from_offset, to, to_offset, bytes);
  }
  void fill(gpu::Memory& to, std::size_t offset, std::size_t bytes, std::uint32_t word) override {
    device_->fill(to, offset, bytes, word);
  }
  [[nodiscard]] std::shared_ptr<const gpu::Program> program(const gpu::ProgramSource& source) override {
    return device_->program(source);
  }
  void run(const gpu::Kernel& kernel, Count groups, std::span<const gpu::Argument> arguments) override {
    device_->run(kernel, groups, arguments);
  }
  [[nodiscard]] std::size_t allocated() const override { return device_->allocated(); }
  void finish() override { device_->finish(); }
  [[nodiscard]] std::vector<gpu::Timing> timings() override { return device_->timings(); }

 private:
  std::unique_ptr<gpu::Device> device_;
  int& left_;
};

constexpr int enough = std::numeric_limits<int>::max();

std::unique_ptr<FieldSolver> solver_on(const std::string& name, Threads& threads,
                                       std::unique_ptr<gpu::Device> device) {
  FieldOptions options;
  options.accuracy = 1e-3;
  if (name == "direct") return gpu::make_direct_field_solver(options, threads, std::move(device));
  if (name == "fmm") return gpu::make_device_fmm_field_solver(options, threads, std::move(device));
  return gpu::make_device_ddef_field_solver(options, threads, std::move(device));
}

VectorArray field_of(FieldSolver& solver, const Cloud& cloud) {
  VectorArray field(cloud.positions.size());
  solver.field(cloud.charges, field, {});
  return field;
}

std::string refusal(FieldSolver& solver, const Cloud& cloud) {
  try {
    field_of(solver, cloud);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

class OutOfMemory : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    ELECTRET_NEEDS_DEVICE();
    if (GetParam() == std::string("ddef") && !ddef_available()) GTEST_SKIP() << "built without ddef";
  }
};

TEST_P(OutOfMemory, InPrepareLeavesNoPositions) {
  Threads threads(1);
  const Cloud few = make_cloud("cube", 60, true), many = make_cloud("cube", 900, true);
  int failures = 0;
  for (bool done = false; !done; ++failures) {
    // As many buffers more than the last time; few are needed again after a failure.
    int left = enough;
    const auto solver = solver_on(GetParam(), threads, std::make_unique<DeviceWithLittleRoom>(left));
    solver->prepare(few.positions);
    const VectorArray expected = field_of(*solver, few);
    left = failures;
    try {
      solver->prepare(many.positions);
      done = true;
    } catch (const gpu::OutOfDeviceMemory&) {
      EXPECT_NE(refusal(*solver, few).find("prepare()"), std::string::npos) << failures;
      EXPECT_NE(refusal(*solver, many).find("prepare()"), std::string::npos) << failures;
      VectorArray product(many.positions.size());
      EXPECT_THROW(solver->transposed_jacobian_product(many.charges, many.positions, product),
                   std::invalid_argument)
          << failures;
    }
    left = enough;
    solver->prepare(few.positions);
    EXPECT_EQ(field_of(*solver, few), expected) << failures;
  }
  EXPECT_GT(failures, 2);
}

/// So many charges close together that the list of close pairs must grow.
TEST_P(OutOfMemory, InAFieldIsOverAfterIt) {
  Threads threads(1);
  Cloud cloud = make_cloud("cube", 400, true);
  for (std::size_t i = 0; i < 300; ++i) cloud.positions[i] = 1e-30 * cloud.positions[i];
  int left = enough;
  const auto fresh = solver_on(GetParam(), threads, test_device());
  fresh->prepare(cloud.positions);
  const VectorArray expected = field_of(*fresh, cloud);
  const auto solver = solver_on(GetParam(), threads, std::make_unique<DeviceWithLittleRoom>(left));
  solver->prepare(cloud.positions);
  int failures = 0;
  for (bool done = false; !done; ++failures) {
    left = failures;
    try {
      EXPECT_EQ(field_of(*solver, cloud), expected) << failures;
      done = true;
    } catch (const gpu::OutOfDeviceMemory&) {
    }
  }
  EXPECT_GT(failures, 1);
}

INSTANTIATE_TEST_SUITE_P(Solvers, OutOfMemory, ::testing::Values("direct", "fmm", "ddef"));

}  // namespace
}  // namespace electret::test
