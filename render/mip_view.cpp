#include "render/mip_view.hpp"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QKeyEvent>
#include <algorithm>
#include <cmath>

#include <vtkRenderWindowInteractor.h>
#include <vtkRenderer.h>

#include "render/heads_up.hpp"
#include "render/mip_view_state.hpp"

namespace aprscope {
namespace {

constexpr int kRestMilliseconds = 120;           // without movement: camera rests
constexpr double kMovingBudget = 1000.0 / 15.0;  // time for a frame while it moves
constexpr int kCoarsest = 8;
constexpr int kLeastForPanel = 220;

}  // namespace

MipView::MipView(QWidget* parent) : VtkWidget(parent), impl_(new Impl) {
  set_size_hints({400, 320}, {120, 90});
  set_vtk_interaction(true);
  impl_->outlines = std::make_unique<VolumeFrame>(renderer());
  impl_->slices = std::make_unique<SlicesInSpace>(*renderer());
  impl_->texture->SetInputData(impl_->image);
  impl_->texture->InterpolateOn();
  renderer()->SetActiveCamera(impl_->moved_camera);
  impl_->moved_camera->ParallelProjectionOn();
  impl_->worker = std::make_unique<MipWorker>([this] {
    QMetaObject::invokeMethod(
        this, [this] { take_picture(); }, Qt::QueuedConnection);
  });
  impl_->rest.setSingleShot(true);
  connect(&impl_->rest, &QTimer::timeout, this, [this] { request_picture(false); });

  // VTK's interaction style moves the camera, so movement is noticed at the camera.
  impl_->camera_watch->SetClientData(this);
  impl_->camera_watch->SetCallback([](vtkObject*, unsigned long, void* self, void*) {
    static_cast<MipView*>(self)->navigation_.camera_edited();
  });
  interactor()->AddObserver(vtkCommand::RenderEvent, impl_->camera_watch);
  impl_->show_outlines();
  set_theme(impl_->theme);
  set_panel([this] {
    draw_hud();
    return overlays_.hud_rect();
  });
}

MipView::~MipView() {
  impl_->worker.reset();
  interactor()->RemoveObserver(impl_->camera_watch);
}

void MipView::set_source(std::shared_ptr<const Raycaster> source, const Size3& size,
                         const VoxelSize& voxel) {
  // The same source with other labels: the picture can stay.
  if (source && source == impl_->source && size == impl_->size && voxel == impl_->voxel) return;
  const bool other_shape = !(size == impl_->size) || !(voxel == impl_->voxel);
  impl_->source = std::move(source);
  impl_->detail.reset();
  impl_->size = size;
  impl_->voxel = voxel;
  if (other_shape) {
    impl_->coarseness = Impl::kFirstCoarseness;  // how fast other data were says nothing
    impl_->outlines->set_shape(size, voxel);
    impl_->slices->set_shape(size, voxel);
    impl_->show_outlines();
    impl_->has_picture = false;
    impl_->frame = {};
    renderer()->TexturedBackgroundOff();
    navigation_.set_preset(MipPreset::oblique);
    impl_->unframed = !isVisible();
  }
  if (impl_->source) {
    impl_->last_asked_exact = true;  // so that the running job, of another source, is stopped
    request_picture(true);
  } else {
    impl_->worker->cancel();
    impl_->has_picture = false;
    impl_->shown_paint.reset();
    impl_->frame = {};
    renderer()->TexturedBackgroundOff();
  }
  update();
}

void MipView::clear() {
  set_source(nullptr, impl_->size, impl_->voxel);
  impl_->size = {0, 0, 0};
  impl_->show_outlines();
}

void MipView::set_contrast(const Contrast& contrast) {
  if (contrast == impl_->contrast) return;
  const auto before = impl_->wanted_matter();
  impl_->contrast = contrast;
  renew_matter(before);
}

void MipView::set_color_table(const ColorTable& table) {
  if (table == impl_->table) return;
  impl_->table = table;
  impl_->colors_stale = true;
  update();
}

void MipView::set_level_set(const std::optional<LevelSet>& set, bool surface) {
  if (set == impl_->level_set && surface == impl_->wants_surface) return;
  const auto before = impl_->surface_at();
  const bool matter = impl_->wants_matter();
  impl_->level_set = set;
  impl_->wants_surface = surface;
  impl_->colors_stale = true;
  const auto now = impl_->surface_at();
  const bool other = matter != impl_->wants_matter();
  if (before != now || other) request_picture(now.has_value() || other);
  update();
}

void MipView::set_theme(const ViewTheme& theme) {
  impl_->theme = theme;
  const QColor& b = theme.background;
  renderer()->SetBackground(b.redF(), b.greenF(), b.blueF());
  impl_->outlines->set_theme(theme);
  set_panel_text_scale(theme.text_scale);
  impl_->colors_stale = true;
  update();
}

void MipView::set_crosshair(const Index3& position) {
  impl_->outlines->set_crosshair(position);
  update();
}

const MipFrame& MipView::frame() const { return impl_->frame; }

bool MipView::wait_until_exact(std::chrono::milliseconds timeout) {
  QElapsedTimer clock;
  clock.start();
  while (clock.elapsed() < timeout.count()) {
    if (impl_->slices->shown()) return true;
    if (!impl_->source || (impl_->pair != MipPair::first && !impl_->second)) return false;
    if (impl_->frame.exact && impl_->shown_generation == impl_->generation &&
        !impl_->rest.isActive()) {
      return true;
    }
    QCoreApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents, 20);
  }
  return false;
}

