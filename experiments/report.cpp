#include "report.hpp"

#include <filesystem>
#include <fstream>
#include <system_error>

#include <fmt/format.h>

#include <electret/core/errors.hpp>
#include <electret/record/unfinished.hpp>

namespace electret::experiments {
namespace {

namespace fs = std::filesystem;

/// How report.md begins: by this an earlier report is known.
constexpr const char* first_words = "# electret reproduce ";

template <class... Forms>
struct Overloaded : Forms... {
  using Forms::operator()...;
};
template <class... Forms>
Overloaded(Forms...) -> Overloaded<Forms...>;

std::string written(const Table::Cell& cell, int digits) {
  return std::visit(Overloaded{[](const std::string& text) { return text; },
                               [](Count count) { return std::to_string(count); },
                               [&](double value) { return fmt::format("{:.{}g}", value, digits); }},
                    cell);
}

/// As a cell of a CSV file: text with a comma in quotes.
std::string csv_cell(const Table::Cell& cell) {
  const std::string text = written(cell, 17);
  return text.find(',') == std::string::npos ? text : "\"" + text + "\"";
}

/// A cell of a Markdown table: "|" would end it.
std::string markdown_cell(const std::string& text) {
  std::string cell;
  for (const char c : text) cell += c == '|' ? "\\|" : std::string(1, c);
  return cell;
}

void write_file(const fs::path& path, const std::string& bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (!file) throw IoError("\"" + path.string() + "\" could not be written: is the disk full?");
}

bool is_report(const fs::path& folder) {
  std::ifstream file(folder / "report.md");
  std::string line;
  return std::getline(file, line) && line.starts_with(first_words);
}

}  // namespace

std::string to_string(const Claim& claim) {
  const char* verdict = !claim.reproduced   ? "not measured"
                        : *claim.reproduced ? "reproduced"
                                            : "not reproduced";
  return claim.text + " — " + verdict + " — " + claim.figure;
}

void Table::add(std::vector<Cell> row) {
  require(row.size() == columns_.size(), "a table's row has a cell a column");
  rows_.push_back(std::move(row));
}

std::string Table::csv() const {
  std::string text = fmt::format("{}\n", fmt::join(columns_, ","));
  for (const auto& row : rows_)
    for (std::size_t k = 0; k < row.size(); ++k) text += csv_cell(row[k]) + (k + 1 < row.size() ? "," : "\n");
  return text;
}

std::string Table::markdown() const {
  std::string text = "|", rule = "|";
  for (const auto& column : columns_) {
    text += " " + column + " |";
    rule += " --- |";
  }
  text += "\n" + rule + "\n";
  for (const auto& row : rows_) {
    text += "|";
    for (const Cell& cell : row) text += " " + markdown_cell(written(cell, 3)) + " |";
    text += "\n";
  }
  return text;
}

void Report::setting(std::string name, std::string value) {
  settings_.push_back({std::move(name), std::move(value)});
}

void Report::table(const Table& table, bool shown) {
  files_.push_back({table.name() + ".csv", table.csv()});
  if (shown) shown_.push_back(table.markdown());
}

void Report::chart(const std::string& name, const Chart& chart) {
  drawing(name, chart.title, chart_svg(chart), chart_png(chart));
}

void Report::chart(const std::string& name, const ColourMap& map) {
  drawing(name, map.title, colour_map_svg(map), colour_map_png(map));
}

void Report::chart(const std::string& name, const PictureStrip& strip) {
  drawing(name, strip.title, picture_strip_svg(strip), picture_strip_png(strip));
}

void Report::chart(const std::string& name, const TracedStrip& strip, Threads& threads) {
  StripDrawings drawings = draw(strip, threads);
  drawing(name, strip.title, std::move(drawings.svg), std::move(drawings.png));
}

void Report::chart(const std::string& name, const TracedRows& strip, Threads& threads) {
  StripDrawings drawings = draw(strip, threads);
  drawing(name, strip.title, std::move(drawings.svg), std::move(drawings.png));
}

void Report::drawing(const std::string& name, const std::string& title, std::string svg, std::string png) {
  files_.push_back({name + ".svg", std::move(svg)});
  files_.push_back({name + ".png", std::move(png)});
  charts_.push_back(fmt::format("![{}]({}.png)\n", title, name));
}

void Report::input(const std::string& name, std::string bytes) {
  files_.push_back({"inputs/" + name, std::move(bytes)});
}

std::string Report::markdown(const std::string& title, const std::string& introduction) const {
  std::string text = first_words + title + "\n\n" + introduction + "\n";
  for (const Claim& claim : claims_) text += "* " + to_string(claim) + "\n";
  for (const auto& chart : charts_) text += "\n" + chart;
  for (const auto& table : shown_) text += "\n" + table;
  for (const auto& remark : remarks_) text += "\n" + remark + "\n";
  text += "\n## Settings\n\n| setting | value |\n| --- | --- |\n";
  for (const auto& [name, value] : settings_) text += "| " + name + " | " + markdown_cell(value) + " |\n";
  text += "\n## Files\n\n";
  for (const auto& file : files_) text += "* [" + file.name + "](" + file.name + ")\n";
  if (commands_.empty()) return text;
  text += "\nParts of it by hand, in this folder:\n\n```sh\n";
  for (const auto& command : commands_) text += command + "\n";
  return text + "```\n";
}

void Report::check_contents(const std::string& folder) {
  std::error_code error;
  if (!fs::exists(folder, error)) return;
  if (!fs::is_directory(folder, error))
    throw InputError(Finding{{folder, 0, 0}, "is a file", "reports are folders"});
  if (!fs::is_empty(folder, error) && !is_report(folder))
    throw InputError(Finding{{folder, 0, 0},
                             "holds something else than a report of 'electret reproduce'",
                             "give another folder with -o; an earlier report is replaced"});
}

void Report::check_usable(const std::string& folder) {
  check_contents(folder);
  fs::path first_made(folder);  // of the report's folder and its parents
  std::error_code error;
  while (first_made.has_parent_path() && !fs::exists(first_made.parent_path(), error)) {
    if (first_made.parent_path() == first_made) break;
    first_made = first_made.parent_path();
  }
  const fs::path parent = first_made.parent_path();
  if (!parent.empty() && !fs::is_directory(parent, error))
    throw InputError(Finding{{parent.string(), 0, 0}, "is no folder", "reports are folders"});
  // Only making a folder tells whether one can be made: permissions do not hold for root, nor in /proc.
  try {
    const Unfinished probe(first_made.string(), Unfinished::Kind::folder);
  } catch (const IoError& reason) {
    throw InputError(Finding{{}, reason.what(), "give a folder that can be written with -o"});
  }
}

void Report::write(const std::string& folder, const std::string& title,
                   const std::string& introduction) const {
  check_contents(folder);
  const fs::path place(folder);
  try {
    if (place.has_parent_path()) fs::create_directories(place.parent_path());
    Unfinished report(folder, Unfinished::Kind::folder);
    const fs::path beside(report.name());
    fs::create_directories(beside / "inputs");
    for (const auto& file : files_) write_file(beside / file.name, file.bytes);
    write_file(beside / "report.md", markdown(title, introduction));
    fs::remove_all(place);
    report.put_in_place();
  } catch (const fs::filesystem_error& error) {
    throw IoError("\"" + folder + "\" could not be written: " + error.code().message());
  }
}

}  // namespace electret::experiments
