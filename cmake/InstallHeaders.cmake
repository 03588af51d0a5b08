# Run by `cmake --install`: installs the interface headers and every header of the project that they include, directly
# or not. The interface headers are those that electret.hpp includes; nothing else lists them.
#
#   source        the folder that has electret/electret.hpp
#   destination   where electret/ goes, absolute or below the prefix
#   field_only    whether only the interface headers of core/ and field/ are wanted, without electret.hpp
cmake_policy(VERSION 3.24)

# included_by(RESULT HEADER): the project's headers that HEADER (electret/...) includes.
function(included_by RESULT HEADER)
  file(STRINGS "${source}/${HEADER}" lines REGEX "^[ \t]*#[ \t]*include[ \t]*<electret/")
  list(TRANSFORM lines REPLACE "^[^<]*<([^>]+)>.*$" "\\1")
  set(${RESULT} ${lines} PARENT_SCOPE)
endfunction()

set(left electret/electret.hpp)
if(field_only)
  included_by(left electret/electret.hpp)
  list(FILTER left INCLUDE REGEX "^electret/(core|field)/")
endif()

set(headers "")
while(left)
  list(POP_FRONT left header)
  if(NOT header IN_LIST headers)
    list(APPEND headers ${header})
    included_by(found ${header})
    list(APPEND left ${found})
  endif()
endwhile()

cmake_path(ABSOLUTE_PATH destination BASE_DIRECTORY "${CMAKE_INSTALL_PREFIX}")
foreach(header ${headers})
  cmake_path(GET header PARENT_PATH folder)
  file(INSTALL "${source}/${header}" DESTINATION "${destination}/${folder}")
endforeach()
