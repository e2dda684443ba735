#include "core/image/fft_convolution.hpp"

#include <algorithm>
#include <cmath>
#include <new>
#include <string>
#include <utility>

#include "core/base/parallel.hpp"
#include "core/image/complex_lanes.hpp"

namespace aprscope {
namespace {

using detail::FftColumns;

constexpr std::int64_t kRowOfBlock =
    2 * FftColumns::kWidth;  // floats of a row of a block of columns

// Rows of a block of columns: out of a volume, from where `sources` says, and back.
void gather(const float* first, std::span<const std::int64_t> sources, std::int64_t stride,
            std::int64_t width, float* to) {
  for (const std::int64_t source : sources) {
    if (source < 0) {
      std::fill_n(to, kRowOfBlock, 0.0F);
    } else if (width == FftColumns::kWidth) {
      const float* const from = first + source * stride;
      detail::copy_block(from, to);
      // The next block of columns will want what lies behind: strides this long are too much for
      // the processor to foresee.
      __builtin_prefetch(from + kRowOfBlock, 0, 2);
    } else {
      std::copy_n(first + source * stride, 2 * width, to);
      std::fill(to + 2 * width, to + kRowOfBlock, 0.0F);
    }
    to += kRowOfBlock;
  }
}
void scatter(const float* from, std::int64_t count, std::int64_t stride, std::int64_t width,
             float* first) {
  for (std::int64_t i = 0; i < count; ++i) {
    if (width == FftColumns::kWidth) {
      detail::copy_block(from + i * kRowOfBlock, first + i * stride);
    } else {
      std::copy_n(from + i * kRowOfBlock, 2 * width, first + i * stride);
    }
  }
}

std::vector<std::int64_t> counted(std::int64_t n) {
  std::vector<std::int64_t> all(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < n; ++i) all[static_cast<std::size_t>(i)] = i;
  return all;
}

bool is_even(const Size3& n, std::span<const double> kernel) {
  const double most = *std::max_element(kernel.begin(), kernel.end());
  const auto at = [&](std::int64_t z, std::int64_t x, std::int64_t y) {
    return kernel[static_cast<std::size_t>((z * n.x + x) * n.y + y)];
  };
  for (std::int64_t z = 0; z < n.z; ++z) {
    for (std::int64_t x = 0; x < n.x; ++x) {
      for (std::int64_t y = 0; y < n.y; ++y) {
        const double v = at(z, x, y);
        const double others[] = {at(n.z - 1 - z, x, y), at(z, n.x - 1 - x, y),
                                 at(z, x, n.y - 1 - y)};
        for (const double o : others) {
          if (std::abs(v - o) > 1e-12 * most) return false;
        }
      }
    }
  }
  return true;
}

}  // namespace

FftConvolution::FftConvolution(const Size3& image, Padding padding)
    : image_(image),
      padding_(std::move(padding)),
      padded_(padding_.size()),
      all_x_(counted(padded_.x)),
      rows_(padded_.y),
      lines_z_(padded_.z),
      lines_x_(padded_.x),
      row_(rows_.pitch()),
      half_(std::max(lines_z_.size(), lines_x_.size())),
      work_(static_cast<std::size_t>(thread_count())) {
  const std::int64_t scratch = std::max(2 * half_, rows_.scratch());
  for (auto& w : work_) w.resize(static_cast<std::size_t>(scratch));
}

Result<std::unique_ptr<FftConvolution>> FftConvolution::create(const Size3& image, Padding padding,
                                                               const Size3& kernel_size,
                                                               std::span<const double> kernel) {
  const Size3 n = padding.size();
  const std::string extent =
      std::to_string(n.z) + " × " + std::to_string(n.x) + " × " + std::to_string(n.y);
  try {
    std::unique_ptr<FftConvolution> made(new FftConvolution(image, std::move(padding)));
    if (!made->rows_.ok() || !made->lines_z_.ok() || !made->lines_x_.ok()) {
      return Error{"FFTW has no plan for " + extent, "Fourier transform", "use a smaller image"};
    }
    if (Status ok = made->make_spectrum(kernel_size, kernel); !ok) return ok.error();
    made->buffer_.resize(static_cast<std::size_t>(image.z * n.x * made->row_));
    return made;
  } catch (const std::bad_alloc&) {
    return Error{"not enough memory to transform " + extent, "Fourier transform",
                 "truncate the PSF, convert to particles, or close other data"};
  }
}

std::uint64_t FftConvolution::bytes() const {
  std::uint64_t floats = buffer_.size() + spectrum_.size();
  for (const auto& w : work_) floats += w.size();
  return floats * sizeof(float) + rows_.bytes() + lines_z_.bytes() + lines_x_.bytes();
}

template <class Work>
bool FftConvolution::for_each(std::int64_t count, const JobContext& context, const Work& work) {
  parallel_each(count, static_cast<int>(work_.size()), [&](std::int64_t i, int thread) {
    if (!context.stop_requested()) work(i, work_[static_cast<std::size_t>(thread)].data());
  });
  return !context.stop_requested();
}

// Transforms only the planes and rows that the kernel has. The spectrum of an even kernel is kept
// as real numbers at half of the frequencies along z and x.
Status FftConvolution::make_spectrum(const Size3& size, std::span<const double> kernel) {
  even_ = is_even(size, kernel);
  const Size3& p = padded_;
  const Size3 radius{size.z / 2, size.x / 2, size.y / 2};
  const auto place = [](std::int64_t i, std::int64_t r, std::int64_t n) {
    return ((i - r) % n + n) % n;
  };
  const std::int64_t complexes = p.y / 2 + 1;
  const Size3 kept{even_ ? p.z / 2 + 1 : p.z, even_ ? p.x / 2 + 1 : p.x, complexes};
  // Planes of the kernel that fall onto the same one of the padded volume are added up there.
  const std::int64_t planes = std::min(size.z, p.z);
  std::vector<std::int64_t> plane_of(static_cast<std::size_t>(p.z), -1);
  for (std::int64_t i = 0; i < planes; ++i) {
    plane_of[static_cast<std::size_t>(place(i, radius.z, p.z))] = i;
  }
  AlignedVector<float> values(static_cast<std::size_t>(planes * kept.x * row_));
  // Four numbers are read at once.
  spectrum_.resize(static_cast<std::size_t>(kept.count() * (even_ ? 1 : 2) + 8));

  std::vector<AlignedVector<double>> sums(work_.size());
  std::vector<AlignedVector<float>> flat(work_.size());
  for (auto& s : sums) s.resize(static_cast<std::size_t>(p.x * p.y));
  for (auto& f : flat) f.resize(static_cast<std::size_t>(p.x * row_));
  parallel_each(planes, static_cast<int>(work_.size()), [&](std::int64_t plane, int thread) {
    const auto t = static_cast<std::size_t>(thread);
    float* const scratch = work_[t].data();
    std::fill(sums[t].begin(), sums[t].end(), 0.0);
    for (std::int64_t z = plane; z < size.z; z += p.z) {
      const double* from = kernel.data() + z * size.x * size.y;
      for (std::int64_t x = 0; x < size.x; ++x) {
        double* const to = sums[t].data() + place(x, radius.x, p.x) * p.y;
        for (std::int64_t y = 0; y < size.y; ++y) to[place(y, radius.y, p.y)] += *from++;
      }
    }
    float* const rows = flat[t].data();
    for (std::int64_t x = 0; x < p.x; ++x) {
      std::transform(sums[t].begin() + x * p.y, sums[t].begin() + (x + 1) * p.y, rows + x * row_,
                     [](double v) { return static_cast<float>(v); });
      rows_.forward(rows + x * row_, scratch);
    }
    for (std::int64_t y = 0; y < complexes; y += FftColumns::kWidth) {
      const std::int64_t width = std::min(FftColumns::kWidth, complexes - y);
      gather(rows + 2 * y, all_x_, row_, width, scratch);
      const float* const done = lines_x_.forward(scratch, scratch + half_);
      scatter(done, kept.x, row_, width, values.data() + plane * kept.x * row_ + 2 * y);
    }
  });
  for_each(kept.x, {}, [&](std::int64_t x, float* scratch) {
    for (std::int64_t y = 0; y < complexes; y += FftColumns::kWidth) {
      const std::int64_t width = std::min(FftColumns::kWidth, complexes - y);
      gather(values.data() + x * row_ + 2 * y, plane_of, kept.x * row_, width, scratch);
      const float* from = lines_z_.forward(scratch, scratch + half_);
      for (std::int64_t z = 0; z < kept.z; ++z, from += kRowOfBlock) {
        const std::int64_t first = (z * kept.x + x) * complexes + y;
        if (even_) {
          for (std::int64_t c = 0; c < width; ++c) {
            spectrum_[static_cast<std::size_t>(first + c)] = from[2 * c];
          }
        } else {
          std::copy_n(from, 2 * width, spectrum_.data() + 2 * first);
        }
      }
    }
  });
  return {};
}

void FftConvolution::to_spectrum(const float* image, float* plane, float* scratch) const {
  for (std::int64_t x = 0; x < image_.x; ++x) {
    float* const to = plane + x * row_;
    const float* const from = image + x * image_.y;
    std::copy_n(from, image_.y, to);
    for (std::int64_t y = image_.y; y < padded_.y; ++y) {
      const std::int64_t source = padding_.y[static_cast<std::size_t>(y)];
      to[y] = source < 0 ? 0.0F : from[source];
    }
    rows_.forward(to, scratch);
  }
  const std::int64_t complexes = padded_.y / 2 + 1;
  for (std::int64_t y = 0; y < complexes; y += FftColumns::kWidth) {
    const std::int64_t width = std::min(FftColumns::kWidth, complexes - y);
    gather(plane + 2 * y, padding_.x, row_, width, scratch);
    const float* const done = lines_x_.forward(scratch, scratch + half_);
    scatter(done, padded_.x, row_, width, plane + 2 * y);
  }
}

void FftConvolution::from_spectrum(float* plane, float* out, float* scratch) const {
  const std::int64_t complexes = padded_.y / 2 + 1;
  for (std::int64_t y = 0; y < complexes; y += FftColumns::kWidth) {
    const std::int64_t width = std::min(FftColumns::kWidth, complexes - y);
    gather(plane + 2 * y, all_x_, row_, width, scratch);
    const float* const done = lines_x_.inverse(scratch, scratch + half_);
    scatter(done, image_.x, row_, width, plane + 2 * y);
  }
  const float scale = 1.0F / static_cast<float>(padded_.count());
  for (std::int64_t x = 0; x < image_.x; ++x) {
    rows_.inverse(plane + x * row_, scratch, scale);
    std::copy_n(plane + x * row_, image_.y, out + x * image_.y);
  }
}

void FftConvolution::multiply_block(float* columns, std::int64_t x, std::int64_t y,
                                    std::int64_t width, bool flip) const {
  const std::int64_t complexes = padded_.y / 2 + 1;
  if (even_) {
    const std::int64_t kept_x = padded_.x / 2 + 1;
    const std::int64_t kx = std::min(x, padded_.x - x);
    for (std::int64_t z = 0; z < padded_.z; ++z, columns += kRowOfBlock) {
      const std::int64_t kz = std::min(z, padded_.z - z);
      const float* const h = spectrum_.data() + (kz * kept_x + kx) * complexes + y;
      __builtin_prefetch(h + kRowOfBlock / 2, 0, 2);
      for (std::int64_t c = 0; c < width; c += 4) {
        float* const at = columns + 2 * c;
        detail::store_lanes(at, detail::load_lanes(at) * detail::twice(h + c));
      }
    }
    return;
  }
  const float sign = flip ? -1.0F : 1.0F;
  for (std::int64_t z = 0; z < padded_.z; ++z, columns += kRowOfBlock) {
    const float* const h = spectrum_.data() + 2 * ((z * padded_.x + x) * complexes + y);
    __builtin_prefetch(h + kRowOfBlock, 0, 2);
    for (std::int64_t c = 0; c < width; c += 4) {
      float* const at = columns + 2 * c;
      detail::store_lanes(
          at, detail::product(detail::load_lanes(at), detail::load_lanes(h + 2 * c), sign));
    }
  }
}

void FftConvolution::multiply(std::int64_t x, bool flip, float* scratch) {
  const std::int64_t complexes = padded_.y / 2 + 1;
  const std::int64_t plane = padded_.x * row_;
  for (std::int64_t y = 0; y < complexes; y += FftColumns::kWidth) {
    const std::int64_t width = std::min(FftColumns::kWidth, complexes - y);
    float* const first = buffer_.data() + x * row_ + 2 * y;
    gather(first, padding_.z, plane, width, scratch);
    float* const done = lines_z_.forward(scratch, scratch + half_);
    multiply_block(done, x, y, width, flip);
    const float* const back = lines_z_.inverse(done, done == scratch ? scratch + half_ : scratch);
    scatter(back, image_.z, plane, width, first);
  }
}

Status FftConvolution::apply(std::span<const float> image, bool flip, std::span<float> out,
                             const JobContext& context) {
  const std::int64_t plane = padded_.x * row_;
  const std::int64_t pixels = image_.x * image_.y;
  const bool done =
      for_each(image_.z, context,
               [&](std::int64_t z, float* scratch) {
                 to_spectrum(image.data() + z * pixels, buffer_.data() + z * plane, scratch);
               }) &&
      for_each(padded_.x, context,
               [&](std::int64_t x, float* scratch) { multiply(x, flip, scratch); }) &&
      for_each(image_.z, context, [&](std::int64_t z, float* scratch) {
        from_spectrum(buffer_.data() + z * plane, out.data() + z * pixels, scratch);
      });
  return done ? Status() : cancelled_error();
}

}  // namespace aprscope
