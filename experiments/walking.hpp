#pragma once
/// \file
/// What the experiments of bodies that walk or roll by their muscles have in common ([DiffPD] §7.3): gaits
/// are searched for by their gradient, by the published contact and by the exact one.

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <electret/dynamics/loss.hpp>

#include "numpy_random.hpp"
#include "scene_source.hpp"

namespace electret::experiments {

/// A number of a gait: the value of all `parameters` of the scene, at place `entry` of each.
struct GaitNumber {
  std::string name;                     ///< "A_f".
  std::vector<std::string> parameters;  ///< "body.quadruped.muscle.0.A".
  std::size_t entry = 0;
  double lowest = 0.0, highest = 1.0;
};
using Gait = std::vector<double>;

/// A uniform draw within the bounds, one number after the other.
[[nodiscard]] Gait drawn_gait(const std::vector<GaitNumber>& numbers, NumpyRandom& random);

struct Walker {
  std::string name;
  std::string description;                        ///< Of body and material, for the settings.
  std::function<SceneSource(const Gait&)> scene;  ///< By the published contact.
  std::vector<std::string> exact;                 ///< What changes in its text for exact friction.
  std::vector<GaitNumber> numbers;
  std::unique_ptr<Loss> loss;
  std::string loss_text;
  std::optional<Gait> published_start;  ///< Absent: the best sample is.
  std::vector<Gait> samples;            ///< As published.
  Count frames = 0;
  double step = 0.0;  ///< s.
  Count evaluations = 30;
  double published_seconds = 0.0;           ///< Of one loss and gradient, by 8 threads.
  std::optional<std::size_t> scanned;       ///< The number over which the loss is drawn.
  std::vector<std::size_t> differentiated;  ///< Those whose derivatives are compared with differences,
  Gait differentiated_at;                   ///< there,
  Count differentiated_frames = 0;          ///< in so short a run.
  ViewDirection view{};
};

/// A search: one run of an optimiser from one start.
struct GaitSearch {
  std::string law, start, optimiser;
  Gait from, found;
  double last = 0.0;           ///< The least loss,
  std::vector<double> losses;  ///< of these; +∞ where a run diverged.
  std::string end;
  Count capped = 0;  ///< Steps of all runs that missed their tolerance.
};

/// The losses of the samples by one law.
struct SampledGaits {
  std::string law;
  std::vector<double> losses;
  [[nodiscard]] std::size_t best() const;
  [[nodiscard]] double least() const { return losses[best()]; }
  [[nodiscard]] double mean() const;
};

/// Searches, and shows what was found.
class Walking {
 public:
  Walking(const Context& context, Report& report, Walker walker);

  [[nodiscard]] const Walker& walker() const { return walker_; }
  /// The mean position of all vertices after each frame from 0 on, by the published contact.
  [[nodiscard]] std::vector<Vec3> middles(const Gait& gait, Count frames, double tolerance) const;
  /// The relative difference between derivatives of the loss and differences of it, in a short run.
  [[nodiscard]] double difference_miss() const;
  struct Evaluation {
    double loss = 0.0;
    Gait gradient;
    Count capped = 0;
  };
  [[nodiscard]] Evaluation evaluated(const SceneSource& scene) const;
  [[nodiscard]] double loss_of(const SceneSource& scene) const;

  /// All searches: by the published contact from the best sample and from the published start, by the exact
  /// one from its best sample.
  void search();
  [[nodiscard]] const SampledGaits& sampled(const std::string& law) const;
  [[nodiscard]] const GaitSearch& best(const std::string& law) const;
  [[nodiscard]] const std::vector<GaitSearch>& searches() const { return searches_; }
  /// Claims about derivatives and times, tables, charts, pictures and settings.
  void show();
  /// The mean position at the end of the best gait by a law; after `show`.
  [[nodiscard]] const Vec3& end_of(const std::string& law) const;
  /// Nothing in a small run.
  [[nodiscard]] std::optional<bool> if_whole(bool holds) const;

 private:
  [[nodiscard]] SceneSource by(const std::string& law, const Gait& gait) const;
  void sample(const std::string& law, double part);
  void search_from(const std::string& law, const std::string& start, const Gait& from,
                   const std::string& optimiser, double part);
  [[nodiscard]] std::string subtitle() const;
  void tables();
  void learning_curve();
  void landscape();
  void strip();
  void claims();
  void settings();

  const Context& context_;
  Report& report_;
  Walker walker_;
  std::size_t cubes_ = 0, vertices_ = 0;
  std::vector<SampledGaits> sampled_;
  std::vector<GaitSearch> searches_;
  std::vector<std::pair<std::string, Vec3>> ends_;
  double seconds_ = 0.0;  ///< Of one loss and gradient by the published contact, on average.
  Count timed_ = 0;
};

/// The vertices of the body's surface, ascending.
[[nodiscard]] std::vector<Index> surface_vertices(const SceneSource& scene);

}  // namespace electret::experiments
