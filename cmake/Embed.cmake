# Puts the text of files into the program: `embedded_NAME("stem.ext")` returns a file's text, or an empty view.
function(embed name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "FOLDER;TARGET" "PATTERN")
  set(files "")
  foreach(pattern ${arg_PATTERN})
    file(GLOB found CONFIGURE_DEPENDS ${arg_FOLDER}/${pattern})
    list(APPEND files ${found})
  endforeach()
  embed_files(${name} TARGET ${arg_TARGET} FILES ${files})
endfunction()

# The same for files that are named.
function(embed_files name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TARGET" "FILES")
  set(out ${CMAKE_CURRENT_BINARY_DIR}/embedded/${name}.cpp)
  list(JOIN arg_FILES "|" joined)
  add_custom_command(
    OUTPUT ${out}
    COMMAND ${CMAKE_COMMAND} -DNAME=${name} "-DFILES=${joined}" -DOUT=${out}
            -P ${CMAKE_SOURCE_DIR}/cmake/EmbedFiles.cmake
    DEPENDS ${arg_FILES} ${CMAKE_SOURCE_DIR}/cmake/EmbedFiles.cmake
    COMMENT "Embedding ${name}"
    VERBATIM)
  target_sources(${arg_TARGET} PRIVATE ${out})
endfunction()

# The same for one file that is built: `embedded_NAME("FILE")`, FILE being what the target BUILT makes.
function(embed_built name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "BUILT;TARGET" "")
  set(out ${CMAKE_CURRENT_BINARY_DIR}/embedded/${name}.cpp)
  add_custom_command(
    OUTPUT ${out}
    COMMAND ${CMAKE_COMMAND} -DNAME=${name} -DFILES=$<TARGET_FILE:${arg_BUILT}> -DOUT=${out}
            -P ${CMAKE_SOURCE_DIR}/cmake/EmbedFiles.cmake
    DEPENDS ${arg_BUILT} ${CMAKE_SOURCE_DIR}/cmake/EmbedFiles.cmake
    COMMENT "Embedding ${arg_BUILT}"
    VERBATIM)
  target_sources(${arg_TARGET} PRIVATE ${out})
endfunction()
