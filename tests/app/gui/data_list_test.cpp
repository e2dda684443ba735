// The menu of the data list acts on the row that was clicked.
#include "app/gui/window/data_list.hpp"

#include <QContextMenuEvent>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QTimer>
#include <QTreeWidget>
#include <QTreeWidgetItemIterator>

#include "app/gui/window/export_dialog.hpp"
#include "tests/app/gui/window_fixture.hpp"

using namespace aprscope;
using namespace aprscope::gui;
using namespace aprscope::gui::test;

class DataListTest : public QObject {
  Q_OBJECT

 private slots:
  void init();
  void cleanup() { f_.reset(); }
  void remove_takes_the_row_that_was_clicked();
  void rename_edits_the_row_that_was_clicked();
  void export_writes_the_row_that_was_clicked();
  void a_key_asks_for_the_selected_row();
  void beside_the_rows_there_is_no_menu();
  void rows_may_be_made_anew_while_the_menu_is_open();
  void a_click_on_the_selected_row_renames_nothing();
  void a_result_keeps_where_it_came_from();

 private:
  DataList& list() { return *f_->window->findChild<DataList*>(); }
  QTreeWidgetItem* row(const QString& name) {
    QTreeWidgetItemIterator it(&list());
    for (; *it != nullptr; ++it) {
      if ((*it)->text(0) == name) return *it;
    }
    return nullptr;
  }
  // Opens the menu as Qt does after a right click or the menu key, and clicks an entry of it.
  void choose(const QPoint& at, QContextMenuEvent::Reason reason, const QString& entry,
              const std::function<void()>& before = {}) {
    opened_ = false;
    QTimer::singleShot(50, &list(), [&] {
      auto* const menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
      if (menu == nullptr) return;
      opened_ = true;
      if (before) before();
      for (QAction* action : menu->actions()) {
        if (action->text() != entry) continue;
        QTest::mouseClick(menu, Qt::LeftButton, Qt::NoModifier,
                          menu->actionGeometry(action).center());
        return;
      }
      menu->close();
    });
    QWidget* const viewport = list().viewport();
    QContextMenuEvent event(reason, at, viewport->mapToGlobal(at));
    QApplication::sendEvent(viewport, &event);
    QTest::qWait(100);
  }
  void right_click(const QString& name, const QString& entry,
                   const std::function<void()>& before = {}) {
    QVERIFY(row(name) != nullptr);
    choose(list().visualItemRect(row(name)).center(), QContextMenuEvent::Mouse, entry, before);
    QVERIFY(opened_);
  }
  QStringList names() {
    QStringList out;
    for (const Item& item : f_->document.items().all()) out << item.name;
    return out;
  }

  std::unique_ptr<WindowFixture> f_;
  bool opened_ = false;
};

void DataListTest::init() {
  f_ = std::make_unique<WindowFixture>();
  QStringList files;
  for (const char* name : {"one", "two", "three", "four"}) {
    files << f_->file((std::string(name) + ".tif").c_str());
    write_block_tiff(files.back(), {8, 16, 24}, {4, 8, 12});
  }
  QVERIFY(f_->drop(files));
  QCOMPARE(f_->document.items().all().size(), std::size_t{4});
}

void DataListTest::remove_takes_the_row_that_was_clicked() {
  right_click(QStringLiteral("three"), QStringLiteral("Remove"));
  QCOMPARE(names(), (QStringList{"one", "two", "four"}));
  right_click(QStringLiteral("one"), QStringLiteral("Remove"));
  QCOMPARE(names(), (QStringList{"two", "four"}));
}

void DataListTest::rename_edits_the_row_that_was_clicked() {
  right_click(QStringLiteral("two"), QStringLiteral("Rename"));
  auto* const editor = list().findChild<QLineEdit*>();
  QVERIFY(editor != nullptr);
  QCOMPARE(editor->text(), QStringLiteral("two"));
  QTest::keyClicks(editor, QStringLiteral("second"));
  QTest::keyClick(editor, Qt::Key_Return);
  QTRY_COMPARE(names(), (QStringList{"one", "second", "three", "four"}));
}

