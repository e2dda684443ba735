#include "render/mip_view.hpp"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QKeyEvent>
#include <QTimer>
#include <algorithm>
#include <cmath>

#include <vtkCallbackCommand.h>
#include <vtkCamera.h>
#include <vtkImageData.h>
#include <vtkRenderWindowInteractor.h>
#include <vtkRenderer.h>
#include <vtkTexture.h>

#include "core/base/system.hpp"
#include "render/heads_up.hpp"
#include "render/mip_worker.hpp"
#include "render/plane_geometry.hpp"
#include "render/scale_bar.hpp"
#include "render/volume_frame.hpp"

namespace aprscope {
namespace {

using Vec = std::array<double, 3>;

constexpr int kRestMilliseconds = 120;           // without movement for as long, the camera rests
constexpr double kMovingBudget = 1000.0 / 15.0;  // a frame may take this long while it moves
constexpr int kCoarsest = 8;

Vec cross(const Vec& a, const Vec& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

Vec normalized(Vec v) {
  const double length = std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  for (double& c : v) c /= length > 0.0 ? length : 1.0;
  return v;
}

}  // namespace

struct MipView::Impl {
  std::shared_ptr<const MipRaycaster> source;
  Size3 size{0, 0, 0};
  VoxelSize voxel;
  Contrast contrast{0.0, 1.0, 1.0};
  ColorTable table = colormap("grey");
  ViewTheme theme = ViewTheme::dark_theme();
  MipInfo info;
  MipFrame frame;
  std::uint64_t generation = 0;        // of the newest request
  std::uint64_t shown_generation = 0;  // of the picture on screen
  /// Rays are this many times fewer in each direction while the camera moves.
  int coarseness = 2;
  bool has_picture = false;
  bool colors_stale = false;
  RayImage picture;

  bool box = true;
  bool hud = true;
  bool hud_collapsed = false;
  QRectF hud_rect;

