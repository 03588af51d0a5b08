#include <algorithm>
#include <chrono>
#include <limits>
#include <map>
#include <set>
#include <thread>
#include <tuple>

#include <sys/stat.h>
#include <unistd.h>

#include <electret/core/errors.hpp>
#include <electret/core/text.hpp>
#include <electret/record/detail/file_sum.hpp>
#include <electret/record/detail/ordered_file.hpp>
#include <electret/record/result_table.hpp>
#include <electret/record/unreadable_error.hpp>

namespace electret {
namespace {

constexpr std::size_t longest_note = 1000;
constexpr const char* run_name = "run";
constexpr const char* started_name = "started";
constexpr const char* sum_name = "sum";
constexpr const char* columns_name = "columns";
constexpr const char* noted_name = "notes/row";
constexpr const char* note_end_name = "notes/end";
constexpr const char* note_name = "notes/text";
/// Bytes of a note in each number, which a double holds exactly.
constexpr std::size_t note_bytes = 6;

/// About 4 kB a chunk, so that a row more writes little.
std::uint64_t result_chunk_rows(std::size_t width) {
  return std::clamp<std::uint64_t>(512 / std::max<std::size_t>(width, 1), 1, 64);
}

hdf5::Stored stored_kind_of(ResultColumn::Kind kind) {
  return kind == ResultColumn::Kind::whole    ? hdf5::Stored::int64
         : kind == ResultColumn::Kind::single ? hdf5::Stored::float32
                                              : hdf5::Stored::float64;
}

/// A text as whole numbers of six bytes each, the first one lowest, filled up with zeros.
std::vector<double> note_numbers(const std::string& text) {
  const std::size_t size = std::min(text.size(), longest_note);
  std::vector<double> numbers;
  for (std::size_t at = 0; at < size; at += note_bytes) {
    std::uint64_t bits = 0;
    for (std::size_t k = 0; k < std::min(note_bytes, size - at); ++k)
      bits |= static_cast<std::uint64_t>(static_cast<unsigned char>(text[at + k])) << (8 * k);
    numbers.push_back(static_cast<double>(bits));
  }
  return numbers;
}

std::string note_text(std::span<const double> numbers) {
  std::string text;
  for (const double number : numbers)
    for (auto bits = static_cast<std::uint64_t>(std::max(number, 0.0)); bits != 0; bits >>= 8)
      text += static_cast<char>(static_cast<unsigned char>(bits & 0xff));
  return text;
}

std::vector<Count> run_numbers_of(const std::vector<double>& numbers) {
  std::vector<Count> counts;
  counts.reserve(numbers.size());
  for (const double number : numbers) counts.push_back(static_cast<Count>(number));
  return counts;
}

/// Adds the numbers of a row as they are stored.
void add_as_stored(Crc& sum, std::span<const double> numbers, bool single) {
  if (!single) return sum.add(numbers);
  std::vector<float> stored;
  for (const double number : numbers) stored.push_back(static_cast<float>(number));
  sum.add(std::span<const float>(stored));
}

/// The sum of a run's number and of row `r` of the values, which are all rows of each column.
std::int64_t sum_of_row(Count run, std::size_t r, const std::vector<std::vector<double>>& values,
                        const std::vector<ResultColumn>& columns) {
  const auto number = static_cast<double>(run);
  Crc sum;
  sum.add(std::span<const double>(&number, 1));
  for (std::size_t k = 0; k < columns.size(); ++k) {
    const std::size_t width = columns[k].width();
    add_as_stored(sum, std::span(values[k]).subspan(r * width, width),
                  columns[k].kind == ResultColumn::Kind::single);
  }
  return sum.value();
}

}  // namespace

std::size_t ResultColumn::width() const {
  std::size_t numbers = 1;
  for (const std::uint64_t dim : shape) numbers *= dim;
  return numbers;
}

struct ResultTableWriter::Impl {
  Impl(const std::string& path, std::vector<ResultColumn> given, const TextAttributes& attributes)
      : file(path, hdf5::OrderedFile::Mode::create), columns(std::move(given)) {
    for (const auto& [name, text] : attributes) hdf5::write_attribute(file.id(), name, text);
    std::string names;
    for (const ResultColumn& column : columns) names += column.name + "\n";
    hdf5::write_attribute(file.id(), columns_name, std::string_view(names));
    started = dataset({started_name, {}, ResultColumn::Kind::whole});
    runs = dataset({run_name, {}, ResultColumn::Kind::whole});
    sums = dataset({sum_name, {}, ResultColumn::Kind::whole});
    make_groups(noted_name);
    noted = dataset({noted_name, {}, ResultColumn::Kind::whole});
    note_ends = dataset({note_end_name, {}, ResultColumn::Kind::whole});
    notes = dataset({note_name, {}, ResultColumn::Kind::whole});
    for (const ResultColumn& column : columns) {
      make_groups(column.name);
      datasets.push_back(dataset(column));
    }
    file.flush();
  }

