#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "core/data/named_figure.hpp"
#include "core/operations/deconvolve/deconvolution_outcome.hpp"

namespace aprscope {

/// Detail ends where the correlation of two halves falls below this: 1/7, the usual threshold of an
/// FSC of two halves since Rosenthal and Henderson (2003, J. Mol. Biol. 333:721).
inline constexpr double kResolutionThreshold = 1.0 / 7.0;

/// Name of the criterion where figures are shown.
inline constexpr const char* kResolutionCriterion = "FSC 1/7";

/// One figure for each axis that the data has: resolution_z, resolution_x, resolution_y.
std::vector<NamedFigure> figures_of(const MeasuredResolution& resolution);

/// "resolution 0.9, 0.4, 0.4 µm in z, x, y (FSC 1/7)"; "at most" where the limit is that of the
/// voxels.
std::string text_of(const MeasuredResolution& resolution);

/// The resolution of what `iterations` iterations of a plan give, by Fourier shell correlation
/// along the axes (see axis_fsc()) of two halves of the photons that were deconvolved apart. Data
/// thinning as in hold_out(), with a share of one half; particles are compared as pixels, each
/// constant in its cell. It costs two deconvolutions. None if `hooks` ask to keep the result.
/// `given` must not depend on the image. Errors: those of the engine and of axis_fsc(),
/// cancelled.
Result<std::optional<MeasuredResolution>> measure_resolution(
    const DeconvolutionPlan& plan, const Dataset& input, std::span<const float> given,
    int iterations, const RichardsonLucyHooks& hooks, const JobContext& context,
    const DeconvolutionEngine& engine);

}  // namespace aprscope
