// Views in their grid: maximised, restored, and in their place while others come and go.
#include <QDockWidget>

#include "app/gui/window/job_strip.hpp"
#include "app/gui/window/message_bar.hpp"
#include "tests/app/gui/window_fixture.hpp"

using namespace aprscope;
using namespace aprscope::gui;
using namespace aprscope::gui::test;

class ViewsAreaGridTest : public QObject {
  Q_OBJECT

 private slots:
  void init();
  void cleanup();
  void a_double_click_leaves_the_crosshair();
  void keys_maximise_and_restore();
  void the_layout_is_restored();
  void views_keep_their_place_while_jobs_run();

 private:
  std::unique_ptr<WindowFixture> f_;
  const Size3 size_{24, 48, 96};
  const Index3 bright_{10, 20, 60};
};

void ViewsAreaGridTest::init() {
  f_ = std::make_unique<WindowFixture>();
  write_block_tiff(f_->file("block.tif"), size_, bright_);
  QVERIFY(f_->drop({f_->file("block.tif")}));
}

void ViewsAreaGridTest::cleanup() { f_.reset(); }

void ViewsAreaGridTest::a_double_click_leaves_the_crosshair() {
  const Index3 found{5, 7, 11};
  f_->document.view().set_crosshair(found);
  QVERIFY(f_->settle());
  SliceView& xy = f_->slice(Axis::z);
  const QPoint elsewhere = xy.to_widget(40.5, 80.5).toPoint();
  QTest::mouseClick(&xy, Qt::LeftButton, Qt::NoModifier, elsewhere);
  QTest::mouseDClick(&xy, Qt::LeftButton, Qt::NoModifier, elsewhere);
  QVERIFY(f_->window->views().maximised() == ViewPlace::xy);
  QCOMPARE(f_->document.view().crosshair(), found);
  // A click on its own still moves it.
  QTest::mouseClick(&xy, Qt::LeftButton, Qt::NoModifier, xy.to_widget(30.5, 20.5).toPoint());
  QCOMPARE(f_->document.view().crosshair(), (Index3{5, 30, 20}));
}

void ViewsAreaGridTest::keys_maximise_and_restore() {
  ViewsArea& views = f_->window->views();
  views.setFocus();
  const std::array<std::pair<Qt::Key, ViewPlace>, 4> keys{
      std::pair{Qt::Key_1, ViewPlace::xy}, std::pair{Qt::Key_2, ViewPlace::mip},
      std::pair{Qt::Key_3, ViewPlace::yz}, std::pair{Qt::Key_4, ViewPlace::xz}};
  const int narrow = views.view(ViewPlace::xy).width();
  for (const auto& [key, place] : keys) {
    QTest::keyClick(f_->window.get(), key);
    QVERIFY(views.maximised() == place);
    for (const auto& [other_key, other] : keys) {
      QCOMPARE(views.view(other).isVisible(), other == place);
    }
    QTRY_VERIFY(views.view(place).width() > 3 * narrow / 2);
    QTest::keyClick(f_->window.get(), Qt::Key_0);
    QVERIFY(!views.maximised());
    QVERIFY(views.view(ViewPlace::mip).isVisible());
  }
  QTest::mouseDClick(&views.view(ViewPlace::yz), Qt::LeftButton);
  QVERIFY(views.maximised() == ViewPlace::yz);
  QTest::mouseDClick(&views.view(ViewPlace::yz), Qt::LeftButton);
  QVERIFY(!views.maximised());
}

void ViewsAreaGridTest::the_layout_is_restored() {
  auto* history = f_->window->findChild<QDockWidget*>(QStringLiteral("history_dock"));
  history->hide();
  QVERIFY(f_->window->show_panel(QStringLiteral("filter")));
  f_->window->close();
  f_->window = std::make_unique<MainWindow>(f_->document, f_->theme);
  f_->window->show();
  QVERIFY(QTest::qWaitForWindowExposed(f_->window.get()));
  QVERIFY(!f_->window->findChild<QDockWidget*>(QStringLiteral("history_dock"))->isVisible());
  // The first tab: others preview what they would do, and data is first shown as it was recorded.
  QCOMPARE(f_->window->shown_panel(), QStringLiteral("display"));
  f_->trigger("reset_layout");
  QVERIFY(f_->window->findChild<QDockWidget*>(QStringLiteral("history_dock"))->isVisible());
}

void ViewsAreaGridTest::views_keep_their_place_while_jobs_run() {
  write_cells_tiff(f_->file("large.tif"), {64, 256, 256});
  QVERIFY(f_->drop({f_->file("large.tif")}));
  const QRect idle = f_->slice(Axis::z).geometry();
  Operation median = *complete({"median", {}});
  median.parameters["size"] = std::array<double, 3>{15, 15, 15};
  QVERIFY(f_->document.runner().apply(median) != 0);
  QTRY_VERIFY(f_->window->job_strip().shown() > 0);
  f_->document.messages().say(MessageKind::warning, QStringLiteral("a message"));
  QTest::qWait(50);
  QVERIFY(f_->window->job_strip().isVisible());
  QVERIFY(f_->window->message_bar().isVisible());
  QCOMPARE(f_->slice(Axis::z).geometry(), idle);
  f_->document.jobs().cancel_all();
  QTRY_VERIFY(!f_->document.jobs().busy());
  QTRY_VERIFY(!f_->window->job_strip().isVisible());
  QCOMPARE(f_->slice(Axis::z).geometry(), idle);
}

APRSCOPE_GUI_TESTS(ViewsAreaGridTest)
#include "views_area_grid_test.moc"
