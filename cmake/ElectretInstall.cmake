# `cmake --install`: the library with its headers, the command, and what CMake's find_package(Electret) and
# pkg-config need to find them.
include(CMakePackageConfigHelpers)

set(package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/Electret")

set_target_properties(electret PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
target_include_directories(electret INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
install(TARGETS electret EXPORT ElectretTargets)
install(EXPORT ElectretTargets NAMESPACE Electret:: DESTINATION ${package_folder})

# Headers are chosen when the project is installed, because which ones the interface needs follows from their includes.
install(CODE "set(source \"${CMAKE_CURRENT_SOURCE_DIR}/src\")
  set(destination \"${CMAKE_INSTALL_INCLUDEDIR}\")
  set(field_only \"${ELECTRET_FIELD_ONLY}\")")
install(SCRIPT cmake/InstallHeaders.cmake)
if(ELECTRET_FIELD_ONLY)
  # Whoever includes the whole library's header gets an error that says what is installed.
  install(FILES cmake/field_only.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/electret RENAME electret.hpp)
endif()

# Whoever links a static library must link its dependencies, too. CMake gets each of them as find_dependency,
# pkg-config as a linker flag. Header-only libraries leave nothing to link.
electret_link_dependencies(dependencies)
set(ELECTRET_FIND_DEPENDENCIES "")
set(libraries "")
foreach(dependency ${dependencies})
  electret_package_of(${dependency} package)
  electret_linker_flag(${dependency} flag)
  if(package AND NOT BUILD_SHARED_LIBS)
    string(APPEND ELECTRET_FIND_DEPENDENCIES "find_dependency(${package})\n")
  endif()
  string(APPEND libraries " ${flag}")
endforeach()
# If the library is static, there is no shared one to link, so that plain `pkg-config --libs` names what it
# needs.
set(ELECTRET_PC_LIBRARIES "${libraries}")
set(ELECTRET_PC_PRIVATE_LIBRARIES "")
if(BUILD_SHARED_LIBS)
  set(ELECTRET_PC_LIBRARIES "")
  set(ELECTRET_PC_PRIVATE_LIBRARIES "${libraries}")
endif()

configure_package_config_file(cmake/ElectretConfig.cmake.in ElectretConfig.cmake INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(ElectretConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/ElectretConfig.cmake" "${CMAKE_CURRENT_BINARY_DIR}/ElectretConfigVersion.cmake"
  DESTINATION ${package_folder})
if(NOT BUILD_SHARED_LIBS AND ELECTRET_FIND_DEPENDENCIES MATCHES "CHOLMOD")
  install(FILES cmake/FindCHOLMOD.cmake DESTINATION ${package_folder})
endif()
configure_file(cmake/electret.pc.in electret.pc @ONLY)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/electret.pc" DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
# The pages, with the files to which they lead, in the same folders.
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
if(NOT ELECTRET_FIELD_ONLY)
  install(FILES CHANGELOG.md CITATION.cff CONTRIBUTING.md README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
  install(FILES tools/packages.txt DESTINATION ${CMAKE_INSTALL_DOCDIR}/tools)
  install(DIRECTORY docs examples DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING
    PATTERN "*.md" PATTERN "*.svg" PATTERN "*.png" PATTERN "*.jpg" PATTERN "*.toml" PATTERN "*.obj" PATTERN "*.csv" PATTERN "*.cpp"
    PATTERN "*.py" PATTERN "*.ipynb" PATTERN runs EXCLUDE PATTERN .ipynb_checkpoints EXCLUDE)
  file(GLOB pages CONFIGURE_DEPENDS bench/*.md)
  install(FILES ${pages} DESTINATION ${CMAKE_INSTALL_DOCDIR}/bench)
endif()

file(RELATIVE_PATH library_from_command "${CMAKE_INSTALL_FULL_BINDIR}" "${CMAKE_INSTALL_FULL_LIBDIR}")
if(TARGET electret_experiments)
  set_target_properties(electret_experiments PROPERTIES INSTALL_RPATH "$ORIGIN/${library_from_command}")
  install(TARGETS electret_experiments OPTIONAL)  # ./dev run builds the command alone.
endif()
if(TARGET electret_command)
  set_target_properties(electret_command PROPERTIES INSTALL_RPATH "$ORIGIN/${library_from_command}")
  install(TARGETS electret_command)
  # The command writes its own completion scripts. They go to the folders in which the shells look for them.
  foreach(place "bash:bash-completion/completions/electret" "zsh:zsh/site-functions/_electret"
      "fish:fish/vendor_completions.d/electret.fish")
    string(REGEX MATCH "^(.*):(.*)/(.*)$" _ "${place}")
    set(script "${CMAKE_CURRENT_BINARY_DIR}/completion/${CMAKE_MATCH_1}/${CMAKE_MATCH_3}")
    install(CODE "file(MAKE_DIRECTORY \"${CMAKE_CURRENT_BINARY_DIR}/completion/${CMAKE_MATCH_1}\")
      execute_process(COMMAND $<TARGET_FILE:electret_command> completion ${CMAKE_MATCH_1}
        OUTPUT_FILE \"${script}\" COMMAND_ERROR_IS_FATAL ANY)")
    install(FILES "${script}" DESTINATION "${CMAKE_INSTALL_DATADIR}/${CMAKE_MATCH_2}")
  endforeach()
endif()
