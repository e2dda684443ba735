// The tour: six steps that point at what they are about, and nothing that was open is lost.
#include "app/gui/window/tour.hpp"

#include <QLabel>
#include <QListWidget>
#include <QPushButton>

#include "app/gui/compare/comparison.hpp"
#include "app/gui/help/help_text.hpp"
#include "app/gui/help/help_window.hpp"
#include "app/gui/widgets/settings.hpp"
#include "app/gui/window/tour_callout.hpp"
#include "app/gui/window/tour_frames.hpp"
#include "app/gui/window/tour_place.hpp"
#include "tests/app/gui/window_fixture.hpp"

using namespace aprscope;
using namespace aprscope::gui;
using namespace aprscope::gui::test;

namespace {

constexpr int kSteps = 6;
const QString kShown = QStringLiteral("tour/shown");

}  // namespace

class TourTest : public QObject {
  Q_OBJECT

 private slots:
  void init() { f_ = std::make_unique<WindowFixture>(); }
  void cleanup() { f_.reset(); }
  void six_steps_point_at_what_they_are_about();
  void back_goes_back();
  void keys_go_on_and_escape_ends();
  void skip_ends_and_it_can_be_asked_for_again();
  void more_opens_the_page_at_the_step();
  void nothing_that_was_open_is_lost();
  void a_comparison_comes_back();
  void a_conversion_that_was_cancelled_is_tried_again();
  void it_keeps_to_the_window();
  void callouts_stand_beside_what_they_are_about();

 private:
  Tour& tour() { return f_->window->tour(); }
  TourCallout* callout() { return f_->window->findChild<TourCallout*>(); }
  TourFrames* frames() { return f_->window->findChild<TourFrames*>(); }
  QPushButton* button(const char* name) {
    return callout() != nullptr ? callout()->findChild<QPushButton*>(QLatin1String(name)) : nullptr;
  }
  void press(const char* name) {
    QVERIFY(button(name) != nullptr && button(name)->isVisible());
    QTest::mouseClick(button(name), Qt::LeftButton);
  }
  void go_to(int step) {
    while (tour().step() < step) {
      const int before = tour().step();
      press("tour_next");
      QCOMPARE(tour().step(), before + 1);
    }
    QTRY_VERIFY(!tour().waiting());
  }
  QString label(const char* name) {
    return callout()->findChild<QLabel*>(QLatin1String(name))->text();
  }
  int demos() {
    int count = 0;
    for (const Item& item : f_->document.items().all()) {
      count += item.name == QStringLiteral("demo cells") ? 1 : 0;
    }
    return count;
  }
  void check_places();

  std::unique_ptr<WindowFixture> f_;
};

// Frames and callout lie in the window, the text has the room that it needs, what is pointed at can
// be seen.
void TourTest::check_places() {
  const QRect window = f_->window->rect();
  const QList<QWidget*> targets = tour().targets();
  QVERIFY(!targets.isEmpty());
  QTRY_COMPARE(frames()->places().size(), targets.size());
  for (qsizetype i = 0; i < targets.size(); ++i) {
    QVERIFY(targets[i]->isVisible());
    const QRect place(targets[i]->mapTo(f_->window.get(), QPoint(0, 0)), targets[i]->size());
    QVERIFY(!place.isEmpty());
    QVERIFY2(window.contains(place), targets[i]->metaObject()->className());
    QTRY_COMPARE(frames()->places()[i], place);
  }
  QVERIFY(callout()->isVisible() && frames()->isVisible());
  QVERIFY(window.contains(callout()->geometry()));
  QVERIFY(!callout()->geometry().intersects(frames()->places().front()));
  for (const auto* text : callout()->findChildren<QLabel*>()) {
    if (text->isHidden()) continue;
    QVERIFY2(text->height() >= text->heightForWidth(text->width()), qPrintable(text->text()));
  }
  // The frame is drawn, in the colour of the theme, over what it is around.
  const QRect main = frames()->places().front();
  const QImage drawn = frames()->grab().toImage();
  const QColor accent = QApplication::palette().color(QPalette::Highlight);
  int strokes = 0;
  for (int x = main.left(); x < main.left() + 12; ++x) {
    const QColor c = drawn.pixelColor(x, main.center().y());
    strokes += std::abs(c.blue() - accent.blue()) < 40 && c.alpha() > 200 ? 1 : 0;
  }
  QVERIFY(strokes >= 2);
}

