#pragma once
/// \file
/// A material at the quadrature points of eight elements at a time. It uses the vectorised formulas
/// (detail/volume_points.inl) and, at the points for which they do not hold, singular values (material.hpp).

#include <array>
#include <iterator>

#include <electret/elastic/detail/volume_kernels.hpp>
#include <electret/elastic/element_batches.hpp>
#include <electret/elastic/material.hpp>

namespace electret::detail {

/// `entries` numbers per point of eight elements with `corners` corners each, as [point and entry][element].
template <int corners, int entries, class T>
struct PointNumbers {
  static constexpr int points = corners == 8 ? 8 : 1;
  alignas(64) T at[points * entries][ElementBatches::width];
};
template <int corners>
using PointScalars = PointNumbers<corners, 1, double>;
template <int corners>
using PointMatrices = PointNumbers<corners, 9, double>;
/// The upper triangle of ∂P/∂F.
template <int corners, class T>
using PointTangents = PointNumbers<corners, tangent_entries, T>;

class VolumePoints {
 public:
  static constexpr std::size_t width = ElementBatches::width;

  /// μ and λ of eight elements.
  struct LameBatch {
    LameBatch() = default;
    explicit LameBatch(const Lame& of_all) {
      for (std::size_t l = 0; l < width; ++l) set(l, of_all);
    }
    void set(std::size_t lane, const Lame& lame) { mu[lane] = lame.mu, lambda[lane] = lame.lambda; }

    alignas(64) std::array<double, width> mu{}, lambda{};
  };

  explicit VolumePoints(MaterialModel model) : model_(model) {}

  static const VolumeKernels& kernels() { return volume_kernels(); }
  static const ElementKernels& element_kernels(int corners) {
    return corners == 8 ? kernels().hexahedron : kernels().tetrahedron;
  }

  /// Ψ and P of the deformation gradients `f`.
  template <int corners>
  void stress(const PointMatrices<corners>& f, const LameBatch& lame, PointScalars<corners>& energies,
              PointMatrices<corners>& stresses) const {
    constexpr int points = PointMatrices<corners>::points;
    PointMask left = all_of<points>;
    if (const PointKernels* of = of_model())
      left =
          of->stress(points, f.at[0], {lame.mu.data(), lame.lambda.data()}, energies.at[0], stresses.at[0]);
    if (left != 0) stress_by_singular_values(left, f.at[0], lame, energies.at[0], stresses.at[0]);
  }

  /// ∂P/∂F, or its nearest positive semi-definite matrix.
  template <int corners, class T>
  void tangent(const PointMatrices<corners>& f, const LameBatch& lame, HessianKind kind,
               PointTangents<corners, T>& tangents) const {
    constexpr int points = PointMatrices<corners>::points;
    const BatchLame values{lame.mu.data(), lame.lambda.data()};
    const PointKernels* of = of_model();
    const bool exact = kind == HessianKind::exact;
    PointMask left = all_of<points>;
    if (of != nullptr) {
      if constexpr (sizeof(T) == sizeof(double))
        left = (exact ? of->tangent : of->clamped)(points, f.at[0], values, tangents.at[0]);
      else
        left = (exact ? of->tangent32 : of->clamped32)(points, f.at[0], values, tangents.at[0]);
    }
    if (left != 0) tangent_by_singular_values(left, f.at[0], lame, kind, tangents.at[0]);
  }

 private:
  /// All points of every element of a batch.
  template <int points>
  static constexpr PointMask all_of = ~PointMask{} >> (64 - width * points);

  /// Null for a model without kernels, for which the slow formulas serve all points.
  [[nodiscard]] const PointKernels* of_model() const {
    const auto number = static_cast<std::size_t>(model_);
    return number < std::size(kernels().models) ? &kernels().models[number] : nullptr;
  }
  void stress_by_singular_values(PointMask points, const double* f, const LameBatch& lame, double* energies,
                                 double* stresses) const;
  template <class T>
  void tangent_by_singular_values(PointMask points, const double* f, const LameBatch& lame, HessianKind kind,
                                  T* tangents) const;

  MaterialModel model_;
};

}  // namespace electret::detail
