// PSFs averaged from beads.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <new>

#include "core/deconvolution/psf/axis_sizes.hpp"
#include "core/deconvolution/psf/psf_background.hpp"
#include "core/deconvolution/psf/psf_measured.hpp"
#include "core/deconvolution/psf/psf_source.hpp"

namespace aprscope {
namespace {

using namespace axis_sizes;  // NOLINT: sources of this folder share its words

// Mean of the pixels within one of a position.
double local_mean(const PsfImage& image, const Sizes& p) {
  const Size3& n = image.size;
  double sum = 0.0;
  int count = 0;
  for (std::int64_t z = std::max<std::int64_t>(0, p[0] - 1); z <= std::min(n.z - 1, p[0] + 1);
       ++z) {
    for (std::int64_t x = std::max<std::int64_t>(0, p[1] - 1); x <= std::min(n.x - 1, p[1] + 1);
         ++x) {
      for (std::int64_t y = std::max<std::int64_t>(0, p[2] - 1); y <= std::min(n.y - 1, p[2] + 1);
           ++y) {
        sum += image.at(z, x, y);
        ++count;
      }
    }
  }
  return sum / count;
}

// Uphill, three pixels around at a time.
Index3 climb(const PsfImage& image, const Index3& picked) {
  const Sizes n = sizes_of(image.size);
  Sizes at = sizes_of(picked);
  for (std::size_t d = 0; d < 3; ++d) at[d] = std::clamp<std::int64_t>(at[d], 0, n[d] - 1);
  double brightest = local_mean(image, at);
  for (int round = 0; round < 100; ++round) {
    Sizes best = at;
    for (std::int64_t z = at[0] - 3; z <= at[0] + 3; ++z) {
      for (std::int64_t x = at[1] - 3; x <= at[1] + 3; ++x) {
        for (std::int64_t y = at[2] - 3; y <= at[2] + 3; ++y) {
          if (z < 0 || x < 0 || y < 0 || z >= n[0] || x >= n[1] || y >= n[2]) continue;
          const double mean = local_mean(image, {z, x, y});
          if (mean > brightest) {
            brightest = mean;
            best = {z, x, y};
          }
        }
      }
    }
    if (best == at) break;
    at = best;
  }
  return size_of(at);
}

// Full width at half maximum about a peak, at least 1 pixel: twice that of the narrower side, since
// the other may hold another bead. The background is 0.
PsfPoint width_at(const PsfImage& image, const Index3& peak) {
  const Sizes n = sizes_of(image.size);
  const Sizes p = sizes_of(peak);
  const double half = image.at(p[0], p[1], p[2]) / 2.0;
  PsfPoint width{};
  for (std::size_t d = 0; d < 3; ++d) {
    double narrow = std::numeric_limits<double>::infinity();
    for (const int direction : {-1, 1}) {
      Sizes q = p;
      double before = image.at(p[0], p[1], p[2]);
      double reach = 0.0;
      while (q[d] + direction >= 0 && q[d] + direction < n[d]) {
        q[d] += direction;
        const double now = image.at(q[0], q[1], q[2]);
        if (now <= half) {
          reach += (before - half) / (before - now);
          break;
        }
        before = now;
        reach += 1.0;
      }
      narrow = std::min(narrow, reach);
    }
    width[d] = n[d] > 1 ? std::max(1.0, 2.0 * narrow) : 1.0;
  }
  return width;
}

// Distance of two points in units of `width`.
double separation(const PsfPoint& a, const PsfPoint& b, const PsfPoint& width) {
  double sum = 0.0;
  for (std::size_t d = 0; d < 3; ++d) sum += std::pow((a[d] - b[d]) / width[d], 2);
  return std::sqrt(sum);
}

std::size_t saturated_near(const PsfImage& image, const Index3& peak, double limit) {
  const Sizes n = sizes_of(image.size);
  std::size_t count = 0;
  for (std::int64_t z = peak.z - 2; z <= peak.z + 2; ++z) {
    for (std::int64_t x = peak.x - 2; x <= peak.x + 2; ++x) {
      for (std::int64_t y = peak.y - 2; y <= peak.y + 2; ++y) {
        if (z < 0 || x < 0 || y < 0 || z >= n[0] || x >= n[1] || y >= n[2]) continue;
        if (image.at(z, x, y) >= limit) ++count;
      }
    }
  }
  return count;
}

// An average of beads in the making: sums, and how many beads each pixel has.
struct Average {
  PsfImage sum;
  std::vector<float> count;
};

class BeadAverager {
 public:
  BeadAverager(PsfImage image, const std::array<double, 3>& ratio, const PsfBackground& background)
      : image_(std::move(image)), ratio_(ratio), background_(background) {
    for (double& v : image_.values) v -= background_.level;
  }

