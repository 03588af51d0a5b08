#include <cmath>
#include <numbers>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <electret/core/errors.hpp>
#include <electret/scene/expression.hpp>
#include <electret/scene/expression_program.hpp>

namespace electret {
namespace {

const std::vector<std::string> names{"a", "b", "c", "d", "e", "f"};
const std::vector<double> constants{1.5, -0.4, 0.3, 0.7, 2.5, -1.2};
const Vec3 point{0.3, -0.6, 0.8};
constexpr double time_point = 0.45;

Expression parsed(const std::string& text) {
  std::vector<ExpressionError> errors;
  auto result = Expression::parse(text, names, errors);
  EXPECT_TRUE(errors.empty()) << text << ": " << (errors.empty() ? "" : errors[0].message);
  return result;
}

double value(const std::string& text) {
  return parsed(text).value(point, time_point, constants);
}

ExpressionError error(const std::string& text) {
  std::vector<ExpressionError> errors;
  const auto result = Expression::parse(text, names, errors);
  EXPECT_TRUE(result.empty()) << text;
  EXPECT_EQ(errors.size(), 1U) << text;
  return errors.empty() ? ExpressionError{} : errors[0];
}

TEST(Expression, FollowsTheRulesOfArithmetic) {
  const auto [x, y, z] = point;
  EXPECT_EQ(value("1 + 2 * 3"), 7.0);
  EXPECT_EQ(value("(1 + 2) * 3"), 9.0);
  EXPECT_EQ(value("10 - 4 - 3"), 3.0);
  EXPECT_EQ(value("24 / 4 / 3"), 2.0);
  EXPECT_EQ(value("2 ^ 3 ^ 2"), 512.0);
  EXPECT_EQ(value("-2 ^ 2"), -4.0);
  EXPECT_EQ(value("(-2) ^ 2"), 4.0);
  EXPECT_EQ(value("2 ^ -1"), 0.5);
  EXPECT_EQ(value("2 * -3"), -6.0);
  EXPECT_EQ(value("--3"), 3.0);
  EXPECT_EQ(value("+3 - +2"), 1.0);
  EXPECT_EQ(value(" 1.5e2+.5 + 2. "), 152.5);
  EXPECT_EQ(value("x"), x);
  EXPECT_EQ(value("-y"), -y);
  EXPECT_EQ(value("z*t"), z * time_point);
  EXPECT_EQ(value("2*pi"), 2.0 * std::numbers::pi);
  EXPECT_EQ(value("a*x + b*y - f"), 1.5 * x - 0.4 * y + 1.2);
}

TEST(Expression, EveryFunctionIsTheStandardOne) {
  const double x = point.x, y = point.y;
  EXPECT_EQ(value("sin(x)"), std::sin(x));
  EXPECT_EQ(value("cos(x)"), std::cos(x));
  EXPECT_EQ(value("tan(x)"), std::tan(x));
  EXPECT_EQ(value("asin(x)"), std::asin(x));
  EXPECT_EQ(value("acos(x)"), std::acos(x));
  EXPECT_EQ(value("atan(x)"), std::atan(x));
  EXPECT_EQ(value("atan2(y, x)"), std::atan2(y, x));
  EXPECT_EQ(value("sinh(x)"), std::sinh(x));
  EXPECT_EQ(value("cosh(x)"), std::cosh(x));
  EXPECT_EQ(value("tanh(x)"), std::tanh(x));
  EXPECT_EQ(value("exp(x)"), std::exp(x));
  EXPECT_EQ(value("log(x)"), std::log(x));
  EXPECT_EQ(value("sqrt(x)"), std::sqrt(x));
  EXPECT_EQ(value("abs(y)"), -y);
  EXPECT_EQ(value("min(x, y)"), y);
  EXPECT_EQ(value("max(x, y)"), x);
}

/// The gradient by central differences of `value`, best of a few widths.
void expect_exact_gradient(const std::string& text) {
  SCOPED_TRACE(text);
  const Expression expression = parsed(text);
  Vec3 d_position{9, 9, 9};
  std::vector<double> d_constants(names.size(), 9.0);
  const double v = expression.value_and_gradient(point, time_point, constants, d_position, d_constants);
  EXPECT_EQ(v, expression.value(point, time_point, constants));
  const double width = 1e-5;
  const auto expect_slope = [&](double exact, double low, double high) {
    EXPECT_NEAR(exact, (high - low) / (2 * width), 1e-8 * std::max(1.0, std::abs(exact)));
  };
  for (int axis = 0; axis < 3; ++axis) {
    Vec3 low = point, high = point;
    low[axis] -= width, high[axis] += width;
    expect_slope(d_position[axis], expression.value(low, time_point, constants),
                 expression.value(high, time_point, constants));
  }
  for (std::size_t c = 0; c < constants.size(); ++c) {
    auto low = constants, high = constants;
    low[c] -= width, high[c] += width;
    expect_slope(d_constants[c], expression.value(point, time_point, low),
                 expression.value(point, time_point, high));
  }
  Vec3 alone;
  expression.value_and_gradient(point, time_point, constants, alone, {});
  EXPECT_EQ(alone, d_position);
}

TEST(Expression, GradientsAreExact) {
  for (const auto& f : expression::functions) {
    const std::string name(f.name);
    if (expression::takes_two(f.operation)) {
      expect_exact_gradient(name + "(x*a, y + f)");
      expect_exact_gradient(name + "(y - c, z*x)");
    } else {
      expect_exact_gradient(name + "(x*c + 0.5*d*z + 0.1*t)");
    }
  }
  for (const char* text : {"x + a*y", "x - e - z", "x*y*z*d", "x/(y*f)", "(x + e)^z", "z^3", "2^(x*c)",
                           "-(x^2)", "-x*-y", "a*sin(b*x + c*t)*exp(-d*(x^2 + y^2 + z^2)) + e*f", "3", "t"})
    expect_exact_gradient(text);
}

TEST(Expression, GradientsStayFiniteWhereAnInnerOneIsZero) {
  Vec3 d;
  EXPECT_EQ(parsed("sqrt(x^2 + y^2)*z").value_and_gradient({0, 0, 2}, 0, constants, d, {}), 0.0);
  EXPECT_EQ(d, (Vec3{0, 0, 0}));
  parsed("x^2").value_and_gradient({-3, 0, 0}, 0, constants, d, {});
  EXPECT_EQ(d, (Vec3{-6, 0, 0}));
  parsed("abs(x)").value_and_gradient({0, 0, 0}, 0, constants, d, {});
  EXPECT_EQ(d, (Vec3{0, 0, 0}));
}

/// The derivatives by the constants of `text` at `x`, `t` = 0.45.
std::vector<double> by_constants(const std::string& text, const Vec3& x, const std::vector<double>& at) {
  Vec3 d;
  std::vector<double> by(names.size());
  parsed(text).value_and_gradient(x, time_point, at, d, by);
  return by;
}

TEST(Expression, PowersOf0HaveDerivatives) {
  // 0^p is 0 for all p > 0.
  const std::vector<double> by = by_constants("a*max(x, 0)^e + abs(y)^d", {-0.3, 0, 0}, constants);
  EXPECT_EQ(by, std::vector<double>(names.size(), 0.0));
  Vec3 d;
  parsed("x^2.5 + y^a").value_and_gradient({0, 0, 0}, 0, constants, d, {});
  EXPECT_EQ(d, (Vec3{0, 0, 0}));
  parsed("x^a").value_and_gradient({0, 0, 0}, 0, std::vector<double>{0.0}, d, {});
  EXPECT_EQ(d, (Vec3{0, 0, 0})) << "x^0 is 1";
  // Away from 0 they are what they were: a^b log a.
  EXPECT_NEAR(by_constants("x^a", {0.3, 0, 0}, constants)[0], std::pow(0.3, 1.5) * std::log(0.3), 1e-16);
}

/// Far from their middle sigmoids are flat; their exponentials overflow there.
TEST(Expression, SigmoidsHaveDerivativesEverywhere) {
  for (const char* text : {"1/(1 + exp(-a*(t - b)))", "1/(1 + exp(-a*(t - b)))^2",
                           "1/(1 + exp(-a*(t - b))^2)", "d/(1 + exp(-a*(t - b)) + exp(-2*a*(t - b)))",
                           "1/cosh(a*(t - b))", "tanh(a*(t - b))", "exp(-a*a*(t - b)^2)"}) {
    SCOPED_TRACE(text);
    for (const double steepness : {10.0, 300.0, 5e3, 1e9})
      for (const double middle : {0.3, 0.44, 0.45, 0.9}) {
        const std::vector<double> at{steepness, middle, 0.3, 0.7, 2.5, -1.2};
        const std::vector<double> by = by_constants(text, point, at);
        for (std::size_t c = 0; c < 2; ++c) {
          EXPECT_TRUE(std::isfinite(by[c])) << steepness << ' ' << middle;
          const double width = 1e-7 * std::max(1.0 / steepness, c == 0 ? steepness : 0.0);
          auto low = at, high = at;
          low[c] -= width, high[c] += width;
          const Expression f = parsed(text);
          const double slope =
              (f.value(point, time_point, high) - f.value(point, time_point, low)) / (high[c] - low[c]);
          EXPECT_NEAR(by[c], slope, 1e-5 * std::abs(slope) + 1e-15 / width) << steepness << ' ' << middle;
        }
      }
  }
}

TEST(Expression, AnOverflowOfASlopeIsNoPole) {
  for (const char* text : {"1/(1 + exp(-a*a*(t - b)))", "1/(1 + exp(a*a*(t - b)))", "1/(1 + (a*(t - b))^3)"})
    for (const double by : by_constants(text, point, {1e200, 0.3, 0, 0, 0, 0})) EXPECT_EQ(by, 0.0) << text;
}

/// At a pole an inner derivative is infinite, and 0·∞ may be any number.
TEST(Expression, HasNoDerivativeWhereNoneIsKnown) {
  Vec3 d;
  for (const char* text : {"sqrt(x)^2", "atan(1/x)", "(x^0.5)^2", "acos(1 - x)^2"}) {
    parsed(text).value_and_gradient({0, 0, 0}, 0, constants, d, {});
    EXPECT_TRUE(std::isnan(d.x)) << text << ' ' << d.x;
    EXPECT_EQ(d.y, 0.0);
  }
  EXPECT_TRUE(std::isnan(by_constants("x^a", {-0.3, 0, 0}, {2.0, 0, 0, 0, 0, 0})[0]));
}

TEST(Expression, MinAndMaxHideNoNan) {
  for (const char* text : {"max(0, sqrt(-1))", "max(sqrt(-1), 0)", "min(0, sqrt(-1))", "min(sqrt(-1), 0)",
                           "max(sqrt(-1), sqrt(-1))"}) {
    EXPECT_TRUE(std::isnan(value(text))) << text;
    Vec3 d;
    EXPECT_TRUE(std::isnan(parsed(text).value_and_gradient(point, 0, constants, d, {}))) << text;
  }
}

TEST(Expression, TellsWhereAndWhatIsWrong) {
  const auto expect = [](const std::string& text, std::size_t position, const std::string& word) {
    const auto e = error(text);
    EXPECT_EQ(e.position, position) << text;
    EXPECT_THAT(e.message + "; " + e.allowed, ::testing::HasSubstr(word)) << text;
    EXPECT_FALSE(e.allowed.empty()) << text;
  };
  expect("", 0, "empty");
  expect("   ", 3, "empty");
  expect("2 x", 2, "\"x\"");
  expect("x +", 3, "too early");
  expect("sin(x", 5, "\")\"");
  expect("(x))", 3, "\")\"");
  expect("x + é", 4, "\"é\"");
  expect("sni(x)", 0, "did you mean \"sin\"");
  expect("1 + foo", 4, "unknown name \"foo\"");
  expect("sin x", 0, "parentheses");
  expect("sin()", 0, "0 arguments");
  expect("atan2(x)", 0, "1 argument");
  expect("sin(x, y)", 0, "2 arguments");
  expect("max(x, y", 8, "\")\"");
  expect("x ** 2", 3, "x^2");
  expect("1e999", 0, "out of range");
  expect(".", 0, "number");
  expect("x * / y", 4, "unexpected \"/\"");
  expect("x = 1", 2, "\"=\"");
}

TEST(Expression, RefusesWhatWouldOverflowAStack) {
  EXPECT_THAT(error(std::string(100000, '(')).message, ::testing::HasSubstr("nested"));
  EXPECT_THAT(error(std::string(100000, '-') + "1").message, ::testing::HasSubstr("nested"));
  std::string tower = "1", deep = "1";
  for (int i = 0; i < 500; ++i) tower = "x^" + tower, deep = "1+(" + deep + ")";
  EXPECT_THAT(error(tower).message, ::testing::HasSubstr("nested"));
  EXPECT_THAT(error(deep).message, ::testing::HasSubstr("nested"));
  std::string powers;
  for (int i = 0; i < 63; ++i) powers += "x^";
  EXPECT_EQ(value(powers + "1"), value(powers + "1"));  // As deep as it goes.
  std::string sum = "1";
  for (int i = 0; i < 5000; ++i) sum += "+1";  // Long is not deep.
  EXPECT_EQ(value(sum), 5001.0);
}

TEST(Expression, AnEmptyOneIsNotEvaluated) {
  Vec3 d;
  EXPECT_THROW(static_cast<void>(Expression().value(point, 0, {})), InternalError);
  EXPECT_THROW(static_cast<void>(Expression().value_and_gradient(point, 0, {}, d, {})), InternalError);
}

}  // namespace
}  // namespace electret
