#include <cmath>
#include <set>
#include <utility>

#include <electret/core/digits.hpp>
#include <electret/record/detail/files.hpp>
#include <electret/record/observables.hpp>

namespace electret {
namespace {

/// `name` with _ in the place of all but letters, digits, - and .
std::string plain(std::string name) {
  for (char& c : name)
    if (!is_ascii_alphanumeric(c) && c != '-' && c != '.') c = '_';
  return name;
}

/// The obstacles' names as columns have them. One that another obstacle has already gets a number; names that
/// are plain are nobody else's.
std::vector<std::string> column_names(const std::vector<std::string>& obstacles) {
  std::set<std::string> taken;
  for (const std::string& name : obstacles)
    if (plain(name) == name) taken.insert(name);
  std::vector<std::string> names;
  for (const std::string& obstacle : obstacles) {
    std::string name = plain(obstacle);
    if (name != obstacle)
      for (int number = 2; !taken.insert(name).second; ++number)
        name = plain(obstacle) + "_" + std::to_string(number);
    names.push_back(std::move(name));
  }
  return names;
}

}  // namespace

Observables Observer::observe(double time, ScalarView masses, ScalarView charges, VectorView positions,
                              VectorView velocities) {
  Observables result;
  result.time = time;
  double mass = 0.0, spread = 0.0;
  Vec3 moment;
  charged_.clear();
  for (std::size_t i = 0; i < masses.size(); ++i) {
    mass += masses[i];
    moment += masses[i] * positions[i];
    result.linear_momentum += masses[i] * velocities[i];
    result.angular_momentum += masses[i] * cross(positions[i], velocities[i]);
    if (charges[i] != 0.0) charged_.push_back(positions[i]);
  }
  result.centre_of_mass = (1.0 / mass) * moment;
  for (std::size_t i = 0; i < masses.size(); ++i)
    spread += masses[i] * squared_norm(positions[i] - result.centre_of_mass);
  result.radius_of_gyration = std::sqrt(spread / mass);
  result.smallest_charge_distance = closest_.distance(charged_);
  return result;
}

std::string observables_header_with(const std::vector<std::string>& obstacles, bool do_bodies_touch) {
  std::string header = observables_header;
  for (const std::string& name : column_names(obstacles))
    for (const char* axis : {"x", "y", "z"}) header += ",force_of_" + name + "_" + axis;
  if (do_bodies_touch) header += ",contact_energy";
  return header;
}

std::vector<double> observables_numbers(const Observables& o) {
  std::vector<double> numbers{o.time};
  const auto add_vector = [&](const Vec3& v) { numbers.insert(numbers.end(), {v.x, v.y, v.z}); };
  add_vector(o.centre_of_mass);
  numbers.push_back(o.radius_of_gyration);
  add_vector(o.linear_momentum);
  add_vector(o.angular_momentum);
  numbers.push_back(o.smallest_charge_distance);
  for (const Vec3& force : o.obstacle_forces) add_vector(force);
  if (o.contact_energy) numbers.push_back(*o.contact_energy);
  return numbers;
}

std::string observables_row(const Observables& observables) {
  return row_of_numbers(observables_numbers(observables));
}

}  // namespace electret
