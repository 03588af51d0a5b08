#pragma once
/// \file
/// Whether a sanitizer owns the memory of this program. Then allocations cannot be counted, and the address
/// space cannot be limited.

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define ELECTRET_SANITIZER_OWNS_MALLOC
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define ELECTRET_SANITIZER_OWNS_MALLOC
#endif

namespace electret::test {

#ifdef ELECTRET_SANITIZER_OWNS_MALLOC
inline constexpr bool sanitizer_owns_memory = true;
#else
inline constexpr bool sanitizer_owns_memory = false;
#endif

}  // namespace electret::test
