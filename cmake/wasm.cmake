# The hip that computes inside its own page: src/view/page_hip.c and what it needs, for WebAssembly, as ${syn_wasm}. Without
# clang, lld and wasi-libc syn_wasm is empty, syn_wasm_missing says why, and reports show what was recorded.
set(syn_wasm "")
set(syn_wasm_missing "")
if(NOT CMAKE_BUILD_TYPE STREQUAL "Release")
  return() # the page is for those who use the program, and tested with what they have
endif()
find_program(SYN_WASM_CLANG clang)
mark_as_advanced(SYN_WASM_CLANG)
set(syn_wasm_folder ${CMAKE_BINARY_DIR}/wasm)
set(syn_wasm_target --target=wasm32-wasi)
if(NOT SYN_WASM_CLANG OR NOT EXISTS /usr/include/wasm32-wasi/stdlib.h)
  set(syn_wasm_missing "clang and wasi-libc are not installed (scripts/setup demo installs them)")
  return()
endif()
# The linker and the compiler's own library for this target are packages by themselves: only linking shows that all is there.
file(WRITE ${syn_wasm_folder}/probe.c "#include <math.h>\nint main(int n, char **w) { return w[0] && (int)fmod(n, 2); }\n")
execute_process(COMMAND ${SYN_WASM_CLANG} ${syn_wasm_target} ${syn_wasm_folder}/probe.c -lm -o ${syn_wasm_folder}/probe.wasm
  RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
if(failed)
  set(syn_wasm_missing "clang cannot link for WebAssembly (scripts/setup demo installs lld and the library that it needs)")
  return()
endif()

# Of the modules only what a pose needs: no files, no JSON, one thread. A file too few is an error of the linker, one too many
# a second of everybody's first build.
file(GLOB_RECURSE syn_wasm_sources CONFIGURE_DEPENDS src/geometry/*.c src/collide/*.c)
file(GLOB mesh_sources CONFIGURE_DEPENDS src/mesh/*.c src/mesh/tree/*.c)
list(FILTER syn_wasm_sources EXCLUDE REGEX "_avx2\\.c$|/collide/(step|world)/|/(overlap|overlap_write|prepare)\\.c$")
list(FILTER mesh_sources EXCLUDE REGEX "/self_intersection\\.c$")
foreach(name angle format_double memory parallel platform pose status text)
  list(APPEND syn_wasm_sources ${PROJECT_SOURCE_DIR}/src/base/${name}.c)
endforeach()
list(APPEND syn_wasm_sources ${mesh_sources})
foreach(name clinic/hip clinic/rom/clinical_motions clinic/rom/hip_limit clinic/rom/joint_surface joint/joint mesh/repair/nesting
    mesh/repair/repair mesh/tet/tet_topology motion/joint_coordinates motion/rom/pose_query motion/rom/rom motion/rom/rom_turn report/hip/packed
    view/answer view/page_hip)
  list(APPEND syn_wasm_sources ${PROJECT_SOURCE_DIR}/src/${name}.c)
endforeach()
set(flags ${syn_wasm_target} -std=c17 -O2 -msimd128 -ffp-contract=off -fno-math-errno -Wall -Wextra -Wno-unknown-pragmas
  -D_DEFAULT_SOURCE -D_WASI_EMULATED_GETPID -DSYN_CORE -DNDEBUG -I${PROJECT_SOURCE_DIR}/include -I${PROJECT_SOURCE_DIR}/src)
set(objects "")
foreach(source ${syn_wasm_sources})
  cmake_path(GET source FILENAME name) # no two files of src/ have the same
  set(object ${syn_wasm_folder}/${name}.o)
  add_custom_command(OUTPUT ${object}
    COMMAND ${CMAKE_C_COMPILER_LAUNCHER} ${SYN_WASM_CLANG} ${flags} -MD -MF ${object}.d -c ${source} -o ${object}
    DEPENDS ${source} DEPFILE ${object}.d COMMENT "Compiling ${name} for the page" VERBATIM)
  list(APPEND objects ${object})
endforeach()
set(syn_wasm ${syn_wasm_folder}/page.wasm)
# A query takes up to 300 KB of the stack.
add_custom_command(OUTPUT ${syn_wasm}
  COMMAND ${SYN_WASM_CLANG} ${syn_wasm_target} -mexec-model=reactor ${objects} -Wl,-z,stack-size=4194304 -Wl,--gc-sections
    -Wl,--strip-all -Wl,--export=malloc -Wl,--export=free -lwasi-emulated-getpid -lm -o ${syn_wasm}
  DEPENDS ${objects} COMMENT "Linking the page's WebAssembly" VERBATIM COMMAND_EXPAND_LISTS)
