#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/projections/group_noise.hpp"
#include "core/projections/projections.hpp"

namespace aprscope {

/// The noise of images outside a disc of their side's diameter, with an edge of a sixteenth of the
/// side outwards, less its mean there: the squared transform, averaged over shells and over images.
/// The power is divided by that of white noise of variance 1 on the same pixels, which corrects for
/// mask and mean; k = 0, which the mean takes away, has the value of k = 1. `rows` are of the
/// table; of each group at most `most` of them are read, spread evenly (0: all). Groups without
/// rows are left out; `refused` is called with refused images. The same bytes for any number of
/// threads. Errors: those of the images, pixels that are not numbers, a group whose corners are all
/// of one value, no memory, cancelled.
Result<std::vector<NoisePower>> noise_power(const Projections& projections,
                                            std::span<const std::int64_t> rows, std::int64_t most,
                                            const JobContext& context = {},
                                            Unsound unsound = Unsound::refused,
                                            const UnsoundRows& refused = {});

/// The factors of weights: the mean power of all groups ÷ σ²(k) of one, for shells of `noise`, in
/// 1/1000 … 1000. The mean is over frequencies up to Nyquist, groups alike.
std::vector<float> noise_weights(const NoisePower& noise, std::span<const NoisePower> all);

}  // namespace aprscope
