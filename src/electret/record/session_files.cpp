#include <algorithm>
#include <charconv>
#include <set>
#include <system_error>

#include <electret/record/detail/files.hpp>
#include <electret/record/session_files.hpp>
#include <electret/record/unfinished.hpp>

namespace electret {
namespace {

/// The number that `digits` is, from 1; 0 if it is none.
int from_one(std::string_view digits) {
  int number = 0;
  const auto end = digits.data() + digits.size();
  const auto read = std::from_chars(digits.data(), end, number);
  return read.ec == std::errc() && read.ptr == end && number > 0 ? number : 0;
}

bool take_end(std::string_view& name, std::string_view end) {
  if (!name.ends_with(end)) return false;
  name.remove_suffix(end.size());
  return true;
}

/// "session.before.toml", "session.before-2.toml".
bool is_session_aside(std::string_view name) {
  constexpr std::string_view stem = "session.before";
  if (!name.starts_with(stem) || !take_end(name, ".toml")) return false;
  name.remove_prefix(std::min(stem.size(), name.size()));
  return name.empty() || (name.front() == '-' && from_one(name.substr(1)) > 1);
}

/// These and their texts: "session.before-2.start.toml".
bool is_moved_aside(std::string_view name) {
  std::string_view stem = name;
  const bool is_of_text = take_end(stem, ".start.toml") || take_end(stem, ".text.toml");
  return is_session_aside(is_of_text ? std::string(stem) + ".toml" : std::string(name));
}

bool is_text_of_session(std::string_view name) {
  return name == "session.start.toml" || name == "session.text.toml" || is_moved_aside(name);
}

/// The name that a file has when it is written.
std::string_view written_name(std::string_view name) {
  const std::string_view finished = finished_name(name);
  return finished.empty() ? name : finished;
}

}  // namespace

int painted_number(std::string_view file) {
  if (!take_end(file, ".csv")) return 0;
  const std::size_t dot = file.rfind('.');
  if (dot == std::string_view::npos) return 0;
  const int number = from_one(file.substr(dot + 1));
  file = file.substr(0, dot);
  // A body whose file's name was taken has another: "torus.charges-2.3.csv".
  const std::size_t table = file.rfind(".charges");
  if (table == std::string_view::npos || table == 0) return 0;
  const std::string_view rest = file.substr(table + std::string_view(".charges").size());
  return rest.empty() || (rest.front() == '-' && from_one(rest.substr(1)) > 1) ? number : 0;
}

std::vector<std::string> painted_files(const std::string& folder) {
  std::set<std::string> found;
  for (const std::string& name : names_in_folder(folder))
    if (painted_number(written_name(name)) > 0) found.emplace(written_name(name));
  return {found.begin(), found.end()};
}

std::vector<std::string> sessions_aside(const std::string& folder) {
  std::vector<std::string> names = names_in_folder(folder);
  std::erase_if(names, [](const std::string& name) { return !is_session_aside(name); });
  std::sort(names.begin(), names.end());
  return names;
}

bool holds_begun_session(const std::string& folder) {
  const std::vector<std::string> names = names_in_folder(folder);
  const auto is_one = [](std::string_view name) {
    const std::string_view written = written_name(name);
    return is_text_of_session(written) || painted_number(written) > 0 || written == "checkpoint.h5" ||
           (written == "session.toml" && written != name);
  };
  return std::any_of(names.begin(), names.end(), is_text_of_session) &&
         std::all_of(names.begin(), names.end(), is_one);
}

}  // namespace electret
