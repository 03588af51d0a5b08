#include <charconv>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include <electret/fit/job_overrides.hpp>
#include <electret/geometry/input_text.hpp>
#include <electret/scene/words.hpp>

namespace electret {
namespace {

constexpr std::string_view removal = "--unset ";

std::optional<double> finite_number(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double number = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(number)) return std::nullopt;
  return number;
}

/// Sets a start; `text` is "start.PARAMETER=NUMBER".
void set_start(FitJob& job, std::string_view text, Report& report) {
  // Names of groups may hold an =, numbers do not.
  const std::size_t equal = text.rfind('=');
  const std::string key(input::trimmed(text.substr(0, equal)));
  const Location where{"--set " + key, 0, 0};
  const std::string_view name = std::string_view(key).substr(start_key.size());
  if (equal == std::string_view::npos)
    return report.add_at(where, "", "there is no \"=\"", "allowed: start.PARAMETER=NUMBER");
  const auto number = finite_number(input::trimmed(text.substr(equal + 1)));
  if (!number)
    return report.add_at(where, "", in_quotes(text.substr(equal + 1)) + " is no number",
                         "a parameter starts at a number");
  std::vector<std::string> known;
  for (std::size_t k = 0; k < job.parameters.size(); ++k) {
    known.push_back(job.parameters[k].name);
    if (job.parameters[k].name != name) continue;
    job.parameters[k].start = *number;
    job.source[fmt::format("parameter.{}.start", k)] = where;
    return;
  }
  if (!report.is_bad("parameter"))  // Else it may be one that could not be read.
    report.add_at(where, "", in_quotes(name) + " is not fitted", "allowed: " + joined(known));
}

}  // namespace

void override_job(FitJob& job, const std::vector<std::string>& overrides, Report& report) {
  for (const std::string& text : overrides) {
    if (text.starts_with(start_key))
      set_start(job, text, report);
    else if (text.starts_with(removal))
      job.fit.unset.push_back(text.substr(removal.size()));
    else
      job.fit.set.push_back(text);
    job.overrides.push_back(text);
  }
}

}  // namespace electret