void MipView::request_picture(bool moving) {
  if (!impl_->source || width() < 2 || height() < 2 || impl_->slices->shown()) return;
  // A pair that needs two volumes is shown only when both are there.
  if (impl_->pair != MipPair::first && !impl_->second) return;
  impl_->matter_stale = false;
  const double ratio = devicePixelRatioF();
  const int divisor = moving ? impl_->coarseness : 1;
  MipRequest request;
  request.source = impl_->source;
  request.camera = navigation_.ray_camera();
  request.width = std::max(1, qRound(width() * ratio) / divisor);
  request.height = std::max(1, qRound(height() * ratio) / divisor);
  request.level = impl_->source->level_max();
  request.surface = impl_->surface_at();
  request.paint = impl_->wanted_paint();
  request.voxel = impl_->voxel;
  request.labels = impl_->wanted_labels();
  request.channels = impl_->wanted_volumes();
  request.matter = impl_->wanted_matter();
  request.grain = std::max({impl_->voxel.z, impl_->voxel.x, impl_->voxel.y});
  if (impl_->takes_detail(request)) {
    const MipDetail& detail = *impl_->detail;
    request.covered = covers(detail, request.camera, impl_->size, impl_->voxel,
                             static_cast<double>(request.width) / request.height);
    // What of matter and surfaces lies outside of the part would be missing.
    if (request.covered || (!request.surface && request.matter.empty())) {
      request.detail = impl_->detail;
      request.level += detail.finer;
      if (request.covered) request.grain = std::ldexp(request.grain, -detail.finer);
    }
  }
  if (impl_->second && impl_->pair != MipPair::first) {
    request.second = impl_->second;
    request.difference = impl_->pair == MipPair::difference;
    request.level = std::max(request.level, impl_->second->level_max());
  }
  if (request.channels) {
    for (const ChannelVolume& one : *request.channels) {
      request.level = std::max(request.level, one.raycaster->level_max());
    }
  }
  // A coarse projection needs no cells finer than the distance between its rays; without them rays
  // are several times as fast. Not for surfaces and matter, which coarse cells would thicken.
  const bool projection =
      !request.surface && !request.labels && !request.difference && request.matter.empty();
  if (moving && projection) {
    const int finer = request.detail ? request.detail->finer : 0;
    request.level = level_of_rays(request.camera, finer_size(impl_->size, finer),
                                  finer_voxel(impl_->voxel, finer), request.height, request.level);
  }
  request.exact = !moving;
  request.generation = ++impl_->generation;
  // A coarse picture may finish before the next one: otherwise a constantly moving camera would
  // never show any. An exact one is cancelled for the next.
  impl_->worker->post(std::move(request), impl_->last_asked_exact || !moving);
  impl_->last_asked_exact = !moving;
  if (moving) impl_->rest.start(kRestMilliseconds);
}

