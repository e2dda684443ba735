#include "render/plane_image.hpp"

#include <algorithm>

#include <vtkImageActor.h>
#include <vtkImageData.h>
#include <vtkImageMapper3D.h>
#include <vtkImageProperty.h>
#include <vtkRenderer.h>

namespace aprscope {

PlaneImage::PlaneImage(vtkRenderer* renderer, double depth) : renderer_(renderer), depth_(depth) {
  actor_->InterpolateOff();
  actor_->GetProperty()->SetInterpolationTypeToNearest();
  actor_->GetMapper()->BorderOn();  // half a pixel more on each side: whole pixels at the edge
  actor_->VisibilityOff();
  actor_->PickableOff();
  renderer_->AddViewProp(actor_);
}

PlaneImage::~PlaneImage() { renderer_->RemoveViewProp(actor_); }

void PlaneImage::set(const std::vector<std::uint8_t>& rgba, std::int64_t rows, std::int64_t cols,
                     double row_size, double col_size) {
  int extent[6];
  image_->GetExtent(extent);
  if (extent[1] != cols - 1 || extent[3] != rows - 1) {
    image_->SetExtent(0, static_cast<int>(cols) - 1, 0, static_cast<int>(rows) - 1, 0, 0);
    image_->AllocateScalars(VTK_UNSIGNED_CHAR, 4);
  }
  image_->SetSpacing(col_size, row_size, 1.0);
  image_->SetOrigin(0.5 * col_size, -(static_cast<double>(rows) - 0.5) * row_size, depth_);
  // VTK counts rows from below.
  auto* out = static_cast<std::uint8_t*>(image_->GetScalarPointer());
  const std::int64_t line = cols * 4;
  for (std::int64_t r = 0; r < rows; ++r) {
    std::copy_n(rgba.data() + r * line, line, out + (rows - 1 - r) * line);
  }
  image_->Modified();
  actor_->SetInputData(image_);
  actor_->SetDisplayExtent(0, static_cast<int>(cols) - 1, 0, static_cast<int>(rows) - 1, 0, 0);
  actor_->VisibilityOn();
}

void PlaneImage::set_opacity(double opacity) { actor_->SetOpacity(opacity); }

void PlaneImage::hide() { actor_->VisibilityOff(); }

}  // namespace aprscope
