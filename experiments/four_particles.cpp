/// \file
/// four-particles: the linear system of [IE]'s example with four particles and three springs (eq. 36), and
/// its Jacobi iteration (eq. 41-49) beside a direct solve.

#include <Eigen/Cholesky>
#include <array>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include <electret/dynamics/simulator.hpp>
#include <electret/linear/symmetric_eigen.hpp>

#include "experiment.hpp"
#include "motion.hpp"

namespace electret::experiments {
namespace {

constexpr std::size_t particles = 4;
constexpr Eigen::Index unknowns = 12;
using Matrix = Eigen::Matrix<double, unknowns, unknowns>;
using Vector = Eigen::Matrix<double, unknowns, 1>;

/// What counts as reproduced.
constexpr double tolerance = 1e-10, same_matrix = 1e-12, same_step = 1e-8;
constexpr int most_iterations = 2000;

/// The system of one step: A v = s, A = M - h²J, s = M v* + h F [IE eq. 37].
struct LinearSystem {
  double h = 0.0;
  std::array<double, particles> masses{};
  std::vector<Spring> springs;
  std::vector<Mat3> blocks;  ///< S_k, one for each spring [IE eq. 28, 34].
  Vector right;              ///< s.

  LinearSystem(const System& system, const State& state);

  /// Matrix-free: A v, particle by particle and spring by spring [IE eq. 44-47].
  [[nodiscard]] Vector product(const Vector& v) const;
  /// The diagonal of A [IE eq. 49].
  [[nodiscard]] Vector diagonal() const;
  /// J, assembled from the S_k [IE eq. 36].
  [[nodiscard]] Matrix jacobian() const;
  [[nodiscard]] Matrix matrix() const;  ///< A [IE eq. 45].
};

Vec3 part(const Vector& v, Index i) {
  return {v(3 * i), v(3 * i + 1), v(3 * i + 2)};
}

void add(Vector& v, Index i, const Vec3& x) {
  for (int axis = 0; axis < 3; ++axis) v(3 * i + axis) += x[axis];
}

LinearSystem::LinearSystem(const System& system, const State& state)
    : h(system.time_step), springs(system.assembly.springs), right(Vector::Zero()) {
  const Vec3 gravity = system.assembly.scene.gravity.value();
  for (std::size_t i = 0; i < particles; ++i) {
    masses[i] = system.assembly.masses[i];
    add(right, static_cast<Index>(i), masses[i] * (state.velocities[i] + h * gravity));  // M v*
  }
  for (const Spring& spring : springs) {
    const Vec3 d = state.positions[static_cast<std::size_t>(spring.j)] -
                   state.positions[static_cast<std::size_t>(spring.i)];
    const double length = norm(d), ratio = spring.rest_length / length;
    Mat3 block = ratio * Mat3::identity();  // k'/L (-I + L/|d| (I - d dᵀ/|d|²)), k'/L = k
    block += -1.0 * Mat3::identity();
    block += (-ratio / (length * length)) * outer(d, d);
    blocks.push_back(spring.stiffness * block);
    const Vec3 force = spring.stiffness * (length - spring.rest_length) / length * d;
    add(right, spring.i, h * force);
    add(right, spring.j, -h * force);
  }
}

Vector LinearSystem::product(const Vector& v) const {
  Vector t = Vector::Zero();
  for (std::size_t i = 0; i < particles; ++i)
    add(t, static_cast<Index>(i), masses[i] * part(v, static_cast<Index>(i)));
  for (std::size_t k = 0; k < springs.size(); ++k) {
    const Vec3 change = h * h * (blocks[k] * (part(v, springs[k].i) - part(v, springs[k].j)));
    add(t, springs[k].i, -change);
    add(t, springs[k].j, change);
  }
  return t;
}

Vector LinearSystem::diagonal() const {
  Vector d;
  for (Eigen::Index row = 0; row < unknowns; ++row) d(row) = masses[static_cast<std::size_t>(row / 3)];
  for (std::size_t k = 0; k < springs.size(); ++k)
    for (const Index i : {springs[k].i, springs[k].j})
      for (int axis = 0; axis < 3; ++axis)
        d(3 * i + axis) -= h * h * blocks[k].rows[static_cast<std::size_t>(axis)][axis];
  return d;
}

Matrix LinearSystem::jacobian() const {
  Matrix jacobian = Matrix::Zero();
  for (std::size_t k = 0; k < springs.size(); ++k) {
    const Index i = springs[k].i, j = springs[k].j;
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) {
        const double s = blocks[k].rows[static_cast<std::size_t>(a)][b];
        jacobian(3 * i + a, 3 * i + b) += s;
        jacobian(3 * j + a, 3 * j + b) += s;
        jacobian(3 * i + a, 3 * j + b) -= s;
        jacobian(3 * j + a, 3 * i + b) -= s;
      }
  }
  return jacobian;
}

Matrix LinearSystem::matrix() const {
  Matrix a = -h * h * jacobian();
  for (Eigen::Index row = 0; row < unknowns; ++row) a(row, row) += masses[static_cast<std::size_t>(row / 3)];
  return a;
}

/// -∇²E of the scene's springs, column by column: what the library's integrators solve with.
Matrix library_jacobian(System& system, const State& state) {
  Matrix result = Matrix::Zero();
  VectorArray gradient(particles);
  system.elastic.front()->linearise(state.positions, HessianKind::exact, gradient);
  for (Eigen::Index column = 0; column < unknowns; ++column) {
    VectorArray unit(particles), product(particles);
    unit[static_cast<std::size_t>(column / 3)][static_cast<int>(column % 3)] = 1.0;
    system.elastic.front()->add_hessian_product(unit, product);
    for (Eigen::Index row = 0; row < unknowns; ++row)
      result(row, column) = -product[static_cast<std::size_t>(row / 3)][static_cast<int>(row % 3)];
  }
  return result;
}

class FourParticles {
 public:
  FourParticles(const Context& context, Report& report)
      : context_(context),
        report_(report),
        scene_(scene_file("particles.toml")),
        simulator_(compiled(context, scene_)),
        system_(simulator_.system(), simulator_.state()),
        direct_(system_.matrix().llt().solve(system_.right)) {}