void MipView::take_picture() {
  auto picture = impl_->worker->take();
  if (!picture || impl_->slices->shown() || picture->request.source != impl_->source ||
      picture->request.second != (impl_->pair == MipPair::first ? nullptr : impl_->second) ||
      picture->request.difference != (impl_->pair == MipPair::difference) ||
      picture->request.surface.has_value() != impl_->surface_at().has_value() ||
      !impl_->wants_paint(picture->request.paint.get()) ||
      picture->request.labels != impl_->wanted_labels() ||
      picture->request.channels != impl_->wanted_volumes() ||
      picture->request.matter.empty() == impl_->wants_matter()) {
    return;
  }
  // Half the rays in each direction take a quarter of the time.
  if (!picture->request.exact) {
    if (picture->milliseconds > kMovingBudget) {
      impl_->coarseness = std::min(kCoarsest, impl_->coarseness + 1);
    } else if (picture->milliseconds < 0.4 * kMovingBudget) {
      impl_->coarseness = std::max(1, impl_->coarseness - 1);
    }
  }
  impl_->picture = std::move(picture->image);
  impl_->paint_picture = std::move(picture->paint);
  impl_->shown_paint = std::move(picture->request.paint);
  impl_->second_picture = std::move(picture->second);
  impl_->label_picture = std::move(picture->labels);
  impl_->layer_pictures = std::move(picture->channels);
  impl_->blended = std::move(picture->request.channels);
  impl_->picture_range = picture->range;
  impl_->is_surface = picture->request.surface.has_value();
  impl_->is_matter = !picture->request.matter.empty();
  impl_->is_detail = picture->request.detail && picture->request.covered;
  impl_->show_camera(picture->request.camera);
  impl_->has_picture = true;
  impl_->colors_stale = true;
  impl_->shown_generation = picture->request.generation;
  impl_->frame.milliseconds = picture->milliseconds;
  impl_->frame.width = impl_->picture.width;
  impl_->frame.height = impl_->picture.height;
  impl_->frame.level_max = impl_->source->level_max();
  impl_->frame.level = impl_->is_detail ? picture->request.level
                                        : std::min(picture->request.level, impl_->frame.level_max);
  impl_->frame.exact = picture->request.exact;
  update();
  emit frame_shown(impl_->frame);
}

void MipView::prepare_frame() {
  if (impl_->has_picture && (impl_->colors_stale || impl_->parts_stale)) color_picture();
  if (frame_count() == 0 && !impl_->has_picture) {
    // Without a graphics card, VTK compiles a program for the first picture, which takes a while.
    // An empty picture does that before the user waits for one.
    impl_->image->SetExtent(0, 0, 0, 0, 0, 0);
    impl_->image->AllocateScalars(VTK_UNSIGNED_CHAR, 4);
    const QColor& b = impl_->theme.background;
    auto* const out = static_cast<std::uint8_t*>(impl_->image->GetScalarPointer());
    const std::array<int, 4> empty{b.red(), b.green(), b.blue(), 255};
    std::copy(empty.begin(), empty.end(), out);
    renderer()->SetBackgroundTexture(impl_->texture);
    renderer()->TexturedBackgroundOn();
  }
  const RayCamera ray = navigation_.ray_camera();
  const double slope = std::tan(0.5 * ray.view_angle_degrees * M_PI / 180.0);
  const double tall =
      ray.perspective ? 2.0 * impl_->moved_camera->GetDistance() * slope : ray.height_world;
  impl_->slices->place(tall / std::max(1.0, height() * devicePixelRatioF()));
  if (impl_->has_picture) renderer()->SetActiveCamera(impl_->shown_camera);
  renderer()->ResetCameraClippingRange();
}

void MipView::finish_frame() {
  renderer()->SetActiveCamera(impl_->moved_camera);
  if (!impl_->has_picture) renderer()->TexturedBackgroundOff();
}

void MipView::draw_hud() {
  impl_->hud_rect = {};
  if (hasFocus()) draw_focus(impl_->theme);
  if (impl_->size.count() <= 0) return;
  if (impl_->box) draw_lengths();
  draw_pair();
  if (impl_->hud) {
    // In a small view the panel would hide the picture, so only its title is shown.
    const bool small = width() < kLeastForPanel || height() < kLeastForPanel;
    bool collapsed = small || impl_->hud_collapsed;
    impl_->hud_rect = draw_heads_up(impl_->info, impl_->frame, impl_->theme, collapsed);
    if (!small) impl_->hud_collapsed = collapsed;
  }
}

void MipView::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) emit maximise_requested();
}

void MipView::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_1:
      navigation_.set_preset(MipPreset::front);
      break;
    case Qt::Key_2:
      navigation_.set_preset(MipPreset::top);
      break;
    case Qt::Key_3:
      navigation_.set_preset(MipPreset::side);
      break;
    case Qt::Key_0:
    case Qt::Key_R:
      navigation_.set_preset(MipPreset::oblique);
      break;
    default:
      VtkWidget::keyPressEvent(event);
      return;
  }
  event->accept();
}

void MipView::showEvent(QShowEvent* event) {
  VtkWidget::showEvent(event);
  place_when_seen();
  if (impl_->matter_stale) request_picture(true);
}

void MipView::resizeEvent(QResizeEvent* event) {
  VtkWidget::resizeEvent(event);
  place_when_seen();
  request_picture(true);
}

}  // namespace aprscope
