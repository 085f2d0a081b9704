# What reads histories spends a fifth of its time on calls from file to file, which GCC saves where it may look across
# them as it links. Only the named programs are linked so; in all others, tests for the most part, the same objects are
# linked as they are, in a hundredth of the time.
#
#   compile_for_both(LIBRARY)        # whose files these are
#   optimize_across_files(PROGRAM)
set(across_files FALSE)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_BUILD_TYPE STREQUAL "Release")
  set(across_files TRUE)
  # Else the linker would do it wherever it meets such objects.
  add_link_options($<$<NOT:$<BOOL:$<TARGET_PROPERTY:ACROSS_FILES>>>:-fno-lto>)
endif()

function(compile_for_both library)
  if(across_files)
    target_compile_options(${library} PRIVATE -flto -ffat-lto-objects)
  endif()
endfunction()

function(optimize_across_files program)
  if(across_files)
    set_target_properties(${program} PROPERTIES ACROSS_FILES TRUE)
    target_link_options(${program} PRIVATE -flto=auto -O3)  # this -O is for what is done between files
  endif()
endfunction()
