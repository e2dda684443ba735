#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

class vtkRenderer;

namespace aprscope {

/// A picture on a rectangle in a VTK scene: unlit, opaque, each pixel where it belongs. Pictures
/// larger than a texture may be are shown in tiles.
class ImageQuad {
 public:
  using Point = std::array<double, 3>;

  explicit ImageQuad(vtkRenderer& renderer);
  ~ImageQuad();
  ImageQuad(const ImageQuad&) = delete;
  ImageQuad& operator=(const ImageQuad&) = delete;

  /// `rgba`: 4 bytes a pixel, rows × cols; moved, not copied.
  void set_image(std::vector<std::uint8_t> rgba, std::int64_t rows, std::int64_t cols);

  /// Where the rectangle lies: the outer corner of pixel (0, 0), and the edges along all columns
  /// and along all rows.
  void set_corners(const Point& origin, const Point& along_cols, const Point& along_rows);

  /// Pixels shown as squares, or blended into one another (for pictures shown smaller than they
  /// are, which would flicker otherwise).
  void set_smooth(bool smooth);
  void set_visible(bool visible);
  /// Shows only the part to the left (or to the right) of a place along x; none: all of it.
  enum class Side { left, right };
  void set_clip(std::optional<double> at, Side side = Side::left);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace aprscope
