# electret_embed_pages(OUTPUT PAGES): writes the C++ source OUTPUT, which has the bytes of every file of PAGES, a list of
# "URLPATH=FILE". The assembler reads the files, so that they need not be C++ literals of a megabyte; the object is made
# again when one of them changes.
function(electret_embed_pages OUTPUT PAGES)
  set(blocks "")
  set(declarations "")
  set(rows "")
  set(files "")
  set(number 0)
  foreach(page ${PAGES})
    string(REGEX MATCH "^([^=]+)=(.*)$" _ "${page}")
    set(path "${CMAKE_MATCH_1}")
    set(file "${CMAKE_MATCH_2}")
    list(APPEND files "${file}")
    string(APPEND blocks "asm(\".section .rodata\\nelectret_page_${number}:\\n.incbin \\\"${file}\\\"\\nelectret_page_${number}_end:\\n.byte 0\\n.previous\");\n")
    string(APPEND declarations "  extern const char electret_page_${number}[], electret_page_${number}_end[];\n")
    get_filename_component(name "${file}" NAME)
    string(APPEND rows "      {\"${path}\", \"${name}\", bytes(electret_page_${number}, electret_page_${number}_end)},\n")
    math(EXPR number "${number} + 1")
  endforeach()
  file(CONFIGURE OUTPUT ${OUTPUT} CONTENT [[
#include <electret/studio/server/pages.hpp>

@blocks@
extern "C" {
@declarations@}

namespace electret::studio {
namespace {

std::string_view bytes(const char* begin, const char* end) {
  return {begin, static_cast<std::size_t>(end - begin)};
}

}  // namespace

std::span<const EmbeddedPage> embedded_pages() {
  static const EmbeddedPage pages[] = {
@rows@  };
  return pages;
}

}  // namespace electret::studio
]] @ONLY)
  set_source_files_properties(${OUTPUT} PROPERTIES OBJECT_DEPENDS "${files}")
endfunction()