  hdf5::Handle dataset(const ResultColumn& column) const {
    return hdf5::create_growing(file.id(), {.name = column.name,
                                            .row_shape = column.shape,
                                            .stored = stored_kind_of(column.kind),
                                            .chunk_rows = result_chunk_rows(column.width())});
  }

  /// The groups through which a name leads.
  void make_groups(const std::string& name) {
    for (std::size_t at = name.find('/'); at != std::string::npos; at = name.find('/', at + 1))
      if (groups.insert(name.substr(0, at)).second)
        hdf5::Handle made = hdf5::make_group(file.id(), name.substr(0, at));
  }

  void add_note(std::uint64_t row, const std::string& note) {
    if (note.empty()) return;
    const auto number = static_cast<double>(row);
    const std::vector<double> text = note_numbers(note);
    hdf5::append_rows(notes.get(), note_size, text.size(), text);
    note_size += text.size();
    const auto end = static_cast<double>(note_size);
    hdf5::append_row(note_ends.get(), note_rows, std::span(&end, 1));
    hdf5::append_row(noted.get(), note_rows, std::span(&number, 1));
    ++note_rows;
  }

  void add_rows(const std::vector<Count>& more, const std::vector<std::vector<double>>& values) {
    require(values.size() == columns.size(), "a row has another number of columns than its table");
    const std::size_t count = more.size();
    std::vector<double> numbers(more.begin(), more.end()), totals;
    for (std::size_t k = 0; k < columns.size(); ++k)
      hdf5::append_rows(datasets[k].get(), rows, count, values[k]);
    for (std::size_t r = 0; r < count; ++r)
      totals.push_back(static_cast<double>(sum_of_row(more[r], r, values, columns)));  // 32 bits: exact.
    hdf5::append_rows(sums.get(), rows, count, totals);
    hdf5::append_rows(runs.get(), rows, count, numbers);
    rows += count;
  }

  /// Gives the file up if `write` fails.
  template <class Write>
  void guarded(Write write) {
    try {
      write();
    } catch (const IoError&) {
      file.abandon();
      throw;
    }
  }

