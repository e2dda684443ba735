#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace aprscope {

/// Size of a volume in pixels, in the order z (slices), x (rows of a slice, TIFF height), y (pixels
/// of a row, TIFF width; contiguous in memory).
struct Size3 {
  std::int64_t z = 1;
  std::int64_t x = 1;
  std::int64_t y = 1;

  [[nodiscard]] std::int64_t count() const { return z * x * y; }
  friend bool operator==(const Size3&, const Size3&) = default;
};

/// Position of a pixel, same order as Size3.
using Index3 = Size3;

/// A dimension; of slices and views, the one that they are perpendicular to.
enum class Axis { z, x, y };

/// Distance between pixel centres. unit is "µm", "nm", … or "px" when the file says nothing.
struct VoxelSize {
  double z = 1.0;
  double x = 1.0;
  double y = 1.0;
  std::string unit = "px";

  friend bool operator==(const VoxelSize&, const VoxelSize&) = default;
};

/// Pixels of one sample type; value (z, x, y) lies at (z · size.x + x) · size.y + y.
template <class T>
struct Pixels {
  Size3 size{0, 0, 0};
  std::vector<T> values;

  Pixels() = default;
  explicit Pixels(Size3 extent, T fill = T{})
      : size(extent), values(static_cast<std::size_t>(extent.count()), fill) {}

  [[nodiscard]] std::size_t index(std::int64_t z, std::int64_t x, std::int64_t y) const {
    return static_cast<std::size_t>((z * size.x + x) * size.y + y);
  }
  T& at(std::int64_t z, std::int64_t x, std::int64_t y) { return values[index(z, x, y)]; }
  const T& at(std::int64_t z, std::int64_t x, std::int64_t y) const {
    return values[index(z, x, y)];
  }
};

/// The sample types that images are kept in. Other file types are converted when read: 1-bit and
/// signed 8-bit to u8/f32, everything wider to f32.
using AnyPixels = std::variant<Pixels<std::uint8_t>, Pixels<std::uint16_t>, Pixels<float>>;

struct Labels;
struct Projections;
struct Reconstruction;

/// A pixel image with what is needed to measure in it.
struct Volume {
  AnyPixels pixels;
  VoxelSize voxel;
  /// Position of the first pixel's centre in the unit of voxel, order z, x, y.
  std::array<double, 3> origin{0.0, 0.0, 0.0};
  std::string name;
  std::string channel;
  int channel_index = 0;
  int time = 0;
  /// The objects found on this image, one label a pixel; null: none were looked for.
  std::shared_ptr<const Labels> labels;
  /// The table of projections whose images are the slices (only the first ones where there are
  /// many); null: the slices are slices of a volume.
  std::shared_ptr<const Projections> projections;
  /// How it was reconstructed from projections, with half maps; null: it was not reconstructed.
  std::shared_ptr<const Reconstruction> reconstruction;

  [[nodiscard]] Size3 size() const;
  /// The type of the pixels: "u8", "u16" or "f32".
  [[nodiscard]] const char* dtype() const;
  [[nodiscard]] std::uint64_t bytes() const;
  [[nodiscard]] float value(const Index3& p) const;
  /// A copy of the pixels as f32.
  [[nodiscard]] Pixels<float> to_float() const;
};

/// One slice of a volume or of particles. `rows` × `cols`, cols contiguous. Perpendicular to z:
/// rows = x, cols = y; to x: rows = z, cols = y; to y: rows = z, cols = x.
struct Plane {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::vector<float> values;
};

/// Rows and columns of a slice perpendicular to `axis`, see Plane.
void plane_shape(const Size3& size, Axis axis, std::int64_t& rows, std::int64_t& cols);

/// Number of slices perpendicular to `axis`.
std::int64_t plane_count(const Size3& size, Axis axis);

/// Slice `index` (clamped to the volume) of a pixel image.
Plane slice_pixels(const Volume& volume, Axis axis, std::int64_t index);

/// The largest magnitude of values that are computed with in f32: sums of squares, of which
/// gradients and variances are made, stay below the largest float, 3.4e38.
constexpr float kLargestValue = 1e18F;

/// False for NaN, infinity and what is beyond ±kLargestValue.
inline bool is_usable(float value) { return value >= -kLargestValue && value <= kLargestValue; }

/// How many values cannot be computed with (see is_usable()), and where the first one is.
struct NonFinite {
  std::uint64_t count = 0;
  Index3 first{0, 0, 0};
};

/// "holds 3 values that are not finite (NaN or infinity) or beyond ±1e18, the first at z 0, x 1,
/// y 2", for messages.
std::string non_finite_text(const NonFinite& found);
NonFinite count_non_finite(const Volume& volume);

}  // namespace aprscope
