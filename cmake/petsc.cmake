# PETSc over MPI, which spreads large systems over processes. Optional: without it `synovia pressure` runs in one process. As CHOLMOD it is
# loaded when it is needed, by the name that the installed one has; only its headers are used here.
set(syn_petsc "")
if(SYN_PETSC)
  pkg_check_modules(PETSC QUIET petsc)
  find_library(PETSC_LIBRARY NAMES petsc_real petsc HINTS ${PETSC_LIBRARY_DIRS})
  if(PETSC_FOUND AND PETSC_LIBRARY)
    find_package(MPI QUIET COMPONENTS C)
  endif()
  if(MPI_C_FOUND)
    file(REAL_PATH ${PETSC_LIBRARY} syn_petsc)
    cmake_path(GET syn_petsc FILENAME syn_petsc)
    string(REGEX MATCH "^.*\\.so\\.[0-9]+\\.[0-9]+" syn_petsc "${syn_petsc}") # libpetsc_real.so.3.18 of libpetsc_real.so.3.18.5
  else()
    message(STATUS "one process for each problem: PETSc is not installed (Debian: libpetsc-real-dev; scripts/setup test installs it)")
  endif()
endif()
if(syn_petsc)
  set(syn_petsc_files src/tissue/team/petsc.c src/tissue/team/team.c src/tissue/team/spread.c
    src/tissue/team/divide.c src/tissue/team/room.c)
  set_source_files_properties(${syn_petsc_files} PROPERTIES COMPILE_DEFINITIONS SYN_PETSC="${syn_petsc}")
  set(syn_petsc_includes ${PETSC_INCLUDE_DIRS} ${MPI_C_INCLUDE_DIRS})
endif()
