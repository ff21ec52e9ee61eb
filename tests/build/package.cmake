# Installs into a folder of its own and builds the README's program, the tutorial's and the examples against it, by pkg-config and by CMake,
# with the library of this build: static or shared.
cmake_minimum_required(VERSION 3.25)
if(COVERAGE)
  message("skipped: the package is tested as users get it, without instrumentation")
  return()
endif()
if(SANITIZE)
  set(ENV{CFLAGS} -fsanitize=${SANITIZE}) # whoever links an instrumented library needs its runtime
endif()
string(RANDOM LENGTH 8 suffix)
set(work "$ENV{TMPDIR}")
if(NOT work)
  set(work /tmp)
endif()
set(work "${work}/synovia package ${suffix}")
file(MAKE_DIRECTORY "${work}")

# Runs a command there; its failure is the test's, with nothing left behind.
function(run)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY "${work}" OUTPUT_VARIABLE out ERROR_VARIABLE out RESULT_VARIABLE failed)
  set(out "${out}" PARENT_SCOPE)
  if(failed)
    file(REMOVE_RECURSE "${work}")
    message(FATAL_ERROR "${ARGN}:\n${out}")
  endif()
endfunction()

file(READ "${SOURCE}/README.md" readme)
string(REGEX MATCH "```c\n([^`]*)```" block "${readme}")
file(WRITE "${work}/program.c" "${CMAKE_MATCH_1}")
file(READ "${SOURCE}/docs/tutorial/4-five-lines-of-c.md" tutorial)
string(REGEX MATCH "```c\n([^`]*)```" block "${tutorial}")
file(WRITE "${work}/tutorial.c" "${CMAKE_MATCH_1}")
file(WRITE "${work}/tet.off" "OFF\n4 4 0\n0 0 0\n3 0 0\n0 3 0\n0 0 3\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n")
file(WRITE "${work}/CMakeLists.txt" "cmake_minimum_required(VERSION 3.25)\nproject(consumer C)\n"
  "find_package(Synovia 0.1 REQUIRED)\nadd_executable(by_cmake program.c)\ntarget_link_libraries(by_cmake Synovia::synovia)\n"
  "add_executable(tutorial tutorial.c)\ntarget_link_libraries(tutorial Synovia::synovia)\n"
  "foreach(name hip contact_loop mechanism joint_in_memory)\nadd_executable(\${name} \"${SOURCE}/examples/\${name}.c\")\n"
  "target_link_libraries(\${name} Synovia::synovia m)\nendforeach()\n") # contact_loop.c calls sin itself
run("${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${work}/usr")

# Where what is installed looks for libraries, what guards it, and what it calls by name.
file(GLOB installed_shared "${work}/usr/*/libsynovia.so.*.*.*" "${work}/usr/*/*/libsynovia.so.*.*.*")
set(own_is_shared no)
if(SHARED)
  set(own_is_shared yes)
endif()
run("${BASH}" "${SOURCE}/tests/build/elf" installed ${WATCHED} ${own_is_shared} "${work}/usr/bin/synovia" ${installed_shared})
file(GLOB installed_libraries "${work}/usr/*/libsynovia.*" "${work}/usr/*/*/libsynovia.*")
if(NOT installed_libraries)
  message(FATAL_ERROR "no library is installed in ${work}")
endif()
run("${BASH}" "${SOURCE}/tests/build/globals" ${installed_libraries})

file(GLOB_RECURSE pc "${work}/usr/*/synovia.pc")
cmake_path(GET pc PARENT_PATH pc_path)
cmake_path(GET pc_path PARENT_PATH libraries)
set(ENV{LD_LIBRARY_PATH} "${libraries}") # where the library is a shared one
file(WRITE "${work}/by-pkg-config" "export PKG_CONFIG_PATH='${pc_path}'\n"
  "flags=$(pkg-config --cflags --static --libs synovia) && eval \"'${COMPILER}' $CFLAGS program.c -o by_pkg_config $flags\" && "
  "for name in hip contact_loop mechanism joint_in_memory; do "
  "eval \"'${COMPILER}' $CFLAGS '${SOURCE}/examples/$name.c' -o \${name}_by_pkg_config $flags\" || exit 1; done\n")
run(sh by-pkg-config)
run("${CMAKE_COMMAND}" -G "${GENERATOR}" -S . -B by-cmake "-DCMAKE_PREFIX_PATH=${work}/usr" "-DCMAKE_C_COMPILER=${COMPILER}")
run("${CMAKE_COMMAND}" --build by-cmake)
foreach(program ./by_pkg_config by-cmake/by_cmake)
  run(${program} tet.off)
  if(NOT out STREQUAL "4 triangles, 4.5 mm3\n")
    file(REMOVE_RECURSE "${work}")
    message(FATAL_ERROR "${program} says '${out}'")
  endif()
