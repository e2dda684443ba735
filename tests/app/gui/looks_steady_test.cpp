// What is looked at or aimed at stays where it is: controls beside estimates, slices while a
// preview is computed, and the time that a job has left, which only falls.
#include <QAbstractButton>
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QRegularExpression>
#include <chrono>
#include <thread>

#include "app/gui/panels/convert_controls.hpp"
#include "app/gui/panels/filter_controls.hpp"
#include "app/gui/widgets/falling_time.hpp"
#include "app/gui/widgets/operation_form.hpp"
#include "app/gui/widgets/steady_label.hpp"
#include "app/gui/window/job_strip.hpp"
#include "tests/app/gui/deconvolve_fixture.hpp"

using namespace aprscope;
using namespace aprscope::gui;
using namespace aprscope::gui::test;

class LooksSteadyTest : public DeconvolveFixture {
  Q_OBJECT

 private slots:
  void init() { open(); }
  void cleanup() { f_.reset(); }
  void estimates_do_not_push_the_controls_data();
  void estimates_do_not_push_the_controls();
  void another_filter_does_not_push_its_parameters();
  void a_deconvolution_does_not_push_the_controls();
  void a_steady_label_keeps_its_height();
  void the_slice_stays_while_a_preview_is_computed();
  void another_psf_does_not_show_the_image_in_between();
  void a_result_does_not_flash_in_other_colours();
  void time_left_only_falls();
  void the_strip_shows_a_time_that_only_falls();

 private:
  FilterControls* filter() { return f_->window->findChild<FilterControls*>(); }
  [[nodiscard]] QRect place(const QWidget* widget) const {
    return {widget->mapTo(f_->window.get(), QPoint(0, 0)), widget->size()};
  }
};

void LooksSteadyTest::estimates_do_not_push_the_controls_data() {
  QTest::addColumn<int>("width");
  QTest::addColumn<int>("text");
  QTest::newRow("usual") << 1400 << 100;
  QTest::newRow("narrow") << 1000 << 100;
  QTest::newRow("large text") << 1400 << 130;
}

void LooksSteadyTest::estimates_do_not_push_the_controls() {
  QFETCH(int, width);
  QFETCH(int, text);
  f_->theme.set_text_size(text);
  f_->window->resize(width, 900);
  QVERIFY(f_->window->show_panel(QStringLiteral("convert")));
  f_->trigger("reset_layout");
  QTest::qWait(50);
  auto* controls = f_->window->findChild<ConvertControls*>();
  QVERIFY(f_->settle());
  QTRY_VERIFY(controls->chip_text().contains(QStringLiteral("CR")));
  QTest::qWait(20);
  auto* field = controls->form()->control("rel_error");
  auto* button = controls->findChild<QWidget*>(QStringLiteral("convert_button"));
  const QRect field_was = place(field);
  const QRect button_was = place(button);
  bool estimating = false;
  bool moved = false;
  const auto look = [&] {
    QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
    estimating = estimating || controls->chip_text().contains(QStringLiteral("Estimating"));
    moved = moved || place(field) != field_was || place(button) != button_was;
  };
  QObject::connect(&f_->document.preview(), &PreviewState::estimate_changed, field, look,
                   Qt::QueuedConnection);
  for (const double error : {0.3, 0.02, 0.45}) {
    auto* box = qobject_cast<QDoubleSpinBox*>(field);
    if (box == nullptr) box = field->findChild<QDoubleSpinBox*>();
    QVERIFY(box != nullptr);
    box->setFocus();
    box->selectAll();
    QTest::keyClicks(box, QString::number(error));
    QTest::keyClick(box, Qt::Key_Return);
    look();
    QVERIFY(f_->settle());
    QTRY_VERIFY(controls->chip_text().contains(QStringLiteral("CR")));
    look();
  }
  QVERIFY(estimating);
  QVERIFY(!moved);
  f_->theme.set_text_size(100);
}

void LooksSteadyTest::another_filter_does_not_push_its_parameters() {
  QVERIFY(f_->window->show_panel(QStringLiteral("filter")));
  filter()->findChild<QCheckBox*>(QStringLiteral("filter_preview"))->setChecked(false);
  QTest::qWait(50);
  auto* choice = filter()->findChild<QComboBox*>(QStringLiteral("filter_choice"));
  const QPoint was = place(filter()->form()).topLeft();
  int filters = 0;
  for (int i = 0; i < choice->count(); ++i) {
    if (choice->itemData(i).toString().isEmpty()) continue;
    choice->setCurrentIndex(i);
    QTest::qWait(20);
    QVERIFY2(place(filter()->form()).topLeft() == was, qPrintable(choice->currentText()));
    ++filters;
  }
  QVERIFY(filters > 5);
}

