#pragma once

#include "core/apr/sample/reconstruction.hpp"
#include "core/operations/schema/words.hpp"

namespace aprscope {

inline constexpr schema::Word<ReconstructionMode> kReconstructionModes[] = {
    {"constant", ReconstructionMode::constant},
    {"smooth", ReconstructionMode::smooth},
    {"level", ReconstructionMode::level}};

}  // namespace aprscope
