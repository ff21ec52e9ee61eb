# SuiteSparse's CHOLMOD, which has no package file of its own in Debian 12. It is loaded when it is needed, by the name that
# the installed one has.
find_path(CHOLMOD_INCLUDE suitesparse/cholmod.h)
find_library(CHOLMOD_LIBRARY cholmod)
if(NOT CHOLMOD_INCLUDE OR NOT CHOLMOD_LIBRARY)
  message(FATAL_ERROR "CHOLMOD is missing (Debian: libsuitesparse-dev); scripts/setup demo installs it")
endif()
file(REAL_PATH ${CHOLMOD_LIBRARY} syn_cholmod)
cmake_path(GET syn_cholmod FILENAME syn_cholmod)
string(REGEX MATCH "^.*\\.so\\.[0-9]+" syn_cholmod "${syn_cholmod}") # libcholmod.so.3 of libcholmod.so.3.0.14
list(APPEND syn_loaded SYN_CHOLMOD="${syn_cholmod}")