void LooksSteadyTest::a_deconvolution_does_not_push_the_controls() {
  set_preview(false);
  choose("gaussian");
  QVERIFY(psf_ready());
  set_iterations(3);
  QTest::qWait(50);
  const auto* parameters = panel().findChild<QWidget*>(QStringLiteral("deconvolve_scroll"));
  const auto* box = panel().findChild<QWidget*>(QStringLiteral("deconvolve_preview"));
  const auto* progress = panel().findChild<QLabel*>(QStringLiteral("deconvolve_progress"));
  const QRect parameters_were = place(parameters);
  const QRect box_was = place(box);
  bool moved = false;
  QObject::connect(
      &panel().run(), &DeconvolutionRun::changed, this,
      [&] {
        QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
        moved = moved || place(parameters) != parameters_were || place(box) != box_was;
      },
      Qt::QueuedConnection);
  QTRY_VERIFY(button("deconvolve_start")->isVisible());
  QTest::mouseClick(button("deconvolve_start"), Qt::LeftButton);
  QTRY_VERIFY(progress->text().contains(QStringLiteral("Iteration")));
  QTRY_VERIFY(!panel().run().running());
  QVERIFY(f_->settle());
  QTest::qWait(50);
  QVERIFY(!moved);
  QCOMPARE(place(parameters), parameters_were);
}

void LooksSteadyTest::a_steady_label_keeps_its_height() {
  SteadyLabel label;
  label.reserve_lines(2);
  const int two = label.heightForWidth(200);
  label.setText(QStringLiteral("one"));
  QCOMPARE(label.heightForWidth(200), two);
  label.setText(QStringLiteral("many words in a row ").repeated(10));
  const int more = label.heightForWidth(200);
  QVERIFY(more > two);
  // What was once needed stays, at this width.
  label.setText(QStringLiteral("one"));
  QCOMPARE(label.heightForWidth(200), more);
  QCOMPARE(label.heightForWidth(900), two);
  label.reserve_texts({QStringLiteral("a"), QStringLiteral("words to come ").repeated(20)});
  QVERIFY(label.heightForWidth(200) > 4 * label.fontMetrics().lineSpacing());
}

void LooksSteadyTest::the_slice_stays_while_a_preview_is_computed() {
  write_cells_tiff(f_->file("large.tif"), {48, 320, 320});
  QVERIFY(f_->drop({f_->file("large.tif")}));
  DisplaySettings display = f_->document.items().current()->display;
  display.crosshair = false;
  f_->document.edits().set_display(f_->document.items().current()->id, display);
  QVERIFY(f_->window->show_panel(QStringLiteral("filter")));
  const QImage original = f_->slice(Axis::z).grab().toImage();
  filter()->set_operation(*complete({"gaussian", {}}));
  f_->document.preview().set(filter()->operation());
  QVERIFY(f_->settle());
  SliceView& xy = f_->slice(Axis::z);
  const QImage previewed = xy.grab().toImage();
  QVERIFY(previewed != original);
  // Seconds of work for a slice.
  Operation median = *complete({"median", {}});
  median.parameters["size"] = std::array<double, 3>{15, 15, 15};
  const int before = f_->picture_count();
  f_->document.preview().set(median);
  int looks = 0;
  while (f_->picture_count() == before && looks < 10) {
    QTest::qWait(20);
    const QImage now = xy.grab().toImage();
    if (f_->picture_count() != before) break;
    QVERIFY(now == previewed);
    ++looks;
  }
  QVERIFY(looks >= 3);
  // Another edit, while that is computed: still no blank.
  median.parameters["size"] = std::array<double, 3>{13, 13, 13};
  f_->document.preview().set(median);
  QTest::qWait(50);
  if (f_->picture_count() == before) QVERIFY(xy.grab().toImage() == previewed);
  f_->document.preview().clear();
  QVERIFY(f_->settle());
}

