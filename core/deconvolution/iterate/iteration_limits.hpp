#pragma once

// Numbers on which iterations of the CPU and of a GPU must agree.

namespace aprscope {

/// Finite estimates come in, and finite ones go out …
constexpr float kLargestEstimate = 1e30F;
/// … none so small that products of it with weights would be denormal, which is slow.
constexpr float kSmallestEstimate = 1e-30F;
/// The divisor of an update is at least this share of Hᵀ1 …
constexpr float kLeastDivisor = 0.1F;
/// … and Hᵀ1 at least this: light that never reaches the image.
constexpr float kLeastOnes = 1e-6F;
/// Least correction by a back projector with negative weights, see richardson_lucy().
constexpr float kLeastCorrection = 0.01F;
/// Least that ones become by such a back projector: near a border that zeros follow, its negative
/// weights can outweigh the others, and to divide by what is left would let noise grow beyond all
/// bounds.
constexpr float kLeastUnmatchedOnes = 0.1F;

/// Total variation: differences below this share of the largest value are smoothed as
/// Tikhonov–Miller does, since the direction of a gradient that is rounding noise means nothing …
constexpr float kVariationEdge = 1e-3F;
/// … and below this absolute value, whose square is still a normal number.
constexpr float kSmallestVariationEdge = 1e-18F;

}  // namespace aprscope
