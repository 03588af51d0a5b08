#include <Eigen/Dense>
#include <algorithm>

#include <electret/dynamics/stage/rigid_correction.hpp>

namespace electret {
namespace {

/// E is dense.
constexpr std::size_t most_parts = 64;

using Arm = Eigen::Matrix<double, 3, 6>;

/// The motion of a vertex by its part's translation and turn: t + ω × arm.
Arm motion_of(const Vec3& arm) {
  Arm r;
  r << 1, 0, 0, 0, arm.z, -arm.y,  //
      0, 1, 0, -arm.z, 0, arm.x,   //
      0, 0, 1, arm.y, -arm.x, 0;
  return r;
}

}  // namespace

RigidCorrection::RigidCorrection(const System& system, Preconditioner& single)
    : system_(system), single_(single), part_of_(system.masses().size(), -1) {
  for (JoinedPart& part : joined_parts(system)) {
    // A straight part has no turn about itself.
    if (!part.pins.empty() || part.vertices.size() < 3) continue;
    for (const Index v : part.vertices)
      part_of_[static_cast<std::size_t>(v)] = static_cast<Index>(parts_.size());
    parts_.push_back(std::move(part));
  }
  // A single one is what block-Jacobi has little trouble with.
  if (parts_.size() < 2 || parts_.size() > most_parts) parts_.clear();
  arms_.resize(part_of_.size());
  pushes_.resize(6 * parts_.size());
  moves_.resize(6 * parts_.size());
}

void RigidCorrection::refresh(VectorView x, const StencilMatrix* pairs) {
  is_used_ = false;
  if (parts_.empty() || pairs == nullptr || pairs->is_zero()) return;
  find_arms(x);
  is_used_ = invert(*pairs);
}

void RigidCorrection::find_arms(VectorView x) {
  for (const JoinedPart& part : parts_) {
    const Vec3 centre = centre_of_mass(part, system_.masses(), x);
    for (const Index v : part.vertices)
      arms_[static_cast<std::size_t>(v)] = x[static_cast<std::size_t>(v)] - centre;
  }
}

bool RigidCorrection::invert(const StencilMatrix& pairs) {
  const auto size = static_cast<Eigen::Index>(6 * parts_.size());
  Eigen::MatrixXd e = Eigen::MatrixXd::Zero(size, size);
  for (std::size_t p = 0; p < parts_.size(); ++p)
    for (const Index v : parts_[p].vertices) {
      const Arm r = motion_of(arms_[static_cast<std::size_t>(v)]);
      const auto at = static_cast<Eigen::Index>(6 * p);
      e.block<6, 6>(at, at) += system_.masses()[static_cast<std::size_t>(v)] * (r.transpose() * r);
    }
  pairs.for_blocks([&](Index row, Index column, const Mat3& block) {
    const Index p = part_of_[static_cast<std::size_t>(row)], q = part_of_[static_cast<std::size_t>(column)];
    if (p < 0 || q < 0) return;
    Eigen::Matrix3d b;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) b(i, j) = block.rows[static_cast<std::size_t>(i)][j];
    e.block<6, 6>(6 * p, 6 * q) += motion_of(arms_[static_cast<std::size_t>(row)]).transpose() *
                                   (b * motion_of(arms_[static_cast<std::size_t>(column)]));
  });
  const Eigen::LLT<Eigen::MatrixXd> factor(e);
  if (factor.info() != Eigen::Success) return false;
  const Eigen::MatrixXd inverse = factor.solve(Eigen::MatrixXd::Identity(size, size));
  if (!inverse.allFinite()) return false;
  inverse_.assign(inverse.data(), inverse.data() + inverse.size());
  return true;
}

/// Each part is summed by one thread, so that the bits are the same for any number of them.
void RigidCorrection::apply(PaddedView32 r, PaddedSpan32 z) {
  single_.apply(r, z);
  if (!is_used_) return;
  Threads& threads = *system_.threads;
  const auto for_parts = [&](auto&& body) {
    threads.for_chunks(static_cast<Count>(parts_.size()), 1, [&](Count begin, Count end) {
      for (auto p = static_cast<std::size_t>(begin); p < static_cast<std::size_t>(end); ++p) body(p);
    });
  };
  for_parts([&](std::size_t p) {
    Vec3 push, turn;
    for (const Index v : parts_[p].vertices) {
      const Vec3 own = unpadded(r[static_cast<std::size_t>(v)]);
      push += own;
      turn += cross(arms_[static_cast<std::size_t>(v)], own);
    }
    for (int k = 0; k < 3; ++k) {
      pushes_[6 * p + static_cast<std::size_t>(k)] = push[k];
      pushes_[6 * p + static_cast<std::size_t>(k) + 3] = turn[k];
    }
  });
  const std::size_t size = pushes_.size();
  for_parts([&](std::size_t p) {
    for (std::size_t k = 6 * p; k < 6 * p + 6; ++k) {
      double sum = 0.0;
      for (std::size_t j = 0; j < size; ++j) sum += inverse_[size * k + j] * pushes_[j];
      moves_[k] = sum;
    }
    const double* m = &moves_[6 * p];
    const Vec3 shift{m[0], m[1], m[2]}, turn{m[3], m[4], m[5]};
    for (const Index v : parts_[p].vertices) {
      const auto i = static_cast<std::size_t>(v);
      z[i] = padded32(unpadded(z[i]) + shift + cross(turn, arms_[i]));
    }
  });
}

}  // namespace electret
