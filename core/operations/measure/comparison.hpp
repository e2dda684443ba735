#pragma once

#include <vector>

#include "core/apr/sample/reconstruction.hpp"
#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/data/named_figure.hpp"
#include "core/data/table.hpp"
#include "core/dataset/dataset.hpp"
#include "core/image/metrics.hpp"

// How the operation, the command and the window compare data, and what they call the results.
namespace aprscope {

/// Data as f32 pixels; particles through `mode`. Errors: particles without values, cancelled, too
/// little memory.
Result<Pixels<float>> as_pixels(const Dataset& data, ReconstructionMode mode,
                                const JobContext& context = {});

/// How well b agrees with a, the reference: compare_images() of both as pixels, each through its
/// mode. Errors: those of compare_images(), with both names.
Result<ImageMetrics> compare_data(const Dataset& a, ReconstructionMode mode_a, const Dataset& b,
                                  ReconstructionMode mode_b, const JobContext& context = {});

/// The same of two slices; `max_at` has row and column in x and y.
Result<ImageMetrics> compare_slices(const Plane& a, const Plane& b, const JobContext& context = {});

/// PSNR, SSIM, NRMSE and the largest difference, in this order. The PSNR of equal images is
/// infinite.
std::vector<NamedFigure> figures_of(const ImageMetrics& metrics);

/// The same in one row, with root mean square and mean of b − a, the place of the largest
/// difference (px), and whether the images are equal (then no PSNR is known).
Table comparison_table(const ImageMetrics& metrics);

}  // namespace aprscope
