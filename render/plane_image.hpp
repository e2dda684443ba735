#pragma once

#include <cstdint>
#include <vector>

#include <vtkNew.h>

class vtkImageActor;
class vtkImageData;
class vtkRenderer;

namespace aprscope {

/// A picture of rows × cols coloured pixels in a VTK scene: column c covers [c, c + 1] · col_size
/// to the right, row r covers [r, r + 1] · row_size downwards. Pixels stay pixels when zoomed in.
class PlaneImage {
 public:
  /// `depth` orders pictures that lie on each other: higher is in front.
  PlaneImage(vtkRenderer* renderer, double depth);
  ~PlaneImage();
  PlaneImage(const PlaneImage&) = delete;
  PlaneImage& operator=(const PlaneImage&) = delete;

  /// `rgba`: 4 bytes a pixel, row 0 on top.
  void set(const std::vector<std::uint8_t>& rgba, std::int64_t rows, std::int64_t cols,
           double row_size, double col_size);
  void set_opacity(double opacity);
  void hide();

 private:
  vtkRenderer* renderer_;
  double depth_;
  vtkNew<vtkImageData> image_;
  vtkNew<vtkImageActor> actor_;
};

}  // namespace aprscope
