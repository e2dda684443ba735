#pragma once

#include <cstdint>

#include "core/maps/map_spectrum.hpp"

namespace aprscope {

/// Gives every frequency with |k| ≥ `from_shell` a phase of its own, uniform, and leaves amplitudes
/// as they are (Chen et al. 2013). The map stays real: pairs stay conjugate, and frequencies that
/// are their own conjugate keep or change sign. Phases depend on seed, stream and place alone.
void randomise_phases(MapSpectrum& spectrum, std::int64_t from_shell, std::uint64_t seed,
                      std::uint64_t stream);

}  // namespace aprscope
