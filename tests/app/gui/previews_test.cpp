// What an edit costs: all slices that can be seen in one go, nothing for those that cannot, and
// what a preview has found is not found again.
#include <QDoubleSpinBox>
#include <QElapsedTimer>
#include <QPushButton>
#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>

#include "app/gui/compare/compare_area.hpp"
#include "app/gui/compare/comparison.hpp"
#include "app/gui/document/conversion_preview.hpp"
#include "app/gui/panels/convert_controls.hpp"
#include "app/gui/panels/filter_controls.hpp"
#include "app/gui/widgets/operation_form.hpp"
#include "core/operations/engine/registry.hpp"
#include "tests/app/gui/window_fixture.hpp"

using namespace aprscope;
using namespace aprscope::gui;
using namespace aprscope::gui::test;

namespace {

// The processor under any name, with a note of what it was asked for.
class WatchedBackend : public Backend {
 public:
  explicit WatchedBackend(std::string id) : id_(std::move(id)) {}
  [[nodiscard]] std::string name() const override { return id_ + " watched"; }
  [[nodiscard]] std::string id() const override { return id_; }
  [[nodiscard]] Status supports(const Operation& operation, const Dataset& input) const override {
    return cpu_->supports(operation, input);
  }
  [[nodiscard]] std::uint64_t estimate_bytes(const Operation& operation,
                                             const Dataset& input) const override {
    return cpu_->estimate_bytes(operation, input);
  }
  Result<Data> run(const Operation& operation, const Dataset& input,
                   const JobContext& context) const override {
    ++runs;
    return cpu_->run(operation, input, context);
  }
  Status run_regions(const Operation& operation, const Dataset& input,
                     std::span<const Region> regions, std::vector<float>& out,
                     const JobContext& context) const override {
    {
      const std::lock_guard lock(mutex_);
      asked_.emplace_back(regions.begin(), regions.end());
    }
    // As long as a wide filter may take, which stops when it is asked to.
    for (int waited = 0; waited < milliseconds; waited += 5) {
      if (context.stop_requested()) return cancelled_error();
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return cpu_->run_regions(operation, input, regions, out, context);
  }

  // As a device that cuts slices itself, if it is told to.
  Result<std::optional<std::vector<Plane>>> filtered_slices(
      const Operation& operation, const Dataset& input, std::span<const SlicePlace> slices,
      const JobContext& context) const override {
    if (!cuts) return std::optional<std::vector<Plane>>();
    ++cut;
    auto made = cpu_->run(operation, input, context);
    if (!made) return made.error();
    const auto result = Dataset::create(*std::move(made));
    std::vector<Plane> planes;
    for (const SlicePlace& slice : slices) {
      planes.push_back(slice_particles(*input.apr().access, result->values().particles(),
                                       ReconstructionMode::constant, slice.axis, slice.index));
    }
    return std::optional(std::move(planes));
  }

  // The regions of each preview since this was asked last.
  std::vector<std::vector<Region>> asked() const {
    const std::lock_guard lock(mutex_);
    return std::exchange(asked_, {});
  }
  mutable std::atomic<int> runs{0};
  std::atomic<int> milliseconds{0};
  std::atomic<bool> cuts{false};
  mutable std::atomic<int> cut{0};

 private:
  std::string id_;
  std::shared_ptr<const Backend> cpu_ = cpu_backend();
  mutable std::mutex mutex_;
  mutable std::vector<std::vector<Region>> asked_;
};

bool thin_along(const Region& region, Axis axis) {
  const Size3 n = region.size();
  return (axis == Axis::z ? n.z : axis == Axis::x ? n.x : n.y) == 1;
}

}  // namespace

class PreviewsTest : public QObject {
  Q_OBJECT

 private slots:
  void all_slices_of_an_edit_are_one_job();
  void slices_that_a_device_cuts_are_shown();
  void slices_of_a_job_that_was_overtaken_are_asked_for_again();
  void what_is_being_made_is_not_asked_for_again();
  void a_window_goes_while_a_preview_runs();
  void a_view_behind_a_maximised_one_asks_for_nothing();
  void a_minimised_window_asks_for_nothing();
  void views_behind_a_comparison_ask_for_nothing();
  void convert_takes_over_what_the_preview_found();
  void another_device_converts_itself();
  void cleanup() { f_.reset(); }

