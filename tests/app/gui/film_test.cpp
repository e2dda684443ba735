// A film with a filter in the preview: every picture of it is filtered, of its time point, and seen
// before the next one comes; in slices and in the 3-D view.
#include <QCheckBox>
#include <QElapsedTimer>
#include <atomic>
#include <chrono>
#include <thread>

#include "app/gui/document/preview_state.hpp"
#include "app/gui/panels/filter_controls.hpp"
#include "app/gui/views/volume_preview.hpp"
#include "app/gui/widgets/number_field.hpp"
#include "app/gui/window/time_player.hpp"
#include "core/operations/engine/registry.hpp"
#include "tests/app/gui/film_fixture.hpp"

using namespace aprscope;
using namespace aprscope::gui;
using namespace aprscope::gui::test;

namespace {

constexpr Size3 kFrame{16, 40, 48};

// The processor, whose previews take a while.
class SlowPreviews : public Backend {
 public:
  [[nodiscard]] std::string name() const override { return cpu_->name(); }
  [[nodiscard]] std::string id() const override { return cpu_->id(); }
  [[nodiscard]] Status supports(const Operation& operation, const Dataset& input) const override {
    return cpu_->supports(operation, input);
  }
  [[nodiscard]] std::uint64_t estimate_bytes(const Operation& operation,
                                             const Dataset& input) const override {
    return cpu_->estimate_bytes(operation, input);
  }
  Result<Data> run(const Operation& operation, const Dataset& input,
                   const JobContext& context) const override {
    return cpu_->run(operation, input, context);
  }
  Status run_regions(const Operation& operation, const Dataset& input,
                     std::span<const Region> regions, std::vector<float>& out,
                     const JobContext& context) const override {
    for (int waited = 0; waited < milliseconds; waited += 5) {
      if (context.stop_requested()) return cancelled_error();
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return cpu_->run_regions(operation, input, regions, out, context);
  }
  std::atomic<int> milliseconds{0};

 private:
  std::shared_ptr<const Backend> cpu_ = cpu_backend();
};

Operation blur() {
  return *complete(
      {"gaussian",
       {{"sigma", std::array<double, 3>{2, 2, 2}}, {"size", std::array<double, 3>{9, 9, 9}}}});
}

}  // namespace

class FilmTest : public QObject {
  Q_OBJECT

 private slots:
  void every_picture_of_a_filtered_film_is_filtered();
  void a_still_shows_the_same();
  void edges_keep_their_contrast_along_time();
  void the_volume_is_filtered_too();
  void a_film_goes_on_without_a_picture();
  void cleanup() { f_.reset(); }

 private:
  void open_film(const Operation& filter);
  static void preview(WindowFixture& f, const Operation& filter);
  void press(Qt::Key key, Qt::KeyboardModifiers with) {
    // Another window may have been in front.
    QApplication::setActiveWindow(f_->window.get());
    QTest::keyClick(f_->window.get(), key, with);
  }
  void play_fast();
  [[nodiscard]] int time() const { return f_->document.items().current()->selection.time; }