void DataListTest::export_writes_the_row_that_was_clicked() {
  right_click(QStringLiteral("two"), QStringLiteral("Export …"));
  auto* const dialog = f_->window->findChild<ExportDialog*>();
  QVERIFY(dialog != nullptr);
  bool named = false;
  for (const auto* field : dialog->findChildren<QLineEdit*>()) {
    named = named || field->text().contains(QStringLiteral("two"));
  }
  QVERIFY(named);
  dialog->reject();
}

void DataListTest::a_key_asks_for_the_selected_row() {
  list().setCurrentItem(row(QStringLiteral("two")));
  // Wherever the pointer is: over another row here.
  choose(list().visualItemRect(row(QStringLiteral("four"))).center(), QContextMenuEvent::Keyboard,
         QStringLiteral("Remove"));
  QVERIFY(opened_);
  QCOMPARE(names(), (QStringList{"one", "three", "four"}));
}

void DataListTest::beside_the_rows_there_is_no_menu() {
  const QRect last = list().visualItemRect(row(QStringLiteral("four")));
  choose({last.center().x(), last.bottom() + 2 * last.height()}, QContextMenuEvent::Mouse,
         QStringLiteral("Remove"));
  QVERIFY(!opened_);
  QCOMPARE(names().size(), 4);
}

void DataListTest::rows_may_be_made_anew_while_the_menu_is_open() {
  right_click(QStringLiteral("three"), QStringLiteral("Rename"), [&] {
    f_->document.edits().rename(f_->document.items().all()[0].id, QStringLiteral("first"));
  });
  auto* const editor = list().findChild<QLineEdit*>();
  QVERIFY(editor != nullptr);
  QCOMPARE(editor->text(), QStringLiteral("three"));
}

void DataListTest::a_click_on_the_selected_row_renames_nothing() {
  for (int click = 0; click < 2; ++click) {
    QTest::mouseClick(list().viewport(), Qt::LeftButton, {},
                      list().visualItemRect(row(QStringLiteral("two"))).center());
    QTest::qWait(QApplication::doubleClickInterval() + 100);
  }
  QVERIFY(list().findChild<QLineEdit*>() == nullptr);
}

void DataListTest::a_result_keeps_where_it_came_from() {
  Document& document = f_->document;
  document.items().set_current(document.items().all()[1].id);
  f_->trigger("convert_now");
  QVERIFY(f_->settle());
  QVERIFY(document.runner().apply(*complete({"gaussian", {}})) != 0);
  QVERIFY(f_->settle());
  const std::uint64_t result = document.items().current()->id;
  const QString name = QStringLiteral("two › particles › Gaussian");
  QCOMPARE(document.items().full_name(result), name);
  right_click(QStringLiteral("particles"), QStringLiteral("Remove"));
  QCOMPARE(document.items().full_name(result), name);
  right_click(QStringLiteral("two"), QStringLiteral("Remove"));
  QCOMPARE(document.items().full_name(result), name);
  // The row says it, as no row above it does; what is edited is its own name.
  QVERIFY(row(name) != nullptr);
  QCOMPARE(row(name)->data(0, Qt::EditRole).toString(), QStringLiteral("Gaussian"));
  // Removed while it is worked on, too.
  const std::uint64_t one = document.items().all()[0].id;
  document.items().set_current(one);
  QVERIFY(document.runner().apply(*complete({"box", {}})) != 0);
  document.edits().close(one);
  QVERIFY(f_->settle());
  QCOMPARE(document.items().full_name(document.items().all().back().id),
           QStringLiteral("one › Box mean"));
}

APRSCOPE_GUI_TESTS(DataListTest)
#include "data_list_test.moc"
