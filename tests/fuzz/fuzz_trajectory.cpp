/// A trajectory.h5 that someone changed, to whatever reads one.

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include <electret/core/errors.hpp>
#include <electret/record/compare.hpp>
#include <electret/record/describe.hpp>
#include <electret/record/detail/files.hpp>
#include <electret/record/export.hpp>
#include <electret/record/trajectory_reader.hpp>

#include "fuzz/hdf5_changes.hpp"
#include "fuzz/run_files.hpp"

namespace {

using namespace electret;

/// A run whose trajectory is changed, beside the same run as it was.
struct ChangedRun {
  explicit ChangedRun(std::unique_ptr<System> system) {
    test::run_some_steps(std::move(system), whole, 2);
    std::filesystem::copy(whole, run);
    trajectory = read_file(whole + "/trajectory.h5");
    contents = test::hdf5_contents(whole + "/trajectory.h5");
  }
  test::TemporaryFolder folder;
  std::string whole = folder / "whole", run = folder / "run", out = folder / "out";
  std::string trajectory;  ///< The file's bytes.
  test::Hdf5Contents contents;
};

ChangedRun& changed_run(std::size_t which) {
  static ChangedRun rich(test::fuzzed_system()), chain(test::fuzzed_chain());
  return which == 0 ? rich : chain;
}

/// Damages bytes at random, which HDF5 itself does not always survive: only where it is asked for.
void damage(const std::string& path, test::InputBytes& input) {
  static const bool is_asked = std::getenv("ELECTRET_FUZZ_BYTES") != nullptr;
  if (!is_asked) return;
  std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
  while (!input.empty()) {
    file.seekp(static_cast<std::streamoff>(input.word()));
    file.put(static_cast<char>(input.byte()));
  }
}

void demand(bool condition) {
  if (!condition) std::abort();
}

/// What was let through is whole: nobody who goes by it reads beyond an array.
void check_run(const TrajectoryReader& run) {
  const auto n = static_cast<std::size_t>(run.vertices());
  demand(run.frames() > 0 && std::isfinite(run.time_step()));
  demand(run.times().size() == static_cast<std::size_t>(run.frames()) && run.masses().size() == n &&
         run.rest_positions().size() == n);
  const std::size_t springs = run.springs().size();
  demand(run.spring_stiffness().size() == springs && run.spring_rest_length().size() == springs);
  const auto is_vertex = [&](Index i) { return i >= 0 && i < run.vertices(); };
  for (const Edge& spring : run.springs()) demand(is_vertex(spring[0]) && is_vertex(spring[1]));
  for (const Triangle& face : run.faces())
    for (const Index i : face) demand(is_vertex(i));
  for (const Index i : run.pins()) demand(is_vertex(i));
  demand(run.body_offsets().front() == 0 && run.body_offsets().back() == run.vertices());
  for (const auto& [body, groups] : run.groups())
    for (const auto& [name, members] : groups)
      for (const Index i : members) demand(is_vertex(i));
  const auto groups = run.element_groups();
  const auto names = run.body_names();
  demand(groups.size() <= names.size());
  for (const Count frame : {Count{0}, run.frames() - 1}) {
    demand(run.positions(frame).size() == n && run.charges(frame).size() == n);
    if (run.has_velocities()) demand(run.velocities(frame).size() == n);
    if (run.has_contacts())
      for (const ContactForce& contact : run.contacts(frame)) demand(is_vertex(contact.vertex));
    if (run.has_contact_pairs())
      for (const PairForce& force : run.contact_pairs(frame))
        for (const Index i : force.pair.vertices) demand(is_vertex(i));
    if (run.has_pin_reactions()) demand(run.pin_reactions(frame).size() == run.pins().size());
  }
}

template <class Read>
void attempt(Read&& read) {
  try {
    read();
  } catch (const InputError& error) {
    demand(!error.findings().empty());
  } catch (const IoError&) {  // An answer, too.
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  test::InputBytes input(bytes, size);
  ChangedRun& changed = changed_run(input.below(2));
  const std::string path = changed.run + "/trajectory.h5",
                    format(export_formats()[input.below(export_formats().size())].name);
  test::put_file(path, changed.trajectory);
  const std::size_t changes = input.below(8);
  test::change_hdf5(path, changed.contents, input, static_cast<int>(changes) + 1);
  damage(path, input);
  try {
    check_run(TrajectoryReader(path));
  } catch (const UnreadableError& error) {
    demand(error.path() == path);
  }
  attempt([&] { describe(changed.run); });
  attempt([&] { compare(changed.whole, changed.run); });
  attempt([&] { export_run(changed.run, format, changed.out); });
  test::remove_export(changed.out);
  test::check_hdf5_is_closed();
  return 0;
}
