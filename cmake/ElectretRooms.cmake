# A room is one folder of src/electret. It is built as the object library `electret_ROOM`. The library
# `electret` consists of all rooms' objects. A test links only the rooms that it needs, so that a room that
# does not compile does not stop other rooms' tests.
set(ELECTRET_SOURCE_ROOT "${CMAKE_CURRENT_LIST_DIR}/../src")
cmake_path(NORMAL_PATH ELECTRET_SOURCE_ROOT)

# The headers that the library's sources include most. They are precompiled once per level of optimisation,
# because reading them takes longer than compiling many of the sources. Each file still includes what it uses.
# Rooms have different definitions, but the standard library uses none of them.
set(ELECTRET_PRECOMPILED_HEADERS <algorithm> <array> <cmath> <fstream> <functional> <map> <memory> <optional> <span>
  <sstream> <string> <string_view> <unordered_map> <variant> <vector>)

# More of GCC 12's false positives on std::string, which show once headers are precompiled.
function(electret_no_string_warnings TARGET)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${TARGET} PRIVATE -Wno-array-bounds -Wno-stringop-overflow)
  endif()
endfunction()

# Makes TARGET use the precompiled headers of its KIND, cold or hot. Sources with compiler options of their
# own cannot use them.
function(electret_precompile TARGET KIND)
  get_target_property(sources ${TARGET} SOURCES)
  foreach(source ${sources})
    get_source_file_property(options ${source} COMPILE_OPTIONS)
    if(options)
      set_source_files_properties(${source} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
    endif()
  endforeach()
  set(owner electret_headers_${KIND})
  if(NOT TARGET ${owner})
    # Compilers refuse precompiled headers that were made with a definition which the source lacks, so their
    # owner has none.
    file(WRITE "${PROJECT_BINARY_DIR}/${owner}.cpp" "")
    add_library(${owner} OBJECT "${PROJECT_BINARY_DIR}/${owner}.cpp")
    target_link_libraries(${owner} PRIVATE electret_settings)
    if(KIND STREQUAL cold)
      electret_compile_fast(${owner})
    else()
      electret_no_string_warnings(${owner})
    endif()
    target_precompile_headers(${owner} PRIVATE ${ELECTRET_PRECOMPILED_HEADERS})
  endif()
  target_precompile_headers(${TARGET} REUSE_FROM ${owner})
endfunction()

# Compiles TARGET with little optimisation, because its files mostly wait for a user or a disk. The numbers
# are the same, because the compiler rearranges no arithmetic.
function(electret_compile_fast TARGET)
  target_compile_options(${TARGET} PRIVATE $<$<CONFIG:Release>:-O1>)
  electret_no_string_warnings(${TARGET})
endfunction()

# electret_compile_together(TARGET [BATCH so many] [ALONE sources] [SHADOWS]) compiles the sources of TARGET eight at a time, or as
# many as BATCH says, because reading headers takes longer than compiling most of them. Sources in ALONE, and those with
# compiler options of their own, are compiled one by one: their file-local names are also those of others. SHADOWS: a local
# name may be one of another file's.
function(electret_compile_together TARGET)
  cmake_parse_arguments(ARG "SHADOWS" "BATCH" "ALONE" ${ARGN})
  if(NOT ARG_BATCH)
    set(ARG_BATCH 8)
  endif()
  set_target_properties(${TARGET} PROPERTIES UNITY_BUILD ${ELECTRET_UNITY} UNITY_BUILD_BATCH_SIZE ${ARG_BATCH})
  set_source_files_properties(${ARG_ALONE} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  # Clang warns of another source's constants, too, where GCC does not; ./dev syntax reads each source alone.
  if(ARG_SHADOWS OR CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    set_target_properties(${TARGET} PROPERTIES
      UNITY_BUILD_CODE_BEFORE_INCLUDE "#pragma GCC diagnostic ignored \"-Wshadow\"")
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND ELECTRET_UNITY)
    # GCC takes a source that is included for a header, in which file-local types would be a mistake.
    target_compile_options(${TARGET} PRIVATE -Wno-subobject-linkage)
  endif()
endfunction()

# Adds to the room NAME the object library TARGET of KIND, cold or hot.
function(electret_room_objects NAME TARGET KIND)
  cmake_parse_arguments(ARG "TOGETHER" "BATCH" "SOURCES;ALONE;LIBRARIES;INCLUDES" ${ARGN})
  add_library(${TARGET} OBJECT ${ARG_SOURCES})
  if(KIND STREQUAL cold)
    electret_compile_fast(${TARGET})
  else()
    electret_no_string_warnings(${TARGET})
  endif()
  if(ARG_TOGETHER)
    electret_compile_together(${TARGET} BATCH ${ARG_BATCH} ALONE ${ARG_ALONE})
  endif()
  electret_precompile(${TARGET} ${KIND})
  target_include_directories(${TARGET} PUBLIC ${ELECTRET_SOURCE_ROOT})
  target_include_directories(${TARGET} SYSTEM PRIVATE ${ARG_INCLUDES})
  target_link_libraries(${TARGET} PRIVATE electret_settings ${ARG_LIBRARIES})
  set_property(TARGET electret_${NAME} APPEND PROPERTY ELECTRET_OBJECTS ${TARGET})
endfunction()

# electret_room(NAME SOURCES a.cpp ... [ROOMS rooms whose objects it needs] [LIBRARIES packages] [INCLUDES their
# folders] [COLD [HOT sources]] [TOGETHER [BATCH so many] [ALONE sources]]). The sources of a COLD room are compiled
# fast, but for those in HOT, which are optimised like those of other rooms.
function(electret_room NAME)
  cmake_parse_arguments(ARG "COLD;TOGETHER" "BATCH" "SOURCES;ROOMS;LIBRARIES;INCLUDES;HOT;ALONE" ${ARGN})
  set(shared LIBRARIES ${ARG_LIBRARIES} INCLUDES ${ARG_INCLUDES} ALONE ${ARG_ALONE})
  if(ARG_TOGETHER)
    list(APPEND shared TOGETHER BATCH ${ARG_BATCH})
  endif()
  if(ARG_COLD)
    list(REMOVE_ITEM ARG_SOURCES "" ${ARG_HOT})
    electret_room_objects(${NAME} electret_${NAME} cold SOURCES ${ARG_SOURCES} ${shared})
    if(ARG_HOT)
      electret_room_objects(${NAME} electret_${NAME}_hot hot SOURCES ${ARG_HOT} ${shared})
    endif()
  else()
    electret_room_objects(${NAME} electret_${NAME} hot SOURCES ${ARG_SOURCES} ${shared})
  endif()
  set_target_properties(electret_${NAME} PROPERTIES ELECTRET_LIBRARIES "${ARG_LIBRARIES}"
    ELECTRET_ROOMS "${ARG_ROOMS}")
  set_property(GLOBAL APPEND PROPERTY ELECTRET_ALL_ROOMS ${NAME})
endfunction()

# Adds the objects of ROOMS, and of the rooms they need, to TARGET, each once.
function(electret_use_rooms TARGET)
  set(todo ${ARGN})
  set(done "")
  while(todo)
    list(POP_FRONT todo room)
    if(room IN_LIST done)
      continue()
    endif()
    list(APPEND done ${room})
    get_target_property(needs electret_${room} ELECTRET_ROOMS)
    get_target_property(libraries electret_${room} ELECTRET_LIBRARIES)
    if(needs)
      list(APPEND todo ${needs})
    endif()
    get_target_property(objects electret_${room} ELECTRET_OBJECTS)
    foreach(library ${objects})
      target_sources(${TARGET} PRIVATE $<TARGET_OBJECTS:${library}>)
    endforeach()
    foreach(library ${libraries})
      electret_is_header_only(${library} header_only)
      if(header_only)
        target_link_libraries(${TARGET} PRIVATE $<BUILD_INTERFACE:${library}>)
      elseif(library)
        target_link_libraries(${TARGET} PRIVATE ${library})
      endif()
    endforeach()
  endwhile()
  target_include_directories(${TARGET} PRIVATE ${ELECTRET_SOURCE_ROOT})
endfunction()

# Makes the tests TARGET use the precompiled headers KIND: GoogleTest's and those named. Reading headers takes longer than
# compiling most tests. Each file still includes what it uses, so that -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON works; users
# of ccache want it.
function(electret_precompile_for_tests TARGET KIND)
  if(CMAKE_DISABLE_PRECOMPILE_HEADERS)
    return()
  endif()
  # Whoever uses another target's precompiled headers waits for all of that target, so that their owner has nothing else.
  # It is a program, because programs' position-independent code has an option of its own.
  set(owner electret_test_headers_${KIND})
  if(NOT TARGET ${owner})
    file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/${owner}.cpp" CONTENT "int main() {}\n")
    add_executable(${owner} "${PROJECT_BINARY_DIR}/${owner}.cpp")
    target_include_directories(${owner} PRIVATE ${ELECTRET_SOURCE_ROOT})
    target_link_libraries(${owner} PRIVATE electret_settings GTest::gmock_main GTest::gtest)
    electret_compile_fast(${owner})
    target_precompile_headers(${owner} PRIVATE <gmock/gmock.h> <gtest/gtest.h> ${ARGN})
  endif()
  target_precompile_headers(${TARGET} REUSE_FROM ${owner})
endfunction()

# electret_tests(ROOM [SIMULATES] [OF room] [SOURCES test_a.cpp ...] [ALONE sources] [ROOMS further rooms] [LIBRARIES packages]
# [LABELS for ctest] [KERNEL_SUITES filter]): makes one executable, test_ROOM. If no SOURCES are named, it has all of the folder. OF names
# the room that is tested where the executable has a name of its own. Sources are compiled four at a time, but for those in
# ALONE. Each of its suites is a test of ctest. The label "threads" says that the room's own loops run on several threads.
# SIMULATES: most sources include the simulator's headers. KERNEL_SUITES, a filter of GoogleTest, also run on the instruction sets that the processor would not choose
# (ElectretSuites.cmake). Without GoogleTest (the field library on a bare machine) nothing is made.
function(electret_tests ROOM)
  if(NOT TARGET GTest::gtest)
    return()
  endif()
  cmake_parse_arguments(ARG "SIMULATES" "KERNEL_SUITES;OF" "SOURCES;ALONE;ROOMS;LIBRARIES;LABELS" ${ARGN})
  if(NOT ARG_SOURCES)
    file(GLOB ARG_SOURCES CONFIGURE_DEPENDS *.cpp)
  endif()
  if(NOT ARG_OF)
    set(ARG_OF ${ROOM})
  endif()
  add_executable(test_${ROOM} ${ARG_SOURCES})
  electret_use_rooms(test_${ROOM} ${ARG_OF} ${ARG_ROOMS})
  target_link_libraries(test_${ROOM} PRIVATE electret_settings electret_test_support ${ARG_LIBRARIES} GTest::gmock_main
    GTest::gtest)
  # A test spends its time in the library, so that its own code needs little optimisation.
  electret_compile_fast(test_${ROOM})
  electret_compile_together(test_${ROOM} BATCH 4 ALONE ${ARG_ALONE} SHADOWS)
  if(ARG_SIMULATES)
    electret_precompile_for_tests(test_${ROOM} simulator <electret/dynamics/simulator.hpp> <electret/scene/read.hpp>)
  else()
    electret_precompile_for_tests(test_${ROOM} plain)
  endif()
  # ctest asks the program for its suites and runs one process per suite, because starting a process takes
  # longer than most tests.
  set(include "${CMAKE_CURRENT_BINARY_DIR}/test_${ROOM}_suites.cmake")
  file(WRITE "${include}" "set(program \"${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/test_${ROOM}${CMAKE_EXECUTABLE_SUFFIX}\")
set(labels \"${ARG_LABELS}\")\nset(kernel_suites \"${ARG_KERNEL_SUITES}\")\ninclude(\"${PROJECT_SOURCE_DIR}/cmake/ElectretSuites.cmake\")\n")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${include}")
endfunction()
