# SuiteSparse's CHOLMOD, which has no package file of its own in Debian 12.
find_path(CHOLMOD_INCLUDE suitesparse/cholmod.h)
find_library(CHOLMOD_LIBRARY cholmod)
if(NOT CHOLMOD_INCLUDE OR NOT CHOLMOD_LIBRARY)
  message(FATAL_ERROR "CHOLMOD is missing (Debian: libsuitesparse-dev); scripts/setup demo installs it")
endif()
