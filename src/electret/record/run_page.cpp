#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

#include <electret/core/digits.hpp>
#include <electret/core/errors.hpp>
#include <electret/core/text.hpp>
#include <electret/core/version.hpp>
#include <electret/record/detail/markup.hpp>
#include <electret/record/energy_change.hpp>
#include <electret/record/energy_plot.hpp>
#include <electret/record/energy_table.hpp>
#include <electret/record/run_page.hpp>
#include <electret/record/unfinished.hpp>
#include <electret/scene/read.hpp>

namespace electret {
namespace {

constexpr const char* head = R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src 'self' file:; media-src 'self' file:">
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; color: #222; background: #fff; }
h1 { margin-bottom: 0.2rem; }
h2 { margin-top: 2rem; font-size: 1.2rem; }
table { border-collapse: collapse; }
th { text-align: left; font-weight: 600; padding: 0.15rem 1.5rem 0.15rem 0; vertical-align: top; }
td { padding: 0.15rem 0; overflow-wrap: anywhere; }
pre { background: #f5f5f5; padding: 1rem; overflow-x: auto; font-size: 0.85rem; }
svg, img, video { max-width: 100%; height: auto; }
figure { margin: 0; }
.bad { color: #a40000; font-weight: 600; }
</style>
)";

/// A user's text. Its line breaks are kept; nothing else of it has an effect.
std::string safe(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of("\n\t"), text.size());
    result += marked_up(printable(text.substr(0, end)));
    if (end < text.size()) result += text[end];
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

/// A relative path as an address. Characters other than letters, digits and "-._~/" are escaped by their
/// bytes.
std::string address(std::string_view path) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string result = path.starts_with("/") ? "" : "./";  // "a:b" names no protocol.
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_plain =
        is_ascii_alphanumeric(c) || std::string_view("-._~/").find(c) != std::string_view::npos;
    if (is_plain)
      result += c;
    else
      (result += '%').append(1, digits[byte / 16]).append(1, digits[byte % 16]);
  }
  return result;
}

std::string number(double value) {
  return general_text(value, 4);
}

void add_row(std::string& html, const char* name, const std::string& value) {
  html += std::string("<tr><th>") + name + "</th><td>" + value + "</td></tr>\n";
}

std::string status_text(const RunResult& run) {
  std::string status = to_string(run.status);
  if (run.status == RunStatus::done) return status;
  return "<span class=\"bad\">" + status + (run.status == RunStatus::running ? ", or killed" : "") +
         "</span>";
}

std::string failure_text(const RunFailure& failure) {
  std::string text = failure.step ? "step " + std::to_string(*failure.step) + ": " : "";
  if (failure.vertex) text += "vertex " + std::to_string(*failure.vertex) + ": ";
  return safe(text + failure.cause + (failure.advice.empty() ? "" : "; " + failure.advice));
}

void add_summary(std::string& html, const RunResult& run) {
  html += "<table>\n";
  add_row(html, "status", status_text(run));
  if (run.failure) add_row(html, "failure", failure_text(*run.failure));
  if (!run.scene_file.empty()) add_row(html, "scene file", safe(run.scene_file));
  add_row(html, "vertices, springs", std::to_string(run.vertices) + ", " + std::to_string(run.springs));
  add_row(html, "steps, frames", std::to_string(run.steps) + ", " + std::to_string(run.frames));
  add_row(html, "integrator", safe(run.integrator));
  add_row(html, "field solver", safe(run.solver));
  add_row(html, "time",
          number(run.wall_total) + " s (field " + number(run.wall_field) + " s, elastic " +
              number(run.wall_elastic) + " s, output " + number(run.wall_output) + " s)");
  add_row(html, "largest energy change", safe(energy_change_text(run)));
  html += "</table>\n";
}

void add_list(std::string& html, const char* title, const std::vector<std::string>& texts) {
  if (texts.empty()) return;
  html += std::string("<h2>") + title + "</h2>\n<ul>\n";
  for (const std::string& text : texts) html += "<li>" + safe(text) + "</li>\n";
  html += "</ul>\n";
}

void add_pictures(std::string& html, const std::vector<std::string>& pictures) {
  if (pictures.empty()) return;
  html += "<h2>Pictures</h2>\n";
  for (const std::string& path : pictures)
    html += path.ends_with(".mp4")
                ? "<figure><video controls src=\"" + address(path) + "\"></video></figure>\n"
                : "<figure><img src=\"" + address(path) + "\" alt=\"" + safe(path) + "\"></figure>\n";
}

void add_scene(std::string& html, const RunPage& page) {
  if (page.scene.empty()) return;
  html += "<h2>Scene</h2>\n";
  if (!page.overrides.empty()) html += "<p>With</p>\n<pre>" + safe(page.overrides) + "</pre>\n";
  html += "<pre>" + safe(page.scene) + "</pre>\n";
}

/// The name that the scene's text gives; none if this version cannot read the text.
std::string scene_name(const std::string& text, const std::string& overrides) {
  try {
    return text.empty() ? "" : parse_scene(text, "trajectory.h5", ".", lines_of(overrides)).name;
  } catch (const InputError&) {
    return "";
  }
}

/// The path from the folder to the file if there is one, else the whole path.
std::string relative(const std::string& path, const std::string& folder) {
  namespace fs = std::filesystem;
  return fs::proximate(fs::weakly_canonical(path), fs::weakly_canonical(folder)).string();
}

/// energy.svg of a run whose scene has this name; throws IoError without its table.
std::string plot_of(const RunDirectory& folder, const std::string& name) {
  return energy_plot(read_energies(folder.energies()), name.empty() ? "Energies" : "Energies: " + name);
}

}  // namespace

