# The page of reports and viewer, bundled into one script and one style sheet that the library carries inside. Without
# node or its packages reports keep their static part: text, tables and drawings.
include(cmake/node.cmake)
include(cmake/wasm.cmake)
set(SYN_NODE "" CACHE FILEPATH "the node that bundles and tests the page; empty: /usr/bin/node, else the one in the PATH")
set(syn_page ${CMAKE_BINARY_DIR}/web)
file(GLOB_RECURSE syn_web_sources CONFIGURE_DEPENDS web/src/*.ts web/src/*.css)
# "complete" is not made when something is missing; the build tool then runs the command again next time.
add_custom_command(OUTPUT ${syn_page}/page.js ${syn_page}/page.css ${syn_page}/page.wasm.txt ${syn_page}/complete
  COMMAND ${CMAKE_COMMAND} -DWEB=${CMAKE_CURRENT_SOURCE_DIR}/web -DOUT=${syn_page} -DSYN_NODE=${SYN_NODE}
    -DWASM=${syn_wasm} "-DWASM_MISSING=${syn_wasm_missing}" -P ${CMAKE_CURRENT_SOURCE_DIR}/cmake/page.cmake
  DEPENDS web/package.json web/package-lock.json web/packages.mjs web/build.mjs cmake/page.cmake cmake/fetch.cmake cmake/node.cmake
    ${syn_web_sources} ${syn_wasm}
  COMMENT "Bundling the page" VERBATIM)
add_custom_command(OUTPUT ${syn_page}/page.c
  COMMAND ${CMAKE_COMMAND} -D syn_page=${syn_page} -P ${CMAKE_CURRENT_SOURCE_DIR}/cmake/embed.cmake
  DEPENDS ${syn_page}/page.js ${syn_page}/page.css ${syn_page}/page.wasm.txt cmake/embed.cmake VERBATIM)
set_source_files_properties(${syn_page}/page.c PROPERTIES COMPILE_OPTIONS -Wno-overlength-strings)
target_sources(syn_objects PRIVATE ${syn_page}/page.c)