  void run() {
    report_.input(scene_.file, scene_.text);
    matrices();
    iterations();
    steps();
    settings();
  }

 private:
  void matrices() {
    const Matrix ours = system_.jacobian(),
                 library = library_jacobian(simulator_.system(), simulator_.state());
    std::vector<std::string> columns;
    for (int i = 1; i <= 4; ++i)
      for (const char axis : {'x', 'y', 'z'}) columns.push_back(fmt::format("{}{}", axis, i));
    Table table("jacobian", columns);
    for (Eigen::Index row = 0; row < unknowns; ++row) {
      std::vector<Table::Cell> cells;
      for (Eigen::Index column = 0; column < unknowns; ++column) cells.emplace_back(ours(row, column));
      table.add(cells);
    }
    report_.table(table, true);
    const double difference = (ours - library).cwiseAbs().maxCoeff() / ours.cwiseAbs().maxCoeff();
    const bool free = ours.bottomRows<3>().isZero(0.0) && ours.rightCols<3>().isZero(0.0);
    report_.claim({"J is assembled from three 3×3 blocks as printed (eq. 36)",
                   difference < same_matrix && free,
                   fmt::format("it differs from the second derivative of the springs' energy by {:.1e} of "
                               "its largest entry; the free "
                               "particle's rows and columns are {}",
                               difference, free ? "0" : "not 0")});
    report_.remark("The table is J (N/m); its rows and columns are the four particles' x, y and z in turn.");
  }

  /// Relative errors of v^0, v^1, … [IE eq. 41, 48] until the tolerance is met.
  [[nodiscard]] std::vector<double> jacobi(double omega) const {
    const Vector inverse = system_.diagonal().cwiseInverse();
    Vector v = Vector::Zero();
    std::vector<double> errors;
    for (int l = 0; l <= most_iterations; ++l) {
      errors.push_back((v - direct_).norm() / direct_.norm());
      const Vector residual = system_.right - system_.product(v);
      if (residual.norm() <= tolerance * system_.right.norm()) break;
      v += omega * inverse.cwiseProduct(residual);
    }
    return errors;
  }

