#include "render/mip_navigation.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <vtkCamera.h>
#include <vtkRenderer.h>

#include "render/mip_view_state.hpp"

namespace aprscope {
namespace {

using Vec = std::array<double, 3>;

constexpr double kFitMargin = 1.12;
constexpr double kViewAngle = 30.0;

Vec cross(const Vec& a, const Vec& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

Vec normalized(Vec v) {
  const double length = std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  for (double& c : v) c /= length > 0.0 ? length : 1.0;
  return v;
}

// Width ÷ height; 1 while the widget has no size yet.
double aspect_of(const QWidget& view) {
  if (view.width() < 1 || view.height() < 1) return 1.0;
  return static_cast<double>(view.width()) / view.height();
}

}  // namespace

void MipNavigation::set_perspective(bool perspective) {
  vtkCamera* const c = camera();
  const double slope = std::tan(0.5 * c->GetViewAngle() * M_PI / 180.0);
  // Adjusts the distance so that objects in the middle keep their size on screen.
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

bool MipNavigation::perspective() const { return camera()->GetParallelProjection() == 0; }

void MipNavigation::set_preset(MipPreset preset) {
  // World order y, x, z: right × up = −forward.
  switch (preset) {
    case MipPreset::front:
      return view_.impl_->look(view_, {0, 0, 1}, {0, -1, 0});
    case MipPreset::top:
      return view_.impl_->look(view_, {1, 0, 0}, {0, 0, -1});
    case MipPreset::side:
      return view_.impl_->look(view_, {0, -1, 0}, {0, 0, -1});
    case MipPreset::oblique: {
      const RayCamera ray = orbit_camera(view_.impl_->size, view_.impl_->voxel, 30.0, 25.0, 1.0);
      return view_.impl_->look(view_, ray.forward, ray.up);
    }
  }
}

void MipNavigation::set_orbit(double azimuth_degrees, double elevation_degrees, double zoom) {
  const RayCamera ray =
      orbit_camera(view_.impl_->size, view_.impl_->voxel, azimuth_degrees, elevation_degrees, zoom);
  // The scale at which the volume's diagonal fits into the shorter side.
  const double aspect = aspect_of(view_);
  view_.impl_->place(view_, ray.forward, ray.up, ray.height_world / std::min(1.0, aspect));
}

void MipNavigation::set_ray_camera(const RayCamera& ray) {
  vtkCamera* const c = camera();
  // The distance does not change the picture; it only sets the point that rotation is about.
  const Vec middle = view_.impl_->centre();
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

void MipNavigation::set_only(const std::optional<Region>& part) {
  if (part == view_.impl_->only) return;
  view_.impl_->only = part;
  view_.impl_->slices->set_only(part);
  view_.request_picture(true);
  view_.update();
}

const std::optional<Region>& MipNavigation::only() const { return view_.impl_->only; }

RayCamera MipNavigation::ray_camera() const {
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
  ray.only = view_.impl_->only;
  return ray;
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
  double height = std::max(tall, wide / aspect) * kFitMargin;
  // Perspective enlarges the near side, which is at most half the diagonal closer.
  if (view.navigation_.perspective()) height *= 1.2;
  place(view, forward, up, height > 0.0 ? height : 1.0);
}

void MipView::Impl::place(MipView& view, const Vec& forward, const Vec& up, double height) const {
  vtkCamera* const c = view.navigation_.camera();
  const Vec at = centre();
  const double distance = 0.5 * height / std::tan(0.5 * kViewAngle * M_PI / 180.0);
  c->SetViewAngle(kViewAngle);
  c->SetFocalPoint(at.data());
  c->SetPosition(at[0] - distance * forward[0], at[1] - distance * forward[1],
                 at[2] - distance * forward[2]);
  c->SetViewUp(up.data());
  c->SetParallelScale(0.5 * height);
  view.navigation_.camera_edited();
}

vtkCamera* MipNavigation::camera() const { return view_.renderer()->GetActiveCamera(); }

void MipNavigation::copy_camera(const MipView& other) {
  camera()->DeepCopy(other.navigation_.camera());
  view_.impl_->unframed = other.impl_->unframed;
  view_.request_picture(true);
  view_.update();
}

void MipNavigation::camera_edited() {
  view_.impl_->unframed = false;
  view_.request_picture(true);
  view_.update();
  emit view_.camera_changed();
}

}  // namespace aprscope
