#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdlib>

#include <malloc.h>
#include <support/allocated_bytes.hpp>
#include <support/allocation_counter.hpp>
#include <support/sanitizers.hpp>

#if defined(__GLIBC__) && !defined(ELECTRET_SANITIZER_OWNS_MALLOC)
#define ELECTRET_COUNT_ALLOCATIONS
#endif

namespace {
std::atomic<std::int64_t> allocations{0}, bytes{0}, most_bytes{0};
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

AllocatedBytes::AllocatedBytes() : start_(bytes.load()) {
  most_bytes = start_;
}

std::int64_t AllocatedBytes::most() const {
  return most_bytes.load() - start_;
}

}  // namespace electret::test

#ifdef ELECTRET_COUNT_ALLOCATIONS
namespace {

void add(std::int64_t size) {
  const std::int64_t now = bytes += size;
  for (std::int64_t most = most_bytes; now > most && !most_bytes.compare_exchange_weak(most, now);) {
  }
}

/// Counts the block at `place`, if there is one.
void* counted(void* place) {
  ++allocations;
  if (place != nullptr) add(static_cast<std::int64_t>(malloc_usable_size(place)));
  return place;
}

}  // namespace

// glibc's own allocator under its other names.
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void __libc_free(void*);

void* malloc(std::size_t size) noexcept {
  return counted(__libc_malloc(size));
}
void* calloc(std::size_t count, std::size_t size) noexcept {
  return counted(__libc_calloc(count, size));
}
void* realloc(void* old, std::size_t size) noexcept {
  const std::size_t before = malloc_usable_size(old);
  void* const place = __libc_realloc(old, size);
  if (place != nullptr || size == 0) add(-static_cast<std::int64_t>(before));
  return counted(place);
}
void free(void* place) noexcept {
  add(-static_cast<std::int64_t>(malloc_usable_size(place)));
  __libc_free(place);
}
void* memalign(std::size_t alignment, std::size_t size) noexcept {
  return counted(__libc_memalign(alignment, size));
}
void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  return counted(__libc_memalign(alignment, size));
}
int posix_memalign(void** out, std::size_t alignment, std::size_t size) noexcept {
  *out = counted(__libc_memalign(alignment, size));
  return *out == nullptr ? ENOMEM : 0;
}
}
#endif
