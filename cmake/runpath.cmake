# Where our program and shared library look for libraries. What CMake may rewrite while installing gets a RUNPATH that ends with a
# colon and is padded with colons. Each of them is an empty entry, which is the current folder: code would be loaded out of whatever
# folder of meshes the user stands in. So nothing of ours is rewritten.

# syn_fixed_runpath(TARGET ENTRY...): the same RUNPATH built and installed: these entries, and the folders of libraries of others that
# lie where the system does not look.
function(syn_fixed_runpath target)
  set_target_properties(${target} PROPERTIES BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "${ARGN}" INSTALL_RPATH_USE_LINK_PATH ON)
endfunction()

# syn_install_program(PROGRAM LIBRARY TWIN): on a static library the program has no RUNPATH. On a shared one it has the absolute path of
# the folder that the library is built in, and TWIN, which was made as it was, is installed under its name: it finds the library
# beside it, wherever both are put.
function(syn_install_program program library twin)
  get_target_property(type ${library} TYPE)
  if(NOT type STREQUAL "SHARED_LIBRARY")
    syn_fixed_runpath(${program})
    install(TARGETS ${program})
    return()
  endif()
  file(RELATIVE_PATH to_libraries ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
  syn_fixed_runpath(${twin} "$ORIGIN/${to_libraries}")
  set_target_properties(${twin} PROPERTIES OUTPUT_NAME ${program} RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/to-install)
  install(TARGETS ${twin})
endfunction()