 private:
  FilterControls* filter() { return f_->window->findChild<FilterControls*>(); }
  ConvertControls* convert() { return f_->window->findChild<ConvertControls*>(); }
  // A window on that device with particles in it and a Gaussian in its preview.
  void open_filter();
  // One key press in the field of a sigma.
  void edit() {
    QTest::keyClick(filter()->findChild<QDoubleSpinBox*>(QStringLiteral("sigma_y")), Qt::Key_Up);
  }
  bool jobs_done() {
    // What an edit asks for may wait for the events after it.
    QTest::qWait(200);
    return QTest::qWaitFor(
        [this] { return !f_->document.jobs().busy() && !f_->document.background().busy(); }, 60000);
  }
  // An image of that side (or what the environment says) with the Convert panel's estimate.
  void open_convert(const char* device, std::int64_t side);
  void press_convert();
  // What is on screen is what the whole run gives there.
  void compare_with_the_whole();

  std::shared_ptr<WatchedBackend> device_;
  std::unique_ptr<WindowFixture> f_;
};

void PreviewsTest::open_filter() {
  device_ = std::make_shared<WatchedBackend>("cpu");
  f_ = std::make_unique<WindowFixture>(device_);
  write_cells_tiff(f_->file("cells.tif"), {24, 80, 96});
  QVERIFY(f_->drop({f_->file("cells.tif")}));
  QVERIFY(f_->document.runner().apply(Operation{"convert", {}}) != 0);
  QVERIFY(f_->settle());
  QVERIFY(f_->window->show_panel(QStringLiteral("filter")));
  filter()->set_operation(*complete(
      {"gaussian",
       {{"sigma", std::array<double, 3>{1, 1, 1}}, {"size", std::array<double, 3>{5, 5, 5}}}}));
  emit filter()->preview_changed();
  QVERIFY(f_->settle());
  QVERIFY(f_->picture(Axis::z).preview);
  static_cast<void>(device_->asked());
}

void PreviewsTest::compare_with_the_whole() {
  const Dataset& data = *f_->document.items().current()->dataset;
  const auto whole = cpu_backend()->run(*f_->document.preview().operation(), data, {});
  QVERIFY(whole.ok());
  const auto result = Dataset::create(*whole);
  for (const Axis axis : {Axis::z, Axis::x, Axis::y}) {
    const SlicePicture& picture = f_->picture(axis);
    QVERIFY(picture.preview);
    QVERIFY(picture.plane.values ==
            slice_particles(*data.apr().access, result->values().particles(),
                            ReconstructionMode::constant, axis, picture.index)
                .values);
  }
}

void PreviewsTest::all_slices_of_an_edit_are_one_job() {
  open_filter();
  edit();
  QVERIFY(f_->settle());
  const auto asked = device_->asked();
  QCOMPARE(asked.size(), std::size_t{1});
  QCOMPARE(asked.front().size(), std::size_t{3});
  for (const Axis axis : {Axis::z, Axis::x, Axis::y}) {
    QVERIFY(thin_along(asked.front()[static_cast<std::size_t>(axis)], axis));
  }
  compare_with_the_whole();
  // Another slice of one axis is all that is computed when the crosshair goes there.
  Index3 there = f_->document.view().crosshair();
  there.x += 3;
  f_->document.view().set_crosshair(there);
  QVERIFY(f_->settle());
  const auto moved = device_->asked();
  QCOMPARE(moved.size(), std::size_t{1});
  QCOMPARE(moved.front().size(), std::size_t{1});
  QVERIFY(thin_along(moved.front().front(), Axis::x));
  compare_with_the_whole();
}

void PreviewsTest::slices_that_a_device_cuts_are_shown() {
  open_filter();
  device_->cuts = true;
  edit();
  QVERIFY(f_->settle());
  compare_with_the_whole();
  // All three in one go, and no values for them.
  QCOMPARE(device_->cut.load(), 1);
  QVERIFY(device_->asked().empty());
  // Smooth slices are cut from values; until these are there, the constant ones are seen.
  DisplaySettings display = f_->document.items().current()->display;
  display.mode = ShowMode::smooth;
  f_->document.edits().set_display(f_->document.items().current_id(), display);
  QVERIFY(f_->settle());
  QTRY_VERIFY(f_->picture(Axis::z).mode == ShowMode::smooth);
  QVERIFY(!f_->picture(Axis::z).provisional);
  QVERIFY(!device_->asked().empty());
  display.mode = ShowMode::constant;
  f_->document.edits().set_display(f_->document.items().current_id(), display);
  QVERIFY(f_->settle());
  compare_with_the_whole();
}

void PreviewsTest::slices_of_a_job_that_was_overtaken_are_asked_for_again() {
  open_filter();
  device_->milliseconds = 1500;
  edit();
  const auto asked = [this] { return !device_->asked().empty(); };
  QVERIFY(QTest::qWaitFor(asked, 5000));
  // While all three are computed, one of them is wanted elsewhere.
  Index3 there = f_->document.view().crosshair();
  there.z += 2;
  f_->document.view().set_crosshair(there);
  QVERIFY(QTest::qWaitFor(asked, 5000));
  device_->milliseconds = 0;
  QVERIFY(f_->settle());
  compare_with_the_whole();
}

void PreviewsTest::what_is_being_made_is_not_asked_for_again() {
  open_filter();
  device_->milliseconds = 800;
  edit();
  QVERIFY(QTest::qWaitFor([this] { return !device_->asked().empty(); }, 5000));
  // The colours are the view's own business, and the job that runs makes what is wanted.
  f_->document.edits().set_display(f_->document.items().current()->id,
                                   f_->document.items().current()->display);
  QVERIFY(f_->settle());
  QCOMPARE(device_->asked().size(), std::size_t{0});
  compare_with_the_whole();
}

void PreviewsTest::a_window_goes_while_a_preview_runs() {
  open_filter();
  device_->milliseconds = 20000;
  edit();
  QVERIFY(QTest::qWaitFor([this] { return !device_->asked().empty(); }, 5000));
  QElapsedTimer clock;
  clock.start();
  f_.reset();
  QVERIFY2(clock.elapsed() < 5000, "the preview was not told to stop");
}

void PreviewsTest::a_view_behind_a_maximised_one_asks_for_nothing() {
  open_filter();
  QTest::keyClick(f_->window.get(), Qt::Key_1);
  QTRY_VERIFY(!f_->slice(Axis::x).isVisible());
  QVERIFY(f_->settle());
  static_cast<void>(device_->asked());
  edit();
  QVERIFY(f_->settle());
  auto asked = device_->asked();
  QCOMPARE(asked.size(), std::size_t{1});
  QCOMPARE(asked.front().size(), std::size_t{1});
  QVERIFY(thin_along(asked.front().front(), Axis::z));
  // What was hidden is brought up to date when it comes back, and nothing else.
  QTest::keyClick(f_->window.get(), Qt::Key_1);
  QTRY_VERIFY(f_->slice(Axis::x).isVisible());
  QVERIFY(f_->settle());
  asked = device_->asked();
  QCOMPARE(asked.size(), std::size_t{1});
  QCOMPARE(asked.front().size(), std::size_t{2});
  QVERIFY(thin_along(asked.front()[0], Axis::x));
  QVERIFY(thin_along(asked.front()[1], Axis::y));
  compare_with_the_whole();
}

void PreviewsTest::a_minimised_window_asks_for_nothing() {
  open_filter();
  f_->window->showMinimized();
  QTRY_VERIFY(f_->window->isMinimized());
  edit();
  QVERIFY(jobs_done());
  QCOMPARE(device_->asked().size(), std::size_t{0});
  f_->window->showNormal();
  QTRY_VERIFY(!f_->window->isMinimized());
  QVERIFY(f_->settle());
  const auto asked = device_->asked();
  QCOMPARE(asked.size(), std::size_t{1});
  QCOMPARE(asked.front().size(), std::size_t{3});
  compare_with_the_whole();
}

void PreviewsTest::views_behind_a_comparison_ask_for_nothing() {
  open_filter();
  const auto& items = f_->document.items().all();
  QVERIFY(f_->window->comparison().compare(items[0].id, items[1].id).ok());
  QTRY_VERIFY(f_->window->compare_area().isVisible());
  QVERIFY(!f_->slice(Axis::z).isVisible());
  QVERIFY(jobs_done());
  static_cast<void>(device_->asked());
  const int before = f_->picture_count();
  f_->document.view().set_crosshair({2, 3, 4});
  QVERIFY(jobs_done());
  QCOMPARE(f_->picture_count(), before);
  QVERIFY(f_->window->comparison().set_active(false).ok());
  QTRY_VERIFY(f_->slice(Axis::z).isVisible());
  QVERIFY(f_->settle());
  QCOMPARE(f_->picture(Axis::z).index, std::int64_t{2});
  QCOMPARE(f_->picture(Axis::y).index, std::int64_t{4});
}

void PreviewsTest::open_convert(const char* device, std::int64_t side) {
  device_ = std::make_shared<WatchedBackend>(device);
  f_ = std::make_unique<WindowFixture>(device_);
  write_cells_tiff(f_->file("cells.tif"), {side, side, side});
  QVERIFY(f_->drop({f_->file("cells.tif")}));
  QVERIFY(f_->window->show_panel(QStringLiteral("convert")));
  QVERIFY(QTest::qWaitFor(
      [this] {
        return f_->document.preview().estimate() && !f_->document.preview().estimate_pending();
      },
      300000));
  QVERIFY(f_->settle());
}

void PreviewsTest::press_convert() {
  auto* button = convert()->findChild<QPushButton*>(QStringLiteral("convert_button"));
  QVERIFY(button->isEnabled());
  const std::size_t items = f_->document.items().all().size();
  QElapsedTimer clock;
  clock.start();
  QTest::mouseClick(button, Qt::LeftButton);
  QVERIFY(QTest::qWaitFor([&] { return f_->document.items().all().size() > items; }, 300000));
  const qint64 there = clock.elapsed();
  QVERIFY(QTest::qWaitFor(
      [&] {
        const SlicePicture& picture = f_->picture(Axis::z);
        return !picture.preview && picture.mode == ShowMode::constant;
      },
      300000));
  qInfo("Convert after a finished estimate: an item after %lld ms, shown after %lld ms", there,
        clock.elapsed());
  QVERIFY(f_->settle());
}

void PreviewsTest::convert_takes_over_what_the_preview_found() {
  // APRSCOPE_TAKE_OVER_SIDE=512 measures what a large image takes.
  const int side = qEnvironmentVariableIntValue("APRSCOPE_TAKE_OVER_SIDE");
  open_convert("cpu", side > 0 ? side : 48);
  const auto image = f_->document.items().current()->dataset;
  const auto found = f_->document.preview().conversion_preview().dataset();
  QVERIFY(found != nullptr);
  press_convert();
  QCOMPARE(device_->runs.load(), 0);
  const Item& item = *f_->document.items().current();
  QVERIFY(item.is_apr());
  QVERIFY(item.dataset->apr().access == found->apr().access);
  QVERIFY(item.pixels == image);
  QCOMPARE(item.costs.size(), std::size_t{1});
  QVERIFY(item.costs.front().seconds > 0.0);
  // It is what a conversion makes, byte for byte.
  const Operation& step = item.recipe.steps.back();
  QVERIFY(step == *complete(convert()->operation()));
  const auto again = cpu_backend()->run(step, *image, {});
  QVERIFY(again.ok());
  const Apr& made = item.dataset->apr();
  const Apr& expected = std::get<Apr>(*again);
  QVERIFY(made.access->particles() == expected.access->particles());
  QVERIFY(made.main_field()->name == expected.main_field()->name);
  QVERIFY(made.main_field()->values == expected.main_field()->values);
  QVERIFY(made.history == expected.history);
  QVERIFY(made.name == expected.name && made.channel == expected.channel);
  QVERIFY(made.voxel == expected.voxel);

  // Other parameters, whose preview nobody waited for, are converted.
  f_->document.items().set_current(f_->document.items().all().front().id);
  QVERIFY(f_->settle());
  Operation other = convert()->operation();
  other.parameters["rel_error"] = 0.2;
  f_->document.runner().apply(other);
  QVERIFY(f_->settle());
  QCOMPARE(device_->runs.load(), 1);
}

void PreviewsTest::another_device_converts_itself() {
  open_convert("cuda:9", 48);
  press_convert();
  QCOMPARE(device_->runs.load(), 1);
}

APRSCOPE_GUI_TESTS(PreviewsTest)
#include "previews_test.moc"
