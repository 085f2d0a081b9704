# Compiles the sources of every target in groups (batches.py), each as one file: a build that is slow by its headers and
# templates, as with sanitizers, takes a third of the time. For builds that are made once, not for work on the code.
function(batch_targets folder)
  get_directory_property(targets DIRECTORY ${folder} BUILDSYSTEM_TARGETS)
  foreach(target ${targets})
    get_target_property(type ${target} TYPE)
    if(type MATCHES "LIBRARY|EXECUTABLE" AND NOT type STREQUAL "INTERFACE_LIBRARY")
      batch_target(${target})
    endif()
  endforeach()
endfunction()

# Few together in the checker: its mutants (tests/mutants) compile a group for each change.
function(batch_target target)
  set(most 20)
  if(target STREQUAL "holdfast_checker")
    set(most 8)
  endif()
  get_target_property(sources ${target} SOURCES)
  # What is embedded is not made yet; a catalogue is an object file of its own (Catalogue.cmake).
  list(FILTER sources EXCLUDE REGEX "/(embedded|catalogue)/")
  set_property(DIRECTORY ${CMAKE_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${sources})
  get_target_property(folder ${target} SOURCE_DIR)
  execute_process(COMMAND python3 -B ${CMAKE_SOURCE_DIR}/cmake/batches.py ${most} ${sources} WORKING_DIRECTORY ${folder}
                  OUTPUT_VARIABLE lines OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE "\n" ";" lines "${lines}")
  foreach(line ${lines})
    string(REGEX MATCH "^([0-9]+) (.*)$" line "${line}")
    set_source_files_properties(${CMAKE_MATCH_2} TARGET_DIRECTORY ${target} PROPERTIES UNITY_GROUP ${CMAKE_MATCH_1})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()
