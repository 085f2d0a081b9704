# A kind of server whose client library is not needed by everybody. Where the library is missing, the kind is still in
# the catalogue, so that its locks, pages and schemas are the same in each build; but nothing of it can be used, and it
# says how to get it: `./run setup NAME` installs src/servers/NAME/packages.txt and builds again.
#
#   optional_server(postgres PACKAGE libpq)      # in src/servers/postgres/server.cmake
#
# NAME.cpp has what needs no library, and hands it to `ServerType with_NAME_client(ServerType)`, which the other sources
# of the folder define: it fills in what does. Where the library is missing they are left out, and a function of that
# name is made here.
function(optional_server name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "PACKAGE" "")
  string(TOUPPER ${name} upper)
  pkg_check_modules(${upper} IMPORTED_TARGET ${arg_PACKAGE})
  if(${upper}_FOUND)
    target_link_libraries(holdfast_servers PUBLIC PkgConfig::${upper})
    return()
  endif()
  message(STATUS "without ${name}: ${arg_PACKAGE} is not installed; ./run setup ${name} installs it")
  set_property(GLOBAL APPEND PROPERTY holdfast_left_out ${name})
  set(out ${CMAKE_CURRENT_BINARY_DIR}/catalogue/without_${name}.cpp)
  file(CONFIGURE OUTPUT ${out} @ONLY CONTENT [[// Made by cmake/OptionalServer.cmake; do not edit.
#include "servers/server_type.hpp"

namespace holdfast {

ServerType with_@name@_client(ServerType type) {
  type.without = "@arg_PACKAGE@";
  type.set_up = "./run setup @name@";
  return type;
}

}  // namespace holdfast
]])
  target_sources(holdfast_servers PRIVATE ${out})
endfunction()
