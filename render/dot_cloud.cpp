#include "render/dot_cloud.hpp"

#include <algorithm>
#include <cstring>

#include <vtkActor.h>
#include <vtkFloatArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPointGaussianMapper.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkProperty.h>
#include <vtkRenderer.h>
#include <vtkUnsignedCharArray.h>

namespace aprscope {
namespace {

// Below 1, so that a small gap separates neighbours of one level.
constexpr double kDiameter = 0.86;

}  // namespace

struct DotCloud::Impl {
  vtkRenderer* renderer = nullptr;
  std::vector<float> values;
  vtkNew<vtkPoints> points;
  vtkNew<vtkFloatArray> radii;
  vtkNew<vtkUnsignedCharArray> colors;
  vtkNew<vtkPolyData> cloud;
  vtkNew<vtkPointGaussianMapper> mapper;
  vtkNew<vtkActor> actor;
};

DotCloud::DotCloud(vtkRenderer& renderer) : impl_(std::make_unique<Impl>()) {
  impl_->renderer = &renderer;
  impl_->radii->SetName("radius");
  impl_->colors->SetName("color");
  impl_->colors->SetNumberOfComponents(4);
  impl_->cloud->SetPoints(impl_->points);
  impl_->cloud->GetPointData()->AddArray(impl_->radii);
  impl_->cloud->GetPointData()->SetScalars(impl_->colors);
  impl_->mapper->SetInputData(impl_->cloud);
  impl_->mapper->SetScaleArray("radius");
  impl_->mapper->SetScaleFactor(1.0);
  impl_->mapper->EmissiveOff();
  // Each point is a triangle around the unit disc; what lies outside of the disc is cut away.
  impl_->mapper->SetTriangleScale(2.1F);
  impl_->mapper->SetSplatShaderCode(
      "//VTK::Color::Impl\n"
      "if (dot(offsetVCVSOutput.xy, offsetVCVSOutput.xy) > 1.0) { discard; }\n");
  impl_->actor->SetMapper(impl_->mapper);
  impl_->actor->ForceOpaqueOn();
  impl_->actor->PickableOff();
  impl_->actor->VisibilityOff();
  impl_->actor->GetProperty()->LightingOff();
  renderer.AddActor(impl_->actor);
}

DotCloud::~DotCloud() { impl_->renderer->RemoveActor(impl_->actor); }

void DotCloud::set_dots(const std::vector<SliceDot>& dots, double row_step, double col_step) {
  const auto count = static_cast<vtkIdType>(dots.size());
  impl_->values.resize(dots.size());
  impl_->points->SetNumberOfPoints(count);
  impl_->radii->SetNumberOfValues(count);
  const double radius = 0.5 * kDiameter * std::min(row_step, col_step);
  for (vtkIdType i = 0; i < count; ++i) {
    const SliceDot& dot = dots[static_cast<std::size_t>(i)];
    impl_->values[static_cast<std::size_t>(i)] = dot.value;
    // Dots count from the centre of the first pixel, the scene from its corner.
    impl_->points->SetPoint(i, (dot.col + 0.5) * col_step, (dot.row + 0.5) * row_step, 0.0);
    impl_->radii->SetValue(i, static_cast<float>(dot.side * radius));
  }
  impl_->points->Modified();
  impl_->radii->Modified();
  impl_->cloud->Modified();
}

void DotCloud::set_colors(const Contrast& contrast, const ColorTable& table,
                          const std::optional<LevelSetMarks>& marks) {
  std::vector<std::uint8_t> rgba = apply_colormap(impl_->values, contrast, table);
  if (marks) {
    LevelSetMarks alone = *marks;
    alone.inside = alone.edge;  // without a stronger edge: a dot has no border
    mark_level_set(impl_->values, 0, alone, rgba);
  }
  impl_->colors->SetNumberOfTuples(static_cast<vtkIdType>(impl_->values.size()));
  if (!rgba.empty()) std::memcpy(impl_->colors->GetPointer(0), rgba.data(), rgba.size());
  impl_->colors->Modified();
  impl_->cloud->Modified();
}

void DotCloud::set_visible(bool visible) {
  impl_->actor->SetVisibility(visible && !impl_->values.empty() ? 1 : 0);
}

}  // namespace aprscope
