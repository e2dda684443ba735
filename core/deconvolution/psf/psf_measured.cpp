#include "core/deconvolution/psf/psf_measured.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <new>

#include "core/deconvolution/psf/axis_sizes.hpp"
#include "core/deconvolution/psf/psf_background.hpp"
#include "core/deconvolution/psf/psf_source.hpp"

namespace aprscope {
namespace {

using namespace axis_sizes;  // NOLINT: sources of this folder share its words

// The odd size that shows all of the source about the centre; with a background, only what has the
// source on both sides. If the source fits into the image, so does this size. Errors: those of
// resampled_size().
Result<Size3> natural_size(const std::string& where, const Size3& source, const PsfPoint& centre,
                           const std::array<double, 3>& ratio, bool background,
                           const Size3& image) {
  const Sizes n = sizes_of(source);
  const Sizes limit = sizes_of(image);
  const Sizes most = sizes_of(largest_psf_size(image));
  std::array<double, 3> widths{};
  for (std::size_t d = 0; d < 3; ++d) {
    const auto extent = static_cast<double>(n[d]);
    const double before = centre[d] + 0.5;
    const double after = extent - before;
    const double reach = background ? std::min(before, after) : std::max(before, after);
    double width = 2.0 * std::max(0.0, std::floor(reach / ratio[d] - 0.5 + 1e-6)) + 1.0;
    if (limit[d] > 0 && extent / ratio[d] < static_cast<double>(limit[d]) + 1.0) {
      width = std::min(width, static_cast<double>(most[d]));
    }
    widths[d] = width;
  }
  return resampled_size(where, source, widths, ratio);
}

// Size without empty outer planes, the same number removed on both sides.
Size3 occupied(const Stencil& psf) {
  const Sizes n = sizes_of(psf.size);
  Sizes far{0, 0, 0};
  std::size_t i = 0;
  Sizes p{};
  for (p[0] = 0; p[0] < n[0]; ++p[0]) {
    for (p[1] = 0; p[1] < n[1]; ++p[1]) {
      for (p[2] = 0; p[2] < n[2]; ++p[2]) {
        if (psf.weights[i++] == 0.0) continue;
        for (std::size_t d = 0; d < 3; ++d) far[d] = std::max(far[d], std::abs(p[d] - n[d] / 2));
      }
    }
  }
  return {2 * far[0] + 1, 2 * far[1] + 1, 2 * far[2] + 1};
}

std::string offset_text(const PsfPoint& centre, const Size3& size) {
  const Sizes n = sizes_of(size);
  std::array<char, 120> out{};
  std::snprintf(out.data(), out.size(), "%.1f, %.1f, %.1f px (z, x, y)",
                centre[0] - static_cast<double>(n[0] - 1) / 2.0,
                centre[1] - static_cast<double>(n[1] - 1) / 2.0,
                centre[2] - static_cast<double>(n[2] - 1) / 2.0);
  return out.data();
}

Result<MadePsf> measure(const Volume& measured, const MeasureOptions& options,
                        const VoxelSize& voxel, const Size3& image, const JobContext& context) {
  const std::string where = psf_where(measured);
  auto source = psf_source(measured);
  if (!source) return source.error();
  const Sizes n = sizes_of(source->size);
  const bool even = std::any_of(n.begin(), n.end(), [](std::int64_t s) { return s % 2 == 0; });
  if (even && !options.center) {
    return Error{"has " + times_text(source->size) + " pixels, an even size without a middle",
                 where, "switch centring on (center on), or crop it to odd sizes"};
  }
  MadePsf made;
  if (options.background) {
    const PsfBackground background = psf_background(*source);
    remove_psf_background(*source, background);
    if (std::all_of(source->values.begin(), source->values.end(),
                    [](double v) { return v <= 0.0; })) {
      return Error{"has nothing that stands out of its background", where,
                   "use the image of a bright bead, or switch background removal off"};
    }
  } else if (std::any_of(source->values.begin(), source->values.end(),
                         [](double v) { return v < 0.0; })) {
    return Error{"has values below zero", where, "switch background removal on"};
  }
  if (context.stop_requested()) return cancelled_error();

  const Index3 peak = psf_peak(*source);
  if (const double second = second_spot(*source, peak); second > 0.3) {
    std::array<char, 60> percent{};
    std::snprintf(percent.data(), percent.size(), "%.0f", 100.0 * second);
    made.warnings.push_back("It shows more than one bright spot (another of " +
                            std::string(percent.data()) +
                            " % of the brightest): crop it to one bead, or average picked beads.");
  }
  PsfPoint centre{static_cast<double>(n[0] - 1) / 2.0, static_cast<double>(n[1] - 1) / 2.0,
                  static_cast<double>(n[2] - 1) / 2.0};
  if (options.center) {
    const PsfPoint middle = centre;
    centre = psf_centre(*source, peak);
    bool off = false;
    for (std::size_t d = 0; d < 3; ++d) off = off || std::abs(centre[d] - middle[d]) > 0.75;
    if (even) {
      made.warnings.push_back("Its size of " + times_text(source->size) +
                              " is even; it was centred on an odd grid.");
    }
    if (off) {
      made.warnings.push_back("It was off-centre by " + offset_text(centre, source->size) +
                              "; that was put right.");
    }
  }
  const auto ratio = sampling_ratio(measured, options, voxel, made.warnings);
  const auto natural = natural_size(where, source->size, centre, ratio, !options.background, image);
  if (!natural) return natural.error();
  const auto chosen = chosen_psf_size(options.size, Size3{0, 0, 0}, image);
  if (!chosen) return chosen.error();
  PsfImage resampled = psf_resample(*source, centre, ratio, *natural);
  if (context.stop_requested()) return cancelled_error();
  auto stencil = psf_stencil(std::move(resampled), measured);
  if (!stencil) return stencil.error();
  // The size that is asked for, else all that the stencil holds.
  Sizes keep = sizes_of(*chosen);
  const Sizes all = sizes_of(occupied(*stencil));
  const Sizes one = sizes_of(image);
  for (std::size_t d = 0; d < 3; ++d) {
    if (keep[d] == 0) keep[d] = one[d] == 1 ? 1 : all[d];
  }
  made.coverage = psf_coverage(*stencil, size_of(keep));
  made.psf = truncate_psf(*stencil, size_of(keep));
  const auto checked = check_psf(made.psf, image);
  if (!checked) return checked.error();
  made.warnings.insert(made.warnings.end(), checked->begin(), checked->end());
  return made;
}

}  // namespace

Result<MadePsf> measured_psf(const Volume& measured, const MeasureOptions& options,
                             const VoxelSize& voxel, const Size3& image,
                             const JobContext& context) {
  try {
    return measure(measured, options, voxel, image, context);
  } catch (const std::bad_alloc&) {
    return Error{"is too large for the memory of this machine", psf_where(measured),
                 "crop it around the bead"};
  }
}

}  // namespace aprscope
