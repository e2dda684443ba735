// The preview of a deconvolution is a small run of the same kind, on the device that was chosen.
#include <mutex>

#include "app/gui/document/deconvolution_run.hpp"
#include "app/gui/panels/preview_region.hpp"
#include "core/operations/engine/registry.hpp"
#include "tests/app/gui/deconvolve_fixture.hpp"
#include "tests/core/pipeline/refusing_backend.hpp"

using namespace aprscope;
using namespace aprscope::gui;
using namespace aprscope::gui::test;

namespace {

// Another device that computes as the CPU does, and notes what iterates there.
class IteratingBackend : public aprscope::test::RefusingBackend {
 public:
  IteratingBackend() : RefusingBackend("nothing") {}
  Result<Data> iterate(const Operation& operation, const Dataset& input,
                       const IterationHooks& hooks, const JobContext& context) const override {
    if (traits_of(operation).iterates) {
      const std::lock_guard lock(mutex_);
      particles_.push_back(input.is_apr());
      operation_ = operation;
    }
    return RefusingBackend::iterate(operation, input, hooks, context);
  }

  /// Of each run: whether it was one on particles.
  std::vector<bool> particles() const {
    const std::lock_guard lock(mutex_);
    return particles_;
  }
  Operation operation() const {
    const std::lock_guard lock(mutex_);
    return operation_;
  }

 private:
  mutable std::mutex mutex_;
  mutable std::vector<bool> particles_;
  mutable Operation operation_;
};

}  // namespace

class DeconvolvePreviewTest : public DeconvolveFixture {
  Q_OBJECT

 private slots:
  void cleanup() { f_.reset(); }
  void particles_are_previewed_as_particles_on_the_chosen_device();
  void pixels_are_previewed_as_pixels_there();
  void a_device_that_refuses_is_not_passed_over_in_silence();
  void what_is_on_screen_is_the_region();

 private:
  void open_on(std::shared_ptr<const Backend> device, bool particles);
  // Waits for the last picture of a preview.
  void preview();
};

void DeconvolvePreviewTest::open_on(std::shared_ptr<const Backend> device, bool particles) {
  f_ = std::make_unique<WindowFixture>(std::move(device));
  write_cells_tiff(f_->file("cells.tif"), {20, 64, 72});
  QVERIFY(f_->drop({f_->file("cells.tif")}));
  if (particles) {
    QVERIFY(f_->document.runner().apply(Operation{"convert", {}}) != 0);
    QVERIFY(f_->settle());
    QVERIFY(f_->document.items().current()->is_apr());
  }
  f_->trigger("panel_deconvolve");
  QVERIFY(panel().isVisible());
  set_preview(false);
  QVERIFY(psf_ready());
  QVERIFY(f_->settle());
}

void DeconvolvePreviewTest::preview() {
  set_preview(true);
  QTRY_VERIFY(f_->picture(Axis::z).preview);
  QTRY_VERIFY(!panel().run().previewing());
  QVERIFY2(panel().run().preview_error().isEmpty(), qPrintable(panel().run().preview_error()));
  QVERIFY(f_->settle());
  QVERIFY(f_->picture(Axis::z).caption.contains(QStringLiteral("part on screen")));
}

void DeconvolvePreviewTest::particles_are_previewed_as_particles_on_the_chosen_device() {
  const auto device = std::make_shared<IteratingBackend>();
  open_on(device, true);
  preview();
  QVERIFY(!device->particles().empty());
  for (const bool particles : device->particles()) QVERIFY(particles);
  QVERIFY(!f_->picture(Axis::z).caption.contains(QStringLiteral("instead of")));
  // All of the image is on screen: the picture is that of the same run on the whole.
  const Dataset& data = *f_->document.items().current()->dataset;
  const AprAccess& access = *data.apr().access;
  QVERIFY(access.level_max() - access.level_min_used() <= 4);
  const auto whole = cpu_backend()->run(device->operation(), data, {});
  QVERIFY(whole.ok());
  const auto result = Dataset::create(*whole);
  const SlicePicture& picture = f_->picture(Axis::z);
  const Plane expected = slice_particles(access, result->values().particles(),
                                         ReconstructionMode::constant, Axis::z, picture.index);
  QVERIFY(picture.plane.values == expected.values);
}

void DeconvolvePreviewTest::pixels_are_previewed_as_pixels_there() {
  const auto device = std::make_shared<IteratingBackend>();
  open_on(device, false);
  preview();
  QVERIFY(!device->particles().empty());
  for (const bool particles : device->particles()) QVERIFY(!particles);
  QVERIFY(!f_->picture(Axis::z).caption.contains(QStringLiteral("instead of")));
}

void DeconvolvePreviewTest::a_device_that_refuses_is_not_passed_over_in_silence() {
  open_on(std::make_shared<aprscope::test::RefusingBackend>("deconvolve"), true);
  preview();
  QVERIFY2(f_->picture(Axis::z).caption.contains(QStringLiteral("cpu instead of cuda:9")),
           qPrintable(f_->picture(Axis::z).caption));
}

void DeconvolvePreviewTest::what_is_on_screen_is_the_region() {
  open_on(std::make_shared<IteratingBackend>(), false);
  SliceView& view = f_->window->views().slice(Axis::z);
  const Size3 size = f_->document.items().current()->dataset->size();
  view.navigation().fit();
  const Region all = preview_region(view, size, {10, 0, 0});
  QCOMPARE(all.begin.x, std::int64_t{0});
  QCOMPARE(all.begin.y, std::int64_t{0});
  QCOMPARE(all.end.x, size.x);
  QCOMPARE(all.end.y, size.y);
  // Some slices around the crosshair, fewer at the end of the image.
  QVERIFY(all.begin.z > 0 && all.end.z < size.z);
  QVERIFY(all.begin.z < 10 && all.end.z > 11);
  const Region last = preview_region(view, size, {size.z - 1, 0, 0});
  QCOMPARE(last.end.z, size.z);
  QVERIFY(last.size().z < all.size().z);
  // From near it is what the view shows.
  SliceCamera camera = view.navigation().camera();
  camera.row = 40.0;
  camera.col = 30.0;
  camera.scale *= 8.0;
  view.navigation().set_camera(camera);
  const Region near = preview_region(view, size, {10, 0, 0});
  QVERIFY(near.begin.x > 0 && near.begin.x <= 40 && near.end.x > 40 && near.end.x < size.x);
  QVERIFY(near.begin.y > 0 && near.begin.y <= 30 && near.end.y > 30 && near.end.y < size.y);
  // Of an image that has more on screen than a preview can do: as much around the middle.
  camera.scale /= 1000.0;
  view.navigation().set_camera(camera);
  const Region some = preview_region(view, {20, 4000, 4000}, {10, 0, 0});
  QCOMPARE(some.size().x, std::int64_t{192});
  QVERIFY(some.size().y <= 192);
  QVERIFY(some.begin.x <= 40 && some.end.x > 40 && some.begin.y <= 30 && some.end.y > 30);
}

APRSCOPE_GUI_TESTS(DeconvolvePreviewTest)
#include "deconvolve_preview_test.moc"
