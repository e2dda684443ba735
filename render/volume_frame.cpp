#include "render/volume_frame.hpp"

#include <vtkActor.h>
#include <vtkCellArray.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkPolyDataMapper.h>
#include <vtkProperty.h>
#include <vtkRenderer.h>

#include "render/plane_geometry.hpp"
#include "render/slice_box.hpp"

namespace aprscope {
namespace {

using Point = std::array<double, 3>;

void add_line(vtkPoints* points, vtkCellArray* lines, const Point& a, const Point& b) {
  lines->InsertNextCell(2);
  lines->InsertCellPoint(points->InsertNextPoint(a.data()));
  lines->InsertCellPoint(points->InsertNextPoint(b.data()));
}

// A closed line through the four corners of a rectangle.
void set_rectangle(vtkPolyData* data, const std::array<Point, 4>& corners) {
  vtkNew<vtkPoints> points;
  vtkNew<vtkCellArray> lines;
  for (std::size_t i = 0; i < 4; ++i) add_line(points, lines, corners[i], corners[(i + 1) % 4]);
  data->SetPoints(points);
  data->SetLines(lines);
  data->Modified();
}

// The twelve edges of a box: in each direction four, with different starts.
void set_edges(vtkPolyData* data, const Point& low, const Point& high) {
  vtkNew<vtkPoints> points;
  vtkNew<vtkCellArray> lines;
  for (std::size_t d = 0; d < 3; ++d) {
    const std::size_t e = (d + 1) % 3;
    const std::size_t f = (d + 2) % 3;
    for (int corner = 0; corner < 4; ++corner) {
      Point a = low;
      a[e] = (corner & 1) != 0 ? high[e] : low[e];
      a[f] = (corner & 2) != 0 ? high[f] : low[f];
      Point b = a;
      b[d] = high[d];
      add_line(points, lines, a, b);
    }
  }
  data->SetPoints(points);
  data->SetLines(lines);
  data->Modified();
}

}  // namespace

VolumeFrame::VolumeFrame(vtkRenderer* renderer) : renderer_(renderer) {
  const auto add = [&](Outline& outline) {
    vtkNew<vtkPolyDataMapper> mapper;
    mapper->SetInputData(outline.lines);
    // In front of slices whose edges they are.
    mapper->SetResolveCoincidentTopologyToPolygonOffset();
    mapper->SetRelativeCoincidentTopologyLineOffsetParameters(-1.0, -4.0);
    outline.actor->SetMapper(mapper);
    outline.actor->GetProperty()->LightingOff();
    outline.actor->PickableOff();
    renderer_->AddActor(outline.actor);
  };
  add(box_);
  add(part_);
  part_.actor->VisibilityOff();
  for (Outline& plane : planes_) add(plane);
  set_shape(size_, {});
}

VolumeFrame::~VolumeFrame() {
  renderer_->RemoveActor(box_.actor);
  renderer_->RemoveActor(part_.actor);
  for (Outline& plane : planes_) renderer_->RemoveActor(plane.actor);
}

void VolumeFrame::set_shape(const Size3& size, const VoxelSize& voxel) {
  size_ = size;
  spacing_ = {PlaneGeometry::along(voxel, Axis::y), PlaneGeometry::along(voxel, Axis::x),
              PlaneGeometry::along(voxel, Axis::z)};
  extent_ = {static_cast<double>(size.y) * spacing_[0], static_cast<double>(size.x) * spacing_[1],
             static_cast<double>(size.z) * spacing_[2]};
  set_edges(box_.lines, {0, 0, 0}, extent_);
  place_part();
  place_planes();
}

void VolumeFrame::set_crosshair(const Index3& position) {
  crosshair_ = position;
  place_planes();
}

void VolumeFrame::set_part(const std::optional<Region>& part) {
  shown_part_ = part;
  place_part();
}

void VolumeFrame::place_part() {
  part_.actor->SetVisibility(shown_part_.has_value());
  if (!shown_part_) return;
  const auto corner = [this](const Index3& p) {
    return Point{static_cast<double>(p.y) * spacing_[0], static_cast<double>(p.x) * spacing_[1],
                 static_cast<double>(p.z) * spacing_[2]};
  };
  set_edges(part_.lines, corner(shown_part_->begin), corner(shown_part_->end));
}

void VolumeFrame::place_planes() {
  const double y = (static_cast<double>(crosshair_.y) + 0.5) * spacing_[0];
  const double x = (static_cast<double>(crosshair_.x) + 0.5) * spacing_[1];
  const double z = (static_cast<double>(crosshair_.z) + 0.5) * spacing_[2];
  const auto [ey, ex, ez] = extent_;
  set_rectangle(planes_[0].lines, {{{0, 0, z}, {ey, 0, z}, {ey, ex, z}, {0, ex, z}}});
  set_rectangle(planes_[1].lines, {{{0, x, 0}, {ey, x, 0}, {ey, x, ez}, {0, x, ez}}});
  set_rectangle(planes_[2].lines, {{{y, 0, 0}, {y, ex, 0}, {y, ex, ez}, {y, 0, ez}}});
}

void VolumeFrame::set_theme(const ViewTheme& theme) {
  const auto paint = [](Outline& outline, const QColor& c, double opacity) {
    outline.actor->GetProperty()->SetColor(c.redF(), c.greenF(), c.blueF());
    outline.actor->GetProperty()->SetOpacity(opacity);
  };
  paint(box_, theme.box, 1.0);
  paint(part_, box_color(), 1.0);
  paint(planes_[0], theme.axis_z, 0.6);
  paint(planes_[1], theme.axis_x, 0.6);
  paint(planes_[2], theme.axis_y, 0.6);
}

void VolumeFrame::set_box_visible(bool visible) { box_.actor->SetVisibility(visible); }

void VolumeFrame::set_planes_visible(bool visible) {
  for (Outline& plane : planes_) plane.actor->SetVisibility(visible);
}

}  // namespace aprscope
