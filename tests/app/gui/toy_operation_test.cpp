// An operation that the program does not know is in the window like all others.
#include "tests/support/toy_operation.hpp"

#include <QAbstractButton>
#include <QComboBox>
#include <QDoubleSpinBox>

#include "app/gui/panels/filter_controls.hpp"
#include "tests/app/gui/window_fixture.hpp"

using namespace aprscope;
using namespace aprscope::gui;
using namespace aprscope::gui::test;

class ToyOperationTest : public QObject {
  Q_OBJECT

 private slots:
  void it_is_chosen_edited_previewed_applied_and_undone();
};

void ToyOperationTest::it_is_chosen_edited_previewed_applied_and_undone() {
  const aprscope::test::WithToy with;
  WindowFixture f;
  write_cells_tiff(f.file("cells.tif"), {12, 40, 48});
  QVERIFY(f.drop({f.file("cells.tif")}));
  QVERIFY(f.document.runner().apply(Operation{"convert", {}}) != 0);
  QVERIFY(f.settle());
  const auto before = f.document.items().current()->dataset;
  f.window->show_panel(QStringLiteral("filter"));
  auto* filter = f.window->findChild<FilterControls*>();
  auto* choice = filter->findChild<QComboBox*>(QStringLiteral("filter_choice"));
  QVERIFY(choice->findText(QStringLiteral("Toys")) >= 0);
  choice->setFocus();
  QTest::keyClicks(choice, QStringLiteral("mean with"));
  QCOMPARE(filter->operation().id, std::string("next_mean"));
  auto* share = filter->findChild<QDoubleSpinBox*>(QStringLiteral("share"));
  QTRY_VERIFY(share->isVisible());
  share->setFocus();
  share->selectAll();
  QTest::keyClicks(share, QStringLiteral("0.25"));
  QTest::keyClick(share, Qt::Key_Tab);
  QVERIFY(f.settle());
  QVERIFY(f.picture(Axis::z).preview);
  QTest::mouseClick(filter->findChild<QAbstractButton*>(QStringLiteral("filter_apply")),
                    Qt::LeftButton);
  QVERIFY(f.settle());
  const auto wanted = cpu_backend()->run(aprscope::test::next_mean_by_hand(0.25), *before, {});
  QVERIFY(wanted.ok());
  QVERIFY(f.document.items().current()->dataset->values().particles() ==
          Dataset::create(*wanted)->values().particles());
  QCOMPARE(f.document.items().current()->name, QStringLiteral("Mean with the next"));
  f.trigger("undo");
  QVERIFY(f.settle());
  QVERIFY(f.document.items().current()->dataset == before);
}

APRSCOPE_GUI_TESTS(ToyOperationTest)
#include "toy_operation_test.moc"
