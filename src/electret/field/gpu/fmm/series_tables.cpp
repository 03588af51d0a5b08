#include <cmath>

#include <electret/field/gpu/fmm/series_tables.hpp>

namespace electret::gpu {
namespace {

/// Steps of the recurrence that leaves.cl takes at once.
constexpr std::size_t chunk = 16;

float root(double value) {
  return static_cast<float>(std::sqrt(value));
}
double weight(int m) {
  return m == 0 ? 1.0 : 2.0;
}

/// Derivatives of Z_n^m = C_n^m + i S_n^m: ∂_- Z_n^m = b Z_{n-1}^{m-1}, ∂_+ Z_n^m = -a Z_{n-1}^{m+1} with
/// ∂_± = ∂_x ± i ∂_y, and ∂_z Z_n^m = c Z_{n-1}^m.
double raised(int n, int m) {
  return std::sqrt(0.5 * weight(m) * (n - m) * (n - m - 1));
}
double lowered(int n, int m) {
  return std::sqrt(2.0 / weight(m - 1) * (n + m) * (n + m - 1));
}

void fill_exchange(int order, SeriesTables& tables) {
  for (int n = 0; n <= order; ++n)
    for (int group = 0; group < 4; ++group) {
      // The matrix that leads from a group to its partner has one row per number of the partner.
      const int from = fmm::partner(n, group), size = fmm::group_size(n, from);
      for (int j = 0; j < fmm::group_size(n, group); ++j)
        tables.swaps.push_back({fmm::swap_start(n, from) + j * size, fmm::group_start(n, from), size, 0});
    }
  const auto& all = fmm::harmonic_tables<float>();
  tables.swap.assign(all.swap, all.swap + fmm::swap_start(order + 1, 0));
}

void fill_places(int order, SeriesTables& tables) {
  tables.places.resize(static_cast<std::size_t>(fmm::coefficients(order)));
  for (int n = 0; n <= order; ++n)
    for (int m = 0; m <= n; ++m)
      for (const bool sine : {false, true}) {
        if (sine && m == 0) continue;
        const int here = place_of(n, m, sine), other = m == 0 ? here : place_of(n, m, !sine);
        tables.places[static_cast<std::size_t>(here)] = {n, m, sine ? 1 : -1, other};
      }
}

void fill_axial(int order, SeriesTables& tables) {
  const auto& all = fmm::harmonic_tables<float>();
  for (int m = 0; m <= order; ++m)
    for (int n = 0; n <= order; ++n)
      for (int k = 0; k <= order; ++k) {
        tables.shift_factors.push_back(m <= k && k <= n ? all.shift[m][n][k] : 0.0F);
        tables.far_factors.push_back(2 * m <= order && n >= m && k >= m && n + k <= order ? all.far[m][n][k]
                                                                                          : 0.0F);
      }
}

void fill_steps(int order, SeriesTables& tables) {
  const auto add = [&](int n, int m, const Float4& step) {
    tables.steps.push_back(step);
    tables.numbers.push_back(place_of(n, m, false));
    tables.numbers.push_back(m == 0 ? -1 : place_of(n, m, true));
  };
  for (int m = 0; m <= order; ++m) {
    add(m, m,
        {m > 0 ? root(weight(m) / weight(m - 1) * (2 * m - 1) / (2.0 * m)) : 1.0F, 0.0F, m > 0 ? 1.0F : 2.0F,
         0.0F});
    for (int n = m + 1; n <= order; ++n) {
      const double all = (n - m) * (n + m);
      add(n, m,
          {static_cast<float>((2 * n - 1) / std::sqrt(all)), root((n - m - 1) * (n + m - 1) / all), 0.0F,
           0.0F});
    }
  }
  while (tables.steps.size() % chunk != 0) {
    tables.steps.push_back({0.0F, 0.0F, 3.0F, 0.0F});
    tables.numbers.insert(tables.numbers.end(), {-1, -1});
  }
}

/// The gradient of Σ L_a H_a as a series of one degree less.
void fill_gradient(int order, SeriesTables& tables) {
  const auto numbers = static_cast<std::size_t>(fmm::coefficients(order));
  tables.gradient_at.assign(2 * numbers, {});
  tables.gradient.assign(2 * numbers, {});
  for (std::size_t c = 0; c < numbers; ++c) {
    const Int4 here = tables.places[c];
    const int n = here.x + 1, m = here.y;
    const bool sine = here.z > 0;
    if (n > order) continue;
    Int4& at = tables.gradient_at[2 * c];
    Float4& factor = tables.gradient[2 * c];
    if (m >= 1 && (m > 1 || !sine)) {  // from the cosine of m - 1, or its sine if there is one
      at.x = place_of(n, m - 1, sine);
      factor.x = static_cast<float>(-(m == 1 ? 1.0 : 0.5) * raised(n, m - 1));
    }
    if (m >= 1 && (m > 1 || sine)) {
      at.z = place_of(n, m - 1, !sine);
      factor.z = static_cast<float>((sine ? -1.0 : 1.0) * (m == 1 ? 1.0 : 0.5) * raised(n, m - 1));
    }
    at.y = place_of(n, m + 1, sine);
    factor.y = static_cast<float>(0.5 * lowered(n, m + 1));
    at.w = place_of(n, m + 1, !sine);
    factor.w = static_cast<float>((sine ? -0.5 : 0.5) * lowered(n, m + 1));
    tables.gradient_at[2 * c + 1].x = place_of(n, m, sine);
    tables.gradient[2 * c + 1].x = root((n - m) * (n + m));
  }
}

/// Two terms of a sum; the first free one takes the next.
void add_term(std::int32_t& at, std::int32_t& next_at, float& factor, float& next_factor, std::size_t place,
              float value) {
  const bool first = factor == 0.0F;
  (first ? at : next_at) = static_cast<std::int32_t>(place);
  (first ? factor : next_factor) = value;
}

void fill_derivative(SeriesTables& tables) {
  tables.derivative_at.assign(tables.gradient_at.size(), {});
  tables.derivative.assign(tables.gradient.size(), {});
  for (std::size_t b = 0; b < tables.places.size(); ++b) {
    const Int4 from = tables.gradient_at[2 * b], from_z = tables.gradient_at[2 * b + 1];
    const Float4 factor = tables.gradient[2 * b], factor_z = tables.gradient[2 * b + 1];
    const auto add = [&](std::int32_t a, float value, bool along_x) {
      if (value == 0.0F) return;
      Int4& at = tables.derivative_at[2 * static_cast<std::size_t>(a)];
      Float4& to = tables.derivative[2 * static_cast<std::size_t>(a)];
      if (along_x)
        add_term(at.x, at.y, to.x, to.y, b, value);
      else
        add_term(at.z, at.w, to.z, to.w, b, value);
    };
    add(from.x, factor.x, true), add(from.y, factor.y, true);
    add(from.z, factor.z, false), add(from.w, factor.w, false);
    if (factor_z.x == 0.0F) continue;
    tables.derivative_at[2 * static_cast<std::size_t>(from_z.x) + 1].x = static_cast<std::int32_t>(b);
    tables.derivative[2 * static_cast<std::size_t>(from_z.x) + 1].x = factor_z.x;
  }
}

}  // namespace

int place_of(int n, int m, bool sine) {
  const int group = (m % 2 == 0 ? 0 : 2) + (sine ? 1 : 0);
  return fmm::group_start(n, group) + (group == 1 ? m / 2 - 1 : m / 2);
}

SeriesTables::SeriesTables(int order) {
  fill_places(order, *this);
  fill_exchange(order, *this);
  fill_axial(order, *this);
  fill_steps(order, *this);
  fill_gradient(order, *this);
  fill_derivative(*this);
}

DeviceTables::DeviceTables(Device& device, int order)
    : places(device),
      swaps(device),
      swap(device),
      shift_factors(device),
      far_factors(device),
      steps(device),
      numbers(device),
      gradient_at(device),
      gradient(device),
      derivative_at(device),
      derivative(device) {
  const SeriesTables tables(order);
  places.assign(tables.places);
  swaps.assign(tables.swaps);
  swap.assign(tables.swap);
  shift_factors.assign(tables.shift_factors);
  far_factors.assign(tables.far_factors);
  steps.assign(tables.steps);
  numbers.assign(tables.numbers);
  gradient_at.assign(tables.gradient_at);
  gradient.assign(tables.gradient);
  derivative_at.assign(tables.derivative_at);
  derivative.assign(tables.derivative);
}

}  // namespace electret::gpu
