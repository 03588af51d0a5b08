#include <fmt/format.h>

#include <electret/core/errors.hpp>
#include <electret/record/unreadable_error.hpp>
#include <electret/sweep/sweep_rows.hpp>

namespace electret {
namespace {

bool is_status(double number) {
  return number >= 0.0 && number <= static_cast<double>(SweepStatus::lost);
}

void add_fault(PartRows& part, std::string message, std::string allowed) {
  constexpr std::size_t most = 20;
  if (part.faults.size() < most)
    part.faults.push_back({{part.path, 0, 0}, std::move(message), std::move(allowed)});
}

/// Why the part at `path` cannot be read, without the path, which the finding names.
std::string reason_of(const IoError& error, const std::string& path) {
  std::string text = error.what();
  for (const std::string& start : {path + " cannot be read: ", path + " "})
    if (text.starts_with(start)) text.erase(0, start.size());
  return text.starts_with("is ") ? "it " + text : "it cannot be read: " + text;
}

/// Whether `now` is a better row of its run than `before`: one with a result is.
bool is_better(const RowPlace& now, const RowPlace& before) {
  return is_result(now.status) && !is_result(before.status);
}

}  // namespace

PartRows PartReader::read(const std::string& path, std::size_t number) const {
  PartRows part;
  part.path = path;
  try {
    const ResultTableReader table(path);
    if (table.attribute("identity") != identity_) {
      add_fault(part, "the part is of a sweep of another job or scene", "it does not count");
      return part;
    }
    part.instructions = table.attribute("instructions");
    part.host = table.attribute("host");
    part.version = table.attribute("version");
    part.started = table.started();
    for (const ResultColumn& column : columns_)
      if (column.width() <= PartRows::narrow) part.values[column.name] = table.all(column.name);
    const std::vector<bool> sound = table.sound_rows(columns_);
    for (std::size_t r = 0; r < table.runs().size(); ++r)
      take(part, table.runs()[r],
           {static_cast<std::int32_t>(number), static_cast<std::uint32_t>(r), SweepStatus::done}, sound[r],
           table.note(r));
  } catch (const IoError& error) {
    part = PartRows();
    part.path = path;
    add_fault(part, reason_of(error, path), "its runs are done again when the sweep goes on");
  }
  return part;
}

void PartReader::take(PartRows& part, Count run, RowPlace place, bool is_sound,
                      const std::string& note) const {
  const double status = part.number("status", place.row);
  if (!is_sound || !is_status(status))
    return add_fault(part, fmt::format("the row of run {} is damaged", run), "it does not count");
  if (run < 0 || run >= plan_.design.runs() || part.number("values", place.row) != plan_.values_hash(run))
    return add_fault(part, fmt::format("the row of run {} was computed with other values", run),
                     "it does not count");
  place.status = static_cast<SweepStatus>(status);
  part.places.push_back(place);
  part.runs.push_back(run);
  if (!note.empty()) part.notes[run] = note;
}

SweepRows::SweepRows(const SweepFolder& folder, const SweepPlan& plan)
    : places_(static_cast<std::size_t>(plan.design.runs())), begun_(places_.size(), 0) {
  // Rows of other `values` than the design's do not count, so that all that do have the same.
  for (const ResultColumn& column : plan.columns())
    if (column.name != "wall" && column.name != "cpu" && column.name != "values") compared_.push_back(column);
  const PartReader reader(plan);
  for (const std::string& path : folder.part_files()) {
    parts_.push_back(reader.read(path, parts_.size()));
    take(parts_.back());
  }
}

void SweepRows::take(PartRows& part) {
  faults_.insert(faults_.end(), part.faults.begin(), part.faults.end());
  for (std::size_t k = 0; k < part.runs.size(); ++k) take(part.runs[k], part.places[k]);
  for (const Count run : part.started) {
    const auto own = static_cast<std::size_t>(run < 0 ? taken_back(run) : run);
    if (own < begun_.size()) begun_[own] += run < 0 ? -1 : 1;
  }
  // Of millions of runs they fill the memory, and nobody asks for them any more.
  part.started = part.runs = {};
  part.places = {};
  part.notes = {};
  part.values.erase("values");
}

void SweepRows::take(Count run, const RowPlace& place) {
  RowPlace& known = places_[static_cast<std::size_t>(run)];
  if (known.part < 0 || is_better(place, known)) {
    known = place;
  } else if (is_result(place.status) && !is_same(place, known)) {
    has_conflicts_ = true;
    constexpr std::size_t most = 100;
    if (faults_.size() >= most) return;
    faults_.push_back(
        {{part_of(place).path, 0, 0},
         fmt::format("run {} has another result than in {}", run, part_of(known).path),
         "the same run gives the same bits on machines of one instruction set; `electret sweep DIR --show` "
         "says how to repeat it"});
  }
}

std::vector<Count> SweepRows::runs() const {
  std::vector<Count> found;
  for (std::size_t run = 0; run < places_.size(); ++run)
    if (places_[run].part >= 0) found.push_back(static_cast<Count>(run));
  return found;
}

bool SweepRows::is_same(const RowPlace& a, const RowPlace& b) {
  for (const ResultColumn& column : compared_) {
    const auto of = [&](const RowPlace& place) {
      std::vector<double> row;
      add_row(column, place, row);
      return Hash().add(row).text();
    };
    if (of(a) != of(b)) return false;
  }
  return true;
}

void SweepRows::add_row(const ResultColumn& column, const RowPlace& place, std::vector<double>& numbers) {
  const std::size_t width = column.width();
  const PartRows& part = part_of(place);
  if (width <= PartRows::narrow) {
    const auto& whole = part.values.at(column.name);
    const auto from = whole.begin() + static_cast<std::ptrdiff_t>(std::size_t{place.row} * width);
    numbers.insert(numbers.end(), from, from + static_cast<std::ptrdiff_t>(width));
    return;
  }
  if (open_ == nullptr || open_part_ != static_cast<std::size_t>(place.part)) {
    open_ = std::make_unique<ResultTableReader>(part.path);
    open_part_ = static_cast<std::size_t>(place.part);
  }
  const std::vector<double> row = open_->rows(column.name, place.row, 1);
  numbers.insert(numbers.end(), row.begin(), row.end());
}

std::vector<double> SweepRows::numbers(const ResultColumn& column, const std::vector<Count>& runs) {
  std::vector<double> numbers;
  numbers.reserve(runs.size() * column.width());
  for (const Count run : runs) {
    require(has(run), "a run without a row has no numbers");
    add_row(column, place(run), numbers);
  }
  return numbers;
}

}  // namespace electret
