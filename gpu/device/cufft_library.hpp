#pragma once

#include <string>
#include <vector>

#include <cufft.h>

#include "core/base/result.hpp"

namespace aprscope::gpu {

/// The functions of cuFFT that transforms call. The library is large and in no package of Debian:
/// it is loaded when the first transform is planned, so that the program starts, and everything
/// else runs on the GPU, where it is missing.
struct CufftLibrary {
  decltype(&cufftCreate) create;
  decltype(&cufftDestroy) destroy;
  decltype(&cufftSetAutoAllocation) set_auto_allocation;
  decltype(&cufftMakePlanMany64) make_plan_many;
  decltype(&cufftSetStream) set_stream;
  decltype(&cufftSetWorkArea) set_work_area;
  decltype(&cufftExecC2C) exec_c2c;
  decltype(&cufftExecC2R) exec_c2r;
  decltype(&cufftExecR2C) exec_r2c;
};

/// The folders that cuFFT is looked for in: the system's library path, then CUDA's own folders.
std::vector<std::string> cufft_places();

/// Loads cuFFT from the first of `places` that has it; it stays loaded until the process ends.
/// Errors: says what is wrong with the first place.
Result<CufftLibrary> load_cufft(const std::vector<std::string>& places);

/// cuFFT, loaded by the first call. Throws a Failure if it is missing; a later call tries again.
const CufftLibrary& cufft();

}  // namespace aprscope::gpu