  [[nodiscard]] const PsfImage& image() const { return image_; }

  void judge(std::vector<Bead>& beads, double saturation, PsfPoint& width) const;
  Average average(std::vector<Bead>& beads, const PsfPoint& width, const Size3& size,
                  const JobContext& context) const;

 private:
  [[nodiscard]] bool add(Bead& bead, const std::vector<Bead>& all, const PsfPoint& width,
                         Average& average) const;

  PsfImage image_;
  std::array<double, 3> ratio_;
  PsfBackground background_;
};

void BeadAverager::judge(std::vector<Bead>& beads, double saturation, PsfPoint& width) const {
  bool measured = false;
  for (Bead& bead : beads) {
    bead.peak = climb(image_, bead.picked);
    const double peak = image_.at(bead.peak.z, bead.peak.x, bead.peak.y);
    bead.signal_to_noise = background_.noise > 0.0 ? peak / background_.noise
                                                   : std::numeric_limits<double>::infinity();
    if (!(peak > 0.0) || bead.signal_to_noise < 5.0) {
      bead.reason = "hardly above the noise";
      continue;
    }
    if (saturated_near(image_, bead.peak, saturation - background_.level) > 3) {
      bead.reason = "overexposed";
      continue;
    }
    bead.centre = psf_centre(image_, bead.peak);
    bead.used = true;
    if (!measured) width = width_at(image_, bead.peak);
    measured = true;
  }
  const Sizes n = sizes_of(image_.size);
  for (Bead& bead : beads) {
    if (!bead.used) continue;
    for (std::size_t d = 0; d < 3; ++d) {
      const double room = std::min(bead.centre[d], static_cast<double>(n[d] - 1) - bead.centre[d]);
      if (n[d] > 1 && room < width[d]) {
        bead.used = false;
        bead.reason = "too close to the border of the image";
      }
    }
  }
  for (std::size_t i = 0; i < beads.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (!beads[i].used || !beads[j].used) continue;
      const double apart = separation(beads[i].centre, beads[j].centre, width);
      if (apart < 0.25) {
        beads[i].used = false;
        beads[i].reason = "the same bead as number " + std::to_string(j + 1);
      } else if (apart < 1.5) {
        beads[i].used = beads[j].used = false;
        beads[i].reason = beads[j].reason = "too close to another bead";
      }
    }
  }
}

// Adds the pixels that lie in the image and nearest to the bead; false: other spot or no light.
bool BeadAverager::add(Bead& bead, const std::vector<Bead>& all, const PsfPoint& width,
                       Average& average) const {
  const Sizes n = sizes_of(image_.size);
  const Sizes size = sizes_of(average.sum.size);
  PsfImage spot = psf_resample(image_, bead.centre, ratio_, average.sum.size);
  std::vector<std::uint8_t> mine(spot.values.size(), 0);
  double flux = 0.0;
  std::size_t i = 0;
  Sizes p{};
  for (p[0] = 0; p[0] < size[0]; ++p[0]) {
    for (p[1] = 0; p[1] < size[1]; ++p[1]) {
      for (p[2] = 0; p[2] < size[2]; ++p[2], ++i) {
        PsfPoint at{};
        bool inside = true;
        for (std::size_t d = 0; d < 3; ++d) {
          const std::int64_t middle = size[d] / 2;
          at[d] = bead.centre[d] + static_cast<double>(p[d] - middle) * ratio_[d];
          inside = inside && at[d] >= 0.0 && at[d] <= static_cast<double>(n[d] - 1);
        }
        const double own = separation(at, bead.centre, width);
        for (const Bead& other : all) {
          if (&other == &bead || !other.used) continue;
          inside = inside && own <= separation(at, other.centre, width);
        }
        mine[i] = inside ? 1 : 0;
        if (!inside) spot.values[i] = 0.0;
        if (own <= 1.0) flux += spot.values[i];
      }
    }
  }
  if (second_spot(spot, {size[0] / 2, size[1] / 2, size[2] / 2}) > 0.3) return false;
  if (!(flux > 0.0)) return false;
  for (std::size_t k = 0; k < mine.size(); ++k) {
    average.sum.values[k] += spot.values[k] / flux;
    average.count[k] += static_cast<float>(mine[k]);
  }
  return true;
}

Average BeadAverager::average(std::vector<Bead>& beads, const PsfPoint& width, const Size3& size,
                              const JobContext& context) const {
  Average average;
  average.sum.size = size;
  average.sum.values.assign(static_cast<std::size_t>(size.count()), 0.0);
  average.count.assign(average.sum.values.size(), 0.0F);
  for (std::size_t i = 0; i < beads.size(); ++i) {
    context.report(static_cast<double>(i) / static_cast<double>(beads.size()), "Averaging beads");
    if (context.stop_requested()) break;
    Bead& bead = beads[i];
    if (!bead.used) continue;
    if (!add(bead, beads, width, average)) {
      bead.used = false;
      bead.reason = "another bright spot lies beside it; pick that too, or choose a smaller size";
    }
  }
  for (std::size_t i = 0; i < average.count.size(); ++i) {
    average.sum.values[i] =
        average.count[i] > 0.0F ? average.sum.values[i] / average.count[i] : 0.0;
  }
  return average;
}

double saturation_of(const Volume& volume) {
  if (std::holds_alternative<Pixels<std::uint8_t>>(volume.pixels)) return 255.0;
  if (std::holds_alternative<Pixels<std::uint16_t>>(volume.pixels)) return 65535.0;
  return std::numeric_limits<double>::infinity();
}

std::string why_none(const std::vector<Bead>& beads) {
  std::string reasons;
  for (std::size_t i = 0; i < beads.size(); ++i) {
    reasons += (reasons.empty() ? "" : ", ") + std::to_string(i + 1) + " is " + beads[i].reason;
  }
  return reasons;
}

Result<BeadPsf> average_beads(const Volume& volume, const std::vector<Index3>& picked,
                              const MeasureOptions& options, const VoxelSize& voxel,
                              const Size3& image, const JobContext& context) {
  const std::string where = psf_where(volume);
  auto source = psf_source(volume);
  if (!source) return source.error();
  if (picked.empty()) return Error{"no bead is picked", where, "click beads in a slice"};
  BeadPsf out;
  for (const Index3& p : picked) {
    const Size3& n = source->size;
    if (p.z < 0 || p.x < 0 || p.y < 0 || p.z >= n.z || p.x >= n.x || p.y >= n.y) {
      return Error{"bead " + std::to_string(p.z) + "/" + std::to_string(p.x) + "/" +
                       std::to_string(p.y) + " lies outside of the image",
                   where, "give positions as z/x/y in pixels from 0"};
    }
    Bead bead;
    bead.picked = p;
    out.beads.push_back(std::move(bead));
  }
  const auto ratio = sampling_ratio(volume, options, voxel, out.made.warnings);
  const PsfBackground background = psf_background(*source);
  const BeadAverager averager(*std::move(source), ratio, background);
  PsfPoint width{1.0, 1.0, 1.0};
  averager.judge(out.beads, saturation_of(volume), width);

  const auto chosen = chosen_psf_size(options.size, Size3{0, 0, 0}, image);
  if (!chosen) return chosen.error();
  const Sizes wanted = sizes_of(*chosen);
  const Sizes extent = sizes_of(averager.image().size);
  const Sizes limit = sizes_of(image);
  const Sizes most = sizes_of(largest_psf_size(image));
  Sizes keep{};
  std::array<double, 3> widths{};
  for (std::size_t d = 0; d < 3; ++d) {
    const double natural = extent[d] > 1 ? 2.0 * std::ceil(2.5 * width[d] / ratio[d]) + 1.0 : 1.0;
    double kept = wanted[d] > 0 ? static_cast<double>(wanted[d]) : natural;
    if (wanted[d] == 0 && limit[d] > 0) kept = std::min(kept, static_cast<double>(most[d]));
    widths[d] = std::max(natural, kept);
    // A size too large for the type is refused below.
    keep[d] = static_cast<std::int64_t>(std::min(kept, 1e9));
  }
  const auto whole = resampled_size(where, averager.image().size, widths, ratio);
  if (!whole) return whole.error();
  Average average = averager.average(out.beads, width, *whole, context);
  if (context.stop_requested()) return cancelled_error();
  const auto used =
      std::count_if(out.beads.begin(), out.beads.end(), [](const Bead& b) { return b.used; });
  if (used == 0) {
    return Error{"none of the picked beads can be used: " + why_none(out.beads), where,
                 "pick single beads away from the border"};
  }
  if (options.background) {
    PsfBackground left = psf_background(average.sum);
    left.level = 0.0;
    remove_psf_background(average.sum, left);
  }
  auto stencil = psf_stencil(std::move(average.sum), volume);
  if (!stencil) return stencil.error();
  stencil->name = std::to_string(used) + (used == 1 ? " bead" : " beads") +
                  (volume.name.empty() ? "" : " of " + volume.name);
  out.made.coverage = psf_coverage(*stencil, size_of(keep));
  out.made.psf = truncate_psf(*stencil, size_of(keep));
  const auto checked = check_psf(out.made.psf, image);
  if (!checked) return checked.error();
  out.made.warnings.insert(out.made.warnings.end(), checked->begin(), checked->end());
  return out;
}

}  // namespace

