#include "core/projections/map_projector.hpp"

#include <algorithm>
#include <numbers>
#include <utility>

#include "core/projections/aberrations.hpp"
#include "core/projections/ctf.hpp"
#include "core/projections/image_planes.hpp"

namespace aprscope {

namespace {

using Complex = std::complex<float>;

// What a microscope multiplies a frequency with: the CTF, and radians beside it.
struct Transfer {
  double factor = 1.0;
  double phase = 0.0;
};

// Of the frequency (x, y), in 1/Å: see ImageTerms.
Transfer transfer(const Ctf& ctf, const PlaneOptics* optics, double x, double y) {
  if (optics == nullptr) return {ctf(x, y), 0.0};
  const double* const m = optics->magnification;
  const double u = m[0] * x + m[1] * y;
  const double v = m[2] * x + m[3] * y;
  return {ctf.with_more(u, v, turns_of(optics->even, u, v)),
          2.0 * std::numbers::pi * turns_of(optics->odd, u, v)};
}

// polar() takes no negative magnitudes: the sign is that of the value.
double applied(double factor, CtfTimes times) {
  return times == CtfTimes::twice     ? factor * factor
         : times == CtfTimes::flipped ? std::abs(factor)
                                      : factor;
}

}  // namespace

double pixel_scale(const ProjectionTable& table, const Projection& row) {
  const double size = table.optics[row.optics].pixel_size;
  return std::isfinite(size) && std::isfinite(table.pixel_size) ? size / table.pixel_size : 1.0;
}

Result<std::unique_ptr<MapProjector>> MapProjector::create(std::span<const float> map,
                                                           std::int64_t side, double padding,
                                                           const Blob& blob,
                                                           const JobContext& context) {
  const std::int64_t padded = LineTransforms::good_length(
      static_cast<std::int64_t>(std::ceil(padding * static_cast<double>(side))));
  auto lines = LineTransforms::create(padded);
  if (!lines) return lines.error();
  auto fft = Fft3::create({padded, padded, padded});
  if (!fft) return fft.error();
  std::unique_ptr<MapProjector> made(new MapProjector(side, padded, blob, std::move(*lines)));
  if (Status ok = made->transform(map, **fft, context); !ok) return ok.error();
  return made;
}

MapProjector::Windows MapProjector::windows_of(const ProjectionTable& table,
                                               const InsertionPlan& plan) const {
  InsertionPlan own;
  own.side = side_;
  own.padded = padded_;
  own.blob = blob_;
  own.optics = plan.optics;
  Windows windows;
  for (const Projection& row : table.rows) {
    const auto group = static_cast<std::int32_t>(row.optics);
    const auto scale = static_cast<float>(pixel_scale(table, row));
    const bool magnified = !plan.optics.empty() && plan.optics[row.optics].magnification.any;
    if (!magnified && scale == 1.0F) continue;
    if (windows.contains(group)) continue;
    windows[group] = image_window(own, {scale, magnified ? group : -1});
  }
  return windows;
}

MapProjector::Scratch MapProjector::scratch() const {
  Scratch s;
  s.plane.resize(static_cast<std::size_t>(width_ * width_));
  s.rows.resize(static_cast<std::size_t>(side_ * lines_.row_floats()));
  s.line.resize(static_cast<std::size_t>(lines_.row_scratch()));
  s.a.resize(static_cast<std::size_t>(lines_.columns_floats()));
  s.b.resize(s.a.size());
  return s;
}

void MapProjector::project(const Rotation& to_plane, const ImageTerms& terms,
                           const GroupOptics* group, CtfTimes times,
                           const std::vector<float>* window, float* image, Scratch& s) const {
  std::fill(s.plane.begin(), s.plane.end(), Complex());
  add_voxels(to_plane, window != nullptr, s.plane.data());
  const PlaneOptics* const optics = group != nullptr && group->aberrated ? &group->plane : nullptr;
  const std::int64_t pitch = lines_.row_floats();
  const auto p = static_cast<double>(padded_);
  const double step = 1.0 / (p * terms.pixel_size);
  std::fill(s.rows.begin(), s.rows.end(), 0.0F);
  for (std::int64_t first = 0; first <= padded_ / 2; first += kLinesAtOnce) {
    std::fill(s.a.begin(), s.a.end(), 0.0F);
    const std::int64_t count = std::min(kLinesAtOnce, padded_ / 2 + 1 - first);
    for (std::int64_t j = 0; j < count; ++j) {
      const std::int64_t x = first + j;
      for (std::int64_t y = -padded_ / 2; y < padded_ / 2; ++y) {
        const double angle =
            2.0 * std::numbers::pi *
            (static_cast<double>(x) * terms.shift_x + static_cast<double>(y) * terms.shift_y) / p;
        const Transfer by = times == CtfTimes::none
                                ? Transfer()
                                : transfer(terms.ctf, optics, static_cast<double>(x) * step,
                                           static_cast<double>(y) * step);
        const std::complex<double> value = std::complex<double>(pair(s.plane, x, y)) *
                                           std::polar(applied(by.factor, times), angle + by.phase);
        float* const to = s.a.data() + 2 * (kLinesAtOnce * place(y) + j);
        to[0] = static_cast<float>(value.real());
        to[1] = static_cast<float>(value.imag());
      }
    }
    const float* const out = lines_.columns_inverse(s.a.data(), s.b.data());
    for (std::int64_t y = 0; y < side_; ++y) {
      std::copy_n(out + 2 * kLinesAtOnce * place(y - side_ / 2), 2 * count,
                  s.rows.data() + y * pitch + 2 * first);
    }
  }
  const std::vector<float>& divided = window != nullptr ? *window : window_;
  for (std::int64_t y = 0; y < side_; ++y) {
    float* const row = s.rows.data() + y * pitch;
    lines_.row_inverse(row, s.line.data(), scale_);
    for (std::int64_t x = 0; x < side_; ++x) {
      image[y * side_ + x] =
          row[place(x - side_ / 2)] * divided[static_cast<std::size_t>(y * side_ + x)];
    }
  }
}

MapProjector::MapProjector(std::int64_t side, std::int64_t padded, const Blob& blob,
                           LineTransforms lines)
    : side_(side),
      padded_(padded),
      reach_(padded / 2 - 1),
      centre_(padded / 2 + 2),
      width_(2 * centre_ + 1),
      blob_(blob),
      slab_(slab_kernel(blob)),
      lines_(std::move(lines)),
      scale_(static_cast<float>(1.0 / (static_cast<double>(padded) * static_cast<double>(padded) *
                                       slab_integral(slab_)))) {
  const std::int64_t c = side / 2;
  const std::vector<double> radial = window_table(blob_, 2 * c * c + 1, 1.0, padded);
  for (std::int64_t y = -c; y < side - c; ++y) {
    for (std::int64_t x = -c; x < side - c; ++x) {
      window_.push_back(static_cast<float>(radial[static_cast<std::size_t>(x * x + y * y)] /
                                           (linear_window(static_cast<double>(x), padded) *
                                            linear_window(static_cast<double>(y), padded))));
    }
  }
}

Status MapProjector::transform(std::span<const float> map, Fft3& fft, const JobContext& context) {
  row_ = fft.row();
  spectrum_.resize(static_cast<std::size_t>(fft.buffer_count()));
  const std::int64_t c = side_ / 2;
  const std::vector<double> window = window_table(blob_, 3 * c * c + 1, 1.0, padded_);
  std::size_t i = 0;
  for (std::int64_t z = -c; z < side_ - c; ++z) {
    for (std::int64_t y = -c; y < side_ - c; ++y) {
      for (std::int64_t x = -c; x < side_ - c; ++x, ++i) {
        spectrum_[static_cast<std::size_t>((place(z) * padded_ + place(y)) * row_ + place(x))] =
            static_cast<float>(map[i] / window[static_cast<std::size_t>(x * x + y * y + z * z)]);
      }
    }
  }
  return fft.forward(spectrum_, context);
}

void MapProjector::add_voxels(const Rotation& rotation, bool stretched, Complex* plane) const {
  const auto& m = rotation.rows;
  const auto h = static_cast<double>(reach_);
  for (std::int64_t z = -reach_; z <= reach_; ++z) {
    for (std::int64_t y = -reach_; y <= reach_; ++y) {
      const double rest = h * h - static_cast<double>(z * z + y * y);
      if (rest < 0.0) continue;
      const auto fy = static_cast<double>(y);
      const auto fz = static_cast<double>(z);
      const double base = m[2][1] * fy + m[2][2] * fz;
      double begin = 0.0;
      double end = std::floor(std::sqrt(rest));
      if (std::abs(m[2][0]) > 1e-6) {
        const double a = (-blob_.radius - base) / m[2][0];
        const double b = (blob_.radius - base) / m[2][0];
        begin = std::max(begin, std::ceil(std::min(a, b)));
        end = std::min(end, std::floor(std::max(a, b)));
      }
      const float* const line = spectrum_.data() + (place(z) * padded_ + place(y)) * row_;
      for (double x = begin; x <= end; x += 1.0) {
        if (stretched && !is_within(m[0][0] * x + m[0][1] * fy + m[0][2] * fz,
                                    m[1][0] * x + m[1][1] * fy + m[1][2] * fz)) {
          continue;
        }
        add_voxel(plane, m[0][0] * x + m[0][1] * fy + m[0][2] * fz,
                  m[1][0] * x + m[1][1] * fy + m[1][2] * fz, m[2][0] * x + base,
                  line + 2 * static_cast<std::int64_t>(x), x == 0.0 ? 0.5F : 1.0F);
      }
    }
  }
}

}  // namespace aprscope
