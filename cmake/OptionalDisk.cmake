# A disk that loses power needs libfuse3, which not everybody has. Where it is missing, all else is the same, and the
# fault is unavailable and says how to get it: `./run setup power_loss` installs setup/power_loss/packages.txt and
# builds again.
function(optional_disk)
  if(NOT HOLDFAST_STATIC)
    pkg_check_modules(FUSE3 IMPORTED_TARGET fuse3)
  endif()
  if(FUSE3_FOUND)
    file(GLOB sources CONFIGURE_DEPENDS src/disk/fuse/*.cpp)
    target_link_libraries(holdfast_disk PRIVATE PkgConfig::FUSE3)
  else()
    message(STATUS "without power loss: fuse3 is not installed; ./run setup power_loss installs it")
    file(GLOB sources CONFIGURE_DEPENDS src/disk/no_fuse/*.cpp)
  endif()
  target_sources(holdfast_disk PRIVATE ${sources})
endfunction()
