#pragma once

#include <string>

#include "core/projections/inserter.hpp"

namespace aprscope {

/// How a GPU reads image spectra between their pixels.
enum class InsertionReading {
  /// From textures of halves, by the hardware's filter: within 3e-4 of the exact sums of coherent
  /// data, and twice as fast.
  filtered,
  /// In floats, as the processor does: within 1e-5 of its sums. The blob kernel always is.
  exact,
};

/// What makes sums on "auto" (the best there is), "cpu", "cuda:N" or several GPUs ("cuda:0,1",
/// "cuda:all"), for backproject(). Errors: no such device, and why.
Result<InserterFactory> inserters_on(const std::string& device,
                                     InsertionReading reading = InsertionReading::filtered);

}  // namespace aprscope
