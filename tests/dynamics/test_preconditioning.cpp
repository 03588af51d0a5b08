// Of what a stage's preconditioner is made next, as a table.

#include <sstream>
#include <vector>

#include <gtest/gtest.h>

#include <electret/dynamics/stage/preconditioning.hpp>

namespace electret::test {
namespace {

using Event = PreconditioningEvent;

std::string text(const Preconditioning& p) {
  std::string result = p.matrix == HessianKind::exact ? "exact" : "clamped";
  if (p.kind == PreconditionerKind::block_jacobi) return "block-Jacobi, " + result;
  result += p.made_at == MadeAt::nowhere ? ", nowhere" : p.made_at == MadeAt::here ? ", here" : ", elsewhere";
  if (p.fine_made_at == FineMadeAt::nowhere && p.made_at != MadeAt::nowhere) result += " (to be made)";
  if (p.fine_made_at == FineMadeAt::apart) result += ", fine apart";
  if (p.age != PreconditionerAge::young) result += p.age == PreconditionerAge::old ? ", old" : ", fine old";
  if (p.bounds == SmootherBounds::kept) result += ", bounds kept";
  return result;
}

/// All that multigrid may be when an event comes.
std::vector<Preconditioning> multigrids() {
  std::vector<Preconditioning> result;
  for (const auto matrix : {HessianKind::exact, HessianKind::clamped})
    for (const auto made_at : {MadeAt::nowhere, MadeAt::elsewhere, MadeAt::here})
      for (const auto fine : {FineMadeAt::nowhere, FineMadeAt::with_coarse, FineMadeAt::apart})
        for (const auto age : {PreconditionerAge::young, PreconditionerAge::fine_old, PreconditionerAge::old})
          for (const auto bounds : {SmootherBounds::none, SmootherBounds::kept})
            result.push_back({PreconditionerKind::multigrid, matrix, made_at, fine, age, bounds});
  return result;
}

std::vector<Preconditioning> all() {
  std::vector<Preconditioning> result = multigrids();
  for (const auto matrix : {HessianKind::exact, HessianKind::clamped})
    result.push_back({PreconditionerKind::block_jacobi, matrix});
  return result;
}

/// The rows of one event for the multigrids that may meet it, and those of block-Jacobi.
std::string table(Event event) {
  std::ostringstream out;
  for (const Preconditioning& p : all()) {
    const bool is_multigrid = p.kind == PreconditionerKind::multigrid;
    const bool is_made = p.fine_made_at != FineMadeAt::nowhere;
    if (is_multigrid && p.made_at == MadeAt::nowhere && (event != Event::needed || is_made)) continue;
    if (event == Event::needed && p.matrix == HessianKind::clamped) continue;  // As the exact one.
    // After it was made ready, it is made, and young.
    if (event == Event::needed && p.bounds != SmootherBounds::none) continue;
    if (event != Event::needed && is_multigrid && (!is_made || p.age != PreconditionerAge::young)) continue;
    if (p.bounds == SmootherBounds::kept &&
        (p.made_at != MadeAt::here || p.fine_made_at == FineMadeAt::apart))
      continue;
    const Preconditioning after = next(p, event);
    if (after == p) {
      out << text(p) << " -> stays\n";
    } else if (after.kind != p.kind) {
      out << text(p) << " -> " << (is_multigrid ? "block-Jacobi" : "multigrid") << "\n";
    } else {
      out << text(p) << " -> " << text(after) << "\n";
    }
  }
  return out.str();
}

TEST(Preconditioning, MakesWhatASolveNeeds) {
  EXPECT_EQ("\n" + table(Event::needed), R"(
exact, nowhere -> exact, here
exact, nowhere, fine old -> exact, here
exact, nowhere, old -> exact, here
exact, elsewhere (to be made) -> exact, elsewhere
exact, elsewhere (to be made), fine old -> exact, elsewhere, fine apart
exact, elsewhere (to be made), old -> exact, here
exact, elsewhere -> stays
exact, elsewhere, fine old -> exact, elsewhere, fine apart
exact, elsewhere, old -> exact, here
exact, elsewhere, fine apart -> stays
exact, elsewhere, fine apart, fine old -> exact, elsewhere, fine apart
exact, elsewhere, fine apart, old -> exact, here
exact, here (to be made) -> exact, here
exact, here (to be made), fine old -> exact, here, fine apart
exact, here (to be made), old -> exact, here
exact, here -> stays
exact, here, fine old -> exact, here, fine apart
exact, here, old -> exact, here
exact, here, fine apart -> stays
exact, here, fine apart, fine old -> exact, here, fine apart
exact, here, fine apart, old -> exact, here
block-Jacobi, exact -> block-Jacobi, exact
)");
}
TEST(Preconditioning, MakesAnotherWhereItsMatrixIsRefused) {
  EXPECT_EQ("\n" + table(Event::refused_matrix), R"(
exact, elsewhere -> exact, here
exact, elsewhere, fine apart -> exact, here
exact, here -> clamped, here
exact, here, bounds kept -> clamped, here
exact, here, fine apart -> clamped, here
clamped, elsewhere -> clamped, here
clamped, elsewhere, fine apart -> clamped, here
clamped, here -> stays
clamped, here, bounds kept -> stays
clamped, here, fine apart -> stays
block-Jacobi, exact -> block-Jacobi, clamped
block-Jacobi, clamped -> stays
)");
}
TEST(Preconditioning, MakesAnotherWhereASolveRefusesIt) {
  EXPECT_EQ("\n" + table(Event::refused_in_solve), R"(
exact, elsewhere -> exact, here
exact, elsewhere, fine apart -> exact, here
exact, here -> clamped, here
exact, here, bounds kept -> exact, here
exact, here, fine apart -> clamped, here
clamped, elsewhere -> clamped, here
clamped, elsewhere, fine apart -> clamped, here
clamped, here -> block-Jacobi
clamped, here, bounds kept -> clamped, here
clamped, here, fine apart -> block-Jacobi
block-Jacobi, exact -> block-Jacobi, clamped
block-Jacobi, clamped -> stays
)");
}
TEST(Preconditioning, MakesAnotherWhereASolveDoesNotEnd) {
  EXPECT_EQ("\n" + table(Event::unfinished), R"(
exact, elsewhere -> exact, here
exact, elsewhere, fine apart -> exact, here
exact, here -> stays
exact, here, bounds kept -> stays
exact, here, fine apart -> stays
clamped, elsewhere -> clamped, here
clamped, elsewhere, fine apart -> clamped, here
clamped, here -> stays
clamped, here, bounds kept -> stays
clamped, here, fine apart -> stays
block-Jacobi, exact -> multigrid
block-Jacobi, clamped -> multigrid
)");
}

/// Refused again and again, every preconditioner ends as block-Jacobi of the clamped Hessian, at which
/// nothing is left; and nothing is tried twice on the way.
TEST(Preconditioning, EndsAtBlockJacobiOfTheClampedHessian) {
  for (const Preconditioning& first : all()) {
    Preconditioning p = first;
    int tried = 0;
    for (; tried < 10; ++tried) {
      const Preconditioning after = next(p, Event::refused_in_solve);
      if (after == p) break;
      const bool is_other = after.kind != p.kind;
      p = after;
      if (is_other) p.matrix = HessianKind::exact;  // Block-Jacobi as it stands.
    }
    EXPECT_LE(tried, 5) << text(first);
    EXPECT_EQ(p.kind, PreconditionerKind::block_jacobi) << text(first);
  }
}

TEST(Preconditioning, MakesTheClampedHessiansAsTheExactOnes) {
  for (Preconditioning p : all()) {
    Preconditioning exact = next(p, Event::needed);
    EXPECT_EQ(exact.matrix, p.matrix);
    p.matrix = exact.matrix = HessianKind::clamped;
    EXPECT_EQ(next(p, Event::needed), exact) << text(p);
  }
}

TEST(Preconditioning, KnowsWhatIsMadeAnew) {
  for (const Preconditioning& p : multigrids()) {
    EXPECT_EQ(is_made_anew(p, next(p, Event::needed)),
              p.made_at == MadeAt::nowhere || p.age == PreconditionerAge::old)
        << text(p);
  }
}

}  // namespace
}  // namespace electret::test
