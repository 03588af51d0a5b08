#include <algorithm>
#include <vector>

#include <electret/core/digits.hpp>
#include <electret/field/fmm/expansions/harmonics.hpp>
#include <electret/field/gpu/fmm/m2l_text.hpp>
#include <electret/field/gpu/fmm/series_tables.hpp>

namespace electret::gpu {
namespace {

/// Names of scalars. An empty name: a number that is not needed.
using Names = std::vector<std::string>;

std::string literal(float value) {
  return scientific_text(static_cast<double>(value), 9) + "f";
}

class M2lWriter {
 public:
  explicit M2lWriter(int order) : order_(order), tables_(fmm::harmonic_tables<float>()) {}

  std::string text();

 private:
  struct Turns {
    Names cosine, sine;
  };

  /// A new scalar.
  std::string define(const std::string& expression) {
    std::string name = "t" + std::to_string(next_++);
    body_ += "  const float " + name + " = " + expression + ";\n";
    return name;
  }
  std::string product(const std::string& a, const std::string& b) { return define(a + " * " + b); }
  Names powers(const std::string& base, const std::string& first);
  Turns turns(const std::string& cosine, const std::string& sine);
  std::string sum(const std::vector<float>& factors, const Names& numbers);
  [[nodiscard]] std::string moment(int number);

  [[nodiscard]] Names turned(int degree, const Names& in, const Turns& by, bool back);
  [[nodiscard]] Names exchanged(int degree, const Names& in, int highest);
  void to_axis(int degree);
  [[nodiscard]] Names along_axis(int degree);
  void put(int degree, const Names& numbers);

  /// The largest m that counts: all products of degrees n + k ≤ order.
  [[nodiscard]] int highest(int degree) const { return std::min(degree, order_ - degree); }
  /// A number's place within its degree.
  static std::size_t place(int degree, int m, bool sine) {
    return static_cast<std::size_t>(place_of(degree, m, sine) - degree * degree);
  }

