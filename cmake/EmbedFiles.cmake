# Run by Embed.cmake at build time: FILES (joined by |) -> a source file OUT that holds them as bytes.
string(REPLACE "|" ";" files "${FILES}")
set(arrays "")
set(cases "")
set(n 0)
foreach(file ${files})
  get_filename_component(base ${file} NAME)
  file(READ ${file} hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${hex}")
  string(APPEND arrays "const char file_${n}[] = {${bytes}0};\n")
  string(APPEND cases "  if (name == \"${base}\") return {file_${n}, sizeof file_${n} - 1};\n")
  math(EXPR n "${n} + 1")
endforeach()
file(WRITE ${OUT} "// Made by cmake/EmbedFiles.cmake; do not edit.\n"
     "#include <string_view>\n\nnamespace holdfast {\nnamespace {\n"
     "${arrays}}  // namespace\n\nstd::string_view embedded_${NAME}(std::string_view name);\n"
     "std::string_view embedded_${NAME}([[maybe_unused]] std::string_view name) {\n"
     "${cases}  return {};\n}\n\n}  // namespace holdfast\n")
