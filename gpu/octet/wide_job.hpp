#pragma once

#include <cstdint>

#include "gpu/octet/octet_target.hpp"
#include "gpu/octet/octets.hpp"

namespace aprscope::gpu {

/// How the patch lies in shared memory. `side`: cells of the block, 16 or 8; 0 = no patch. `halo`:
/// octets around it. Cells of even and of odd y lie `odd` apart, or together where that is 0.
struct PatchShape {
  int side = 0;
  Int3 halo;
  int row = 0;
  int plane = 0;
  int odd = 0;
  int bytes = 0;
};

struct WideJob {
  std::uint32_t first_work = 0;
  std::uint32_t work_count = 0;
  const float* in = nullptr;  // octet order, with the tree
  Target target;
  Int3 radius;
};

/// The numbers of aprscope::LocalStatistic without the mean, which is a convolution.
enum class Statistic { deviation, median, min, max };

}  // namespace aprscope::gpu