  hdf5::OrderedFile file;  // The first member: datasets close before it.
  std::vector<ResultColumn> columns;
  std::set<std::string> groups;
  hdf5::Handle started, runs, sums, noted, note_ends, notes;
  std::vector<hdf5::Handle> datasets;
  std::uint64_t begun = 0, rows = 0, note_rows = 0, note_size = 0;
};

ResultTableWriter::ResultTableWriter(const std::string& path, std::vector<ResultColumn> columns,
                                     const TextAttributes& attributes)
    : impl_(std::make_unique<Impl>(path, std::move(columns), attributes)) {}

ResultTableWriter::~ResultTableWriter() = default;

void ResultTableWriter::begin(Count run) {
  impl_->guarded([&] {
    const double number = static_cast<double>(run);
    hdf5::append_row(impl_->started.get(), impl_->begun, std::span(&number, 1));
    ++impl_->begun;
    impl_->file.flush();
  });
}

void ResultTableWriter::add(Count run, const std::vector<std::vector<double>>& values,
                            const std::string& note) {
  impl_->guarded([&] {
    impl_->add_note(impl_->rows, note);
    impl_->add_rows({run}, values);
    impl_->file.flush();
  });
}

void ResultTableWriter::add_rows(const std::vector<Count>& runs,
                                 const std::vector<std::vector<double>>& values) {
  impl_->guarded([&] { impl_->add_rows(runs, values); });
}

void ResultTableWriter::add_texts(const std::string& name, const std::vector<std::string>& texts) {
  impl_->guarded([&] {
    impl_->make_groups(name);
    hdf5::write_texts(impl_->file.id(), name, texts);
  });
}

void ResultTableWriter::add_texts(const std::string& name, std::size_t count,
                                  const std::function<std::string_view(std::size_t)>& text_at) {
  constexpr std::size_t block = 16384;
  impl_->guarded([&] {
    impl_->make_groups(name);
    const hdf5::Handle dataset = hdf5::create_texts(impl_->file.id(), name, count);
    std::vector<std::string> held;
    std::vector<const char*> texts;
    for (std::size_t first = 0; first < count; first += block) {
      held.clear();
      texts.clear();
      for (std::size_t k = first; k < std::min(first + block, count); ++k) held.emplace_back(text_at(k));
      for (const std::string& text : held) texts.push_back(text.c_str());
      hdf5::put_texts(dataset.get(), first, texts);
      impl_->file.flush();
    }
  });
}

void ResultTableWriter::flush() {
  impl_->guarded([&] { impl_->file.flush(); });
}

void ResultTableWriter::close() {
  Impl& table = *impl_;
  table.guarded([&] {
    for (hdf5::Handle* handle :
         {&table.started, &table.runs, &table.sums, &table.noted, &table.note_ends, &table.notes})
      *handle = {};
    table.datasets.clear();
    table.file.close();
  });
}

struct ResultTableReader::Impl {
  explicit Impl(const std::string& given) : path(given), file(hdf5::open_afresh(given)) {
    started = run_numbers_of(every(started_name));
    runs = run_numbers_of(every(run_name));
    sums = run_numbers_of(every(sum_name));
    // A kill may leave some columns a row longer than others, and a writer adds rows meanwhile.
    std::size_t whole = std::min(runs.size(), sums.size());
    for (const std::string& name : lines_of(hdf5::read_text_attribute(file.get(), columns_name))) {
      whole = std::min<std::size_t>(whole, hdf5::shape_of(file.get(), name).at(0));
      hdf5::check_held(file.get(), name);  // HDF5 keeps the index that it goes through.
    }
    runs.resize(whole);
    read_notes();
  }

  void open_again() { file = hdf5::open_afresh(path); }

  void read_notes() {
    const std::vector<double> noted = every(noted_name), ends = every(note_end_name),
                              texts = every(note_name);
    double from = 0.0;
    for (std::size_t k = 0; k < std::min(noted.size(), ends.size()); ++k) {
      if (!(ends[k] >= from) || ends[k] > static_cast<double>(texts.size()))
        return;  // Cut short, or damaged.
      if (noted[k] >= 0.0)
        notes[static_cast<std::size_t>(noted[k])] = note_text(std::span(texts).subspan(
            static_cast<std::size_t>(from), static_cast<std::size_t>(ends[k] - from)));
      from = ends[k];
    }
  }

  [[nodiscard]] std::vector<double> every(const std::string& name) const {
    return hdf5::read_rows(file.get(), name, 0, hdf5::shape_of(file.get(), name).at(0));
  }

