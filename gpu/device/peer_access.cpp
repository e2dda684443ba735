#include "gpu/device/peer_access.hpp"

#include <cuda_runtime_api.h>

namespace aprscope::gpu {
namespace {

// Lets `reader` access the memory pool of `owner`, which all its buffers come from.
bool give_access(int owner, int reader) noexcept {
  int can = 0;
  if (cudaDeviceCanAccessPeer(&can, reader, owner) != cudaSuccess || can == 0) return false;
  cudaMemPool_t pool = nullptr;
  if (cudaDeviceGetDefaultMemPool(&pool, owner) != cudaSuccess) return false;
  cudaMemAccessDesc access{};
  access.location.type = cudaMemLocationTypeDevice;
  access.location.id = reader;
  access.flags = cudaMemAccessFlagsProtReadWrite;
  return cudaMemPoolSetAccess(pool, &access, 1) == cudaSuccess;
}

}  // namespace

void connect_devices(int one, int other) noexcept {
  if (one == other) return;
  // A failure here is harmless; clear it, so that the next cudaGetLastError() does not report it.
  if (!give_access(one, other) || !give_access(other, one)) (void)cudaGetLastError();
}

}  // namespace aprscope::gpu
