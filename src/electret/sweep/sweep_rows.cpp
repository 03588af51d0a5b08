#include <algorithm>
#include <cstring>
#include <numeric>
#include <tuple>

#include <fmt/format.h>

#include <electret/core/errors.hpp>
#include <electret/record/unreadable_error.hpp>
#include <electret/sweep/sweep_part.hpp>
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
    if (table.has_attribute(order_attribute))
      part.order = static_cast<Count>(number_in(table.attribute(order_attribute)).value_or(0.0));
    part.started = table.started();
    for (const ResultColumn& column : columns_)
      if (keeps(column)) part.values[column.name] = table.all(column.name);
    take_rows(part, table, static_cast<std::int32_t>(number));
  } catch (const IoError& error) {
    part = PartRows();
    part.path = path;
    add_fault(part, reason_of(error, path), "its runs are done again when the sweep goes on");
  }
  return part;
}

bool PartReader::keeps(const ResultColumn& column) const {
  if (keep_ == Keep::narrow) return column.width() <= PartRows::narrow && column.name != "values";
  return column.name == "status" || column.name == "wall" || column.name == "cpu";
}

/// Notes which rows count, and what is wrong with the others.
void PartReader::take_rows(PartRows& part, const ResultTableReader& table, std::int32_t number) const {
  const std::vector<bool> sound = table.sound_rows(columns_);
  const std::vector<double>& statuses = part.values.at("status");
  const std::vector<double> hashes = table.all("values");
  part.runs.reserve(sound.size());
  part.places.reserve(sound.size());
  for (std::size_t r = 0; r < sound.size(); ++r) {
    const Count run = table.runs()[r];
    if (!sound[r] || !is_status(statuses[r])) {
      add_fault(part, fmt::format("the row of run {} is damaged", run), "it does not count");
      continue;
    }
    if (run < 0 || run >= plan_.design.runs() || hashes[r] != plan_.values_hash(run)) {
      add_fault(part, fmt::format("the row of run {} was computed with other values", run),
                "it does not count");
      continue;
    }
    part.places.push_back({number, static_cast<std::uint32_t>(r), static_cast<SweepStatus>(statuses[r])});
    part.runs.push_back(run);
    if (std::string note = table.note(r); !note.empty()) part.notes[run] = std::move(note);
  }
}

void add_begun(const PartRows& part, std::vector<std::int32_t>& begun) {
  for (const Count run : part.started) {
    const auto own = static_cast<std::size_t>(run < 0 ? taken_back(run) : run);
    if (own < begun.size()) begun[own] += run < 0 ? -1 : 1;
  }
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
  std::vector<Twice> twice;
  for (std::size_t k = 0; k < part.runs.size(); ++k) take(part.runs[k], part.places[k], twice);
  compare(twice);
  add_begun(part, begun_);
  // Of millions of runs they fill the memory, and nobody asks for them any more.
  part.started = part.runs = {};
  part.places = {};
  part.notes = {};
}

void SweepRows::take(Count run, const RowPlace& place, std::vector<Twice>& twice) {
  RowPlace& known = places_[static_cast<std::size_t>(run)];
  if (known.part < 0 || is_better(rank_of(place), rank_of(known)))
    known = place;
  else if (is_result(place.status))
    twice.push_back({run, place, known});
}

void SweepRows::compare(const std::vector<Twice>& twice) {
  const std::vector<bool> differs = differing(twice);
  constexpr std::size_t most = 100;
  for (std::size_t k = 0; k < twice.size(); ++k) {
    if (!differs[k]) continue;
    has_conflicts_ = true;
    if (faults_.size() >= most) return;
    faults_.push_back(
        {{part_of(twice[k].now).path, 0, 0},
         fmt::format("run {} has another result than in {}", twice[k].run, part_of(twice[k].known).path),
         "the same run gives the same bits on machines of one instruction set; `electret sweep DIR --show` "
         "says how to repeat it"});
  }
}

std::vector<bool> SweepRows::differing(const std::vector<Twice>& twice) {
  constexpr std::size_t most_numbers = std::size_t{1} << 20;
  std::vector<bool> differs(twice.size(), false);
  for (const ResultColumn& column : compared_) {
    const std::size_t width = column.width(),
                      block = std::max<std::size_t>(most_numbers / std::max<std::size_t>(width, 1), 1);
    for (std::size_t first = 0; first < twice.size(); first += block) {
      std::vector<RowPlace> now, known;
      for (std::size_t k = first; k < std::min(first + block, twice.size()); ++k) {
        now.push_back(twice[k].now);
        known.push_back(twice[k].known);
      }
      const std::vector<double> a = numbers(column, now), b = numbers(column, known);
      for (std::size_t k = 0; k < now.size(); ++k)
        if (std::memcmp(a.data() + k * width, b.data() + k * width, width * sizeof(double)) != 0)
          differs[first + k] = true;
    }
  }
  return differs;
}

std::vector<Count> SweepRows::runs() const {
  std::vector<Count> found;
  for (std::size_t run = 0; run < places_.size(); ++run)
    if (places_[run].part >= 0) found.push_back(static_cast<Count>(run));
  return found;
}

std::vector<double> SweepRows::numbers(const ResultColumn& column, const std::vector<RowPlace>& places) {
  const std::size_t width = column.width();
  std::vector<double> numbers(places.size() * width);
  const auto put = [&](std::size_t at, const std::vector<double>& from, std::size_t row) {
    std::copy_n(from.begin() + static_cast<std::ptrdiff_t>(row * width), width,
                numbers.begin() + static_cast<std::ptrdiff_t>(at * width));
  };
  if (width <= PartRows::narrow) {
    for (std::size_t k = 0; k < places.size(); ++k)
      put(k, part_of(places[k]).values.at(column.name), places[k].row);
    return numbers;
  }
  // Each part is opened once, and rows that follow one another in it are read together.
  std::vector<std::size_t> order(places.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::tuple(places[a].part, places[a].row, a) < std::tuple(places[b].part, places[b].row, b);
  });
  for (std::size_t first = 0, last = 0; first < order.size(); first = last) {
    const RowPlace& from = places[order[first]];
    for (last = first + 1; last < order.size(); ++last) {
      const RowPlace& before = places[order[last - 1]];
      const RowPlace& next = places[order[last]];
      if (next.part != before.part || next.row > before.row + 1) break;
    }
    const std::vector<double> rows =
        opened(from.part).rows(column.name, from.row, places[order[last - 1]].row - from.row + 1);
    for (std::size_t k = first; k < last; ++k) put(order[k], rows, places[order[k]].row - from.row);
  }
  return numbers;
}

const ResultTableReader& SweepRows::opened(std::int32_t part) {
  if (open_ == nullptr || open_part_ != part) {
    open_ = std::make_unique<ResultTableReader>(parts_[static_cast<std::size_t>(part)].path);
    open_part_ = part;
  }
  return *open_;
}

std::vector<double> SweepRows::numbers(const ResultColumn& column, const std::vector<Count>& runs) {
  std::vector<RowPlace> places;
  places.reserve(runs.size());
  for (const Count run : runs) {
    require(has(run), "a run without a row has no numbers");
    places.push_back(place(run));
  }
  return numbers(column, places);
}

}  // namespace electret