  std::string path;
  hdf5::Handle file;
  std::vector<Count> started, runs, sums;
  std::map<std::size_t, std::string> notes;  ///< By row.
};

namespace {

/// Calls `read`; what it finds wrong is said of the file at `path`.
template <class Read>
auto readable(const std::string& path, Read read) {
  try {
    return read();
  } catch (const UnreadableError&) {
    throw;
  } catch (const IoError& error) {
    throw UnreadableError(path + " cannot be read: " + error.what(), path);
  }
}

/// What a file's directory says of its last change.
std::tuple<std::int64_t, std::int64_t, std::int64_t, std::uint64_t> last_change(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return {};
  return {status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ino};
}

/// Calls `read(k)` for k = 0, 1, … until it throws no IoError. A writer's flush is several writes, and a
/// reader that meets them half done finds a file that seems damaged. So it tries again as long as the file
/// changes, and twice if it does not, because two changes may have one time. What is damaged stays so.
template <class Read>
auto tried(const std::string& path, Read read) {
  constexpr int tries = 20, tries_unchanged = 3;
  constexpr std::chrono::milliseconds pause{5};
  for (int k = 0;; ++k) {
    const auto before = last_change(path);
    try {
      return read(k);
    } catch (const IoError&) {
      const bool may_grow = k + 1 < tries_unchanged || last_change(path) != before;
      if (::access(path.c_str(), R_OK) != 0 || !may_grow || k + 1 == tries) throw;
    }
    std::this_thread::sleep_for(pause);
  }
}

}  // namespace

ResultTableReader::ResultTableReader(const std::string& path)
    : impl_(readable(path, [&] { return tried(path, [&](int) { return std::make_unique<Impl>(path); }); })) {}

ResultTableReader::~ResultTableReader() = default;

const std::vector<Count>& ResultTableReader::started() const {
  return impl_->started;
}

const std::vector<Count>& ResultTableReader::runs() const {
  return impl_->runs;
}

std::string ResultTableReader::note(std::size_t row) const {
  const auto found = impl_->notes.find(row);
  return found == impl_->notes.end() ? std::string() : found->second;
}

std::string ResultTableReader::attribute(const std::string& name) const {
  return readable(impl_->path, [&] { return hdf5::read_text_attribute(impl_->file.get(), name); });
}

bool ResultTableReader::has_attribute(const std::string& name) const {
  return hdf5::has_attribute(impl_->file.get(), name);
}

bool ResultTableReader::has(const std::string& column) const {
  return hdf5::has_dataset(impl_->file.get(), column);
}

std::vector<bool> ResultTableReader::sound_rows(const std::vector<ResultColumn>& columns) const {
  // About 2 MB at once: a row may have millions of numbers, and each reading goes through the whole index.
  constexpr std::size_t most_numbers = std::size_t{1} << 18;
  std::size_t width = 0;
  for (const ResultColumn& column : columns) width += column.width();
  const std::size_t block = std::max<std::size_t>(most_numbers / std::max<std::size_t>(width, 1), 1);
  const std::size_t all_rows = impl_->runs.size();
  std::vector<bool> sound(all_rows);
  for (std::size_t first = 0; first < all_rows; first += block) {
    const std::size_t count = std::min(block, all_rows - first);
    std::vector<std::vector<double>> values;
    for (const ResultColumn& column : columns) values.push_back(rows(column.name, first, count));
    for (std::size_t r = 0; r < count; ++r)
      sound[first + r] = sum_of_row(impl_->runs[first + r], r, values, columns) == impl_->sums[first + r];
  }
  return sound;
}

std::vector<double> ResultTableReader::rows(const std::string& column, std::size_t first,
                                            std::size_t count) const {
  return readable(impl_->path, [&] {
    return tried(impl_->path, [&](int k) {
      if (k > 0) impl_->open_again();
      return hdf5::read_rows(impl_->file.get(), column, first, count);
    });
  });
}

std::vector<std::string> ResultTableReader::texts(const std::string& name) const {
  return readable(impl_->path, [&] { return hdf5::read_texts(impl_->file.get(), name); });
}

}  // namespace electret
