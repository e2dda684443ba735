# How every target of the project is compiled.

find_package(OpenMP REQUIRED COMPONENTS CXX)

find_program(APRSCOPE_CCACHE ccache)
if(APRSCOPE_CCACHE)
  # The sloppiness is what ccache asks for with precompiled headers; the base folder lets checkouts
  # in different places share what they compiled, kernels (AprscopeCuda.cmake) as well.
  set(APRSCOPE_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env
      CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_BASEDIR=${CMAKE_SOURCE_DIR}
      CCACHE_NOHASHDIR=1 "${APRSCOPE_CCACHE}")
  set(CMAKE_CXX_COMPILER_LAUNCHER "${APRSCOPE_COMPILER_LAUNCHER}")
  set(CMAKE_C_COMPILER_LAUNCHER "${APRSCOPE_COMPILER_LAUNCHER}")
  add_compile_options($<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fpch-preprocess>)
endif()
include(AprscopePrecompiled)
include(AprscopeUnity)
find_program(APRSCOPE_MOLD mold)
if(APRSCOPE_MOLD)
  add_link_options(-fuse-ld=mold)
endif()

# Warnings and sanitizers that all our own code shares.
add_library(aprscope_common INTERFACE)
target_include_directories(aprscope_common INTERFACE "${CMAKE_SOURCE_DIR}")
target_compile_options(aprscope_common INTERFACE
  -Wall -Wextra -Wpedantic
  # Where sources are compiled together, clang takes local variables of one for shadows of what is
  # private in another. GCC does so less, and looks.
  $<$<NOT:$<AND:$<BOOL:${APRSCOPE_UNITY}>,$<CXX_COMPILER_ID:Clang>>>:-Wshadow>
  -Wnon-virtual-dtor -Woverloaded-virtual -Werror
  # GCC 12 warns falsely about std::string (-Wrestrict, GCC bug 105651) and about the members of a
  # std::variant that is moved (-Wmaybe-uninitialized, GCC bug 105562).
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict;-Wno-maybe-uninitialized>
  # Where clang cannot turn a loop into vectors it is slower, not wrong.
  $<$<CXX_COMPILER_ID:Clang>:-Wno-pass-failed>
  -fno-math-errno)
if(APRSCOPE_SANITIZE)
  # -Og and line tables compile twice as fast as -O1 -g; to look at variables in a debugger, build
  # with CMAKE_CXX_FLAGS=-g.
  target_compile_options(aprscope_common INTERFACE
    -Og -g1 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=undefined)
  if(NOT APRSCOPE_FUZZ)
    # They look at every access once more: without them compiling and running take three quarters of
    # the time. A pointer that is used where nothing lies ends the program all the same; misaligned
    # access, and what stays within one block of memory, are looked for where readers are fuzzed.
    target_compile_options(aprscope_common INTERFACE -fno-sanitize=null,alignment,object-size)
  endif()
  target_link_options(aprscope_common INTERFACE -fsanitize=address,undefined)
endif()
if(APRSCOPE_FUZZ)
  # A number that does not fit its integer type is undefined too, but not one of "undefined".
  # Lines are all that a finding needs of debug information.
  target_compile_options(aprscope_common INTERFACE
    -gline-tables-only -fsanitize=fuzzer-no-link,float-cast-overflow
    -fno-sanitize-recover=float-cast-overflow)
  target_compile_definitions(aprscope_common INTERFACE _GLIBCXX_ASSERTIONS)
endif()
if(APRSCOPE_TSAN)
  target_compile_options(aprscope_common INTERFACE
    -O1 -gline-tables-only -fno-omit-frame-pointer -fsanitize=thread)
  target_link_options(aprscope_common INTERFACE -fsanitize=thread)
endif()
if(APRSCOPE_PYTHON)
  # Code of a module that Python loads may lie anywhere. Calls between its own functions stay direct,
  # so that filters are as fast as in a program.
  set(CMAKE_POSITION_INDEPENDENT_CODE ON)
  target_compile_options(aprscope_common INTERFACE -fno-semantic-interposition)
endif()
include(AprscopeHardening)
target_link_libraries(aprscope_common INTERFACE OpenMP::OpenMP_CXX aprscope_hardening)

# For programs that open windows, see the file.
add_library(aprscope_keep_modules INTERFACE)
if(APRSCOPE_SANITIZE)
  target_sources(aprscope_keep_modules INTERFACE
    "${CMAKE_SOURCE_DIR}/resources/cmake/keep_modules_loaded.cpp")
endif()