void TourTest::six_steps_point_at_what_they_are_about() {
  // Tests and other windows do not show it by themselves.
  QVERIFY(!tour().active() && callout() == nullptr);
  f_->trigger("take_tour");
  QVERIFY(tour().active());
  QCOMPARE(tour().count(), kSteps);
  QVERIFY(open_settings()->value(kShown).toBool());
  QStringList titles;
  for (int step = 0; step < kSteps; ++step) {
    QTRY_VERIFY(!tour().waiting());
    QVERIFY(f_->settle());
    QCOMPARE(tour().step(), step);
    QCOMPARE(label("tour_count"), QStringLiteral("%1 of 6").arg(step + 1));
    QVERIFY(!titles.contains(label("tour_title")));
    titles << label("tour_title");
    check_places();
    if (QTest::currentTestFailed()) return;

    const Item* item = f_->document.items().current();
    QVERIFY(item != nullptr);
    QCOMPARE(item->is_apr(), step >= 2);
    QCOMPARE(f_->window->comparison().active(), step == 4);
    QCOMPARE(item->display.mode == ShowMode::level, step == 2);
    const QStringList panels{"display", "convert", "display", "filter", "compare", "display"};
    QCOMPARE(f_->window->shown_panel(), panels[step]);
    // Convert and Filter show in the slices what they would do.
    QCOMPARE(f_->document.preview().operation().has_value(), step == 1 || step == 3);
    if (step == 4) {
      QCOMPARE(f_->window->comparison().b()->id, item->id);
      QVERIFY(!f_->window->comparison().a()->is_apr());
    }
    QCOMPARE(button("tour_back")->isEnabled(), step > 0);
    QCOMPARE(button("tour_skip")->isVisible(), step + 1 < kSteps);
    press("tour_next");
  }
  QVERIFY(!tour().active());
  QTRY_VERIFY(callout() == nullptr && frames() == nullptr);
  // A newcomer goes on with what came of it, and without more than that.
  QCOMPARE(f_->document.items().all().size(), std::size_t{2});
  QVERIFY(f_->document.items().current()->is_apr());
}

void TourTest::back_goes_back() {
  f_->trigger("take_tour");
  go_to(4);
  QTRY_VERIFY(f_->window->comparison().active());
  press("tour_back");
  QCOMPARE(tour().step(), 3);
  QVERIFY(!f_->window->comparison().active());
  press("tour_back");
  press("tour_back");
  QCOMPARE(tour().step(), 1);
  QTRY_VERIFY(!f_->document.items().current()->is_apr());
  press("tour_back");
  QCOMPARE(tour().step(), 0);
  QVERIFY(!button("tour_back")->isEnabled());
  // On again, nothing is made twice.
  go_to(5);
  QCOMPARE(f_->document.items().all().size(), std::size_t{2});
}

void TourTest::keys_go_on_and_escape_ends() {
  f_->trigger("take_tour");
  QTRY_VERIFY(!tour().waiting());
  QCOMPARE(QApplication::focusWidget(), static_cast<QWidget*>(button("tour_next")));
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
  QCOMPARE(tour().step(), 1);
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Space);
  QCOMPARE(tour().step(), 2);
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
  QVERIFY(!tour().active());
  QTRY_VERIFY(callout() == nullptr);
  // The work in the window begins where the focus is not lost in what is gone.
  QTest::keyClick(f_->window.get(), Qt::Key_F7);
  QCOMPARE(f_->window->shown_panel(), QStringLiteral("filter"));
}

void TourTest::skip_ends_and_it_can_be_asked_for_again() {
  f_->trigger("take_tour");
  go_to(2);
  press("tour_skip");
  QVERIFY(!tour().active());
  QTRY_VERIFY(callout() == nullptr);
  // Levels were shown by the tour only.
  QCOMPARE(f_->document.items().current()->display.mode, ShowMode::constant);
  f_->trigger("take_tour");
  QVERIFY(tour().active());
  QCOMPARE(tour().step(), 0);
  // Asked for in the middle, it begins anew, once.
  go_to(1);
  f_->trigger("take_tour");
  QCOMPARE(tour().step(), 0);
  QTRY_COMPARE(f_->window->findChildren<TourCallout*>().size(), 1);
  QCOMPARE(demos(), 1);
  // From the page, too.
  press("tour_skip");
  f_->trigger("help_page");
  auto* const help = f_->window->findChild<HelpWindow*>();
  emit help->tour_requested();
  QVERIFY(tour().active() && !help->isVisible());
}

void TourTest::more_opens_the_page_at_the_step() {
  f_->trigger("take_tour");
  go_to(1);
  press("tour_more");
  auto* const help = f_->window->findChild<HelpWindow*>();
  QVERIFY(help != nullptr && help->isVisible());
  QCOMPARE(help->contents()->currentItem()->text(), help_title(QStringLiteral("convert")));
  // Esc there is for the page.
  QApplication::setActiveWindow(help);
  QTest::keyClick(help, Qt::Key_Escape);
  QVERIFY(!help->isVisible() && tour().active());
}

