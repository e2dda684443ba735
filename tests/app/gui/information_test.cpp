// What is known about data, a picture for the clipboard, the whole screen.
#include <QClipboard>
#include <QDialogButtonBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTabBar>
#include <QTreeWidget>
#include <algorithm>

#include "app/gui/window/information_dialog.hpp"
#include "app/gui/window/item_facts.hpp"
#include "app/gui/window/metadata_view.hpp"
#include "app/gui/window/shown_picture.hpp"
#include "core/io/write.hpp"
#include "tests/app/gui/window_fixture.hpp"

using namespace aprscope;
using namespace aprscope::gui;
using namespace aprscope::gui::test;

class InformationTest : public QObject {
  Q_OBJECT

 private slots:
  void tells_of_the_file_and_of_its_particles();
  void is_copied_as_text();
  void what_the_file_says_is_searched_and_copied();
  void a_file_that_is_gone_is_told();
  void long_lines_are_broken_where_they_are_shown();
  void the_picture_of_the_views_is_copied();
  void the_window_fills_the_screen_and_comes_back();
};

namespace {

// The value of a fact; empty if there is none.
QString value_of_fact(const Item& item, const QString& title, const QString& name) {
  for (const ItemFacts& group : facts_of(item)) {
    if (group.title != title) continue;
    for (const ItemFact& fact : group.facts) {
      if (fact.name == name) return fact.value;
    }
  }
  return {};
}

}  // namespace

void InformationTest::tells_of_the_file_and_of_its_particles() {
  WindowFixture f;
  QVERIFY(!f.window->action(QStringLiteral("information"))->isEnabled());
  const QString path = f.file("cells.tif");
  write_block_tiff(path, {16, 24, 32}, {8, 12, 16});
  QVERIFY(f.drop({path}));
  const Item* item = f.document.items().current();
  const QString file = QStringLiteral("File");
  QCOMPARE(value_of_fact(*item, file, QStringLiteral("Path")), path);
  QCOMPARE(value_of_fact(*item, file, QStringLiteral("Pixels (z × x × y)")),
           QStringLiteral("16 × 24 × 32"));
  QCOMPARE(value_of_fact(*item, file, QStringLiteral("Voxel size in the file")),
           QStringLiteral("2 × 0.5 × 0.5 µm"));
  QCOMPARE(value_of_fact(*item, QStringLiteral("Pixels"), QStringLiteral("Type of the values")),
           QStringLiteral("u16"));
  f.trigger("convert_now");
  QVERIFY(f.settle());
  item = f.document.items().current();
  const auto groups = facts_of(*item);
  const auto particles = std::find_if(groups.begin(), groups.end(), [](const ItemFacts& group) {
    return group.title == QStringLiteral("Particles");
  });
  QVERIFY(particles != groups.end());
  // The levels are those of the data, and add up to all particles.
  const auto number = [](const QString& text) {
    return QString(text).remove(QLatin1Char(',')).toULongLong();
  };
  std::uint64_t sum = 0;
  for (const ItemFact& fact : particles->facts) {
    if (fact.name.startsWith(QStringLiteral("Level "))) sum += number(fact.value);
  }
  QCOMPARE(sum, item->dataset->apr().access->count());
  QCOMPARE(number(value_of_fact(*item, particles->title, QStringLiteral("Particles"))), sum);
  QVERIFY(value_of_fact(*item, QStringLiteral("Steps"), QStringLiteral("1"))
              .startsWith(QStringLiteral("convert")));
}

void InformationTest::is_copied_as_text() {
  WindowFixture f;
  const QString path = f.file("cells.tif");
  write_block_tiff(path, {8, 16, 16}, {4, 8, 8});
  QVERIFY(f.drop({path}));
  QTest::keyClick(f.window.get(), Qt::Key_I, Qt::ControlModifier);
  auto* dialog = f.window->findChild<InformationDialog*>();
  QVERIFY(dialog != nullptr);
  QTRY_VERIFY(dialog->isVisible());
  auto* list = dialog->findChild<QTreeWidget*>(QStringLiteral("information"));
  QVERIFY(list->topLevelItemCount() >= 2);
  QCOMPARE(list->topLevelItem(0)->child(0)->text(1), path);
  QTest::mouseClick(dialog->findChild<QPushButton*>(QStringLiteral("copy_information")),
                    Qt::LeftButton);
  QVERIFY(QGuiApplication::clipboard()->text().contains(QStringLiteral("Path\t") + path));
  QTest::mouseClick(dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Close),
                    Qt::LeftButton);
  QTRY_VERIFY(f.window->findChild<InformationDialog*>() == nullptr);
}

namespace {

// The dialog of the current item with its second tab in front, chosen with the mouse.
InformationDialog* dialog_of_file(WindowFixture& f) {
  QTest::keyClick(f.window.get(), Qt::Key_I, Qt::ControlModifier);
  auto* dialog = f.window->findChild<InformationDialog*>();
  if (dialog == nullptr || !QTest::qWaitForWindowExposed(dialog)) return nullptr;
  dialog->activateWindow();
  if (!QTest::qWaitForWindowActive(dialog)) return nullptr;
  auto* heads = dialog->findChild<QTabBar*>(QStringLiteral("information_tabs"));
  QTest::mouseClick(heads, Qt::LeftButton, {}, heads->tabRect(1).center());
  return dialog;
}

}  // namespace

