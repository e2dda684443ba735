#include <algorithm>
#include <cmath>

#include <vtkRenderer.h>

#include "core/image/scale_bar.hpp"
#include "render/heads_up.hpp"
#include "render/mip_view_state.hpp"

namespace aprscope {
namespace {

using Vec = std::array<double, 3>;

constexpr double kLabelOff = 18.0;  // distance of the text from its edge, pixels

}  // namespace

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
  navigation_.set_preset(MipPreset::oblique);
  // The layout may still change, so the camera is placed again once the size is known.
  impl_->unframed = true;
}

QPointF MipView::to_widget(double z, double x, double y) const {
  const RayCamera ray = navigation_.ray_camera();
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

// Draws the length of each dimension beside that of its four edges that is outermost on screen.
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
        const auto n = static_cast<double>(component(impl_->size, a));
        return a == axis ? 0.5 * n : (corner & bit) != 0 ? n : 0.0;
      };
      const QPointF at = to_widget(along(Axis::z, 1), along(Axis::x, 2), along(Axis::y, 4));
      // Prefers edges at the lower left, as the heads-up panel is not there.
      const QPointF out = at - middle;
      const double rank = std::hypot(out.x(), out.y()) + 0.02 * (out.y() - out.x());
      if (rank <= farthest) continue;
      farthest = rank;
      const double length = std::max(1e-9, std::hypot(out.x(), out.y()));
      best = at + QPointF(kLabelOff * 2.0 * out.x(), kLabelOff * out.y()) / length;
    }
    const double extent = static_cast<double>(component(impl_->size, axis)) *
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
