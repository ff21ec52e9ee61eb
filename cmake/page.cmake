# Runs while building: makes OUT/page.js and OUT/page.css from the sources in WEB. Where node or the packages cannot be had
# the page is the style sheet alone, OUT/missing.txt says why, and OUT/complete is not made, so that the next build tries
# again. A fault in the sources themselves ends the build. usage: cmake -DWEB=DIR -DOUT=DIR [-DSYN_NODE=FILE]
# [-DWASM=FILE|-DWASM_MISSING=REASON] -P page.cmake
cmake_minimum_required(VERSION 3.25)
include("${CMAKE_CURRENT_LIST_DIR}/node.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/fetch.cmake")

file(MAKE_DIRECTORY "${OUT}")
file(REMOVE "${OUT}/complete" "${OUT}/missing.txt")
syn_find_node(node why)
if(NOT why)
  syn_fetch("${node}" "${WEB}" bundle why)
endif()

if(why)
  # A file that stays the same keeps its time, so that nothing is compiled again.
  file(CONFIGURE OUTPUT "${OUT}/page.js" CONTENT "" @ONLY)
  file(CONFIGURE OUTPUT "${OUT}/page.wasm.txt" CONTENT "" @ONLY)
  file(COPY_FILE "${WEB}/src/page.css" "${OUT}/page.css" ONLY_IF_DIFFERENT)
  set(text "Reports are made without their 3D scene: ${why}. The next build tries again.")
  file(WRITE "${OUT}/missing.txt" "${text}\n")
  message(NOTICE "${text}")
  return()
endif()

execute_process(COMMAND "${node}" "${WEB}/build.mjs" "${OUT}" ${WASM} RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "The page's script cannot be bundled; see above.")
endif()
if(WASM_MISSING)
  set(text "Reports are made without \"Try a pose\": ${WASM_MISSING}.")
  file(WRITE "${OUT}/missing.txt" "${text}\n")
  message(NOTICE "${text}")
endif()
file(TOUCH "${OUT}/complete")
