# One folder of the house = one static library, holdfast_NAME, of every source directly in it (and below its entry
# folders, which Catalogue.cmake adds) and in the folders that it names with ALSO.
add_library(holdfast_options INTERFACE)
target_include_directories(holdfast_options INTERFACE ${CMAKE_SOURCE_DIR} ${CMAKE_SOURCE_DIR}/src)
target_compile_options(holdfast_options INTERFACE -Wall -Wextra -Wshadow -Wswitch-enum -Wconversion -Wno-sign-conversion
                       $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>  # GCC 12 sees ghosts in "a" + std::to_string(b)
                       $<$<BOOL:${HOLDFAST_WERROR}>:-Werror>)

function(stage name folder)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "ALSO" "LINKS")
  file(GLOB sources CONFIGURE_DEPENDS ${folder}/*.cpp)
  if(arg_ALSO)
    file(GLOB more CONFIGURE_DEPENDS ${arg_ALSO}/*.cpp)
    list(APPEND sources ${more})
  endif()
  if(NOT sources)
    add_library(holdfast_${name} INTERFACE)
    target_link_libraries(holdfast_${name} INTERFACE holdfast_options ${arg_LINKS})
    return()
  endif()
  add_library(holdfast_${name} STATIC ${sources})
  target_link_libraries(holdfast_${name} PUBLIC holdfast_options ${arg_LINKS})
endfunction()
