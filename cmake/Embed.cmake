# Puts the text of files into the program: `embedded_NAME("stem.ext")` returns a file's text, or an empty view.
function(embed name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "FOLDER;TARGET" "PATTERN")
  set(files "")
  foreach(pattern ${arg_PATTERN})
    file(GLOB found CONFIGURE_DEPENDS ${arg_FOLDER}/${pattern})
    list(APPEND files ${found})
  endforeach()
  set(out ${CMAKE_BINARY_DIR}/embedded/${name}.cpp)
  list(JOIN files "|" joined)
  add_custom_command(
    OUTPUT ${out}
    COMMAND ${CMAKE_COMMAND} -DNAME=${name} "-DFILES=${joined}" -DOUT=${out}
            -P ${CMAKE_SOURCE_DIR}/cmake/EmbedFiles.cmake
    DEPENDS ${files} ${CMAKE_SOURCE_DIR}/cmake/EmbedFiles.cmake
    COMMENT "Embedding ${arg_FOLDER}"
    VERBATIM)
  target_sources(${arg_TARGET} PRIVATE ${out})
endfunction()
