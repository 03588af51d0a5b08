#pragma once
/// \file
/// BLAS and OpenMP on one thread while CHOLMOD factors.

#include <mutex>

namespace electret::detail {

/// While it lives, OpenBLAS (whatever library provides BLAS, it is asked by symbol; others are left alone)
/// computes on one thread, so that a factor has the same bits whatever OPENBLAS_NUM_THREADS says. OpenBLAS
/// that lacks openblas_set_num_threads_local (0.3.21 does) has one setting for the whole process: it is put
/// back afterwards, and two factorisations take turns.
class SingleThreadedBlas {
 public:
  SingleThreadedBlas();
  ~SingleThreadedBlas();
  SingleThreadedBlas(const SingleThreadedBlas&) = delete;
  SingleThreadedBlas& operator=(const SingleThreadedBlas&) = delete;

 private:
  std::unique_lock<std::mutex> turn_;
  int before_ = 0;
};

/// While it lives, OpenMP loops run on the calling thread (the runtime is asked by symbol; without one there
/// is nothing to do): in a forked child, teams whose threads stayed behind in the parent wait for ever, and
/// many simulators side by side need no teams either.
class WithoutOpenMpTeams {
 public:
  WithoutOpenMpTeams();
  ~WithoutOpenMpTeams();
  WithoutOpenMpTeams(const WithoutOpenMpTeams&) = delete;
  WithoutOpenMpTeams& operator=(const WithoutOpenMpTeams&) = delete;

 private:
  int before_ = -1;
};

}  // namespace electret::detail