std::string run_page_text(const RunPage& page) {
  const std::string title = page.name.empty() ? "A run" : safe(page.name);
  std::string html = head + std::string("<title>") + title + "</title>\n</head>\n<body>\n<h1>" + title +
                     "</h1>\n<p>Electret " + version + "</p>\n";
  add_summary(html, page.result);
  add_list(html, "Warnings", page.result.warnings);
  add_list(html, "Automatic choices", page.result.choices);
  if (const auto begin = page.energy_plot.find("<svg"); begin != std::string::npos)
    html += "<h2>Energies</h2>\n<figure>\n" + page.energy_plot.substr(begin) + "</figure>\n";
  add_pictures(html, page.pictures);
  add_scene(html, page);
  html += "<h2>Files</h2>\n<ul>\n";
  for (const std::string& file : all_but("index.html", page.files))
    html += "<li><a href=\"" + address(file) + "\">" + safe(file) + "</a></li>\n";
  html += "</ul>\n";
  return html + "</body>\n</html>\n";
}

void renew_energy_plot(const RunDirectory& folder) {
  const TrajectoryReader run = folder.open();
  write_file_whole(folder.plot(), plot_of(folder, scene_name(run.scene(), run.overrides())));
}

void renew_run_page(const RunDirectory& folder, const std::vector<std::string>& pictures) {
  const TrajectoryReader run = folder.open();
  RunPage page{.name = scene_name(run.scene(), run.overrides()), .result = {}};
  page.scene = run.scene();
  page.overrides = run.overrides();
  try {
    page.result = read_summary(folder.summary());
  } catch (const IoError&) {  // The run was killed before it had one.
    page.result.vertices = run.vertices();
    page.result.frames = run.frames();
  }
  try {
    page.energy_plot = plot_of(folder, page.name);
  } catch (const IoError&) {  // The same.
  }
  page.files = folder.files();
  for (const std::string& picture : pictures) page.pictures.push_back(relative(picture, folder.path()));
  write_file_whole(folder.page(), run_page_text(page));
}

}  // namespace electret
