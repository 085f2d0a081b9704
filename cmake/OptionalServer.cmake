# A kind of server whose client library is not needed by everybody. Where the library is missing, the kind is still in
# the catalogue, so that its locks, pages and schemas are the same in each build; but nothing of it can be used, and it
# says how to get it: `./run setup NAME` installs src/servers/NAME/packages.txt and builds again.
#
#   optional_server(etcd PACKAGE libcurl LATE libcurl4 WITHOUT etcd_file.cpp)      # in src/servers/etcd/server.cmake
#
# With LATE it is not linked, but loaded by the program when it is needed (servers/late_library.hpp): a build needs its
# headers, and whoever runs it the Debian package that LATE names.
#
# A library that pkg-config does not know is named, with a header of it: `LIBRARY zookeeper_st HEADER
# zookeeper/zookeeper.h`.
#
# SHARED names sources of src/servers that need the library, too, for several kinds of server.
#
# NAME.cpp and the sources that WITHOUT names need no library. NAME.cpp hands what it has to `ServerType
# with_NAME_client(ServerType)`, which the other sources of the folder define: it fills in the rest. Where the library
# is missing those are left out, and a function of that name is made here.
function(optional_server name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "PACKAGE;LIBRARY;HEADER;LATE" "WITHOUT;SHARED")
  string(TOUPPER ${name} upper)
  if(arg_LIBRARY)
    set(arg_PACKAGE ${arg_LIBRARY})
    set(name_of_library ${arg_LIBRARY})
    if(HOLDFAST_STATIC)
      set(name_of_library lib${arg_LIBRARY}.a)
    endif()
    find_library(${upper}_LIBRARY ${name_of_library})
    find_path(${upper}_HEADERS ${arg_HEADER})
    if(${upper}_LIBRARY AND ${upper}_HEADERS)
      target_link_libraries(holdfast_servers PUBLIC ${${upper}_LIBRARY})
      target_include_directories(holdfast_servers SYSTEM PUBLIC ${${upper}_HEADERS})
      return()
    endif()
  else()
    pkg_check_modules(${upper} IMPORTED_TARGET ${arg_PACKAGE})
    if(${upper}_FOUND AND arg_LATE)
      target_include_directories(holdfast_servers SYSTEM PRIVATE ${${upper}_INCLUDE_DIRS})
      target_link_libraries(holdfast_servers PUBLIC ${CMAKE_DL_LIBS})
      set_property(GLOBAL APPEND PROPERTY holdfast_late_packages ${arg_LATE})
      return()
    endif()
    if(${upper}_FOUND)
      target_link_libraries(holdfast_servers PUBLIC PkgConfig::${upper})
      return()
    endif()
  endif()
  message(STATUS "without ${name}: ${arg_PACKAGE} is not installed; ./run setup ${name} installs it")
  set_property(GLOBAL APPEND PROPERTY holdfast_left_out ${name})
  set_property(GLOBAL APPEND PROPERTY holdfast_kept ${arg_WITHOUT})
  foreach(source ${arg_SHARED})
    set_source_files_properties(${CMAKE_SOURCE_DIR}/src/servers/${source} PROPERTIES HEADER_FILE_ONLY ON)
  endforeach()
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
