#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include <cuda_runtime_api.h>

#include "core/base/result.hpp"

namespace aprscope::gpu {

/// The exception of this folder; guarded() turns it into the Error of a Result for callers outside.
struct Failure {
  Error error;
};

/// The error of a CUDA call as a sentence. `doing`: "copying particles to the GPU".
Error cuda_error(cudaError_t code, const std::string& doing);

/// Throws a Failure unless the call succeeded; every CUDA call of the project goes through here, in
/// every build. The error is taken out of the runtime, so that the next call starts clean.
inline void ensure(cudaError_t code, const char* doing) {
  if (code == cudaSuccess) return;
  (void)cudaGetLastError();
  throw Failure{cuda_error(code, doing)};
}

/// The same for a kernel that was just launched.
inline void ensure_launched(const char* kernel) { ensure(cudaGetLastError(), kernel); }

/// Runs `work`, which returns a Result or Status; returns the error of a thrown exception as such.
template <class Work>
auto guarded(const Work& work) -> decltype(work()) {
  try {
    return work();
  } catch (Failure& failure) {
    return std::move(failure.error);
  }
}

}  // namespace aprscope::gpu