void LooksSteadyTest::another_psf_does_not_show_the_image_in_between() {
  choose("gaussian");
  QVERIFY(psf_ready());
  set_iterations(5);
  set_preview(true);
  QVERIFY(f_->settle());
  QTRY_VERIFY(f_->picture(Axis::z).preview);
  QVERIFY(f_->settle());
  int images = 0;
  int previews = 0;
  QObject::connect(&f_->window->views().feed(), &SliceFeed::picture_ready, this,
                   [&](const SlicePicture& picture) {
                     if (picture.axis != Axis::z) return;
                     (picture.preview ? previews : images) += 1;
                   });
  type("psf_sigma_y", QStringLiteral("2.5"));
  QTRY_VERIFY(previews > 0);
  QVERIFY(f_->settle());
  QCOMPARE(images, 0);
}

void LooksSteadyTest::a_result_does_not_flash_in_other_colours() {
  QVERIFY(f_->window->show_panel(QStringLiteral("display")));
  QVERIFY(f_->settle());
  const auto first = f_->document.items().current()->id;
  // Of the same shape, and shown in other colours.
  QVERIFY(f_->document.runner().apply(*complete({"gaussian", {}})) != 0);
  QVERIFY(f_->settle());
  const auto second = f_->document.items().current()->id;
  QVERIFY(first != second);
  DisplaySettings display = f_->document.items().current()->display;
  display.colormap = "green";
  display.contrast = {0.0, 1.0, 1.0};
  f_->document.edits().set_display(second, display);
  f_->document.items().set_current(first);
  QVERIFY(f_->settle());
  SliceView& xy = f_->slice(Axis::z);
  const Contrast contrast = xy.contrast();
  f_->document.items().set_current(second);
  // The picture on screen is that of the first still.
  QVERIFY(xy.contrast() == contrast);
  QVERIFY(f_->settle());
  QVERIFY(xy.contrast() == display.contrast);
}

void LooksSteadyTest::time_left_only_falls() {
  FallingTime time;
  QVERIFY(time.follow(0.2, 3.0) < 0.0);
  QVERIFY(time.follow(1.0, -1.0) < 0.0);
  double shown = time.follow(1.5, 20.0);
  QCOMPARE(shown, 20.0);
  // It seems to take longer: held, until that is true.
  QCOMPARE(time.follow(2.0, 60.0), 20.0);
  QCOMPARE(time.follow(30.0, 20.5), 20.0);
  // One quick moment does not make it fall to nothing.
  shown = time.follow(30.1, 1.0);
  QVERIFY(shown < 20.0 && shown > 15.0);
  for (int i = 1; i <= 100; ++i) {
    const double next = time.follow(30.1 + 0.1 * i, i % 7 == 0 ? 40.0 : 8.0 - 0.05 * i);
    QVERIFY(next <= shown);
    shown = next;
  }
  QVERIFY(shown < 5.0);
}

void LooksSteadyTest::the_strip_shows_a_time_that_only_falls() {
  using namespace std::chrono_literals;
  // Quick at first, then slow: the estimate rises.
  f_->document.jobs().post(
      Lane::full, QStringLiteral("uneven"), {}, this,
      [](const JobContext& context) -> Result<bool> {
        for (const auto& [fraction, pause] : {std::pair{0.2, 600ms},
                                              {0.4, 600ms},
                                              {0.6, 300ms},
                                              {0.65, 1200ms},
                                              {0.68, 1200ms},
                                              {0.7, 600ms},
                                              {0.95, 100ms}}) {
          std::this_thread::sleep_for(pause);
          context.report(fraction, "working");
          if (context.stop_requested()) return cancelled_error();
        }
        return true;
      },
      [](const Result<bool>&) {});
  QStringList shown;
  double last = 1e9;
  while (f_->document.jobs().busy()) {
    QTest::qWait(20);
    for (const QLabel* label : f_->window->job_strip().findChildren<QLabel*>()) {
      static const QRegularExpression number(QStringLiteral("([0-9]+) s left"));
      const auto found = number.match(label->text());
      if (!found.hasMatch()) continue;
      const double left = found.captured(1).toDouble();
      if (shown.isEmpty() || shown.back() != label->text()) shown << label->text();
      QVERIFY2(left <= last, qPrintable(shown.join(QStringLiteral(" | "))));
      last = left;
    }
  }
  QVERIFY2(shown.size() >= 3, qPrintable(shown.join(QStringLiteral(" | "))));
}

APRSCOPE_GUI_TESTS(LooksSteadyTest)
#include "looks_steady_test.moc"
