#include <algorithm>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <electret/scene/words.hpp>

#include "scene_text.hpp"

namespace electret::test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

/// Two vertices joined by a spring: h²k/m is 0.25·2k/2m at step 0.5 s.
std::string pair_of(const std::string& mass, const std::string& stiffness, const std::string& more = "") {
  return "[time]\nstep = 0.5\nsteps = 4\n[[body]]\nname = \"a\"\ngenerate = { shape = \"chain\", vertices = "
         "2 }\nmass = " +
         mass + "\n[[body.springs]]\nstiffness = " + stiffness + "\n" + more;
}

TEST(Resolution, MassesBeyondFloat64AreFoundAtTheMass) {
  EXPECT_EQ(
      findings_of(pair_of("1.67e-27", "20")),
      "scene.toml:7:8: error: h²k/m of body \"a\" is 2.99e+27, beyond what float64 resolves in an implicit "
      "step: step 0.5 s, springs of together 20 N/m at a vertex of 1.67e-27 kg; allowed: up to 1e15; use a "
      "smaller step, larger masses, softer springs or method = \"verlet\"");
}

TEST(Resolution, StiffnessesBeyondFloat64AreFoundAtTheStiffness) {
  EXPECT_THAT(findings_of(pair_of("0.1", "1e20")),
              StartsWith("scene.toml:9:13: error: h²k/m of body \"a\" is 2.5e+20"));
  const std::string second = "[[body.springs]]\nfrom = \"pairs\"\npairs = [[0, 1]]\nmodulus = 1e20\n";
  EXPECT_THAT(findings_of(pair_of("1", "1", second)), StartsWith("scene.toml:13:11: error: h²k/m"));
  EXPECT_THAT(findings_of(pair_of("1", "1"), {"body.0.springs.0.stiffness=1e300"}),
              StartsWith("--set body.0.springs.0.stiffness: error: h²k/m"));
}

TEST(Resolution, TheLimitIs1e15) {
  EXPECT_EQ(findings_of(pair_of("1", "3.9e15")), "");
  EXPECT_THAT(findings_of(pair_of("1", "4.1e15")), HasSubstr("is 1.02e+15"));
}

TEST(Resolution, OnlyImplicitMethodsNeedIt) {
  for (const auto* method : {"verlet", "symplectic_euler", "explicit_euler"})
    EXPECT_EQ(findings_of(pair_of("1e-27", "20"), {std::string("integrator.method=") + method}), "");
}

TEST(Resolution, APinOrAHeavyVertexHoldsWhatSpringsJoinToIt) {
  const std::string pin = "[[body.group]]\nname = \"g\"\nindices = [0]\n[[body.pin]]\ngroup = \"g\"\n";
  EXPECT_EQ(findings_of(pair_of("1e-27", "20", pin)), "");
  std::string heavy = pair_of("1", "20");
  heavy.replace(heavy.find("mass = 1"), 8, "masses = [1, 1e-27]");
  EXPECT_EQ(findings_of(heavy), "");
}

TEST(Resolution, EachBodyIsFoundOnce) {
  const std::string found = findings_of(pair_of("1e-27", "20") +
                                        "[[body]]\nname = \"b\"\nmesh = \"square.obj\"\nmass = 1e-27\n"
                                        "[[body.springs]]\nstiffness = 1\n");
  EXPECT_THAT(found, HasSubstr("of body \"a\""));
  EXPECT_THAT(found, HasSubstr("of body \"b\""));
  EXPECT_EQ(std::count(found.begin(), found.end(), '\n'), 1);
}

/// Whether a plain Cholesky factorisation of M + h²L in float64 finds every pivot positive.
bool can_be_factored(const Assembly& scene) {
  const std::size_t n = scene.masses.size();
  const double h = scene.scene.time.step;
  std::vector<std::vector<double>> a(n, std::vector<double>(n));
  for (std::size_t i = 0; i < n; ++i) a[i][i] = scene.masses[i];
  for (const Spring& s : scene.springs) {
    const auto i = static_cast<std::size_t>(s.i), j = static_cast<std::size_t>(s.j);
    const double k = h * h * s.stiffness;
    a[i][i] += k, a[j][j] += k, a[i][j] -= k, a[j][i] -= k;
  }
  for (std::size_t p = 0; p < n; ++p) {
    if (!(a[p][p] > 0.0)) return false;
    for (std::size_t i = p + 1; i < n; ++i)
      for (std::size_t j = p + 1; j < n; ++j) a[i][j] -= a[i][p] * a[p][j] / a[p][p];
  }
  return true;
}

TEST(Resolution, WhatIsAcceptedCanBeFactored) {
  int failed = 0;  // Beyond the limit it is luck whether rounding leaves the pivots positive.
  for (const std::string shape :
       {"{ shape = \"chain\", vertices = 2 }", "{ shape = \"chain\", vertices = 60 }",
        "{ shape = \"sphere\", vertices = 80 }", "{ shape = \"lattice\" }"}) {
    SCOPED_TRACE(shape);
    const auto text = [&](double stiffness) {
      return "[time]\nstep = 0.01\nsteps = 4\n[[body]]\ngenerate = " + shape +
             "\nmass = 0.3\n[[body.springs]]\nstiffness = " + number_text(stiffness) + "\n";
    };
    const Assembly soft = load(text(1.0));
    const double unit = 1e-4 * 2.0 * static_cast<double>(soft.springs.size()) /
                        (0.3 * static_cast<double>(soft.masses.size()));  // h²k/m at 1 N/m
    EXPECT_EQ(findings_of(text(0.99e15 / unit)), "");
    EXPECT_TRUE(can_be_factored(load(text(0.99e15 / unit))));
    EXPECT_NE(findings_of(text(1.01e15 / unit)), "");
    failed += can_be_factored(load(text(1e19 / unit), {"integrator.method=verlet"})) ? 0 : 1;
  }
  EXPECT_GT(failed, 0);
}

}  // namespace
}  // namespace electret::test