# And the instruction set of everything but the kernels, with one rounding rule on every machine:
# results must not depend on where a compiler fuses.
add_library(aprscope_options INTERFACE)
target_link_libraries(aprscope_options INTERFACE aprscope_common)
target_compile_options(aprscope_options INTERFACE -ffp-contract=off)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  target_compile_options(aprscope_options INTERFACE -march=x86-64-v3)
endif()

# aprscope_library(NAME [RECURSIVE] LINK_PRIVATE a… LINK_PUBLIC b…): all .cpp files of this folder, and
# where RECURSIVE is said of those below it.
function(aprscope_library name)
  cmake_parse_arguments(ARG "RECURSIVE" "" "LINK_PRIVATE;LINK_PUBLIC" ${ARGN})
  set(glob GLOB)
  if(ARG_RECURSIVE)
    set(glob GLOB_RECURSE)
  endif()
  file(${glob} sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cpp"
       "${CMAKE_CURRENT_SOURCE_DIR}/*.hpp")
  # *_kernel.cpp files are compiled once for each instruction set, see aprscope_kernels().
  list(FILTER sources EXCLUDE REGEX "_kernel\\.cpp$")
  # A program's own.
  list(FILTER sources EXCLUDE REGEX "/main\\.cpp$")
  add_library(${name} STATIC ${sources})
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX)
  target_link_libraries(${name} PUBLIC ${ARG_LINK_PUBLIC} PRIVATE aprscope_options
                                                                  ${ARG_LINK_PRIVATE})
  target_include_directories(${name} PUBLIC "${CMAKE_SOURCE_DIR}")
  aprscope_unite(${name})
endfunction()

# aprscope_kernels(TARGET file…): compiles each file for AVX2 and for AVX-512, with
# APRSCOPE_ISA_NAMESPACE naming the namespace that holds the result. Such a file includes no header
# with inline functions that other files use too: the linker might keep the AVX-512 copy.
function(aprscope_kernels target)
  foreach(file IN LISTS ARGN)
    get_filename_component(stem "${file}" NAME_WE)
    if(APRSCOPE_SANITIZE)
      # With -Og the headers of the intrinsics seem to read what they leave undefined on purpose.
      set_source_files_properties("${file}" PROPERTIES COMPILE_OPTIONS -O1)
    endif()
    foreach(isa IN ITEMS v3 v4)
      set(object ${target}_${stem}_${isa})
      add_library(${object} OBJECT "${file}")
      target_link_libraries(${object} PRIVATE aprscope_common)
      target_compile_definitions(${object} PRIVATE APRSCOPE_ISA_NAMESPACE=isa_${isa})
      target_compile_options(${object} PRIVATE -march=x86-64-${isa} -ffp-contract=fast
                                               # Vectors do not leave these files.
                                               -Wno-psabi)
      target_sources(${target} PRIVATE $<TARGET_OBJECTS:${object}>)
    endforeach()
  endforeach()
endfunction()

# How tests run under the address sanitizer. Up to GCC 13 and LLVM 16 its runtime takes some blocks of
# thread-local storage for those of an old glibc, and the search for leaks then reads where nothing is
# ("Tracer caught signal 11", google/sanitizers issue 1322): it leaves such blocks out.
# Eight frames tell where a block came from, and blocks that were freed wait in 64 MB, so that tests
# take a twentieth less time.
set(APRSCOPE_SANITIZER_SETTINGS
    "ASAN_OPTIONS=intercept_tls_get_addr=0:malloc_context_size=8:quarantine_size_mb=64"
    "LSAN_OPTIONS=suppressions=${CMAKE_SOURCE_DIR}/tests/support/lsan.supp:print_suppressions=0")

# aprscope_test(NAME LINK a… ): all *_test.cpp files of this folder and below as one GoogleTest program.
function(aprscope_test name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*_test.cpp")
  if(NOT sources)
    return()
  endif()
  add_executable(${name} ${sources})
  target_link_libraries(${name} PRIVATE aprscope_options aprscope_test_support ${ARG_LINK}
                                        GTest::gtest GTest::gtest_main)
  aprscope_use_precompiled(${name} aprscope_precompiled_gtest)
  aprscope_unite(${name})
  # What is tested is optimised as users get it; the tests themselves need not be. At -O1 GCC 12
  # warns falsely about strings that are freed (GCC bug 105651).
  target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O1>
    $<$<AND:$<CONFIG:Release>,$<CXX_COMPILER_ID:GNU>>:-Wno-free-nonheap-object>)
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES
    ENVIRONMENT "${APRSCOPE_SANITIZER_SETTINGS};OMP_WAIT_POLICY=passive")
endfunction()
