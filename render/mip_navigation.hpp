#pragma once

#include <optional>

#include "core/apr/raycast/raycast.hpp"

class vtkCamera;

namespace aprscope {

enum class MipPreset { front, top, side, oblique };

class MipView;

/// The camera of a 3-D view.
class MipNavigation {
 public:
  explicit MipNavigation(MipView& view) : view_(view) {}

  void set_perspective(bool perspective);
  [[nodiscard]] bool perspective() const;

  void set_preset(MipPreset preset);
  /// Azimuth and elevation in degrees and zoom (1 fits), as for orbit_camera().
  void set_orbit(double azimuth_degrees, double elevation_degrees, double zoom);

  /// Sets a camera as ray_camera() returns it, but for what it sees; emits camera_changed.
  void set_ray_camera(const RayCamera& camera);

  /// The part of the volume that is seen, in pixels; none: all of it.
  void set_only(const std::optional<Region>& part);
  [[nodiscard]] const std::optional<Region>& only() const;

  /// The camera as rays see it, for the widget's present size.
  [[nodiscard]] RayCamera ray_camera() const;
  [[nodiscard]] vtkCamera* camera() const;
  /// Copies the camera of another view; does not emit camera_changed.
  void copy_camera(const MipView& other);
  /// Call after changing camera() from outside: renders, and emits camera_changed.
  void camera_edited();

 private:
  MipView& view_;
};

}  // namespace aprscope
