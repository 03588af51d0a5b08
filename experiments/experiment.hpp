#pragma once
/// \file
/// The papers' experiments: each a function that fills a Report. Adding one is a file with that function, its
/// declaration below, and its row in experiments.cpp.

#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>

#include <electret/core/parallel.hpp>

#include "report.hpp"

namespace electret::experiments {

/// What an experiment may use while it runs.
class Context {
 public:
  /// Told what is being done, and how much of the whole is done, 0 to 1.
  using Progress = std::function<void(std::string_view what, double part)>;

  Context(bool quick, std::string data, Threads& threads, Progress progress, std::stop_token stop)
      : quick_(quick),
        data_(std::move(data)),
        threads_(threads),
        progress_(std::move(progress)),
        stop_(std::move(stop)) {}

  /// A small version, for trying that it works: other sizes, the same steps.
  [[nodiscard]] bool quick() const { return quick_; }
  /// The user's folder of published bodies; empty where there is none.
  [[nodiscard]] const std::string& data() const { return data_; }
  [[nodiscard]] Threads& threads() const { return threads_; }
  /// Called before each piece of work. Throws Cancelled when the user wants to stop.
  void progress(std::string_view what, double part) const;
  /// Called within it. Throws Cancelled likewise.
  void check_stop() const;

 private:
  bool quick_;
  std::string data_;
  Threads& threads_;
  Progress progress_;
  std::stop_token stop_;
};

struct Experiment {
  std::string_view name;
  std::string_view source;       ///< Where it was published: "[MSC] Fig. 3".
  std::string_view description;  ///< One line.
  void (*run)(const Context& context, Report& report);
};

/// All experiments of this version.
[[nodiscard]] std::span<const Experiment> experiments();

void ddef_error(const Context& context, Report& report);
void ddef_farfield(const Context& context, Report& report);
void field_runtime(const Context& context, Report& report);
void torus_energy(const Context& context, Report& report);
void bunny_timestep(const Context& context, Report& report);
void parameter_map(const Context& context, Report& report);
void error_15(const Context& context, Report& report);
void lammps_torus(const Context& context, Report& report);
void tshirt_hung(const Context& context, Report& report);
void fit_stiffness(const Context& context, Report& report);
void fit_charge(const Context& context, Report& report);
void charge_keyframes(const Context& context, Report& report);
void external_charge(const Context& context, Report& report);
void rotating_field(const Context& context, Report& report);
void four_particles(const Context& context, Report& report);
void cantilever(const Context& context, Report& report);
void landscape(const Context& context, Report& report);
void plant(const Context& context, Report& report);
void routing_tendon(const Context& context, Report& report);
void rolling_sphere(const Context& context, Report& report);
void napkin(const Context& context, Report& report);
void bouncing_ball(const Context& context, Report& report);
void duck(const Context& context, Report& report);
void bunny_bounce(const Context& context, Report& report);
void slope(const Context& context, Report& report);
void armadillo(const Context& context, Report& report);
void starfish(const Context& context, Report& report);
void shark(const Context& context, Report& report);
void snake(const Context& context, Report& report);
void soft_starfish(const Context& context, Report& report);
void tennis_balls(const Context& context, Report& report);

}  // namespace electret::experiments
