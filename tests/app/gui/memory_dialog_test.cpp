// How much memory large files may take is chosen in a dialog, and kept.
#include "app/gui/window/memory_dialog.hpp"

#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QPointer>
#include <QPushButton>
#include <QRadioButton>

#include "app/gui/widgets/settings.hpp"
#include "tests/app/gui/window_fixture.hpp"

using namespace aprscope;
using namespace aprscope::gui;
using namespace aprscope::gui::test;

class MemoryDialogTest : public QObject {
  Q_OBJECT

 private slots:
  void init() { f_ = std::make_unique<WindowFixture>(); }
  void cleanup() { f_.reset(); }
  void how_much_memory_files_take_is_chosen();

 private:
  std::unique_ptr<WindowFixture> f_;
};

void MemoryDialogTest::how_much_memory_files_take_is_chosen() {
  const auto ask = [this]() -> MemoryDialog* {
    f_->window->findChild<QAction*>(QStringLiteral("memory"))->trigger();
    return f_->window->findChild<MemoryDialog*>();
  };
  const auto close = [](MemoryDialog* dialog, QDialogButtonBox::StandardButton by) {
    QTest::mouseClick(dialog->findChild<QDialogButtonBox*>()->button(by), Qt::LeftButton);
    return QTest::qWaitFor([left = QPointer<MemoryDialog>(dialog)] { return left.isNull(); });
  };
  const LargeFiles& large = f_->document.opener().large_files();
  MemoryDialog* dialog = ask();
  QVERIFY(dialog != nullptr);
  auto* all = dialog->findChild<QRadioButton*>(QStringLiteral("memory_free"));
  auto* most = dialog->findChild<QRadioButton*>(QStringLiteral("memory_most"));
  auto* number = dialog->findChild<QDoubleSpinBox*>(QStringLiteral("memory_gigabytes"));
  QVERIFY(all->isChecked() && !number->isEnabled());
  QTest::mouseClick(most, Qt::LeftButton);
  QVERIFY(number->isEnabled());
  QTest::keyClick(number, Qt::Key_A, Qt::ControlModifier);
  QTest::keyClicks(number, QStringLiteral("2.5"));
  QVERIFY(close(dialog, QDialogButtonBox::Ok));
  QCOMPARE(large.memory(), std::uint64_t{2'500'000'000});
  QCOMPARE(kept_memory(), std::uint64_t{2'500'000'000});
  // What was chosen is there again; Cancel changes nothing.
  dialog = ask();
  QVERIFY(dialog->findChild<QRadioButton*>(QStringLiteral("memory_most"))->isChecked());
  QCOMPARE(dialog->bytes(), std::uint64_t{2'500'000'000});
  QTest::mouseClick(dialog->findChild<QRadioButton*>(QStringLiteral("memory_free")),
                    Qt::LeftButton);
  QVERIFY(close(dialog, QDialogButtonBox::Cancel));
  QCOMPARE(large.memory(), std::uint64_t{2'500'000'000});
  dialog = ask();
  QTest::mouseClick(dialog->findChild<QRadioButton*>(QStringLiteral("memory_free")),
                    Qt::LeftButton);
  QVERIFY(close(dialog, QDialogButtonBox::Ok));
  QCOMPARE(large.chosen_memory(), std::uint64_t{0});
  QCOMPARE(kept_memory(), std::uint64_t{0});
}

APRSCOPE_GUI_TESTS(MemoryDialogTest)
#include "memory_dialog_test.moc"
