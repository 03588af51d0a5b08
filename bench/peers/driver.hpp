#pragma once
/// \file
/// What the drivers of all compared libraries share: charges in, times out, so that one measures as the
/// other.
///
///     DRIVER CHARGES.npy RESULT.bin REPEAT THREADS [SETTINGS OF THE LIBRARY]
///
/// CHARGES is a NumPy array (n, 4) of float64: x, y, z, q. The library is called REPEAT + 1 times; before
/// each call but the last every coordinate is moved a little, so that nothing is rightly kept from the call
/// before. Standard output has the milliseconds of every call but the first, which allocates, a line each;
/// RESULT has the last call's Ex, Ey, Ez, phi (with k_c = 1), float64, one row per charge.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace peers {

struct Charges {
  std::vector<double> x;  ///< 3n: x, y, z of each charge.
  std::vector<double> q;  ///< n
};

struct Result {
  std::vector<double> field;      ///< 3n
  std::vector<double> potential;  ///< n
};

struct Arguments {
  std::string charges, result;
  int repeat = 5;
  int threads = 1;
  std::vector<std::string> settings;

  [[nodiscard]] double number(std::size_t k) const {
    if (k >= settings.size()) throw std::invalid_argument("a setting of the library is missing");
    return std::stod(settings[k]);
  }
};

/// Throws std::runtime_error unless `path` is a little-endian float64 array of 4 columns in C order.
inline Charges read_charges(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  char magic[8] = {};
  file.read(magic, 8);
  std::uint16_t length = 0;
  file.read(reinterpret_cast<char*>(&length), 2);
  std::string header(length, ' ');
  file.read(header.data(), length);
  if (!file || std::memcmp(magic, "\x93NUMPY\x01", 7) != 0 || header.find("'<f8'") == std::string::npos ||
      header.find("'fortran_order': False") == std::string::npos || header.find(", 4)") == std::string::npos)
    throw std::runtime_error(path + " is no float64 array of 4 columns");
  const auto n = static_cast<std::size_t>(std::stoll(header.substr(header.find('(') + 1)));
  std::vector<double> rows(4 * n);
  file.read(reinterpret_cast<char*>(rows.data()), static_cast<std::streamsize>(rows.size() * sizeof(double)));
  if (!file) throw std::runtime_error(path + " is cut off");
  Charges charges{std::vector<double>(3 * n), std::vector<double>(n)};
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t axis = 0; axis < 3; ++axis) charges.x[3 * i + axis] = rows[4 * i + axis];
    charges.q[i] = rows[4 * i + 3];
  }
  return charges;
}

inline void write_result(const std::string& path, const Result& result) {
  std::ofstream file(path, std::ios::binary);
  for (std::size_t i = 0; i < result.potential.size(); ++i) {
    file.write(reinterpret_cast<const char*>(&result.field[3 * i]), 3 * sizeof(double));
    file.write(reinterpret_cast<const char*>(&result.potential[i]), sizeof(double));
  }
  if (!file.flush()) throw std::runtime_error("cannot write " + path);
}

/// `x` with every coordinate moved by up to 1e-4, other ways in every `turn`.
inline std::vector<double> moved(const std::vector<double>& x, unsigned turn) {
  std::vector<double> result(x);
  std::uint64_t state = 0x9E3779B97F4A7C15ULL * (turn + 1);
  for (double& value : result) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    value += 1e-4 * (static_cast<double>(state >> 11U) * 0x1p-52 - 1.0);
  }
  return result;
}

/// A library's whole work: field and potential of `charges` in the caller's order.
using Evaluate = std::function<void(const Charges& charges, Result& result)>;

/// Calls `evaluate` as said above.
inline void measure(const Arguments& arguments, const Charges& charges, const Evaluate& evaluate) {
  const std::size_t n = charges.q.size();
  Result result{std::vector<double>(3 * n), std::vector<double>(n)};
  for (int turn = 0; turn <= arguments.repeat; ++turn) {
    Charges now{turn < arguments.repeat ? moved(charges.x, static_cast<unsigned>(turn)) : charges.x,
                charges.q};
    const auto start = std::chrono::steady_clock::now();
    evaluate(now, result);
    const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
    if (turn > 0) std::printf("%.6g\n", time.count());
  }
  write_result(arguments.result, result);
}

/// The frame of every driver's main: `work` gets the arguments and the charges.
inline int run(int argc, char** argv, const std::function<void(const Arguments&, const Charges&)>& work) {
  if (argc < 5) {
    std::fprintf(stderr, "usage: %s CHARGES.npy RESULT.bin REPEAT THREADS [SETTINGS]\n", argv[0]);
    return 2;
  }
  try {
    Arguments arguments{argv[1], argv[2], std::atoi(argv[3]), std::atoi(argv[4]), {argv + 5, argv + argc}};
    if (arguments.repeat < 1 || arguments.threads < 1)
      throw std::invalid_argument("REPEAT and THREADS must be positive");
    work(arguments, read_charges(arguments.charges));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", argv[0], error.what());
    return 1;
  }
  return 0;
}

}  // namespace peers
