#include "elastic_solves/tables.hpp"

#include <cstdio>

namespace electret::bench {
namespace {

std::string formatted(const char* format, double number) {
  char text[40];
  std::snprintf(text, sizeof text, format, number);
  return text;
}

/// Three digits, without an exponent.
std::string three_digits(double number) {
  const double size = number < 0.0 ? -number : number;
  if (size >= 100.0) return formatted("%.0f", number);
  return formatted(size >= 10.0 ? "%.1f" : size >= 0.1 || size == 0.0 ? "%.2f" : "%.2g", number);
}

/// Names of this program have nothing that JSON escapes.
std::string quoted(const std::string& text) {
  return '"' + text + '"';
}

}  // namespace

Table::Table(std::string title, std::vector<std::string> columns)
    : title_(std::move(title)), columns_(std::move(columns)) {}

void Table::begin_row() {
  rows_.emplace_back();
}

void Table::add(const std::string& text) {
  rows_.back().emplace_back(text, quoted(text));
}

void Table::add(double number) {
  rows_.back().emplace_back(three_digits(number), formatted("%.6g", number));
}

void Table::add_missing() {
  rows_.back().emplace_back("–", "null");
}

std::string Table::markdown() const {
  std::string text = title_ + "\n\n";
  for (const std::string& column : columns_) text += "| " + column + ' ';
  text += "|\n";
  for (std::size_t k = 0; k < columns_.size(); ++k) text += "| --- ";
  text += "|\n";
  for (const auto& row : rows_) {
    for (const auto& cell : row) text += "| " + cell.first + ' ';
    text += "|\n";
  }
  return text;
}

std::string Table::json() const {
  std::string text = "{\"title\": " + quoted(title_) + ", \"rows\": [";
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    text += r == 0 ? "\n{" : ",\n{";
    for (std::size_t k = 0; k < rows_[r].size(); ++k)
      text += (k == 0 ? "" : ", ") + quoted(columns_[k]) + ": " + rows_[r][k].second;
    text += '}';
  }
  return text + "]}";
}

}  // namespace electret::bench
