# The headers of HTTP/2 are compressed, and libnghttp2 reads them; only who strikes requests to etcd needs it. Where it
# is missing, all else is the same, and such a fault is unavailable and says how to get it: `./run setup etcd` installs
# src/servers/etcd/packages.txt and builds again. It is linked statically, so that the program needs nothing more to
# run.
function(optional_http2 target)
  pkg_check_modules(NGHTTP2 libnghttp2)
  find_library(NGHTTP2_ARCHIVE libnghttp2.a HINTS ${NGHTTP2_LIBRARY_DIRS})
  if(NGHTTP2_FOUND AND NGHTTP2_ARCHIVE)
    set(folder src/relay/protocols/grpc/nghttp2)
    target_include_directories(${target} SYSTEM PRIVATE ${NGHTTP2_INCLUDE_DIRS})
    target_link_libraries(${target} PRIVATE ${NGHTTP2_ARCHIVE})
  else()
    message(STATUS "without faults at requests to etcd: libnghttp2 is not installed; ./run setup etcd installs it")
    set(folder src/relay/protocols/grpc/no_nghttp2)
  endif()
  file(GLOB sources CONFIGURE_DEPENDS ${folder}/*.cpp)
  target_sources(${target} PRIVATE ${sources})
endfunction()
