#include <filesystem>
#include <system_error>
#include <utility>

#include <electret/core/errors.hpp>
#include <electret/core/instruction_set.hpp>
#include <electret/core/version.hpp>
#include <electret/sweep/sweep_part.hpp>
#include <electret/sweep/sweep_run_folder.hpp>

namespace electret {
namespace {

namespace fs = std::filesystem;

/// Throws what `error` says of the file or folder at `path`, if it does not say of which it does.
[[noreturn]] void throw_about(const IoError& error, const std::string& path) {
  if (!error.path().empty()) throw IoError(error);
  throw IoError("cannot write " + path + ": " + error.what(), path);
}

}  // namespace

PartWriter::PartWriter(const SweepFolder& folder, const SweepPlan& plan, Count first, Count last,
                       std::shared_ptr<MeshStore> meshes) try
    : plan_(plan),
      folder_(folder.path()),
      path_(folder.new_part(first, last)),
      meshes_(meshes ? std::move(meshes) : std::make_shared<MeshStore>()),
      table_(path_ + unfinished_part, plan.columns(),
             {{"version", version},
              {"instructions", name_of(instruction_set())},
              {"host", host_name()},
              {order_attribute, std::to_string(folder.part_files().size())},
              {"identity", plan.common_hash()}}) {
  std::error_code error;
  fs::rename(path_ + unfinished_part, path_, error);
  if (error) throw IoError("the part " + path_ + " cannot be made: " + error.message(), path_);
} catch (const IoError& error) {
  throw_about(error, folder.parts());
}

void PartWriter::begin(Count run) {
  try {
    table_.begin(run);
  } catch (const IoError& error) {
    throw_about(error, path_);
  }
}

SweepStatus PartWriter::run(Count run, const std::stop_token& stop, const std::function<void()>& each_step) {
  if (!plan_.mapped.empty()) SweepFolder(folder_).refuse_mapped();
  begin(run);
  SweepStatus status{};
  try {
    SweepRow row = sweep_run(plan_, run, *meshes_, stop, each_step, folder_ + "/runs/" + std::to_string(run));
    add(row);
    cpu_ += column_of(row, plan_.columns(), "cpu").front();
    status = row.status;
  } catch (...) {  // On request, or without a place to write: no attempt either way.
    try {
      take_back(run);
    } catch (const IoError&) {
    }
    throw;
  }
  if (plan_.runs_in_folders()) settle_run_folder(folder_, plan_, run, status);
  return status;
}

void PartWriter::add(const SweepRow& row) {
  try {
    table_.add(row.run, row.values, row.note);
  } catch (const IoError& error) {
    throw_about(error, path_);
  }
}

}  // namespace electret
