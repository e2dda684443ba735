#include "core/deconvolution/psf/psf.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "core/deconvolution/psf/axis_sizes.hpp"

namespace aprscope {
namespace {

using namespace axis_sizes;  // NOLINT: sources of this folder share its words

std::string comma(const Size3& s) {
  return std::to_string(s.z) + "," + std::to_string(s.x) + "," + std::to_string(s.y);
}

std::string digits(double value, int decimals) {
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%.*f", decimals, value);
  return text.data();
}

std::string where_of(const Stencil& psf) {
  return psf.name.empty() ? std::string("PSF") : "PSF " + psf.name;
}

// Distance from the centre to where the line falls to one half; 0 if it does not.
double half_width(const Stencil& psf, std::size_t d, int direction) {
  const Sizes n = sizes_of(psf.size);
  const Sizes step{n[1] * n[2], n[2], 1};
  const auto middle = static_cast<std::int64_t>(psf.weights.size() / 2);
  const auto at = [&](std::int64_t i) {
    return psf.weights[static_cast<std::size_t>(middle + direction * i * step[d])];
  };
  const double half = at(0) / 2.0;
  for (std::int64_t i = 1; i <= n[d] / 2; ++i) {
    if (at(i) > half) continue;
    // Between two pixels it falls as a Gaussian's flank does, or straight to nothing.
    const double before = at(i - 1);
    const double now = at(i);
    if (!(before > now)) return static_cast<double>(i);
    const auto inner = static_cast<double>(i - 1);
    if (!(now > 0.0)) return inner + (before - half) / (before - now);
    // The logarithm of a Gaussian is a straight line over the square of the distance.
    const double part = std::log(before / half) / std::log(before / now);
    return std::sqrt(inner * inner + part * (2.0 * inner + 1.0));
  }
  return 0.0;
}

// Calls work(index, {z, x, y} from the middle).
template <class Work>
void each(const Stencil& psf, const Work& work) {
  const Size3& n = psf.size;
  std::size_t i = 0;
  for (std::int64_t z = 0; z < n.z; ++z) {
    for (std::int64_t x = 0; x < n.x; ++x) {
      for (std::int64_t y = 0; y < n.y; ++y) {
        work(i++, std::array<std::int64_t, 3>{z - n.z / 2, x - n.x / 2, y - n.y / 2});
      }
    }
  }
}

// The weights of the outermost shell in dimensions longer than 1, sorted.
std::vector<double> border_of(const Stencil& psf) {
  const Sizes n = sizes_of(psf.size);
  std::vector<double> border;
  each(psf, [&](std::size_t i, const Sizes& at) {
    for (std::size_t d = 0; d < 3; ++d) {
      if (n[d] > 1 && std::abs(at[d]) == n[d] / 2) {
        border.push_back(psf.weights[i]);
        return;
      }
    }
  });
  std::sort(border.begin(), border.end());
  return border;
}

// Fraction of the samples of an endless Gaussian that lie within ±half.
double gaussian_share(double sigma, std::int64_t half) {
  if (sigma <= 0.0) return 1.0;
  const auto all = static_cast<std::int64_t>(std::ceil(10.0 * sigma)) + 1;
  double inside = 0.0;
  double total = 0.0;
  for (std::int64_t i = -all; i <= all; ++i) {
    const double u = static_cast<double>(i) / sigma;
    const double w = std::exp(-0.5 * u * u);
    total += w;
    if (std::abs(i) <= half) inside += w;
  }
  return inside / total;
}

}  // namespace

PsfReport psf_report(const Stencil& psf) {
  PsfReport report;
  report.size = psf.size;
  report.sum = psf.sum();
  for (std::size_t d = 0; d < 3; ++d) {
    const double before = half_width(psf, d, -1);
    const double after = half_width(psf, d, 1);
    if (before > 0.0 && after > 0.0) report.fwhm[d] = before + after;
  }
  const double peak = *std::max_element(psf.weights.begin(), psf.weights.end());
  double mass = 0.0;
  each(psf, [&](std::size_t i, const Sizes& at) {
    const double w = psf.weights[i] - peak / 2.0;
    if (!(w > 0.0)) return;
    mass += w;
    for (std::size_t d = 0; d < 3; ++d) report.offset[d] += w * static_cast<double>(at[d]);
  });
  if (mass > 0.0) {
    for (double& o : report.offset) o /= mass;
  }
  return report;
}

Result<std::vector<std::string>> check_psf(const Stencil& psf, const Size3& image) {
  const std::string where = where_of(psf);
  const Sizes n = sizes_of(psf.size);
  if (std::any_of(n.begin(), n.end(), [](std::int64_t s) { return s % 2 == 0; })) {
    return Error{"has " + times_text(psf.size) + " weights, an even size without a middle", where,
                 "crop it to odd sizes, or let it be centred anew (center on)"};
  }
  if (Status ok = check(psf); !ok) {
    Error error = ok.error();
    error.where = where;
    return error;
  }
  double sum = 0.0;
  std::size_t below = 0;
  for (const double w : psf.weights) {
    sum += w;
    if (w < 0.0) ++below;
  }
  if (below > 0) {
    return Error{std::to_string(below) + " of its weights are below zero", where,
                 "subtract its background (background on), or use the image of a bead"};
  }
  if (!(sum > 0.0)) {
    return Error{"is zero everywhere", where, "use an image that shows a bead or a PSF"};
  }
  const Sizes limit = sizes_of(image);
  for (std::size_t d = 0; d < 3; ++d) {
    if (limit[d] == 0 || n[d] <= limit[d]) continue;
    const Sizes most = sizes_of(largest_psf_size(image));
    Sizes fit = n;
    for (std::size_t e = 0; e < 3; ++e) fit[e] = std::min(fit[e], most[e]);
    return Error{"has " + times_text(psf.size) + " weights, more than the image of " +
                     times_text(image) + " in " + kAxisNames[d],
                 where, "cut it to a size of " + comma(size_of(fit)) + " or less"};
  }

  std::vector<std::string> warnings;
  const PsfReport report = psf_report(psf);
  const auto far = [](double o) { return std::abs(o) > 0.5; };
  if (std::any_of(report.offset.begin(), report.offset.end(), far)) {
    warnings.push_back("The PSF is off-centre by " + digits(report.offset[0], 1) + ", " +
                       digits(report.offset[1], 1) + ", " + digits(report.offset[2], 1) +
                       " px (z, x, y), which shifts the result; switch centring on.");
  }
  const double peak = *std::max_element(psf.weights.begin(), psf.weights.end());
  const std::vector<double> border = border_of(psf);
  if (border.empty()) return warnings;
  // A level that most of the border exceeds would be there without any light.
  const double level = border[border.size() / 5];
  const double share = level * static_cast<double>(psf.weights.size()) / sum;
  if (share > 0.1) {
    warnings.push_back("The PSF stands on a background that makes " +
                       digits(100.0 * std::min(1.0, share), 0) +
                       " % of its light; switch background removal on.");
  } else if (border.back() > 0.1 * peak) {
    warnings.push_back("The PSF is cut off where it still has " +
                       digits(100.0 * border.back() / peak, 0) +
                       " % of its peak; use a larger size.");
  }
  return warnings;
}

double psf_coverage(const Stencil& psf, const Size3& size) {
  const Sizes keep = sizes_of(size);
  double inside = 0.0;
  double total = 0.0;
  each(psf, [&](std::size_t i, const Sizes& at) {
    total += psf.weights[i];
    for (std::size_t d = 0; d < 3; ++d) {
      if (std::abs(at[d]) > keep[d] / 2) return;
    }
    inside += psf.weights[i];
  });
  return total > 0.0 ? inside / total : 1.0;
}

Stencil truncate_psf(const Stencil& psf, const Size3& size) {
  const Sizes from = sizes_of(psf.size);
  Sizes to = sizes_of(size);
  for (std::size_t d = 0; d < 3; ++d) to[d] = std::clamp<std::int64_t>(to[d], 1, from[d]);
  Stencil out;
  out.size = size_of(to);
  out.name = psf.name;
  out.weights.clear();
  out.weights.reserve(static_cast<std::size_t>(out.size.count()));
  each(psf, [&](std::size_t i, const Sizes& at) {
    for (std::size_t d = 0; d < 3; ++d) {
      if (std::abs(at[d]) > to[d] / 2) return;
    }
    out.weights.push_back(psf.weights[i]);
  });
  return out.normalized();
}

std::optional<double> psf_micrometres(const std::string& unit) {
  if (unit == "µm" || unit == "um") return 1.0;
  if (unit == "nm") return 1e-3;
  if (unit == "mm") return 1e3;
  if (unit == "Å") return 1e-4;
  return std::nullopt;
}

Size3 largest_psf_size(const Size3& image) {
  const auto odd = [](std::int64_t n) {
    return std::max<std::int64_t>(1, n - (n % 2 == 0 ? 1 : 0));
  };
  return {odd(image.z), odd(image.x), odd(image.y)};
}

Result<Size3> chosen_psf_size(const Size3& wanted, const Size3& automatic, const Size3& image) {
  const Sizes want = sizes_of(wanted);
  const Sizes limit = sizes_of(image);
  const Sizes most = sizes_of(largest_psf_size(image));
  Sizes size = sizes_of(automatic);
  for (std::size_t d = 0; d < 3; ++d) {
    if (want[d] == 0) {
      if (limit[d] > 0) size[d] = std::min(size[d], most[d]);
      continue;
    }
    size[d] = want[d];
    if (want[d] < 0 || want[d] % 2 == 0) {
      return Error{"its size in " + std::string(kAxisNames[d]) + " is " + std::to_string(want[d]) +
                       ", which has no middle",
                   "PSF", "use an odd number"};
    }
    if (limit[d] > 0 && want[d] > limit[d]) {
      return Error{"its size in " + std::string(kAxisNames[d]) + " is " + std::to_string(want[d]) +
                       ", more than the " + std::to_string(limit[d]) + " pixels of the image",
                   "PSF", "use " + std::to_string(most[d]) + " or less"};
    }
  }
  return size_of(size);
}

Result<MadePsf> gaussian_psf(const std::array<double, 3>& sigma, const Size3& size,
                             const Size3& image) {
  Sizes automatic{1, 1, 1};
  for (std::size_t d = 0; d < 3; ++d) {
    if (!std::isfinite(sigma[d]) || sigma[d] < 0.0 || sigma[d] > 1000.0) {
      return Error{"sigma is " + digits(sigma[d], 3) + " pixels in " + kAxisNames[d], "PSF",
                   "use 0 to 1000, and check the voxel size"};
    }
    if (sigma[d] > 0.0) {
      automatic[d] = 2 * static_cast<std::int64_t>(std::ceil(3.0 * sigma[d])) + 1;
    }
  }
  const auto chosen = chosen_psf_size(size, size_of(automatic), image);
  if (!chosen) return chosen.error();
  MadePsf made;
  made.psf = gaussian_stencil(sigma, *chosen);
  made.psf.name = "Gaussian";
  const Sizes n = sizes_of(*chosen);
  for (std::size_t d = 0; d < 3; ++d) made.coverage *= gaussian_share(sigma[d], n[d] / 2);
  return made;
}

}  // namespace aprscope
