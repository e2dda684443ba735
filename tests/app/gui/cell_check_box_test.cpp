// Cells of particles checked against the image that they were made from, by mouse.
#include <QDoubleSpinBox>
#include <QLabel>
#include <QPushButton>

#include "tests/app/gui/cells_fixture.hpp"

using namespace aprscope;
using namespace aprscope::gui;
using namespace aprscope::gui::test;

class CellCheckBoxTest : public QObject {
  Q_OBJECT

 private slots:
  void init();
  void cleanup();
  void an_image_has_nothing_to_check();
  void cells_of_particles_are_checked_against_the_image();
  void nobody_waits_for_the_answer_to_an_older_question();

 private:
  QPushButton* button() { return w_->find<QPushButton>("cells_check"); }
  QLabel* said() { return w_->find<QLabel>("cells_checked"); }
  void convert() {
    w_->open_panel();
    w_->document().runner().apply(*complete({"convert", {}}));
    QVERIFY(w_->window.settle());
    QVERIFY(w_->document().items().current()->is_apr());
    w_->open_panel();
    QTRY_VERIFY(button()->isVisible() && button()->isEnabled());
  }
  // Other cells are looked for.
  void edit() {
    auto* merge = w_->find<QDoubleSpinBox>("merge");
    merge->setFocus();
    QTest::keyClick(merge, Qt::Key_Up);
    QTRY_VERIFY(!said()->isVisible());
    QVERIFY(button()->isEnabled());
  }

  std::unique_ptr<CellsWindow> w_;
};

void CellCheckBoxTest::init() {
  w_ = std::make_unique<CellsWindow>();
  QVERIFY(w_->opened);
}

void CellCheckBoxTest::cleanup() { w_.reset(); }

void CellCheckBoxTest::an_image_has_nothing_to_check() {
  w_->open_panel();
  QVERIFY(!button()->isVisible());
}

void CellCheckBoxTest::cells_of_particles_are_checked_against_the_image() {
  convert();
  w_->press("cells_check");
  QTRY_VERIFY(said()->text().startsWith(QStringLiteral("Particles: 4 cells, 4")));
  QVERIFY2(said()->text().contains(QStringLiteral("Pixels: 4 cells, 4")),
           qPrintable(said()->text()));
  QVERIFY(said()->text().endsWith(QStringLiteral("So particles and pixels agree.")));
  // It was said of those numbers only.
  edit();
  QVERIFY(w_->window.settle());
}

void CellCheckBoxTest::nobody_waits_for_the_answer_to_an_older_question() {
  convert();
  QVERIFY(w_->window.settle());
  w_->window.hold_full_lane();
  w_->press("cells_check");
  QVERIFY(said()->isVisible());
  QVERIFY(!button()->isEnabled());
  const auto checks = [&] {
    return static_cast<int>(
        w_->document().jobs().working().count(QStringLiteral("Checking cells")));
  };
  QCOMPARE(checks(), 1);
  edit();
  QTRY_COMPARE(checks(), 0);
  w_->document().jobs().cancel_all();
  QVERIFY(w_->window.settle());
  QVERIFY(!said()->isVisible());
}

APRSCOPE_GUI_TESTS(CellCheckBoxTest)
#include "cell_check_box_test.moc"
