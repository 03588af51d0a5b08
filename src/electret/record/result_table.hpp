#pragma once
/// \file
/// A table of results in an HDF5 file, one row per run. It grows row by row and can be read at every instant,
/// even if the process that writes it is killed.
///
/// \code
///   ResultTableWriter table("part.h5", {{"loss", {}, ResultColumn::Kind::number}}, {{"host", "a"}});
///   table.begin(17);
///   table.add(17, {{0.5}}, "");
/// \endcode

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <electret/core/types.hpp>

namespace electret {

struct ResultColumn {
  enum class Kind { number, single, whole };  ///< 8 bytes, 4 bytes, a whole number.
  std::string name;                           ///< May lead through groups: "results/loss".
  std::vector<std::uint64_t> shape{};         ///< Of one row; empty: one number.
  Kind kind = Kind::number;

  [[nodiscard]] std::size_t width() const;  ///< Numbers in a row.
};

using TextAttributes = std::vector<std::pair<std::string, std::string>>;

/// Every function throws IoError if the file cannot be written; it then keeps what was written before.
class ResultTableWriter {
 public:
  ResultTableWriter(const std::string& path, std::vector<ResultColumn> columns,
                    const TextAttributes& attributes);
  ~ResultTableWriter();

  /// Writes that `run` is being computed, so that a run whose process dies is known.
  void begin(Count run);
  /// Adds the row of `run`: the numbers of each column, in the order of the columns. `note` says why a run
  /// has no result, or is empty. Of a note the first 1000 bytes are kept.
  void add(Count run, const std::vector<std::vector<double>>& values, const std::string& note = {});
  /// Adds several rows at once: for each column the numbers of all rows, one row after the other.
  void add_rows(const std::vector<Count>& runs, const std::vector<std::vector<double>>& values);
  /// Adds a list of texts as a dataset.
  void add_texts(const std::string& name, const std::vector<std::string>& texts);
  /// The same for a list that is long: `text_at` gives the text of each place.
  void add_texts(const std::string& name, std::size_t count,
                 const std::function<std::string_view(std::size_t)>& text_at);
  /// Makes what was added visible, and frees the memory in which HDF5 holds it.
  void flush();
  /// Flushes and closes. Without it, what was flushed remains.
  void close();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Reads such a file as it is when it is opened, also while its writer adds rows. Of rows that a kill or an
/// unfinished flush cut short, none counts.
class ResultTableReader {
 public:
  /// A file that is met in the middle of a flush is opened again after some ms, a bounded number of times.
  /// Throws UnreadableError if it is missing or damaged.
  explicit ResultTableReader(const std::string& path);
  ~ResultTableReader();

  [[nodiscard]] const std::vector<Count>& started() const;  ///< The runs begun, in that order.
  [[nodiscard]] const std::vector<Count>& runs() const;     ///< The run of each row.
  [[nodiscard]] std::string note(std::size_t row) const;    ///< Mostly empty.
  [[nodiscard]] std::string attribute(const std::string& name) const;
  [[nodiscard]] bool has_attribute(const std::string& name) const;
  [[nodiscard]] bool has(const std::string& column) const;
  /// For each row whether its numbers in `columns` are those that were written. `columns` are all that the
  /// file was made with, in that order.
  [[nodiscard]] std::vector<bool> sound_rows(const std::vector<ResultColumn>& columns) const;
  /// The numbers of `count` rows from `first` on, one row after the other. Throws UnreadableError.
  [[nodiscard]] std::vector<double> rows(const std::string& column, std::size_t first,
                                         std::size_t count) const;
  [[nodiscard]] std::vector<double> all(const std::string& column) const {
    return rows(column, 0, runs().size());
  }
  /// A list of texts that was added. Throws UnreadableError.
  [[nodiscard]] std::vector<std::string> texts(const std::string& name) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace electret
