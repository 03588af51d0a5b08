/// A checkpoint.h5 that someone changed, to a run that is to go on from it.

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include <electret/core/errors.hpp>
#include <electret/record/checkpoint.hpp>
#include <electret/record/detail/file_sum.hpp>
#include <electret/record/detail/files.hpp>
#include <electret/record/run.hpp>

#include "fuzz/hdf5_changes.hpp"
#include "fuzz/run_files.hpp"

namespace {

using namespace electret;

/// A run that was stopped after two of its four steps.
struct StoppedRun {
  explicit StoppedRun(std::unique_ptr<System> (*system_of)()) : system(system_of) {
    test::run_some_steps(system(), whole, 2);
    bytes = read_file(whole + "/checkpoint.h5");
    contents = test::hdf5_contents(whole + "/checkpoint.h5");
    checkpoint = read_checkpoint(whole + "/checkpoint.h5");
  }
  std::unique_ptr<System> (*system)();
  test::TemporaryFolder folder;
  std::string whole = folder / "whole", run = folder / "run";
  std::string bytes;
  test::Hdf5Contents contents;
  Checkpoint checkpoint;
};

StoppedRun& stopped_run(std::size_t which) {
  static StoppedRun rich(&test::fuzzed_system), chain(&test::fuzzed_chain);
  return which == 0 ? rich : chain;
}

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::array<double, 8> numbers{
    0.0, -1.0, 1e-300, 1e30, -1e300, infinity, -infinity, std::numeric_limits<double>::quiet_NaN()};
constexpr std::array<std::int64_t, 8> counts{
    0, 1, -1, 2, 3, 4, std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()};

/// A text that a checkpoint can hold.
std::string some_text(test::InputBytes& input) {
  std::string text = input.text();
  for (char& c : text) c = static_cast<char>(c & 0x7f);
  return text;
}

void change_vectors(VectorArray& vectors, test::InputBytes& input) {
  if (input.byte() % 4 == 0) vectors.resize(input.byte());
  if (!vectors.empty())
    vectors[input.below(std::min<std::size_t>(vectors.size(), 256))].y = input.number<double>(numbers);
}

void change_memory(MethodMemory& memory, test::InputBytes& input) {
  if (memory.arrays.empty() || input.byte() % 4 == 0) memory.arrays.push_back({some_text(input), {1.0}});
  auto& array = memory.arrays[input.below(memory.arrays.size())];
  if (input.byte() % 4 == 0) array.values.resize(input.byte());
  if (!array.values.empty())
    array.values[input.below(std::min<std::size_t>(array.values.size(), 256))] =
        input.number<double>(numbers);
}

/// Changes the number of that index among those that are summed over a run.
void change_sum(Checkpoint& c, std::size_t index, test::InputBytes& input) {
  std::size_t k = 0;
  const auto change = [&]<class T>(const std::string&, T& value) {
    if (k++ != index) return;
    if constexpr (std::is_floating_point_v<T>)
      value = input.number<double>(numbers);
    else
      value = static_cast<T>(input.number<std::int64_t>(counts));
  };
  visit(c.work, change);
  visit(c.sums, change);
  visit_memory(c.sums, change);
}

/// A checkpoint whose sum is right, with other contents.
void change_contents(Checkpoint& c, test::InputBytes& input) {
  for (int k = 0; k < 4 && !input.empty(); ++k) switch (input.byte() % 11) {
      case 0:
        c.state.step = input.number<std::int64_t>(counts);
        break;
      case 1:
        change_vectors(c.state.positions, input);
        break;
      case 2:
        change_vectors(c.state.velocities, input);
        break;
      case 3:
        change_memory(c.state.memory, input);
        break;
      case 4:
        c.energy_bytes = input.number<std::int64_t>(counts);
        break;
      case 5:
        c.observables_bytes = input.number<std::int64_t>(counts);
        break;
      case 6:
        c.warnings.push_back(some_text(input));
        break;
      case 7:
        c.integrator_choice.name = some_text(input);
        break;
      case 8:
        c.trajectory.is_closed = !c.trajectory.is_closed;
        break;
      case 9:
        c.trajectory.chunks.push_back(input.number<std::int64_t>(counts));
        break;
      default:
        change_sum(c, input.below(32), input);
        break;
    }
}

void resume(const StoppedRun& stopped) {
  RunOptions options;
  options.resume = true;
  try {
    run_to_directory(stopped.system(), stopped.run, options);
  } catch (
      const InputError&) {  // The answers to a checkpoint that is wrong, or of which nothing good can come.
  } catch (const UnreadableError&) {
  } catch (const DivergenceError&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  test::InputBytes input(bytes, size);
  const StoppedRun& stopped = stopped_run(input.below(2));
  std::filesystem::remove_all(stopped.run);
  std::filesystem::copy(stopped.whole, stopped.run);
  const std::string path = stopped.run + "/checkpoint.h5";
  if (input.byte() % 2 == 0) {
    test::change_hdf5(path, stopped.contents, input);
    append_sum(path);
  } else {
    Checkpoint changed = stopped.checkpoint;
    change_contents(changed, input);
    write_checkpoint(path, changed, changed.state);
  }
  try {
    read_checkpoint(path);
  } catch (const UnreadableError& error) {
    if (error.path() != path) std::abort();
  }
  resume(stopped);
  test::check_hdf5_is_closed();
  return 0;
}
