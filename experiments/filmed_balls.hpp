#pragma once
/// \file
/// Tables, charts and pictures of searches for two filmed balls.

#include "ball_search.hpp"

namespace electret::experiments {

class FilmedBalls {
 public:
  FilmedBalls(const Context& context, Report& report, const Clip& clip, bool is_synthetic, Count steps)
      : context_(context), report_(report), clip_(clip), is_synthetic_(is_synthetic), steps_(steps) {}

  /// `truth` is the synthetic clip without noise; empty if there is none.
  void show(const BallScene& published, const BallScene& own, const std::vector<BallSearch>& searches,
            const BallSamples& published_samples, const BallSamples& own_samples,
            const BallSearch& best_published, const BallSearch& best_own, const Clip& truth);

 private:
  [[nodiscard]] std::string subtitle() const;
  void tables(const BallScene& published, const BallScene& own, const std::vector<BallSearch>& searches,
              const BallSamples& published_samples, const BallSamples& own_samples);
  void learning_curve(const std::vector<BallSearch>& searches);
  void landscape(const BallScene& published, const BallScene& own, const BallSearch& best_published,
                 const BallSearch& best_own);
  void paths(const BallScene& published, const BallScene& own, const BallSearch& best_published,
             const BallSearch& best_own, const Clip& truth);
  void strip(const BallScene& published, const BallScene& own, const BallSearch& best_published,
             const BallSearch& best_own);

  const Context& context_;
  Report& report_;
  const Clip& clip_;
  bool is_synthetic_;
  Count steps_;
};

}  // namespace electret::experiments
