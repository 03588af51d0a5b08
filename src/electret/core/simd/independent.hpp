#pragma once
/// \file
/// ELECTRET_INDEPENDENT before a loop promises that its iterations touch different elements, so that the
/// compiler may vectorise the loop without a check. GCC and clang have different words for it.

#ifdef __clang__
#define ELECTRET_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define ELECTRET_INDEPENDENT _Pragma("GCC ivdep")
#endif