endforeach()

# Which library it is that they have run with.
file(GET_RUNTIME_DEPENDENCIES EXECUTABLES "${work}/by_pkg_config" "${work}/by-cmake/by_cmake" DIRECTORIES "${libraries}"
  RESOLVED_DEPENDENCIES_VAR used UNRESOLVED_DEPENDENCIES_VAR missing)
if(("${used}" MATCHES "libsynovia[.]so" AND NOT SHARED) OR (SHARED AND NOT "${used}" MATCHES "libsynovia[.]so"))
  file(REMOVE_RECURSE "${work}")
  message(FATAL_ERROR "BUILD_SHARED_LIBS is '${SHARED}', and the programs use ${used}")
endif()
# Our own program needs no such hint, also where the installation is moved.
file(RENAME "${work}/usr" "${work}/moved")
run("${CMAKE_COMMAND}" -E env --unset=LD_LIBRARY_PATH "${work}/moved/bin/synovia" mesh info tet.off)
file(RENAME "${work}/moved" "${work}/usr")

# The examples that need no data answer as the program does.
run("${BUILD}/synovia" shape lever -o lever)
run("${BUILD}/synovia" rom --fixed lever/stone.ply --mobile lever/lever.ply --center 0,0,0 --axis 0,1,0 --json)
string(REGEX MATCH "\"positive_deg\": ([0-9]+[.][0-9][0-9])" found "${out}")
set(angle "${CMAKE_MATCH_1}")
foreach(program ./mechanism_by_pkg_config by-cmake/mechanism)
  run(${program})
  if(NOT angle OR NOT out MATCHES "forward: ${angle}[0-9]* degrees, face-vertex at .*back: [0-9.]+ degrees, edge-edge at")
    file(REMOVE_RECURSE "${work}")
    message(FATAL_ERROR "${program}, where the angle is ${angle}, says '${out}'")
  endif()
endforeach()
foreach(program ./contact_loop_by_pkg_config by-cmake/contact_loop)
  run(${program})
  # the push turns by few degrees from one millisecond to the next
  if(NOT out MATCHES "500 ms: +0[.]749 mm deep, push along .*turned by [0-4][.][0-9]+ degrees at most.*1000 poses: mean [0-9.]+ ms, 99.9 % below [0-9.]+ ms")
    file(REMOVE_RECURSE "${work}")
    message(FATAL_ERROR "${program} says '${out}'")
  endif()
endforeach()

foreach(program ./joint_in_memory_by_pkg_config by-cmake/joint_in_memory)
  run(${program})
  if(NOT out MATCHES "Flexion +stopped at [0-9]+°.*FABER")
    file(REMOVE_RECURSE "${work}")
    message(FATAL_ERROR "${program} says '${out}'")
  endif()
endforeach()

# The whole analysis in one call gives what the program gives: both programs on a small hip, and in `make verify` one
# of them on real bones.
function(find_flexion)
  run("${BUILD}/synovia" rom ${ARGN} --motion flexion --json)
  string(REGEX MATCH "\"angle_deg\": ([0-9]+[.][0-9])" found "${out}")
  set(angle "${CMAKE_MATCH_1}" PARENT_SCOPE)
endfunction()
function(expect_analysis program side)
  file(REMOVE_RECURSE "${work}/written")
  run(${program} ${ARGN} written)
  if(NOT angle OR NOT out MATCHES "a ${side} hip" OR NOT out MATCHES "Flexion +${angle}" OR NOT EXISTS "${work}/written/report.html")
    file(REMOVE_RECURSE "${work}")
    message(FATAL_ERROR "${program}, where flexion is ${angle}, says '${out}'")
  endif()
endfunction()
if(NOT SANITIZE)
  run("${BUILD}/synovia" shape hip --resolution 2 -o small)
  find_flexion(small/pelvis.ply small/femur.ply)
  foreach(program ./hip_by_pkg_config by-cmake/hip)
    expect_analysis(${program} right small/pelvis.ply small/femur.ply)
  endforeach()
endif()
set(data "$ENV{SYNOVIA_DATA}")
if(NOT data)
  set(data "${SOURCE}/../shared/data")
endif()
set(bones "${data}/vsd_NC/z013/Hip_R.ply" "${data}/vsd_NC/z013/Femur_R.ply")
if("$ENV{SYNOVIA_LONG}" AND NOT SANITIZE AND EXISTS "${data}/vsd_NC/z013/Hip_R.ply")
  find_flexion(${bones})
  expect_analysis(./hip_by_pkg_config right ${bones})
endif()
file(REMOVE_RECURSE "${work}")
