# Compiling several files at a time. Starting the compiler and reading headers takes it 30 ms a file, a third of the time of a
# file compiled with -O1. What may share a batch hangs on the names in it, so a change of any source divides them anew.

# syn_divide(RESULT SOURCE...): "BATCH FILE" for each source that may share a batch. Names in syn_renamed may be
# in several, and syn_headers are headers of which some sources include some.
function(syn_divide result)
  find_program(awk NAMES awk REQUIRED NO_CACHE)
  list(JOIN syn_renamed " " renamed)
  execute_process(COMMAND ${awk} -v "renamed=${renamed}" -f ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/batches.awk ${syn_headers} ${ARGN}
    OUTPUT_VARIABLE lines COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "[^\n]+" lines "${lines}")
  set(${result} ${lines} PARENT_SCOPE)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${syn_headers} ${ARGN})
endfunction()

# syn_compile_in_batches(TARGET SOURCE...): those sources of TARGET. Users are not warned. Where warnings are errors, what needs the
# optimiser is found here, and the rest in each file by itself, where no name of a neighbour is in sight (the test build/alone).
function(syn_compile_in_batches target)
  syn_divide(lines ${ARGN})
  foreach(line IN LISTS lines)
    string(REGEX MATCH "^([^ ]+) (.+)$" line "${line}")
    set_property(SOURCE "${CMAKE_MATCH_2}" PROPERTY UNITY_GROUP ${CMAKE_MATCH_1})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  if(SYN_WERROR)
    set_target_properties(${target} PROPERTIES UNITY_BUILD_CODE_BEFORE_INCLUDE "#pragma GCC diagnostic ignored \"-Wshadow\"")
  else()
    target_compile_options(${target} PRIVATE -w)
  endif()
endfunction()

# syn_write_batches(RESULT FOLDER SOURCE...): files in FOLDER that include the sources of a batch each, and the sources that
# must be compiled alone. A neighbour's names are no reason to warn; the test build/alone sees each without. In each source the
# names in syn_renamed begin with the source's property SYN_PREFIX.
function(syn_write_batches result folder)
  syn_divide(lines ${ARGN})
  set(alone ${ARGN})
  set(batches "")
  # the headers, which are read once, declare the main of the first one alone
  set(quiet "#pragma GCC diagnostic ignored \"-Wshadow\"\n#pragma GCC diagnostic ignored \"-Wmissing-prototypes\"\n")
  foreach(line IN LISTS lines)
    string(REGEX MATCH "^([^ ]+) (.+)$" line "${line}")
    list(REMOVE_ITEM alone "${CMAKE_MATCH_2}")
    list(APPEND batches ${CMAKE_MATCH_1})
    set(batch ${CMAKE_MATCH_1})
    set(source "${CMAKE_MATCH_2}")
    get_property(prefix SOURCE "${source}" PROPERTY SYN_PREFIX)
    foreach(name IN LISTS syn_renamed)
      string(APPEND text_${batch} "#define ${name} ${prefix}${name}\n")
    endforeach()
    string(APPEND text_${batch} "#include \"${source}\"\n")
    foreach(name IN LISTS syn_renamed)
      string(APPEND text_${batch} "#undef ${name}\n")
    endforeach()
  endforeach()
  list(REMOVE_DUPLICATES batches)
  set(files ${alone})
  foreach(batch IN LISTS batches)
    file(CONFIGURE OUTPUT ${folder}/${batch}.c CONTENT "${quiet}${text_${batch}}" @ONLY) # the same text keeps its time
    list(APPEND files ${folder}/${batch}.c)
  endforeach()
  set(${result} ${files} PARENT_SCOPE)
endfunction()
