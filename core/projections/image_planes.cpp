#include "core/projections/image_planes.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <utility>

namespace aprscope {

ImagePlanes::ImagePlanes(const InsertionPlan& plan, LineTransforms lines)
    : lines_(std::move(lines)), plan_(plan), side_(plan.side), padded_(plan.padded) {
  plane_.reach = plan.image_reach;
  plane_.width = plane_.reach + 3;
  plane_.centre = plane_.reach + 2;
  plane_.floats = 4 * plane_.width * (2 * plane_.centre + 1);
}

Result<ImagePlanes> ImagePlanes::create(const InsertionPlan& plan) {
  auto lines = LineTransforms::create(plan.padded);
  if (!lines) return lines.error();
  return ImagePlanes(plan, std::move(*lines));
}

ImagePlanes::Scratch ImagePlanes::scratch() const {
  Scratch s;
  s.rows.resize(static_cast<std::size_t>(side_ * lines_.row_floats()));
  s.line.resize(static_cast<std::size_t>(lines_.row_scratch()));
  s.a.resize(static_cast<std::size_t>(lines_.columns_floats()));
  s.b.resize(static_cast<std::size_t>(lines_.columns_floats()));
  // Ramps of x, up to a whole block, and of y: each real part, imaginary part and envelope.
  s.ramps.resize(
      static_cast<std::size_t>(3 * (plane_.width + kLinesAtOnce + 2 * plane_.centre + 1)));
  return s;
}

WindowKey window_key(const InsertionPlan& plan, const ImageTerms& terms) {
  const bool magnified =
      terms.optics >= 0 && plan.optics[static_cast<std::size_t>(terms.optics)].magnification.any;
  return {terms.scale, magnified ? terms.optics : -1};
}

std::vector<float> image_window(const InsertionPlan& plan, const WindowKey& key) {
  const std::int64_t n = plan.side;
  const std::int64_t c = n / 2;
  std::vector<float> window(static_cast<std::size_t>(n * n), 1.0F);
  if (plan.kernel != InsertionKernel::slab) return window;
  std::vector<double> radial;
  if (key.optics < 0) radial = window_table(plan.blob, 2 * c * c + 1, key.scale, plan.padded);
  const auto at = [&](std::int64_t x, std::int64_t y) {
    if (key.optics < 0) return radial[static_cast<std::size_t>(x * x + y * y)];
    // Magnified: the window at M⁻ᵀ x.
    const auto& m = plan.optics[static_cast<std::size_t>(key.optics)].magnification.to_image;
    const auto fx = static_cast<double>(x);
    const auto fy = static_cast<double>(y);
    return plan.blob.window(std::hypot(m[0] * fx + m[2] * fy, m[1] * fx + m[3] * fy) * key.scale /
                            static_cast<double>(plan.padded));
  };
  std::size_t i = 0;
  for (std::int64_t y = -c; y < n - c; ++y) {
    for (std::int64_t x = -c; x < n - c; ++x, ++i) {
      const double linear = linear_window(static_cast<double>(x), plan.padded) *
                            linear_window(static_cast<double>(y), plan.padded);
      window[i] = static_cast<float>(at(x, y) / linear);
    }
  }
  return window;
}

void ImagePlanes::add_window(const ImageTerms& terms) {
  const WindowKey key = window_key(plan_, terms);
  if (!windows_.contains(key)) windows_.emplace(key, image_window(plan_, key));
}

void ImagePlanes::prepare(const float* image, const ImageTerms& terms, float* texels,
                          Scratch& s) const {
  const std::int64_t n = side_;
  const std::int64_t c = n / 2;
  const std::int64_t pitch = lines_.row_floats();
  const std::vector<float>& window = windows_.at(window_key(plan_, terms));
  for (std::int64_t y = 0; y < n; ++y) {
    float* const row = s.rows.data() + y * pitch;
    std::fill_n(row, padded_, 0.0F);
    for (std::int64_t x = 0; x < n; ++x) {
      row[place(x - c)] =
          terms.sign * image[y * n + x] * window[static_cast<std::size_t>(y * n + x)];
    }
    lines_.row_forward(row, s.line.data());
  }

  const Ctf& ctf = terms.ctf;
  const GroupOptics* const optics = optics_of(terms);
  // |Mk|², of the frequency k.
  double square[3] = {1.0, 0.0, 1.0};
  if (optics != nullptr) {
    const double* const m = optics->plane.magnification;
    square[0] = m[0] * m[0] + m[2] * m[2];
    square[1] = m[0] * m[1] + m[2] * m[3];
    square[2] = m[1] * m[1] + m[3] * m[3];
  }
  const double step = 1.0 / (static_cast<double>(padded_) * terms.pixel_size);
  const auto ramp = [&](std::int64_t first, std::int64_t count, double shift, double factor,
                        double envelope, double along, float* out) {
    for (std::int64_t i = 0; i < count; ++i) {
      std::int64_t k = first + i;
      if (k > padded_ / 2) k -= padded_;
      if (k < -padded_ / 2) k += padded_;
      const auto frequency = static_cast<double>(k);
      const double angle =
          -2.0 * std::numbers::pi * frequency * shift / static_cast<double>(padded_);
      out[i] = static_cast<float>(factor * std::cos(angle));
      out[count + i] = static_cast<float>(factor * std::sin(angle));
      out[2 * count + i] = static_cast<float>(
          envelope * std::exp(-0.25 * ctf.b_factor * along * frequency * frequency * step * step));
    }
  };
  const std::int64_t along_x = plane_.width + kLinesAtOnce;
  const std::int64_t along_y = 2 * plane_.centre + 1;
  float* const rx = s.ramps.data();
  float* const ry = rx + 3 * along_x;
  const double scale = terms.scale;
  const double area = optics != nullptr ? optics->magnification.area : 1.0;
  ramp(0, along_x, terms.shift_x, scale * scale * area, ctf.scale, square[0], rx);
  ramp(-plane_.centre, along_y, terms.shift_y, 1.0, 1.0, square[2], ry);

  TexelTask task;
  task.plane = &plane_;
  task.padded = padded_;
  task.ramp_y_re = ry;
  task.ramp_y_im = ry + along_y;
  task.envelope_y = ry + 2 * along_y;
  task.mean = ctf.mean;
  task.cosine = ctf.cosine;
  task.sine = ctf.sine;
  task.fourth = ctf.fourth;
  task.constant = ctf.constant;
  task.step = step;
  if (optics != nullptr && optics->aberrated) task.optics = &optics->plane;
  task.mode = static_cast<int>(plan_.ctf);
  const double skew = -0.5 * ctf.b_factor * square[1] * step * step;
  if (skew != 0.0) s.cross.resize(static_cast<std::size_t>(along_y * kLinesAtOnce));
  task.weight = terms.weight;
  task.texels = texels;
  const std::int64_t columns = std::min(plane_.width, padded_ / 2 + 1);
  for (std::int64_t first = 0; first < columns; first += kLinesAtOnce) {
    std::fill(s.a.begin(), s.a.end(), 0.0F);
    for (std::int64_t y = 0; y < n; ++y) {
      std::copy_n(s.rows.data() + y * pitch + 2 * first, 2 * kLinesAtOnce,
                  s.a.data() + 2 * kLinesAtOnce * place(y - c));
    }
    task.columns = lines_.columns_forward(s.a.data(), s.b.data());
    task.first = first;
    task.count = std::min(kLinesAtOnce, columns - first);
    task.ramp_x_re = rx + first;
    task.ramp_x_im = rx + along_x + first;
    task.envelope_x = rx + 2 * along_x + first;
    if (skew != 0.0) {
      fill_cross(skew, first, s.cross.data());
      task.cross = s.cross.data();
    }
    insertion_kernels().texels(task);
  }
  if (optics != nullptr && !optics->weights.empty()) weigh(optics->weights, texels);
  continue_beyond(texels);
}

// Fills exp(skew x y) for the frequencies of the texels of a stretch of columns.
void ImagePlanes::fill_cross(double skew, std::int64_t first, float* cross) const {
  for (std::int64_t row = 0; row <= 2 * plane_.centre; ++row) {
    std::int64_t y = row - plane_.centre;
    if (y > padded_ / 2) y -= padded_;
    if (y < -padded_ / 2) y += padded_;
    for (std::int64_t j = 0; j < kLinesAtOnce; ++j) {
      *cross++ = static_cast<float>(std::exp(skew * static_cast<double>((first + j) * y)));
    }
  }
}

void ImagePlanes::weigh(const std::vector<float>& weights, float* texels) const {
  const std::int64_t half = padded_ / 2;
  const std::int64_t columns = std::min(plane_.width, half + 1);
  const float shells = static_cast<float>(side_) / static_cast<float>(padded_);
  const float end = static_cast<float>(weights.size() - 1);
  for (std::int64_t row = 0; row <= 2 * plane_.centre; ++row) {
    std::int64_t y = row - plane_.centre;
    if (y > half) y -= padded_;
    if (y < -half) y += padded_;
    float* at = texels + 4 * row * plane_.width;
    for (std::int64_t x = 0; x < columns; ++x, at += 4) {
      const float k = std::min(shells * std::sqrt(static_cast<float>(x * x + y * y)), end);
      const auto shell = std::min(static_cast<std::size_t>(k), weights.size() - 2);
      const float weight =
          weights[shell] + (k - static_cast<float>(shell)) * (weights[shell + 1] - weights[shell]);
      for (int i = 0; i < 3; ++i) at[i] *= weight;
    }
  }
}

// Columns beyond Nyquist are those of the periodic transform: F(x, y) = conj F(padded − x, −y).
void ImagePlanes::continue_beyond(float* texels) const {
  for (std::int64_t x = padded_ / 2 + 1; x < plane_.width; ++x) {
    const std::int64_t last = 2 * plane_.centre;
    for (std::int64_t row = 0; row <= last; ++row) {
      const float* const from = texels + 4 * ((last - row) * plane_.width + padded_ - x);
      float* const to = texels + 4 * (row * plane_.width + x);
      to[0] = from[0];
      to[1] = -from[1];
      to[2] = from[2];
      to[3] = 0.0F;
    }
  }
}

}  // namespace aprscope
