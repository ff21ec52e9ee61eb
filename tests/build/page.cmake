# The page is made where the path has a blank and letters beyond ASCII; where packages cannot be had the build goes on without
# the script, says why, and tries again next time.
cmake_minimum_required(VERSION 3.25)
include("${SOURCE}/cmake/node.cmake")
syn_find_node(node why)
if(why)
  message("skipped: ${why}")
  return()
endif()
string(RANDOM LENGTH 8 suffix)
set(root "/tmp/synovia-page-${suffix}")
set(work "${root}/sp ace/ünï")
set(web "${work}/web")
set(registry "${root}/registry")

function(check condition text)
  if(NOT (${condition}))
    file(REMOVE_RECURSE "${root}")
    message(FATAL_ERROR "${text}\n${out}")
  endif()
endfunction()

# make_page(NODE [DEFINITION...]): as the build does it, with packages from the folder "registry".
function(make_page node)
  execute_process(COMMAND "${CMAKE_COMMAND}" -E env "NPM_CONFIG_REGISTRY=file://${registry}" --unset=npm_config_registry
    "${CMAKE_COMMAND}" "-DWEB=${web}" "-DOUT=${work}/out" "-DSYN_NODE=${node}" ${ARGN} -P "${SOURCE}/cmake/page.cmake"
    OUTPUT_VARIABLE out ERROR_VARIABLE out RESULT_VARIABLE failed)
  set(out "${out}" PARENT_SCOPE)
  set(failed ${failed} PARENT_SCOPE)
endfunction()
function(expect_plain part)
  check("NOT;failed" "a build without packages fails")
  check("NOT;EXISTS;${work}/out/complete" "a page without its script counts as complete")
  check("EXISTS;${work}/out/page.css" "there is no style sheet")
  file(READ "${work}/out/missing.txt" reason)
  check("reason;MATCHES;${part}" "the reason '${reason}' does not say '${part}'")
  file(SIZE "${work}/out/page.js" size)
  check("size;EQUAL;0" "the plain page has a script")
endfunction()

# A package of one file in a registry of one package, and a bundler that copies it.
file(MAKE_DIRECTORY "${registry}/tiny/-" "${web}/src" "${work}/package")
file(COPY "${SOURCE}/web/packages.mjs" DESTINATION "${web}")
file(WRITE "${web}/src/page.css" "p {}\n")
file(WRITE "${work}/package/package.json" "{\"name\": \"tiny\", \"version\": \"1.2.3\"}\n")
set(tarball "${registry}/tiny/-/tiny-1.2.3.tgz")
execute_process(COMMAND tar -czf "${tarball}" package WORKING_DIRECTORY "${work}" COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${node}" -p "require('crypto').createHash('sha512').update(require('fs').readFileSync(process.argv[1])).digest('base64')"
  "${tarball}" OUTPUT_VARIABLE sum OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
file(WRITE "${web}/package.json" "{\"dependencies\": {\"tiny\": \"1.2.3\"}, \"devDependencies\": {}}\n")
function(write_lock sum)
  file(WRITE "${web}/package-lock.json" "{\"packages\": {\"node_modules/tiny\": {\"version\": \"1.2.3\", \"integrity\": \"sha512-${sum}\"},
    \"node_modules/esbuild\": {\"version\": \"1.0.0\", \"os\": [\"none\"]}}}\n")
endfunction()
write_lock("${sum}")
file(WRITE "${web}/build.mjs" "import { copyFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
for (const name of ['page.js', 'page.css'])
  copyFileSync(fileURLToPath(new URL('node_modules/tiny/package.json', import.meta.url)), `\${process.argv[2]}/\${name}`);\n")

make_page("${work}/no-such-node")
expect_plain("node is not installed")
file(RENAME "${registry}" "${work}/away")
make_page("${node}")
expect_plain("tiny-1.2.3.tgz: ")
file(RENAME "${work}/away" "${registry}")
string(SUBSTRING "${sum}" 4 -1 other)
write_lock("AAAA${other}")
make_page("${node}")
expect_plain("SHA-512 differs")
check("NOT;EXISTS;${web}/node_modules/tiny" "a package with another sum is kept")
write_lock("${sum}")
make_page("${node}")
check("EXISTS;${work}/out/complete" "the next build does not try again")
check("NOT;EXISTS;${work}/out/missing.txt" "the old reason stays")
file(READ "${work}/out/page.js" script)
check("script;MATCHES;tiny" "the script is not bundled")

# What is in place is not fetched again.
file(REMOVE_RECURSE "${registry}")
make_page("${node}")
check("EXISTS;${work}/out/complete" "a package that is there is fetched again")

# Without a compiler for WebAssembly the page is complete, and says what it cannot do.
make_page("${node}" "-DWASM_MISSING=clang is not installed")
check("EXISTS;${work}/out/complete" "a page without WebAssembly is not complete")
file(READ "${work}/out/missing.txt" reason)
check("reason;MATCHES;clang is not installed" "the reason '${reason}' does not say what is missing")

# The real sources, from the same path.
if(EXISTS "${SOURCE}/web/node_modules/esbuild/package.json")
  file(REMOVE_RECURSE "${web}")
  file(COPY "${SOURCE}/web/src" "${SOURCE}/web/build.mjs" "${SOURCE}/web/package.json" DESTINATION "${web}")
  file(CREATE_LINK "${SOURCE}/web/node_modules" "${web}/node_modules" SYMBOLIC)
  execute_process(COMMAND "${node}" "${web}/build.mjs" "${work}/real" OUTPUT_VARIABLE out ERROR_VARIABLE out RESULT_VARIABLE failed)
  check("NOT;failed" "the page is not bundled in ${web}")
endif()
file(REMOVE_RECURSE "${root}")
