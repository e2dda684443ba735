# Finds nvcc: APRSCOPE_HAS_CUDA, and how kernels are compiled.
option(APRSCOPE_CUDA "Build the CUDA back end where nvcc is found" ON)
set(APRSCOPE_HAS_CUDA OFF)
if(APRSCOPE_CUDA AND NOT APRSCOPE_SANITIZE)
  include(CheckLanguage)
  # Where the toolkit installs itself, if it is not on the path.
  if(NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX} AND EXISTS "/usr/local/cuda/bin/nvcc")
    find_program(APRSCOPE_NVCC nvcc PATHS /usr/local/cuda/bin)
    set(CMAKE_CUDA_COMPILER "${APRSCOPE_NVCC}")
  else()
    check_language(CUDA)
  endif()
  if(CMAKE_CUDA_COMPILER)
    # Machine code for these generations and PTX for later ones.
    if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES AND NOT DEFINED ENV{CUDAARCHS})
      set(CMAKE_CUDA_ARCHITECTURES "75-real;80-real;90")
    endif()
    enable_language(CUDA)
    # CMake 3.25 does not know that nvcc 12 and later can do this.
    set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
    set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
    find_package(CUDAToolkit REQUIRED)
    if(APRSCOPE_CCACHE)
      set(CMAKE_CUDA_COMPILER_LAUNCHER "${APRSCOPE_COMPILER_LAUNCHER}")
    endif()
    # Its header is needed here, the library where it runs.
    find_path(APRSCOPE_CUFFT_HEADER cufft.h HINTS ${CUDAToolkit_INCLUDE_DIRS})
    if(APRSCOPE_CUFFT_HEADER)
      set(APRSCOPE_HAS_CUDA ON)
    else()
      message(WARNING "CUDA: nvcc is there, but the header of cuFFT is not: built without "
                      "CUDA. Install it with the toolkit and configure again.")
    endif()
  endif()
endif()
if(NOT APRSCOPE_HAS_CUDA)
  message(STATUS "CUDA: not built (no nvcc or cuFFT, switched off, or a build with sanitizers)")
endif()

function(aprscope_cuda_options target)
  target_include_directories(${target} PRIVATE "${CMAKE_SOURCE_DIR}")
  target_compile_options(${target} PRIVATE
    # Warnings are errors here too.
    -Werror all-warnings "-Xcompiler=-Wall,-Wno-unknown-pragmas")
endfunction()
