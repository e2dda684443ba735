// What is known about data, a picture for the clipboard, the whole screen.
#include <QClipboard>
#include <QDialogButtonBox>
#include <QPushButton>
#include <QTreeWidget>
#include <algorithm>

#include "app/gui/window/information_dialog.hpp"
#include "app/gui/window/item_facts.hpp"
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
  QTest::keyClick(f.window.get(), Qt::Key_F11, Qt::ControlModifier);
  QTRY_VERIFY(f.window->isFullScreen());
  QTest::keyClick(f.window.get(), Qt::Key_F11, Qt::ControlModifier);
  QTRY_VERIFY(!f.window->isFullScreen());
}

APRSCOPE_GUI_TESTS(InformationTest)
#include "information_test.moc"