  void iterations() {
    Table table("iterations", {"omega", "iteration", "error"});
    Chart chart;
    chart.title = "Jacobi iteration of four particles' step";
    chart.subtitle = "distance from the direct solve, until the residual is 1e-10 of the right-hand side";
    chart.x = {.label = "iteration l"};
    chart.y = {.label = "|v_l − v| / |v|", .logarithmic = true};
    std::string text;
    bool all = true;
    int colour = 0;
    for (const double omega : {0.5, 0.35, 0.2}) {
      const std::vector<double> errors = jacobi(omega);
      Series series{.name = fmt::format("ω = {}", omega), .colour = colour++, .marker = Marker::none};
      for (std::size_t l = 0; l < errors.size(); ++l) {
        series.x.push_back(static_cast<double>(l));
        series.y.push_back(errors[l]);
        table.add({omega, static_cast<Count>(l), errors[l]});
      }
      chart.series.push_back(series);
      all = all && errors.back() < condition() * tolerance;
      text += fmt::format("{}{:.1e} after {} iterations with ω = {}", text.empty() ? "" : ", ", errors.back(),
                          errors.size() - 1, omega);
    }
    report_.table(table, false);
    report_.chart("iterations", chart);
    report_.claim(
        {"the Jacobi iteration (eq. 41-49) finds the direct solve's velocities to its tolerance", all,
         fmt::format(
             "relative errors {}; reproduced: below the residual's tolerance {:g} times A's condition {:.3g}",
             text, tolerance, condition())});
  }

  /// One step of the library's method, by its two linear solvers.
  void steps() {
    std::string text;
    bool all = true;
    for (const std::string solver : {"jacobi", "cg"}) {
      const SceneSource scene =
          scene_.with({"integrator.method=linear_implicit", "integrator.linear_solver=" + solver,
                       fmt::format("integrator.tolerance={}", tolerance), "integrator.max_iterations=1000"});
      report_.command(scene.command(solver));
      Simulator simulator(compiled(context_, scene));
      const int iterations = simulator.step().elastic_iterations;
      Vector v = Vector::Zero();
      for (std::size_t i = 0; i < particles; ++i)
        add(v, static_cast<Index>(i), simulator.state().velocities[i]);
      const double error = (v - direct_).norm() / direct_.norm();
      all = all && error < same_step;
      text +=
          fmt::format("{}{:.1e} by {} ({} iterations)", text.empty() ? "" : ", ", error, solver, iterations);
    }
    report_.claim({"(ours) linear_implicit's step has the direct solve's velocities", all,
                   fmt::format("relative errors {}; reproduced: below {:g}", text, same_step)});
  }

  /// Of A: a residual's relative size bounds the solution's by it.
  [[nodiscard]] double condition() const {
    const Matrix matrix = system_.matrix();
    Rows rows;
    for (const auto& row : matrix.rowwise()) rows.emplace_back(row.begin(), row.end());
    const std::vector<double> values = symmetric_eigen(rows).values;
    return values.back() / values.front();
  }

  void settings() {
    report_.setting("numbers", "the document has none; ours are in inputs/particles.toml");
    report_.setting("springs",
                    "between 1 and 2, 2 and 3, 1 and 3: k' = 100 N, L = 1, 0.9, 1 m, all stretched");
    report_.setting("step", fmt::format("{} s, of which one is made", system_.h));
    report_.setting("direct solve", "Cholesky's, of the 12×12 matrix A = M − h²J in float64");
  }

  const Context& context_;
  Report& report_;
  SceneSource scene_;
  Simulator simulator_;
  LinearSystem system_;
  Vector direct_;
};

}  // namespace

void four_particles(const Context& context, Report& report) {
  FourParticles(context, report).run();
}

}  // namespace electret::experiments
