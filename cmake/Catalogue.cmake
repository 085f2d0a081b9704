# The folder is the registry. Every FOLDER/NAME.cpp defines `const TYPE SINGULAR_NAME` in namespace holdfast; the list
# of them all, `PLURAL()`, is generated here, so that adding an entry edits nothing and a linker can drop nothing.
# The list is an object file of its own: a program that brings another list (tests/planted) is linked with that one.
# Such a list may name entries of a folder that another target compiles (ALSO). With FOLDERS an entry is a folder,
# FOLDER/NAME/NAME.cpp, and all sources beside it are its own. With HEADERS an entry is `inline const
# TYPE SINGULAR_NAME` of FOLDER/NAME.hpp. With TEXTS what people read of an entry stands beside it,
# FOLDER/NAME.md, and is embedded as `embedded_SINGULAR_texts("NAME.md")`.
function(catalogue plural)
  cmake_parse_arguments(PARSE_ARGV 1 arg "FOLDERS;HEADERS;TEXTS" "SINGULAR;TYPE;HEADER;FOLDER;TARGET;ALSO" "")
  if(arg_FOLDERS)
    file(GLOB files CONFIGURE_DEPENDS ${arg_FOLDER}/*/*.cpp)
  elseif(arg_HEADERS)
    file(GLOB files CONFIGURE_DEPENDS ${arg_FOLDER}/*.hpp)
  else()
    file(GLOB files CONFIGURE_DEPENDS ${arg_FOLDER}/*.cpp)
  endif()
  set(others "")
  if(arg_ALSO)
    file(GLOB others CONFIGURE_DEPENDS ${arg_ALSO}/*.cpp)
  endif()
  set(includes "")
  set(declarations "")
  set(entries "")
  get_property(left_out GLOBAL PROPERTY holdfast_left_out)
  get_property(kept GLOBAL PROPERTY holdfast_kept)
  foreach(file ${others} ${files})
    get_filename_component(name ${file} NAME_WE)
    get_filename_component(file_name ${file} NAME)
    get_filename_component(folder ${file} DIRECTORY)
    get_filename_component(folder ${folder} NAME)
    if(arg_FOLDERS AND NOT folder STREQUAL name)
      if(arg_TYPE STREQUAL "ServerType" AND folder IN_LIST left_out AND NOT file_name IN_LIST kept)
        list(REMOVE_ITEM files ${file})
      endif()
      continue()
    endif()
    if(arg_HEADERS)
      string(APPEND includes "#include \"${arg_FOLDER}/${name}.hpp\"\n")
    else()
      string(APPEND declarations "extern const ${arg_TYPE} ${arg_SINGULAR}_${name};\n")
    endif()
    string(APPEND entries "      {\"${name}\", &${arg_SINGULAR}_${name}},\n")
  endforeach()
  if(arg_TEXTS)
    entry_texts(${arg_SINGULAR}_texts TARGET ${arg_TARGET} FOLDERS ${arg_ALSO} ${arg_FOLDER} ENTRIES ${others} ${files})
  endif()
  set(out ${CMAKE_CURRENT_BINARY_DIR}/catalogue/${plural}.cpp)
  file(CONFIGURE OUTPUT ${out} @ONLY CONTENT [[// Made by cmake/Catalogue.cmake from @arg_FOLDER@; do not edit.
#include "@arg_HEADER@"
@includes@
namespace holdfast {
@declarations@
const std::vector<Entry<@arg_TYPE@>>& @plural@() {
  static const std::vector<Entry<@arg_TYPE@>> all{
@entries@  };
  return all;
}

}  // namespace holdfast
]])
  if(arg_HEADERS)
    set(files "")
  endif()
  target_sources(${arg_TARGET} PRIVATE ${files} ${out})
endfunction()

# Each entry has its text, and each text an entry.
function(entry_texts name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TARGET" "FOLDERS;ENTRIES")
  list(TRANSFORM arg_FOLDERS APPEND "/*.md" OUTPUT_VARIABLE patterns)
  file(GLOB found CONFIGURE_DEPENDS ${patterns})
  set(texts "")
  foreach(entry ${arg_ENTRIES})
    string(REGEX REPLACE "cpp$" "md" text ${entry})
    if(NOT EXISTS ${text})
      message(FATAL_ERROR "${text} is missing: it says what people read of ${entry}; remedy: start from a neighbour's")
    endif()
    list(APPEND texts ${text})
  endforeach()
  foreach(text ${found})
    string(REGEX REPLACE "md$" "cpp" entry ${text})
    if(NOT EXISTS ${entry})
      message(FATAL_ERROR "${text} belongs to no entry; remedy: remove it, or add ${entry}")
    endif()
  endforeach()
  embed_files(${name} TARGET ${arg_TARGET} FILES ${texts})
endfunction()
