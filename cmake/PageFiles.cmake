# Joins the page's own scripts into one file, and its style sheets into another, and embeds both with their SHA-256: the
# page's policy names these sums, so that a browser runs and applies nothing else.
#   page_files(FOLDER reports/page TARGET holdfast_reports)
# gives embedded_page("page.js"), embedded_page("page.js.sha256") and the like
function(page_files)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "FOLDER;TARGET" "")
  file(GLOB pieces CONFIGURE_DEPENDS ${arg_FOLDER}/*.html)
  set(files ${pieces})
  foreach(kind js css)
    file(GLOB parts CONFIGURE_DEPENDS ${arg_FOLDER}/*.${kind})
    set(out ${CMAKE_BINARY_DIR}/embedded/page/page.${kind})
    list(JOIN parts "|" joined)
    add_custom_command(
      OUTPUT ${out} ${out}.sha256
      COMMAND ${CMAKE_COMMAND} -DKIND=${kind} "-DFILES=${joined}" -DOUT=${out}
              -P ${CMAKE_SOURCE_DIR}/cmake/JoinPage.cmake
      DEPENDS ${parts} ${CMAKE_SOURCE_DIR}/cmake/JoinPage.cmake
      COMMENT "Joining ${arg_FOLDER}/*.${kind}"
      VERBATIM)
    list(APPEND files ${out} ${out}.sha256)
  endforeach()
  embed_files(page TARGET ${arg_TARGET} FILES ${files})
endfunction()