Index3 bead_near(const Volume& beads, const Index3& picked) {
  // Only the surroundings of the picked pixel are looked at.
  constexpr std::int64_t kReach = 24;
  const Sizes n = sizes_of(beads.size());
  Sizes from{};
  Sizes size{};
  const Sizes p = sizes_of(picked);
  for (std::size_t d = 0; d < 3; ++d) {
    from[d] = std::clamp<std::int64_t>(p[d] - kReach, 0, n[d] - 1);
    size[d] = std::clamp<std::int64_t>(p[d] + kReach + 1, from[d] + 1, n[d]) - from[d];
  }
  PsfImage part;
  part.size = size_of(size);
  part.values.reserve(static_cast<std::size_t>(part.size.count()));
  for (std::int64_t z = 0; z < size[0]; ++z) {
    for (std::int64_t x = 0; x < size[1]; ++x) {
      for (std::int64_t y = 0; y < size[2]; ++y) {
        part.values.push_back(beads.value({from[0] + z, from[1] + x, from[2] + y}));
      }
    }
  }
  const Index3 peak = climb(part, {p[0] - from[0], p[1] - from[1], p[2] - from[2]});
  return {peak.z + from[0], peak.x + from[1], peak.y + from[2]};
}

Result<BeadPsf> psf_from_beads(const Volume& beads, const std::vector<Index3>& picked,
                               const MeasureOptions& options, const VoxelSize& voxel,
                               const Size3& image, const JobContext& context) {
  try {
    return average_beads(beads, picked, options, voxel, image, context);
  } catch (const std::bad_alloc&) {
    return Error{"is too large for the memory of this machine", psf_where(beads),
                 "crop it around the beads"};
  }
}

}  // namespace aprscope
