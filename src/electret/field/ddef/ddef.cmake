# `ddef` takes its Delaunay tessellation from Qhull; without it the field library does without this solver.
# Appends to `sources`, `libraries`.
find_package(Qhull QUIET)
list(APPEND sources ddef/rule.cpp)
if(TARGET Qhull::qhull_r)
  list(APPEND libraries Qhull::qhull_r)
  list(APPEND sources ddef/charges.cpp ddef/ddef.cpp ddef/delaunay.cpp ddef/derivatives.cpp ddef/discretisation.cpp
    ddef/far_field.cpp ddef/gather.cpp ddef/grid.cpp ddef/kernel_table.cpp ddef/kernels_portable.cpp ddef/location.cpp
    ddef/near_field.cpp ddef/near_sets.cpp ddef/points.cpp ddef/solver_base.cpp ddef/tessellation.cpp)
  set_source_files_properties(ddef/kernels_portable.cpp PROPERTIES COMPILE_OPTIONS -fno-math-errno)
  if(ELECTRET_X86_KERNELS)
    list(APPEND sources ddef/kernels_avx2.cpp ddef/kernels_avx512.cpp)
    set_source_files_properties(ddef/kernels_avx2.cpp PROPERTIES COMPILE_OPTIONS "-mavx2;-mfma")
    set_source_files_properties(ddef/kernels_avx512.cpp PROPERTIES
      COMPILE_OPTIONS "-mavx512f;-mavx512dq;-mavx512vl;-mfma;-mprefer-vector-width=512")
  endif()
else()
  message(STATUS "Qhull is missing (apt-get install libqhull-dev): the field solver ddef is left out")
  list(APPEND sources ddef/unavailable.cpp)
endif()
