#pragma once
/// \file
/// A function that is always inlined.

#define ELECTRET_INLINE __attribute__((always_inline)) inline