  int order_;
  const fmm::HarmonicTables<float>& tables_;
  std::string body_;
  int next_ = 0, loaded_ = 0;
  Turns first_, second_;
  Names of_source_, of_target_;
  std::vector<Names> axial_;  ///< By degree: moments whose pair lies along z.
};

Names M2lWriter::powers(const std::string& base, const std::string& first) {
  Names all{first};
  for (int n = 1; n <= order_; ++n) all.push_back(product(all.back(), base));
  return all;
}

M2lWriter::Turns M2lWriter::turns(const std::string& cosine, const std::string& sine) {
  Turns all{{"", cosine}, {"", sine}};
  for (int m = 2; m <= order_; ++m) {
    const std::string c = all.cosine.back(), s = all.sine.back();
    all.cosine.push_back(define("FMA(" + c + ", " + cosine + ", -(" + s + " * " + sine + "))"));
    all.sine.push_back(define("FMA(" + s + ", " + cosine + ", " + c + " * " + sine + ")"));
  }
  return all;
}

/// Σ factors·numbers over the numbers that are needed; an empty name if there are none.
std::string M2lWriter::sum(const std::vector<float>& factors, const Names& numbers) {
  std::string all;
  for (std::size_t k = 0; k < factors.size(); ++k) {
    if (numbers[k].empty() || factors[k] == 0.0F) continue;
    const std::string term = literal(factors[k]) + ", " + numbers[k];
    all = all.empty() ? literal(factors[k]) + " * " + numbers[k] : "FMA(" + term + ", " + all + ")";
  }
  return all.empty() ? "" : define(all);
}

/// Loads come four numbers at a time, when the first of them is needed.
std::string M2lWriter::moment(int number) {
  const int row = number / 4;
  for (; loaded_ <= row; ++loaded_)
    body_ += "  const float4 m" + std::to_string(loaded_) + " = m[" + std::to_string(loaded_) + "];\n";
  return "m" + std::to_string(row) + "." + "xyzw"[number % 4];
}

Names M2lWriter::turned(int degree, const Names& in, const Turns& by, bool back) {
  Names out = in;
  for (int m = 1; m <= degree; ++m) {
    const std::size_t c = place(degree, m, false), s = place(degree, m, true);
    const std::string &cosine = by.cosine[static_cast<std::size_t>(m)],
                      &sine = by.sine[static_cast<std::size_t>(m)];
    const auto rotated = [&](const std::string& straight, const std::string& across,
                             bool minus) -> std::string {
      if (straight.empty() && across.empty()) return "";
      const std::string bent = across.empty() ? "" : (minus ? "-(" : "(") + across + " * " + sine + ")";
      if (straight.empty()) return define(bent);
      if (across.empty()) return product(straight, cosine);
      return define("FMA(" + straight + ", " + cosine + ", " + bent + ")");
    };
    out[c] = rotated(in[c], in[s], !back);
    out[s] = rotated(in[s], in[c], back);
  }
  return out;
}

/// x and z exchanged. Leaves out numbers with m above `highest`.
Names M2lWriter::exchanged(int degree, const Names& in, int highest) {
  Names out(in.size());
  for (int group = 0; group < 4; ++group) {
    const int from = fmm::partner(degree, group), size = fmm::group_size(degree, from);
    const auto first = in.begin() + (fmm::group_start(degree, from) - degree * degree);
    const Names taken(first, first + size);
    const int start = fmm::group_start(degree, group) - degree * degree;
    for (int j = 0; j < fmm::group_size(highest, group); ++j) {
      const float* row = tables_.swap + fmm::swap_start(degree, from) + j * size;
      out[static_cast<std::size_t>(start + j)] = sum({row, row + size}, taken);
    }
  }
  return out;
}

void M2lWriter::to_axis(int degree) {
  Names numbers;
  for (int c = degree * degree; c < (degree + 1) * (degree + 1); ++c) {
    const std::string loaded = moment(c);
    numbers.push_back(product(loaded, of_source_[static_cast<std::size_t>(degree)]));
  }
  numbers = exchanged(degree, turned(degree, numbers, first_, false), degree);
  axial_.push_back(exchanged(degree, turned(degree, numbers, second_, false), highest(degree)));
}

/// The locals of one degree, whose pair lies along z.
Names M2lWriter::along_axis(int degree) {
  Names out(static_cast<std::size_t>(2 * degree + 1));
  for (int m = 0; m <= highest(degree); ++m)
    for (const bool sine : {false, true}) {
      if (sine && m == 0) continue;
      Names numbers;
      std::vector<float> factors;
      for (int k = m; k <= order_ - degree; ++k) {
        numbers.push_back(axial_[static_cast<std::size_t>(k)][place(k, m, sine)]);
        factors.push_back(tables_.far[m][degree][k]);
      }
      out[place(degree, m, sine)] =
          product(sum(factors, numbers), of_target_[static_cast<std::size_t>(degree)]);
    }
  return out;
}

/// Hands the numbers over to local memory, and adds up its columns whenever it is full.
void M2lWriter::put(int degree, const Names& numbers) {
  constexpr int chunk = 32;
  const int all = fmm::coefficients(order_);
  for (int c = degree * degree; c < (degree + 1) * (degree + 1); ++c) {
    const std::string& name = numbers[static_cast<std::size_t>(c - degree * degree)];
    body_ += "  columns[" + std::to_string(c % chunk) + " * COLUMN + LANE] = " + name + ";\n";
    if (c % chunk != chunk - 1 && c != all - 1) continue;
    body_ += "  add_columns(" + std::to_string(c / chunk * chunk) + ", " + std::to_string(c % chunk + 1) +
             ", " + std::to_string(all) + ", starts, in_block, block, targets, columns, rows);\n";
  }
}

std::string M2lWriter::text() {
  first_ = turns("direction.c1", "direction.s1");
  second_ = turns("direction.c2", "direction.s2");
  of_source_ = powers("source_ratio", "direction.inverse");
  for (int k = 0; k <= order_; ++k) to_axis(k);
  of_target_ = powers("target_ratio", "1.0f");
  for (int n = 0; n <= order_; ++n) {
    Names numbers = turned(n, exchanged(n, along_axis(n), n), second_, true);
    put(n, turned(n, exchanged(n, numbers, n), first_, true));
  }
  return "KERNEL(M2L_LANES) void m2l(int room, int begin, int skip, int end, GLOBAL const int2* pairs,\n"
         "    GLOBAL const float4* target_centre, GLOBAL const float4* target_low,\n"
         "    GLOBAL const float4* source_centre, GLOBAL const float4* source_low,\n"
         "    GLOBAL const float* moments, long first_row, GLOBAL float* rows) {\n"
         "  M2L_PAIR\n" +
         body_ + "}\n";
}

}  // namespace

std::string m2l_text(int order) {
  return M2lWriter(order).text();
}

}  // namespace electret::gpu