void TourTest::nothing_that_was_open_is_lost() {
  const QString image = f_->file("mine.tif");
  write_cells_tiff(image, {8, 32, 32});
  QVERIFY(f_->drop({image}));
  f_->trigger("convert_now");
  QVERIFY(f_->settle());
  QVERIFY(f_->document.runner().apply(*complete({"gaussian", {}})) != 0);
  QVERIFY(f_->settle());
  DisplaySettings mine = f_->document.items().current()->display;
  mine.mode = ShowMode::smooth;
  mine.colormap = "magma";
  f_->document.edits().set_display(f_->document.items().current()->id, mine);
  f_->window->views().maximise(ViewPlace::xz);
  f_->trigger("panel_filter");
  QVERIFY(f_->settle());
  const std::uint64_t current = f_->document.items().current()->id;
  const std::vector<Item> before = f_->document.items().all();

  f_->trigger("take_tour");
  for (int step = 0; step < kSteps; ++step) {
    QTRY_VERIFY(!tour().waiting());
    QVERIFY(f_->settle());
    press("tour_next");
  }
  QVERIFY(!tour().active());
  for (const Item& item : before) {
    const Item* still = f_->document.items().find(item.id);
    QVERIFY(still != nullptr);
    QCOMPARE(still->dataset, item.dataset);
    QVERIFY(still->display == item.display);
    QCOMPARE(still->name, item.name);
  }
  QCOMPARE(f_->document.items().current()->id, current);
  QCOMPARE(f_->window->shown_panel(), QStringLiteral("filter"));
  QVERIFY(f_->window->views().maximised() == ViewPlace::xz);
}

void TourTest::a_comparison_comes_back() {
  const QString image = f_->file("mine.tif");
  write_cells_tiff(image, {8, 32, 32});
  QVERIFY(f_->drop({image}));
  f_->trigger("convert_now");
  QVERIFY(f_->settle());
  f_->trigger("compare_pixels");
  QTRY_VERIFY(f_->window->comparison().active());
  const std::uint64_t a = f_->window->comparison().a()->id;
  const std::uint64_t b = f_->window->comparison().b()->id;
  f_->trigger("take_tour");
  QTRY_VERIFY(!tour().waiting());
  QVERIFY(!f_->window->comparison().active());
  QVERIFY(f_->window->views().isVisible());
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
  QVERIFY(!tour().active());
  QVERIFY(f_->window->comparison().active());
  QCOMPARE(f_->window->comparison().a()->id, a);
  QCOMPARE(f_->window->comparison().b()->id, b);
}

void TourTest::a_conversion_that_was_cancelled_is_tried_again() {
  f_->trigger("take_tour");
  go_to(1);
  QVERIFY(f_->settle());
  // The conversion may be over in no time: it takes over the particles of the estimate.
  f_->hold_full_lane();
  press("tour_next");
  f_->document.jobs().cancel_all();
  QVERIFY(tour().waiting());
  QTRY_VERIFY(label("tour_waiting").contains(QStringLiteral("cancelled")));
  QVERIFY(!f_->document.items().current()->is_apr());
  press("tour_back");
  press("tour_next");
  QTRY_VERIFY(!tour().waiting());
  QVERIFY(f_->document.items().current()->is_apr());
  QVERIFY(!callout()->findChild<QLabel*>(QStringLiteral("tour_waiting"))->isVisible());
}

void TourTest::it_keeps_to_the_window() {
  f_->trigger("take_tour");
  go_to(3);
  QVERIFY(f_->settle());
  f_->window->resize(1120, 760);
  QTest::qWait(300);
  check_places();
  // The data list may be hidden: then the rest is pointed at.
  go_to(3);
  press("tour_back");
  press("tour_back");
  press("tour_back");
  QTRY_VERIFY(!tour().waiting());
  f_->window->findChild<QWidget*>(QStringLiteral("data_dock"))->hide();
  QTRY_COMPARE(frames()->places().size(), 1);
  // The frames are no obstacle: a click goes into the slice.
  const Index3 before = f_->document.view().crosshair();
  SliceView& view = f_->slice(Axis::z);
  const QPoint at = view.rect().center() + QPoint(60, 40);
  QCOMPARE(f_->window->childAt(view.mapTo(f_->window.get(), at)), static_cast<QWidget*>(&view));
  QTest::mouseClick(&view, Qt::LeftButton, {}, at);
  QVERIFY(!(f_->document.view().crosshair() == before));
}

void TourTest::callouts_stand_beside_what_they_are_about() {
  const QRect window(0, 0, 1400, 900);
  const QSize size(330, 220);
  const QRect area = window.adjusted(5, 5, -5, -5);
  for (const QRect& target :
       {QRect(1030, 80, 360, 780), QRect(5, 100, 280, 440), QRect(540, 35, 80, 30),
        QRect(600, 860, 90, 30), QRect(300, 80, 700, 740), QRect(1360, 80, 25, 25)}) {
    const QRect at = callout_place(target, size, window);
    QCOMPARE(at.size(), size);
    QVERIFY(area.contains(at));
    QVERIFY(!at.intersects(target));
  }
  // Where there is no room beside it, over it; where there is hardly any at all, within the window.
  const QRect over = callout_place(QRect(10, 10, 1380, 880), size, window);
  QVERIFY(area.contains(over));
  const QRect small(0, 0, 400, 260);
  QVERIFY(small.contains(callout_place(QRect(20, 20, 300, 200), size, small)));
}

APRSCOPE_GUI_TESTS(TourTest)
#include "tour_test.moc"
