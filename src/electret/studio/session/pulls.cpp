#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

#include <electret/core/arguments.hpp>
#include <electret/scene/toml_text.hpp>
#include <electret/studio/session/pulls.hpp>

namespace electret::studio {
namespace {

constexpr double open_end = std::numeric_limits<double>::infinity();

/// Drops the keys after `step`; whether any is left.
bool drop_keys_after(Count step, Pull& pull) {
  const auto kept = static_cast<std::size_t>(std::upper_bound(pull.steps.begin(), pull.steps.end(), step) -
                                             pull.steps.begin());
  pull.steps.resize(kept);
  pull.track.targets.times.resize(kept);
  pull.track.targets.values.resize(kept);
  return kept > 0;
}

/// `value` to so many decimal digits.
double to_digits(double value, int digits) {
  std::array<char, 32> text{};
  const auto end =
      std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::scientific, digits - 1)
          .ptr;
  double rounded = value;
  std::from_chars(text.data(), end, rounded);
  return rounded;
}

std::string numbers_text(const std::vector<double>& values) {
  return toml_value(list_node(values));
}

}  // namespace

const Pull* Pulls::find(std::uint32_t number) const {
  for (const Pull& pull : pulls_)
    if (pull.number == number) return &pull;
  return nullptr;
}

Pull* Pulls::at(std::uint32_t number) {
  for (Pull& pull : pulls_)
    if (pull.number == number) return &pull;
  return nullptr;
}

std::uint32_t Pulls::begin(GrabTrack track, double most_way, double compliance) {
  track.targets = {{}, {}, Interpolation::step};
  track.until = open_end;
  Pull& pull = pulls_.emplace_back();
  pull.number = ++last_number_;
  pull.track = std::move(track);
  pull.most_way = most_way;
  pull.compliance = compliance;
  return last_number_;
}

void Pulls::aim(std::uint32_t number, Count step, double time, const Vec3& target) {
  Pull* pull = at(number);
  require_argument(pull != nullptr && (pull->steps.empty() || step > pull->steps.back()),
                   "pulls: a key before the last one");
  if (!pull->steps.empty() && pull->track.targets.values.back() == target) return;
  pull->steps.push_back(step);
  pull->track.targets.times.push_back(time);
  pull->track.targets.values.push_back(target);
  ++revision_;
}

void Pulls::end(std::uint32_t number, Count step, double time) {
  Pull* pull = at(number);
  if (pull == nullptr || (pull->end != Pull::never && pull->end <= step)) return;
  ++revision_;
  if (pull->steps.empty() || pull->steps.front() >= step) {
    pulls_.erase(pulls_.begin() + (pull - pulls_.data()));
    return;
  }
  pull->end = step;
  pull->track.until = time;
}

void Pulls::end_all(Count step, double time) {
  for (std::size_t k = pulls_.size(); k-- > 0;) end(pulls_[k].number, step, time);
}

void Pulls::let_stand(std::uint32_t number, Count step) {
  if (Pull* pull = at(number)) pull->let_stand = step;
}

void Pulls::forget_after(Count step, double next_time) {
  ++revision_;
  std::erase_if(pulls_, [&](Pull& pull) { return !drop_keys_after(step, pull); });
  for (Pull& pull : pulls_) {
    if (pull.end != Pull::never && pull.end <= step) continue;
    if (!pull.is_tack_at(step)) pull.let_stand = Pull::never;
    const bool stays = pull.is_tack_at(step);
    pull.end = stays ? Pull::never : step + 1;
    pull.track.until = stays ? open_end : next_time;
  }
}

void Pulls::clear() {
  pulls_.clear();
  ++revision_;
}

/// As Schedule does with the scene's own.
void Pulls::add_to(std::vector<PlacedGrab>& grabs, double time, double time_step) const {
  for (const Pull& pull : pulls_) {
    const GrabTrack& track = pull.track;
    if (track.targets.empty() || !track.acts_at(time, time_step)) continue;
    grabs.push_back({evaluate(track.targets, time, time_step), track.stiffness, track.damping, track.vertices,
                     track.weights});
  }
}

std::vector<GrabTrack> Pulls::tracks_until(Count step) const {
  std::vector<GrabTrack> tracks;
  for (Pull pull : pulls_) {
    if (!drop_keys_after(step, pull)) continue;
    if (pull.end > step) pull.track.until = open_end;
    tracks.push_back(std::move(pull.track));
  }
  return tracks;
}

std::vector<Count> Pulls::tacks_until(Count step) const {
  std::vector<Count> tacks;
  for (const Pull& pull : pulls_)
    if (!pull.steps.empty() && pull.steps.front() <= step)
      // One that is let go of in the next step is a tack no longer, though its force lasts to there.
      tacks.push_back(pull.is_tack_at(step) && pull.end != step + 1 ? pull.let_stand : Pull::never);
  return tacks;
}

void Pulls::take_up(Pull pull) {
  pull.number = ++last_number_;
  pulls_.push_back(std::move(pull));
  ++revision_;
}

std::string grab_tables(const std::vector<GrabTrack>& tracks, const Assembly& assembly,
                        const std::vector<Count>& tacks) {
  std::string text;
  for (std::size_t number = 0; number < tracks.size(); ++number) {
    const GrabTrack& track = tracks[number];
    const auto& offsets = assembly.body_offsets;
    const auto after = std::upper_bound(offsets.begin(), offsets.end(), Count{track.vertices.front()});
    const auto body = static_cast<std::size_t>(after - offsets.begin()) - 1;
    const bool is_tack = number < tacks.size() && tacks[number] != Pull::never;
    text += "\n[[grab]]" + (is_tack ? "  # a tack from step " + std::to_string(tacks[number]) : "") +
            "\nbody = " + toml_string(assembly.scene.bodies[body].name) + "\nvertices = [";
    for (std::size_t k = 0; k < track.vertices.size(); ++k)
      text += (k > 0 ? ", " : "") + std::to_string(track.vertices[k] - offsets[body]);
    text += "]\nweights = " + numbers_text(track.weights) +
            "\nstiffness = " + toml_value(number_node(track.stiffness)) +
            "\ndamping = " + toml_value(number_node(track.damping)) +
            "\ntimes = " + numbers_text(track.targets.times) +
            "\ntargets = " + toml_value(rows_node(track.targets.values)) + "\ninterpolation = \"step\"\n";
    if (track.until < open_end) text += "until = " + toml_value(number_node(track.until)) + "\n";
  }
  return text;
}

double seven_digits(double value) {
  return to_digits(value, 7);
}

double rounded_beside(double value, double size) {
  const double ratio = std::abs(value) / size;
  if (!(ratio > 1.0) || !std::isfinite(ratio)) return seven_digits(value);
  return to_digits(value, std::min(17, 7 + static_cast<int>(std::ceil(std::log10(ratio)))));
}

Vec3 rounded_place(const Vec3& place, double size) {
  return {rounded_beside(place.x, size), rounded_beside(place.y, size), rounded_beside(place.z, size)};
}

}  // namespace electret::studio
