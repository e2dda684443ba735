# Release builds end where a memory error would otherwise serve whoever made the file:
# stack protector, checked copies of the C library, tables of the linker that are read-only, and
# programs that lie at another address in each run. tests/app/cli/hardening_test.cpp looks at the
# result. Sanitizers check more than these and do not go with checked copies.
include(CheckCXXSourceCompiles)

add_library(aprscope_hardening INTERFACE)
if(APRSCOPE_SANITIZE OR APRSCOPE_TSAN OR NOT CMAKE_BUILD_TYPE STREQUAL "Release")
  return()
endif()

# The highest level that compiler and C library know, without a word.
set(CMAKE_REQUIRED_FLAGS "-O2 -Werror -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3")
check_cxx_source_compiles("#include <cstring>\nint main() { return 0; }" APRSCOPE_FORTIFY_3)
unset(CMAKE_REQUIRED_FLAGS)
if(APRSCOPE_FORTIFY_3)
  set(level 3)
else()
  set(level 2)
endif()
target_compile_options(aprscope_hardening INTERFACE
  -fstack-protector-strong -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=${level})
# No -fPIE: compilers of today make such code by themselves, and after the -fPIC that Qt asks for it
# would copy Qt's objects into the program, which Qt does not survive.
target_link_options(aprscope_hardening INTERFACE
  $<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-pie> -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack)
