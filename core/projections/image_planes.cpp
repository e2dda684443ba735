#include "core/projections/image_planes.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <utility>

namespace aprscope {

namespace {

constexpr std::int64_t kWidth = LineTransforms::kWidth;

}  // namespace

ImagePlanes::ImagePlanes(const InsertionPlan& plan, LineTransforms lines)
    : lines_(std::move(lines)),
      side_(plan.side),
      padded_(plan.padded),
      mode_(static_cast<int>(plan.ctf)),
      windowed_(plan.kernel == InsertionKernel::slab),
      blob_(plan.blob) {
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
  // Of x, up to a whole block, and of y: real, imaginary, envelope.
  s.ramps.resize(static_cast<std::size_t>(3 * (plane_.width + kWidth + 2 * plane_.centre + 1)));
  return s;
}

void ImagePlanes::add_scale(float scale) {
  if (windows_.contains(scale)) return;
  const std::int64_t n = side_;
  const std::int64_t c = n / 2;
  std::vector<float> window(static_cast<std::size_t>(n * n), 1.0F);
  if (windowed_) {
    const std::vector<double> radial = window_table(blob_, 2 * c * c + 1, scale, padded_);
    std::size_t i = 0;
    for (std::int64_t y = -c; y < n - c; ++y) {
      for (std::int64_t x = -c; x < n - c; ++x, ++i) {
        const double linear = linear_window(static_cast<double>(x), padded_) *
                              linear_window(static_cast<double>(y), padded_);
        window[i] = static_cast<float>(radial[static_cast<std::size_t>(x * x + y * y)] / linear);
      }
    }
  }
  windows_.emplace(scale, std::move(window));
}

void ImagePlanes::prepare(const float* image, const ImageTerms& terms, float* texels,
                          Scratch& s) const {
  const std::int64_t n = side_;
  const std::int64_t c = n / 2;
  const std::int64_t pitch = lines_.row_floats();
  const std::vector<float>& window = windows_.at(terms.scale);
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
  const double step = 1.0 / (static_cast<double>(padded_) * terms.pixel_size);
  const auto ramp = [&](std::int64_t first, std::int64_t count, double shift, double factor,
                        double envelope, float* out) {
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
          envelope * std::exp(-0.25 * ctf.b_factor * frequency * frequency * step * step));
    }
  };
  const std::int64_t along_x = plane_.width + kWidth;
  const std::int64_t along_y = 2 * plane_.centre + 1;
  float* const rx = s.ramps.data();
  float* const ry = rx + 3 * along_x;
  const double scale = terms.scale;
  ramp(0, along_x, terms.shift_x, scale * scale, ctf.scale, rx);
  ramp(-plane_.centre, along_y, terms.shift_y, 1.0, 1.0, ry);

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
  task.mode = mode_;
  task.weight = terms.weight;
  task.texels = texels;
  const std::int64_t columns = std::min(plane_.width, padded_ / 2 + 1);
  for (std::int64_t first = 0; first < columns; first += kWidth) {
    std::fill(s.a.begin(), s.a.end(), 0.0F);
    for (std::int64_t y = 0; y < n; ++y) {
      std::copy_n(s.rows.data() + y * pitch + 2 * first, 2 * kWidth,
                  s.a.data() + 2 * kWidth * place(y - c));
    }
    task.columns = lines_.columns_forward(s.a.data(), s.b.data());
    task.first = first;
    task.count = std::min(kWidth, columns - first);
    task.ramp_x_re = rx + first;
    task.ramp_x_im = rx + along_x + first;
    task.envelope_x = rx + 2 * along_x + first;
    insertion_kernels().texels(task);
  }
  continue_beyond(texels);
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
