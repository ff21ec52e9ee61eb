# Headers, library, program, pkg-config and CMake package files, man page and completion.
include(CMakePackageConfigHelpers)

syn_fixed_runpath(libsynovia)
install(TARGETS libsynovia EXPORT SynoviaTargets)
if(SYN_REPORT)
  if(BUILD_SHARED_LIBS)
    syn_program(synovia_to_install libsynovia)
    add_dependencies(product synovia_to_install)
  endif()
  syn_install_program(synovia libsynovia synovia_to_install)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/synovia.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/synovia.bash
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME synovia)
endif()
# Not the headers of modules that are left out: synovia.h includes what is there.
list(TRANSFORM syn_left_out REPLACE "(.+)" "PATTERN;\\1.h;EXCLUDE" OUTPUT_VARIABLE headers_left_out)
install(DIRECTORY include/synovia DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} ${headers_left_out})

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Synovia)
install(EXPORT SynoviaTargets NAMESPACE Synovia:: DESTINATION ${package_dir})
configure_package_config_file(cmake/SynoviaConfig.cmake.in SynoviaConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(SynoviaConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/SynoviaConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/SynoviaConfigVersion.cmake
  DESTINATION ${package_dir})

set(pc_libraries "-lmeshoptimizer -ldl -lpthread -lm")
if(NOT view IN_LIST syn_left_out)
  string(PREPEND pc_libraries "-lmicrohttpd ")
endif()
# The prefix is given relative to the file, so that an installation may be moved or made elsewhere than configured.
file(RELATIVE_PATH pc_to_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(cmake/synovia.pc.in synovia.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/synovia.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
