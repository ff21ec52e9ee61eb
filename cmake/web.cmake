# The page of reports and viewer, bundled into one script and one style sheet that the library carries inside. Without
# node and npm reports keep their static part: text, tables and drawings.
find_program(SYN_NODE node)
find_program(SYN_NPM npm)
set(syn_page ${CMAKE_BINARY_DIR}/web)
file(GLOB syn_web_sources CONFIGURE_DEPENDS web/src/*.ts web/src/*.css)
if(SYN_NODE AND SYN_NPM)
  # One copy of the packages serves every preset.
  set(syn_packages ${CMAKE_CURRENT_SOURCE_DIR}/web/node_modules/.package-lock.json)
  add_custom_command(OUTPUT ${syn_packages}
    COMMAND ${SYN_NPM} ci --silent --no-progress
    COMMAND ${CMAKE_COMMAND} -E touch ${syn_packages}
    DEPENDS web/package.json web/package-lock.json
    WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}/web COMMENT "Fetching the packages of the page" VERBATIM)
  add_custom_command(OUTPUT ${syn_page}/page.js ${syn_page}/page.css
    COMMAND ${SYN_NODE} ${CMAKE_CURRENT_SOURCE_DIR}/web/build.mjs ${syn_page}
    DEPENDS ${syn_packages} web/build.mjs ${syn_web_sources} COMMENT "Bundling the page" VERBATIM)
else()
  message(WARNING "node or npm is missing: reports will have no 3D scene (scripts/setup build installs them)")
  add_custom_command(OUTPUT ${syn_page}/page.js ${syn_page}/page.css
    COMMAND ${CMAKE_COMMAND} -E make_directory ${syn_page}
    COMMAND ${CMAKE_COMMAND} -E touch ${syn_page}/page.js
    COMMAND ${CMAKE_COMMAND} -E copy ${CMAKE_CURRENT_SOURCE_DIR}/web/src/page.css ${syn_page}/page.css VERBATIM)
endif()
add_custom_command(OUTPUT ${syn_page}/page.c
  COMMAND ${CMAKE_COMMAND} -D syn_page=${syn_page} -P ${CMAKE_CURRENT_SOURCE_DIR}/cmake/embed.cmake
  DEPENDS ${syn_page}/page.js ${syn_page}/page.css cmake/embed.cmake VERBATIM)
set_source_files_properties(${syn_page}/page.c PROPERTIES COMPILE_OPTIONS -Wno-overlength-strings)
target_sources(libsynovia PRIVATE ${syn_page}/page.c)