  std::shared_ptr<SlowPreviews> device_;
  std::unique_ptr<WindowFixture> f_;
};

void FilmTest::preview(WindowFixture& f, const Operation& filter) {
  QVERIFY(f.window->show_panel(QStringLiteral("filter")));
  auto* controls = f.window->findChild<FilterControls*>();
  controls->set_operation(filter);
  emit controls->preview_changed();
  QVERIFY(f.settle());
  QVERIFY(f.picture(Axis::z).preview);
}

void FilmTest::open_film(const Operation& filter) {
  device_ = std::make_shared<SlowPreviews>();
  f_ = std::make_unique<WindowFixture>(device_);
  write_film(f_->file("film.apr"), 3, kFrame);
  QVERIFY(f_->drop({f_->file("film.apr")}));
  preview(*f_, filter);
}

void FilmTest::play_fast() {
  auto* rate = f_->window->findChild<WholeField*>(QStringLiteral("time_rate"));
  rate->setFocus();
  QTest::keyClick(rate, Qt::Key_A, Qt::ControlModifier);
  QTest::keyClicks(rate, QStringLiteral("60"));
  QTest::keyClick(rate, Qt::Key_Return);
  press(Qt::Key_Space, Qt::ControlModifier);
  QVERIFY(f_->window->findChild<TimePlayer*>()->plays());
}

void FilmTest::every_picture_of_a_filtered_film_is_filtered() {
  open_film(blur());
  // Slower than sixty pictures a second, which the film would pass over.
  device_->milliseconds = 120;
  std::array<Plane, 3> expected;
  for (int t = 0; t < 3; ++t) {
    const auto frame = Dataset::create(film_frame(t, kFrame));
    const auto whole = cpu_backend()->run(blur(), *frame, {});
    QVERIFY(whole.ok());
    expected[static_cast<std::size_t>(t)] = Dataset::create(*whole)->slice(
        ReconstructionMode::constant, Axis::z, f_->document.view().crosshair().z);
  }
  int plain = 0;
  int wrong = 0;
  std::array<int, 3> pictures{};
  std::vector<int> steps;
  std::vector<int> missed;
  bool of_this = true;
  std::array<bool, 3> shown{true, true, true};
  connect(&f_->window->views().feed(), &SliceFeed::picture_ready, this,
          [&](const SlicePicture& picture) {
            if (!picture.preview) ++plain;
            shown[static_cast<std::size_t>(picture.axis)] = true;
            if (picture.axis != Axis::z) return;
            const auto t = static_cast<std::size_t>(time());
            ++pictures[t];
            if (picture.plane.values != expected[t].values) ++wrong;
          });
  connect(&f_->document.items(), &ItemList::data_set, this, [&] {
    steps.push_back(time());
    for (const bool one : shown) of_this = of_this && one;
    if (!of_this) missed.push_back(time());
    shown.fill(false);
  });
  play_fast();
  QTRY_VERIFY(steps.size() >= 6);
  press(Qt::Key_Space, Qt::ControlModifier);
  QVERIFY(f_->settle());
  QCOMPARE(plain, 0);
  QCOMPARE(wrong, 0);
  QVERIFY2(missed.empty(), "a time point went before all its slices were there");
  for (std::size_t i = 0; i < steps.size(); ++i) QCOMPARE(steps[i], static_cast<int>((i + 1) % 3));
  for (const int count : pictures) QVERIFY(count >= 1);
  QVERIFY(f_->document.preview().operation() == blur());
}

void FilmTest::a_still_shows_the_same() {
  open_film(blur());
  show_plainly(*f_);
  press(Qt::Key_Right, Qt::AltModifier);
  QTRY_COMPARE(time(), 1);
  QVERIFY(f_->settle());
  WindowFixture alone;
  write_still(alone.file("still.apr"), film_frame(1, kFrame));
  QVERIFY(alone.drop({alone.file("still.apr")}));
  preview(alone, blur());
  show_plainly(alone);
  QVERIFY(alone.settle());
  for (const Axis axis : {Axis::z, Axis::x, Axis::y}) {
    QVERIFY(f_->picture(axis).preview && alone.picture(axis).preview);
    QVERIFY(f_->picture(axis).plane.values == alone.picture(axis).plane.values);
  }
}

// Results with a range of their own get a contrast that suits them, once for the film.
void FilmTest::edges_keep_their_contrast_along_time() {
  const Operation edges = *complete({"gradient", {}});
  QVERIFY(range_of(edges) == Range::own);
  open_film(edges);
  const auto first = f_->picture(Axis::z).contrast;
  QVERIFY(first.has_value());
  press(Qt::Key_Right, Qt::AltModifier);
  QTRY_COMPARE(time(), 1);
  QVERIFY(f_->settle());
  QVERIFY(f_->picture(Axis::z).preview);
  QVERIFY(f_->picture(Axis::z).contrast == first);
}

void FilmTest::the_volume_is_filtered_too() {
  open_film(blur());
  show_plainly(*f_);
  MipView& mip = f_->window->views().mip();
  auto* box = f_->window->findChild<QCheckBox*>(QStringLiteral("filter_preview"));
  for (int t = 0; t < 2; ++t) {
    if (t > 0) {
      press(Qt::Key_Right, Qt::AltModifier);
      QTRY_COMPARE(time(), t);
    }
    QVERIFY(f_->settle());
    const QImage previewed = mip.grab().toImage();
    // Without the preview it is another picture.
    box->setChecked(false);
    QVERIFY(f_->settle());
    QVERIFY(mip.grab().toImage() != previewed);
    box->setChecked(true);
    QVERIFY(f_->settle());
    QCOMPARE(mip.grab().toImage(), previewed);
    // A file of the filtered particles gives the same.
    WindowFixture alone;
    const auto filtered = cpu_backend()->run(blur(), *Dataset::create(film_frame(t, kFrame)), {});
    QVERIFY(filtered.ok());
    write_still(alone.file("filtered.apr"), std::get<Apr>(*filtered));
    QVERIFY(alone.drop({alone.file("filtered.apr")}));
    QVERIFY(alone.window->show_panel(QStringLiteral("filter")));
    alone.window->findChild<QCheckBox*>(QStringLiteral("filter_preview"))->setChecked(false);
    show_plainly(alone);
    QVERIFY(alone.settle());
    QCOMPARE(alone.window->views().mip().grab().toImage(), previewed);
  }
  // While it plays, there is nothing else to be seen of it.
  auto* volume = f_->window->findChild<VolumePreview*>();
  QVERIFY(volume->raycaster() != nullptr);
  int without = 0;
  int renewed = 0;
  std::shared_ptr<const Raycaster> last = volume->raycaster();
  connect(&mip, &MipView::frame_shown, this, [&] {
    if (!volume->raycaster()) ++without;
    if (std::exchange(last, volume->raycaster()) != volume->raycaster()) ++renewed;
  });
  play_fast();
  QTRY_VERIFY(renewed >= 4);
  press(Qt::Key_Space, Qt::ControlModifier);
  QCOMPARE(without, 0);
}

void FilmTest::a_film_goes_on_without_a_picture() {
  open_film(blur());
  auto* player = f_->window->findChild<TimePlayer*>();
  int asked = 0;
  player->wait_for(
      [&asked] {
        ++asked;
        return false;
      },
      std::chrono::milliseconds(300));
  QElapsedTimer clock;
  clock.start();
  play_fast();
  QTRY_COMPARE(time(), 2);
  QVERIFY(asked > 2);
  QVERIFY(clock.elapsed() >= 600);
  press(Qt::Key_Space, Qt::ControlModifier);
}

APRSCOPE_GUI_TESTS(FilmTest)
#include "film_test.moc"
