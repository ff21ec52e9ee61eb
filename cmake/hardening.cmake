# Readers take files of strangers: what a fault there could overwrite is watched, so that it ends the program and is no way in
# (SECURITY.md). The answers stay the same bits. tests/build/elf reads from the programs and libraries that all this has arrived.
include(CheckCSourceCompiles)
include(CMakePushCheckState)

# syn_takes(RESULT FLAG...): those of the flags that compiler and linker take, asked one by one only where one of them is refused.
function(syn_takes result)
  cmake_push_check_state()
  set(CMAKE_REQUIRED_QUIET ON)
  set(taken "")
  set(CMAKE_REQUIRED_FLAGS "-Werror ${ARGN}")
  string(REPLACE ";" " " CMAKE_REQUIRED_FLAGS "${CMAKE_REQUIRED_FLAGS}")
  check_c_source_compiles("#include <string.h>\nint main(int n, char **words) { return n + (int)strlen(words[0]); }\n" ${result}_all)
  if(${result}_all)
    set(taken ${ARGN})
  else()
    foreach(flag IN LISTS ARGN)
      set(CMAKE_REQUIRED_FLAGS "-Werror ${flag}")
      string(MAKE_C_IDENTIFIER "${result}${flag}" answer)
      check_c_source_compiles("int main(void) { return 0; }\n" ${answer})
      if(${answer})
        list(APPEND taken ${flag})
      else()
        message(STATUS "hardening: ${flag} is not known here")
      endif()
    endforeach()
  endif()
  set(${result} ${taken} PARENT_SCOPE)
  cmake_pop_check_state()
endfunction()

# A jump lands only where one may: by Intel's marks, or by ARM's.
set(jumps "")
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set(jumps -fcf-protection)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
  set(jumps -mbranch-protection=standard)
endif()
syn_takes(syn_link_hardened -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack)
target_link_options(syn_options INTERFACE ${syn_link_hardened} $<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-pie>)

# Sanitizers watch the same places, and more.
set(syn_hardened OFF)
if(NOT SYN_SANITIZE AND NOT SYN_FUZZ)
  set(syn_hardened ON)
  syn_takes(syn_compile_hardened -fstack-protector-strong -fstack-clash-protection ${jumps})
  target_compile_options(syn_options INTERFACE ${syn_compile_hardened})
  # The search for the nearest surface keeps its stack of boxes in an array and would take 5 % more instructions. It reads what
  # readers have checked; whatever else computes contacts takes less than 1 % more and stays guarded.
  file(GLOB unguarded CONFIGURE_DEPENDS src/collide/surface/*.c)
  set_source_files_properties(${unguarded} PROPERTIES COMPILE_OPTIONS -fno-stack-protector)
  # Level 3 also knows the sizes of blocks of memory that are computed; libc has to know it, too. It works on optimised code alone.
  syn_takes(syn_fortified "-O2 -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3")
  if(syn_fortified)
    set(level 3)
  else()
    set(level 2)
  endif()
  target_compile_options(syn_options INTERFACE
    $<$<CONFIG:Release,RelWithDebInfo,MinSizeRel>:-U_FORTIFY_SOURCE>
    $<$<CONFIG:Release,RelWithDebInfo,MinSizeRel>:-D_FORTIFY_SOURCE=${level}>)
endif()
