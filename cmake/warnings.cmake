# One interface target carries the flags that every piece of ours is compiled with.
add_library(syn_options INTERFACE)
set(syn_warnings -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wdouble-promotion -Wformat=2 -Wundef
  -Wvla -Wwrite-strings -Wcast-qual)
if(SYN_QUICK)
  set(syn_warnings "") # it compiles a second time what has warned already
endif()
target_compile_options(syn_options INTERFACE ${syn_warnings}
  # Results must not depend on the compiler's mood: no fused or reassociated arithmetic. (errno of sqrt is not used.)
  -ffp-contract=off -fno-math-errno $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes -Wmissing-prototypes>)
# clang counts NAN and INFINITY as promoted floats, and formats handed on by functions that carry the printf attribute.
target_compile_options(syn_options INTERFACE $<$<C_COMPILER_ID:Clang>:-Wno-double-promotion -Wno-format-nonliteral>)

# A newer compiler's new warning must not end a user's build.
if(SYN_WERROR)
  target_compile_options(syn_options INTERFACE -Werror)
endif()

if(SYN_SANITIZE)
  # The quick pass says where something undefined happens; the preset asan also says what, for a sixth more to compile.
  target_compile_options(syn_options INTERFACE -fsanitize=${SYN_SANITIZE} -fno-omit-frame-pointer
    $<IF:$<BOOL:${SYN_QUICK}>,-fsanitize-undefined-trap-on-error,-fno-sanitize-recover=all>)
  target_link_options(syn_options INTERFACE -fsanitize=${SYN_SANITIZE})
  # gcc's own manual calls this warning unreliable with sanitizers; builds without them keep it.
  target_compile_options(syn_options INTERFACE $<$<C_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
endif()
if(SYN_COVERAGE)
  target_compile_options(syn_options INTERFACE --coverage -fprofile-update=atomic)
  target_link_options(syn_options INTERFACE --coverage)
endif()
if(SYN_FUZZ)
  target_compile_options(syn_options INTERFACE -fsanitize=fuzzer-no-link)
endif()
# -D SYN_PORTABLE=ON leaves out all kernels for special processors (base/simd.h).
if(SYN_PORTABLE)
  target_compile_definitions(syn_options INTERFACE SYN_PORTABLE)
endif()

# A thread that calls the library gets by with the stack that include/synovia/base.h names; the few files with larger frames say so
# themselves. Sanitizers and code that is not optimised have larger ones everywhere.
function(syn_limit_frames target)
  if(NOT SYN_SANITIZE AND NOT SYN_QUICK)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-Wframe-larger-than=20480>)
  endif()
endfunction()
