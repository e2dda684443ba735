#pragma once

#include "core/filter/convolution.hpp"
#include "core/operations/schema/words.hpp"

namespace aprscope {

inline constexpr schema::Word<StencilMode> kStencilModes[] = {
    {"same", StencilMode::same},
    {"restricted", StencilMode::restricted},
    {"rescaled", StencilMode::rescaled}};
/// Statistics have no weights to rescale.
inline constexpr schema::Word<StencilMode> kStatisticModes[] = {
    {"same", StencilMode::same}, {"restricted", StencilMode::restricted}};
inline constexpr schema::Word<Boundary> kBoundaries[] = {{"reflect", Boundary::reflect},
                                                         {"zero", Boundary::zero}};

}  // namespace aprscope