  std::unique_ptr<VolumeFrame> outlines;
  vtkNew<vtkImageData> image;
  vtkNew<vtkTexture> texture;
  vtkNew<vtkCallbackCommand> camera_watch;
  QTimer rest;
  std::unique_ptr<MipWorker> worker;
};

MipView::MipView(QWidget* parent) : VtkWidget(parent), impl_(new Impl) {
  set_vtk_interaction(true);
  impl_->outlines = std::make_unique<VolumeFrame>(renderer());
  impl_->texture->SetInputData(impl_->image);
  impl_->texture->InterpolateOn();
  renderer()->GetActiveCamera()->ParallelProjectionOn();
  impl_->worker = std::make_unique<MipWorker>([this] {
    QMetaObject::invokeMethod(
        this, [this] { take_picture(); }, Qt::QueuedConnection);
  });
  impl_->rest.setSingleShot(true);
  connect(&impl_->rest, &QTimer::timeout, this, [this] { request_picture(false); });

  // The interaction style moves the camera; that is where it is noticed.
  impl_->camera_watch->SetClientData(this);
  impl_->camera_watch->SetCallback([](vtkObject*, unsigned long, void* self, void*) {
    static_cast<MipView*>(self)->camera_edited();
  });
  interactor()->AddObserver(vtkCommand::RenderEvent, impl_->camera_watch);
  set_theme(impl_->theme);
  set_panel([this] { draw_hud(); });
}

MipView::~MipView() {
  impl_->worker.reset();
  interactor()->RemoveObserver(impl_->camera_watch);
}

void MipView::set_source(std::shared_ptr<const MipRaycaster> source, const Size3& size,
                         const VoxelSize& voxel) {
  const bool other_shape = !(size == impl_->size) || !(voxel == impl_->voxel);
  impl_->source = std::move(source);
  impl_->size = size;
  impl_->voxel = voxel;
  if (other_shape) {
    impl_->outlines->set_shape(size, voxel);
    impl_->has_picture = false;
    impl_->frame = {};
    renderer()->TexturedBackgroundOff();
    set_preset(MipPreset::oblique);
  }
  if (impl_->source) {
    request_picture(false);
  } else {
    impl_->worker->cancel();
    impl_->has_picture = false;
    impl_->frame = {};
    renderer()->TexturedBackgroundOff();
  }
  update();
}

void MipView::clear() { set_source(nullptr, impl_->size, impl_->voxel); }

void MipView::set_contrast(const Contrast& contrast) {
  if (contrast == impl_->contrast) return;
  impl_->contrast = contrast;
  impl_->colors_stale = true;
  update();
}

void MipView::set_color_table(const ColorTable& table) {
  impl_->table = table;
  impl_->colors_stale = true;
  update();
}

void MipView::set_theme(const ViewTheme& theme) {
  impl_->theme = theme;
  const QColor& b = theme.background;
  renderer()->SetBackground(b.redF(), b.greenF(), b.blueF());
  impl_->outlines->set_theme(theme);
  impl_->colors_stale = true;
  update();
}

void MipView::set_info(const MipInfo& info) {
  impl_->info = info;
  update();
}

void MipView::set_crosshair(const Index3& position) {
  impl_->outlines->set_crosshair(position);
  update();
}

void MipView::set_planes_visible(bool visible) {
  impl_->outlines->set_planes_visible(visible);
  update();
}

void MipView::set_box_visible(bool visible) {
  impl_->box = visible;
  impl_->outlines->set_box_visible(visible);
  update();
}

void MipView::set_hud_visible(bool visible) {
  impl_->hud = visible;
  update();
}

void MipView::set_hud_collapsed(bool collapsed) {
  impl_->hud_collapsed = collapsed;
  update();
}

void MipView::set_perspective(bool perspective) {
  camera()->SetParallelProjection(!perspective);
  camera_edited();
}

bool MipView::perspective() const { return camera()->GetParallelProjection() == 0; }

void MipView::set_preset(MipPreset preset) {
  if (preset == MipPreset::oblique) {
    set_orbit(30.0, 25.0, 1.0);
    return;
  }
  // World order y, x, z: right × up = −forward.
  Vec forward{0, 0, 1};
  Vec up{0, -1, 0};
  if (preset == MipPreset::top) {
    forward = {1, 0, 0};
    up = {0, 0, -1};
  } else if (preset == MipPreset::side) {
    forward = {0, -1, 0};
    up = {0, 0, -1};
  }
  const RayCamera fit = orbit_camera(impl_->size, impl_->voxel, 0.0, 0.0, 1.0);
  const Vec centre{
      0.5 * static_cast<double>(impl_->size.y) * PlaneGeometry::along(impl_->voxel, Axis::y),
      0.5 * static_cast<double>(impl_->size.x) * PlaneGeometry::along(impl_->voxel, Axis::x),
      0.5 * static_cast<double>(impl_->size.z) * PlaneGeometry::along(impl_->voxel, Axis::z)};
  const double distance = 2.0 * fit.height_world;
  vtkCamera* const c = camera();
  c->SetFocalPoint(centre.data());
  c->SetPosition(centre[0] - distance * forward[0], centre[1] - distance * forward[1],
                 centre[2] - distance * forward[2]);
  c->SetViewUp(up.data());
  c->SetParallelScale(0.5 * fit.height_world);
  camera_edited();
}

void MipView::set_orbit(double azimuth_degrees, double elevation_degrees, double zoom) {
  const RayCamera ray =
      orbit_camera(impl_->size, impl_->voxel, azimuth_degrees, elevation_degrees, zoom);
  vtkCamera* const c = camera();
  const Vec centre{
      0.5 * static_cast<double>(impl_->size.y) * PlaneGeometry::along(impl_->voxel, Axis::y),
      0.5 * static_cast<double>(impl_->size.x) * PlaneGeometry::along(impl_->voxel, Axis::x),
      0.5 * static_cast<double>(impl_->size.z) * PlaneGeometry::along(impl_->voxel, Axis::z)};
  const double distance = 2.0 * ray.height_world;
  c->SetFocalPoint(centre.data());
  c->SetPosition(centre[0] - distance * ray.forward[0], centre[1] - distance * ray.forward[1],
                 centre[2] - distance * ray.forward[2]);
  c->SetViewUp(ray.up.data());
  c->SetParallelScale(0.5 * ray.height_world);
  camera_edited();
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

void MipView::camera_edited() {
  request_picture(true);
  update();
  emit camera_changed();
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

const MipFrame& MipView::frame() const { return impl_->frame; }

QRectF MipView::hud_rect() const { return impl_->hud ? impl_->hud_rect : QRectF(); }

bool MipView::wait_until_exact(std::chrono::milliseconds timeout) {
  QElapsedTimer clock;
  clock.start();
  while (clock.elapsed() < timeout.count()) {
    if (!impl_->source) return false;
    if (impl_->frame.exact && impl_->shown_generation == impl_->generation &&
        !impl_->rest.isActive()) {
      return true;
    }
    QCoreApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents, 20);
  }
  return false;
}

QSize MipView::sizeHint() const { return {400, 320}; }
QSize MipView::minimumSizeHint() const { return {120, 90}; }

void MipView::request_picture(bool moving) {
  if (!impl_->source || width() < 2 || height() < 2) return;
  const double ratio = devicePixelRatioF();
  const int divisor = moving ? impl_->coarseness : 1;
  MipRequest request;
  request.source = impl_->source;
  request.camera = ray_camera();
  request.width = std::max(1, qRound(width() * ratio) / divisor);
  request.height = std::max(1, qRound(height() * ratio) / divisor);
  request.level = impl_->source->level_max();
  request.exact = !moving;
  request.generation = ++impl_->generation;
  // A coarse picture may finish while the next one waits; an exact one is given up for it.
  impl_->worker->post(std::move(request), impl_->frame.exact || !moving || !impl_->has_picture);
  if (moving) impl_->rest.start(kRestMilliseconds);
}

void MipView::take_picture() {
  auto picture = impl_->worker->take();
  if (!picture || !impl_->source) return;
  // Half the rays in each direction take a quarter of the time.
  if (!picture->request.exact) {
    if (picture->milliseconds > kMovingBudget) {
      impl_->coarseness = std::min(kCoarsest, impl_->coarseness + 1);
    } else if (picture->milliseconds < 0.4 * kMovingBudget) {
      impl_->coarseness = std::max(1, impl_->coarseness - 1);
    }
  }
  impl_->picture = std::move(picture->image);
  impl_->has_picture = true;
  impl_->colors_stale = true;
  impl_->shown_generation = picture->request.generation;
  impl_->frame.milliseconds = picture->milliseconds;
  impl_->frame.width = impl_->picture.width;
  impl_->frame.height = impl_->picture.height;
  impl_->frame.level = picture->request.level;
  impl_->frame.level_max = impl_->source->level_max();
  impl_->frame.exact = picture->request.exact;
  update();
  emit frame_shown(impl_->frame);
}

void MipView::prepare_frame() {
  if (impl_->has_picture && impl_->colors_stale) {
    const QColor& b = impl_->theme.background;
    const auto byte = [](int v) { return static_cast<std::uint8_t>(v); };
    const auto rgba = apply_colormap(impl_->picture.values, impl_->contrast, impl_->table,
                                     {byte(b.red()), byte(b.green()), byte(b.blue()), 255});
    const int w = impl_->picture.width;
    const int h = impl_->picture.height;
    int extent[6];
    impl_->image->GetExtent(extent);
    if (extent[1] != w - 1 || extent[3] != h - 1) {
      impl_->image->SetExtent(0, w - 1, 0, h - 1, 0, 0);
      impl_->image->AllocateScalars(VTK_UNSIGNED_CHAR, 4);
    }
    auto* const out = static_cast<std::uint8_t*>(impl_->image->GetScalarPointer());
    const std::ptrdiff_t line = static_cast<std::ptrdiff_t>(w) * 4;
    for (int r = 0; r < h; ++r) {  // VTK counts rows from below
      std::copy_n(rgba.data() + r * line, line, out + (h - 1 - r) * line);
    }
    impl_->image->Modified();
    impl_->texture->Modified();
    renderer()->SetBackgroundTexture(impl_->texture);
    renderer()->TexturedBackgroundOn();
    impl_->colors_stale = false;
  }
  renderer()->ResetCameraClippingRange();
}

void MipView::draw_hud() {
  if (impl_->size.count() <= 0) return;
  if (impl_->box) {
    const auto z = static_cast<double>(impl_->size.z);
    const auto x = static_cast<double>(impl_->size.x);
    const auto y = static_cast<double>(impl_->size.y);
    const auto text = [&](const char* name, double n, Axis axis) {
      return QStringLiteral("%1 %2").arg(
          QLatin1String(name),
          QString::fromStdString(
              format_length(n * PlaneGeometry::along(impl_->voxel, axis), impl_->voxel.unit)));
    };
    draw_edge_labels({{to_widget(z, x, y / 2), text("y", y, Axis::y), impl_->theme.axis_y},
                      {to_widget(z, x / 2, y), text("x", x, Axis::x), impl_->theme.axis_x},
                      {to_widget(z / 2, x, 0), text("z", z, Axis::z), impl_->theme.axis_z}},
                     impl_->theme);
  }
  if (impl_->hud) {
    impl_->hud_rect = draw_heads_up(impl_->info, impl_->frame, impl_->theme, impl_->hud_collapsed);
  }
}

void MipView::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) emit maximise_requested();
}

void MipView::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_1:
      set_preset(MipPreset::front);
      break;
    case Qt::Key_2:
      set_preset(MipPreset::top);
      break;
    case Qt::Key_3:
      set_preset(MipPreset::side);
      break;
    case Qt::Key_0:
    case Qt::Key_R:
      set_preset(MipPreset::oblique);
      break;
    default:
      VtkWidget::keyPressEvent(event);
      return;
  }
  event->accept();
}

void MipView::resizeEvent(QResizeEvent* event) {
  VtkWidget::resizeEvent(event);
  request_picture(true);
}

}  // namespace aprscope
