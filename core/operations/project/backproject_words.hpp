#pragma once

#include "core/operations/schema/words.hpp"
#include "core/projections/backproject_settings.hpp"

namespace aprscope {

inline constexpr schema::Word<InsertionKernel> kInsertionKernels[] = {
    {"slab", InsertionKernel::slab}, {"blob", InsertionKernel::blob}};
inline constexpr schema::Word<CtfUse> kCtfUses[] = {{"auto", CtfUse::automatic},
                                                    {"none", CtfUse::none},
                                                    {"ctf", CtfUse::ctf},
                                                    {"phase_flipped", CtfUse::phase_flipped},
                                                    {"premultiplied", CtfUse::premultiplied},
                                                    {"xmipp", CtfUse::xmipp}};
inline constexpr schema::Word<NoiseUse> kNoiseUses[] = {{"white", NoiseUse::white},
                                                        {"corners", NoiseUse::corners}};
inline constexpr schema::Word<Solve> kSolves[] = {{"division", Solve::division},
                                                  {"least_squares", Solve::least_squares},
                                                  {"weights", Solve::weights}};
inline constexpr schema::Word<Halves> kHalves[] = {
    {"auto", Halves::automatic}, {"rows", Halves::rows}, {"none", Halves::none}};

}  // namespace aprscope
