# The settings that every target shares: language level, warnings, sanitizers. Rooms find their own packages;
# whoever links a room needs the packages' targets, too.
set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL ON)
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  if(PROJECT_IS_TOP_LEVEL)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
  else()
    # The type is the whole project's, so that it is not for a part of it to set.
    message(NOTICE "Electret is compiled without optimisation, because CMAKE_BUILD_TYPE is empty: Release is fast")
  endif()
endif()
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")

add_library(electret_settings INTERFACE)
# Contraction is off, so that a formula gives the same bits wherever the compiler inlines it. Kernels that
# want fused multiply-adds call them by name.
target_compile_options(electret_settings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
  -Wno-sign-conversion -Wnon-virtual-dtor -Woverloaded-virtual -ffp-contract=off)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # Nobody replaces our functions at load time, so that position-independent code may inline them, as Clang's
  # does by default. Without this flag, building a tree of the fast multipole method takes half as long again.
  target_compile_options(electret_settings INTERFACE -fno-semantic-interposition)
  # GCC collects its garbage once that exceeds 128 MiB, again and again. With 512 MiB, sources that mostly read headers
  # end up to a fifth sooner, and the largest job takes 1.1 GB of memory instead of 0.8 (bench/compiling.md).
  target_compile_options(electret_settings INTERFACE --param=ggc-min-heapsize=524288)
  # False positives of GCC 12 on std::string.
  target_compile_options(electret_settings INTERFACE -Wno-maybe-uninitialized -Wno-restrict)
endif()
# Kernels for AVX2 and wider are built beside the portable ones; the processor decides at run time which are used.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
  set(ELECTRET_X86_KERNELS ON)
endif()
if(ELECTRET_WARNINGS_AS_ERRORS)
  target_compile_options(electret_settings INTERFACE -Werror)
endif()
if(ELECTRET_SANITIZE)
  string(REPLACE ";" "," _sanitizers "${ELECTRET_SANITIZE}")
  target_compile_options(electret_settings INTERFACE -fsanitize=${_sanitizers} -fno-omit-frame-pointer
    -fno-sanitize-recover=all)
  target_link_options(electret_settings INTERFACE -fsanitize=${_sanitizers})
  if(ELECTRET_SANITIZE MATCHES "thread" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # Boost.Asio has fences, which GCC's ThreadSanitizer does not see: GCC warns of each.
    target_compile_options(electret_settings INTERFACE -Wno-tsan)
  endif()
endif()
if(ELECTRET_BUILD_FUZZERS)
  target_compile_options(electret_settings INTERFACE -fsanitize=fuzzer-no-link)
endif()
