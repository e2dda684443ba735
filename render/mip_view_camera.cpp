#include <algorithm>
#include <cmath>

#include <vtkRenderer.h>

#include "core/image/scale_bar.hpp"
#include "render/heads_up.hpp"
#include "render/mip_view_state.hpp"

namespace aprscope {
namespace {

using Vec = std::array<double, 3>;

constexpr double kMargin = 1.12;
constexpr double kViewAngle = 30.0;
constexpr double kLabelOff = 18.0;  // from an edge to its length, pixels

Vec cross(const Vec& a, const Vec& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

Vec normalized(Vec v) {
  const double length = std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  for (double& c : v) c /= length > 0.0 ? length : 1.0;
  return v;
}

// Square where the widget has no size yet.
double aspect_of(const QWidget& view) {
  if (view.width() < 1 || view.height() < 1) return 1.0;
  return static_cast<double>(view.width()) / view.height();
}

}  // namespace

void MipView::set_perspective(bool perspective) {
  vtkCamera* const c = camera();
  const double slope = std::tan(0.5 * c->GetViewAngle() * M_PI / 180.0);
  // What lies in the middle keeps its size on screen.
  if (perspective && !this->perspective()) {
    Vec at{};
    Vec forward{};
    c->GetFocalPoint(at.data());
    c->GetDirectionOfProjection(forward.data());
    const double distance = c->GetParallelScale() / slope;
    c->SetPosition(at[0] - distance * forward[0], at[1] - distance * forward[1],
                   at[2] - distance * forward[2]);
  } else if (!perspective && this->perspective()) {
    c->SetParallelScale(c->GetDistance() * slope);
  }
  c->SetParallelProjection(perspective ? 0 : 1);
  camera_edited();
}

bool MipView::perspective() const { return camera()->GetParallelProjection() == 0; }

void MipView::set_preset(MipPreset preset) {
  // World order y, x, z: right × up = −forward.
  switch (preset) {
    case MipPreset::front:
      return impl_->look(*this, {0, 0, 1}, {0, -1, 0});
    case MipPreset::top:
      return impl_->look(*this, {1, 0, 0}, {0, 0, -1});
    case MipPreset::side:
      return impl_->look(*this, {0, -1, 0}, {0, 0, -1});
    case MipPreset::oblique: {
      const RayCamera ray = orbit_camera(impl_->size, impl_->voxel, 30.0, 25.0, 1.0);
      return impl_->look(*this, ray.forward, ray.up);
    }
  }
}

void MipView::set_orbit(double azimuth_degrees, double elevation_degrees, double zoom) {
  const RayCamera ray =
      orbit_camera(impl_->size, impl_->voxel, azimuth_degrees, elevation_degrees, zoom);
  // The volume's diagonal fits into the shorter side.
  const double aspect = aspect_of(*this);
  impl_->place(*this, ray.forward, ray.up, ray.height_world / std::min(1.0, aspect));
}

// Looks at the volume so that it fills the view.
void MipView::Impl::look(MipView& view, const Vec& forward, const Vec& up) const {
  const Vec right = cross(forward, up);
  const Vec half = centre();
  double wide = 0.0;
  double tall = 0.0;
  for (std::size_t a = 0; a < 3; ++a) {
    wide += 2.0 * half[a] * std::abs(right[a]);
    tall += 2.0 * half[a] * std::abs(up[a]);
  }
  const double aspect = aspect_of(view);
  double height = std::max(tall, wide / aspect) * kMargin;
  // A perspective enlarges the side that is near, at most as far off as half the diagonal.
  if (view.perspective()) height *= 1.2;
  place(view, forward, up, height > 0.0 ? height : 1.0);
}

void MipView::Impl::place(MipView& view, const Vec& forward, const Vec& up, double height) const {
  vtkCamera* const c = view.camera();
  const Vec at = centre();
  const double distance = 0.5 * height / std::tan(0.5 * kViewAngle * M_PI / 180.0);
  c->SetViewAngle(kViewAngle);
  c->SetFocalPoint(at.data());
  c->SetPosition(at[0] - distance * forward[0], at[1] - distance * forward[1],
                 at[2] - distance * forward[2]);
  c->SetViewUp(up.data());
  c->SetParallelScale(0.5 * height);
  view.camera_edited();
}

RayCamera MipView::ray_camera() const {
  vtkCamera* const c = camera();
  RayCamera ray;
  c->GetPosition(ray.eye.data());
  c->GetDirectionOfProjection(ray.forward.data());
  Vec up{};
  c->GetViewUp(up.data());
  ray.right = normalized(cross(ray.forward, up));
  ray.up = cross(ray.right, ray.forward);
  ray.perspective = perspective();
  ray.height_world = 2.0 * c->GetParallelScale();
  ray.view_angle_degrees = c->GetViewAngle();
  return ray;
}

vtkCamera* MipView::camera() const { return renderer()->GetActiveCamera(); }

void MipView::Impl::show_camera(const RayCamera& ray) {
  shown_camera->DeepCopy(moved_camera);
  const double distance = moved_camera->GetDistance();
  shown_camera->SetPosition(ray.eye.data());
  shown_camera->SetFocalPoint(ray.eye[0] + distance * ray.forward[0],
                              ray.eye[1] + distance * ray.forward[1],
                              ray.eye[2] + distance * ray.forward[2]);
  shown_camera->SetViewUp(ray.up.data());
  shown_camera->SetParallelProjection(ray.perspective ? 0 : 1);
  shown_camera->SetParallelScale(0.5 * ray.height_world);
  shown_camera->SetViewAngle(ray.view_angle_degrees);
}

void MipView::place_when_seen() {
  if (!impl_->unframed || !isVisible()) return;
  set_preset(MipPreset::oblique);
  // The layout may not have come to rest.
  impl_->unframed = true;
}

void MipView::camera_edited() {
  impl_->unframed = false;
  request_picture(true);
  update();
  emit camera_changed();
}

void MipView::set_ray_camera(const RayCamera& ray) {
  vtkCamera* const c = camera();
  // Any distance shows the same; turning goes about the point that is looked at.
  const Vec middle = impl_->centre();
  double distance = 0.0;
  for (std::size_t a = 0; a < 3; ++a) distance += (middle[a] - ray.eye[a]) * ray.forward[a];
  distance = std::max(distance, 1e-6 * ray.height_world);
  c->SetPosition(ray.eye.data());
  c->SetFocalPoint(ray.eye[0] + distance * ray.forward[0], ray.eye[1] + distance * ray.forward[1],
                   ray.eye[2] + distance * ray.forward[2]);
  c->SetViewUp(ray.up.data());
  c->SetViewAngle(ray.view_angle_degrees);
  c->SetParallelScale(0.5 * ray.height_world);
  c->SetParallelProjection(ray.perspective ? 0 : 1);
  camera_edited();
}

void MipView::copy_camera(const MipView& other) {
  camera()->DeepCopy(other.camera());
  impl_->unframed = other.impl_->unframed;
  request_picture(true);
  update();
}

QPointF MipView::to_widget(double z, double x, double y) const {
  const RayCamera ray = ray_camera();
  const Vec p{y * PlaneGeometry::along(impl_->voxel, Axis::y) - ray.eye[0],
              x * PlaneGeometry::along(impl_->voxel, Axis::x) - ray.eye[1],
              z * PlaneGeometry::along(impl_->voxel, Axis::z) - ray.eye[2]};
  const auto along = [&](const Vec& d) { return p[0] * d[0] + p[1] * d[1] + p[2] * d[2]; };
  double pixels = height() / ray.height_world;
  if (ray.perspective) {
    const double depth = std::max(1e-9, along(ray.forward));
    pixels = height() / (2.0 * depth * std::tan(ray.view_angle_degrees * M_PI / 360.0));
  }
  return {width() / 2.0 + along(ray.right) * pixels, height() / 2.0 - along(ray.up) * pixels};
}

// The length of each dimension, beside that of its four edges which lies outermost on screen.
void MipView::draw_lengths() const {
  const QPointF middle =
      to_widget(0.5 * static_cast<double>(impl_->size.z), 0.5 * static_cast<double>(impl_->size.x),
                0.5 * static_cast<double>(impl_->size.y));
  std::vector<EdgeLabel> labels;
  for (const Axis axis : {Axis::z, Axis::x, Axis::y}) {
    QPointF best;
    double farthest = -1.0;
    for (int corner = 0; corner < 8; ++corner) {
      const auto along = [&](Axis a, int bit) {
        const auto n = static_cast<double>(PlaneGeometry::part(impl_->size, a));
        return a == axis ? 0.5 * n : (corner & bit) != 0 ? n : 0.0;
      };
      const QPointF at = to_widget(along(Axis::z, 1), along(Axis::x, 2), along(Axis::y, 4));
      // Below and left rather than above and right, where the heads-up panel is not.
      const QPointF out = at - middle;
      const double rank = std::hypot(out.x(), out.y()) + 0.02 * (out.y() - out.x());
      if (rank <= farthest) continue;
      farthest = rank;
      const double length = std::max(1e-9, std::hypot(out.x(), out.y()));
      best = at + QPointF(kLabelOff * 2.0 * out.x(), kLabelOff * out.y()) / length;
    }
    const double extent = static_cast<double>(PlaneGeometry::part(impl_->size, axis)) *
                          PlaneGeometry::along(impl_->voxel, axis);
    const char* name = axis == Axis::z ? "z " : axis == Axis::x ? "x " : "y ";
    labels.push_back(
        {best,
         QLatin1String(name) + QString::fromStdString(format_length(extent, impl_->voxel.unit)),
         impl_->theme.axis_color(axis)});
  }
  draw_edge_labels(labels, impl_->theme);
}

}  // namespace aprscope