void InformationTest::what_the_file_says_is_searched_and_copied() {
  WindowFixture f;
  const QString path = f.file("cells.tif");
  write_block_tiff(path, {8, 16, 16}, {4, 8, 8});
  QVERIFY(f.drop({path}));
  auto* dialog = dialog_of_file(f);
  QVERIFY(dialog != nullptr);
  auto* shown = dialog->findChild<QPlainTextEdit*>(QStringLiteral("metadata_text"));
  QTRY_VERIFY(shown->toPlainText().startsWith(QStringLiteral("== ImageJ ==\nImageJ=")));
  const QString text = shown->toPlainText();
  QVERIFY2(text.contains(QStringLiteral("\nslices=8\n")), qPrintable(text));
  // It is read only.
  QTest::keyClicks(shown, QStringLiteral("abc"));
  QCOMPARE(shown->toPlainText(), text);
  auto* sought = dialog->findChild<QLineEdit*>(QStringLiteral("metadata_search"));
  auto* found = dialog->findChild<QLabel*>(QStringLiteral("metadata_found"));
  QTest::mouseClick(shown->viewport(), Qt::LeftButton);
  QTest::keyClick(shown, Qt::Key_F, Qt::ControlModifier);
  QTRY_COMPARE(dialog->focusWidget(), static_cast<QWidget*>(sought));
  QTest::keyClicks(sought, QStringLiteral("imagej"));
  QCOMPARE(shown->textCursor().selectedText(), QStringLiteral("ImageJ"));
  const int first = shown->textCursor().selectionStart();
  QTest::keyClick(sought, Qt::Key_Return);
  QVERIFY(dialog->isVisible());
  const int second = shown->textCursor().selectionStart();
  QVERIFY(second > first);
  // On from the other end, in both directions.
  QTest::keyClick(sought, Qt::Key_Return, Qt::ShiftModifier);
  QCOMPARE(shown->textCursor().selectionStart(), first);
  QTest::keyClick(sought, Qt::Key_Return, Qt::ShiftModifier);
  QVERIFY(shown->textCursor().selectionStart() >= second);
  QTest::keyClick(sought, Qt::Key_Return);
  QCOMPARE(shown->textCursor().selectionStart(), first);
  QCOMPARE(found->text(), QString());
  QTest::keyClicks(sought, QStringLiteral("zzz"));
  QCOMPARE(found->text(), QStringLiteral("not found"));
  QVERIFY(!shown->textCursor().hasSelection());
  QTest::mouseClick(dialog->findChild<QPushButton*>(QStringLiteral("copy_information")),
                    Qt::LeftButton);
  QCOMPARE(QGuiApplication::clipboard()->text(), text);
  // The other tab is copied as ever.
  auto* heads = dialog->findChild<QTabBar*>(QStringLiteral("information_tabs"));
  QTest::mouseClick(heads, Qt::LeftButton, {}, heads->tabRect(0).center());
  QTest::mouseClick(dialog->findChild<QPushButton*>(QStringLiteral("copy_information")),
                    Qt::LeftButton);
  QVERIFY(QGuiApplication::clipboard()->text().contains(QStringLiteral("Path\t") + path));
}

void InformationTest::a_file_that_is_gone_is_told() {
  WindowFixture f;
  const QString path = f.file("cells.tif");
  write_block_tiff(path, {8, 16, 16}, {4, 8, 8});
  QVERIFY(f.drop({path}));
  QVERIFY(QFile::remove(path));
  auto* dialog = dialog_of_file(f);
  QVERIFY(dialog != nullptr);
  auto* shown = dialog->findChild<QPlainTextEdit*>(QStringLiteral("metadata_text"));
  QTRY_VERIFY2(shown->toPlainText().contains(QStringLiteral("cells.tif")),
               qPrintable(shown->toPlainText()));
}

void InformationTest::long_lines_are_broken_where_they_are_shown() {
  MetadataView view;
  const QString line(5000, QLatin1Char('a'));
  const QString text = line + QStringLiteral("\nb\n");
  view.show_text(text);
  QCOMPARE(view.text(), text);
  auto* shown = view.findChild<QPlainTextEdit*>();
  QCOMPARE(shown->toPlainText().remove(QLatin1Char('\n')), line + QLatin1Char('b'));
  QVERIFY(shown->blockCount() >= 4);
  QVERIFY(metadata_text({}).contains(QStringLiteral("nothing")));
  QVERIFY(metadata_text({{"a", "b", true}}).contains(QStringLiteral("cut here")));
}

void InformationTest::the_picture_of_the_views_is_copied() {
  WindowFixture f;
  const QString path = f.file("block.tif");
  write_block_tiff(path, {8, 16, 16}, {4, 8, 8});
  QVERIFY(f.drop({path}));
  QGuiApplication::clipboard()->clear();
  QTest::keyClick(f.window.get(), Qt::Key_C, Qt::ControlModifier | Qt::AltModifier);
  const QImage all = QGuiApplication::clipboard()->image();
  QVERIFY(!all.isNull());
  QVERIFY(brightness(all) > 1.0);
  // Of a view that is maximised, it is that view alone.
  QTest::keyClick(f.window.get(), Qt::Key_1);
  QVERIFY(f.settle());
  QTest::keyClick(f.window.get(), Qt::Key_C, Qt::ControlModifier | Qt::AltModifier);
  const QImage one = QGuiApplication::clipboard()->image();
  QCOMPARE(one.size(), shown_picture(f.window->views(), nullptr).size());
  const double ratio = f.slice(Axis::z).devicePixelRatioF();
  QCOMPARE(one.width(), qRound(f.slice(Axis::z).width() * ratio));
}

void InformationTest::the_window_fills_the_screen_and_comes_back() {
  WindowFixture f;
  QVERIFY(!f.window->isFullScreen());
  QTest::keyClick(f.window.get(), Qt::Key_F11);
  QTRY_VERIFY(f.window->isFullScreen());
  QTest::keyClick(f.window.get(), Qt::Key_F11);
  QTRY_VERIFY(!f.window->isFullScreen());
}

APRSCOPE_GUI_TESTS(InformationTest)
#include "information_test.moc"
