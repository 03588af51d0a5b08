#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdlib>

#include <support/allocation_counter.hpp>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define ELECTRET_SANITIZER_OWNS_MALLOC
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define ELECTRET_SANITIZER_OWNS_MALLOC
#endif
#if defined(__GLIBC__) && !defined(ELECTRET_SANITIZER_OWNS_MALLOC)
#define ELECTRET_COUNT_ALLOCATIONS
#endif

namespace {
std::atomic<std::int64_t> allocations{0};
}

namespace electret::test {

bool AllocationCounter::works() {
#ifdef ELECTRET_COUNT_ALLOCATIONS
  return true;
#else
  return false;
#endif
}

std::int64_t AllocationCounter::total() {
  return allocations.load();
}

}  // namespace electret::test

#ifdef ELECTRET_COUNT_ALLOCATIONS
// glibc's own allocator under its other names; memory so made is freed by the usual free.
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

void* malloc(std::size_t size) noexcept {
  ++allocations;
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) noexcept {
  ++allocations;
  return __libc_calloc(count, size);
}
void* realloc(void* old, std::size_t size) noexcept {
  ++allocations;
  return __libc_realloc(old, size);
}
void* memalign(std::size_t alignment, std::size_t size) noexcept {
  ++allocations;
  return __libc_memalign(alignment, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  ++allocations;
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** out, std::size_t alignment, std::size_t size) noexcept {
  ++allocations;
  *out = __libc_memalign(alignment, size);
  return *out == nullptr ? ENOMEM : 0;
}
}
#endif
