// What was open comes back: data and results, views, contrast, crosshair, camera and comparison.
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QTimer>

#include "app/gui/compare/compare_area.hpp"
#include "app/gui/document/workspace/window_workspace.hpp"
#include "app/gui/widgets/profile_plot.hpp"
#include "app/gui/window/message_bar.hpp"
#include "core/io/write.hpp"
#include "core/operations/filter/stencil_spec.hpp"
#include "tests/app/gui/window_fixture.hpp"

using namespace aprscope;
using namespace aprscope::gui;
using namespace aprscope::gui::test;

class WorkspaceTest : public QObject {
  Q_OBJECT

 private slots:
  void everything_comes_back();
  void images_show_while_steps_are_repeated();
  void a_written_result_is_read_instead_of_computed();
  void an_exported_file_that_changed_is_not_trusted();
  void a_missing_file_gets_a_sentence_and_the_rest_opens();
  void a_bad_file_leaves_what_is_open();
  void quitting_asks_about_results();
  void quitting_can_save_them();

 private:
  static bool settle(WindowFixture& f) {
    return f.settle() && f.window->compare_area().wait_until_shown(std::chrono::minutes(2));
  }
};

void WorkspaceTest::everything_comes_back() {
  const aprscope::test::TemporaryFolder folder;
  const QString path = QString::fromStdString((folder / "w.aprscope").string());
  const QString image = QString::fromStdString((folder / "cells.tif").string());
  write_cells_tiff(image, {32, 48, 56});
  std::vector<float> values;
  DisplaySettings display;
  RayCamera camera;
  SliceCamera slice;
  QImage compared;
  {
    WindowFixture f;
    QVERIFY(f.drop({image}));
    f.trigger("convert_now");
    QVERIFY(f.settle());
    f.document.runner().apply(*parse_stencil_spec("gaussian:sigma=1"));
    QVERIFY(f.settle());
    const Item& result = *f.document.items().current();
    values = result.dataset->values().particles();
    display = result.display;
    display.mode = ShowMode::smooth;
    display.colormap = "magma";
    display.contrast = {10.0, 700.0, 0.8};
    f.document.edits().set_display(result.id, display);
    f.document.edits().rename(result.id, QStringLiteral("smoothed"));
    f.document.view().set_crosshair({7, 31, 22});
    f.window->views().mip().navigation().set_orbit(70.0, 20.0, 1.5);
    f.window->views().slice(Axis::z).navigation().zoom_at(2.0, {100.0, 90.0});
    camera = f.window->views().mip().navigation().ray_camera();
    slice = f.window->views().slice(Axis::z).navigation().camera();
    CompareSettings settings = f.window->comparison().settings();
    settings.mode = CompareMode::reveal;
    settings.reveal = 0.3;
    settings.line_tool = true;
    settings.line = PlaneLine{{5.0, 6.0}, {30.0, 40.0}};
    f.window->comparison().set_settings(settings);
    QVERIFY(f.window->comparison().compare(f.document.items().all()[0].id, result.id).ok());
    QVERIFY(settle(f));
    QTest::qWait(100);
    compared = f.window->compare_area().left().grab().toImage();
    QVERIFY(f.window->save_workspace_to(path).ok());
    QCOMPARE(f.window->workspace_path(), path);
    QVERIFY(f.document.undo_stack().isClean());
  }
  WindowFixture f;
  QVERIFY(f.drop({path}));
  QVERIFY(settle(f));
  QTest::qWait(100);
  QCOMPARE(f.document.items().all().size(), std::size_t{3});
  const Item& result = *f.document.items().current();
  QCOMPARE(result.name, QStringLiteral("smoothed"));
  QCOMPARE(f.document.items().full_name(result.id), QStringLiteral("cells › particles › smoothed"));
  // Replayed to the same values.
  QCOMPARE(result.dataset->values().particles(), values);
  QVERIFY(result.pixels != nullptr);
  QCOMPARE(result.costs.size(), std::size_t{2});
  QVERIFY(result.display == display);
  QCOMPARE(f.document.view().crosshair(), (Index3{7, 31, 22}));
  const RayCamera now = f.window->views().mip().navigation().ray_camera();
  for (std::size_t i = 0; i < 3; ++i) {
    QVERIFY(std::abs(now.forward[i] - camera.forward[i]) < 1e-9);
    QVERIFY(std::abs(now.eye[i] - camera.eye[i]) < 1e-6);
  }
  QCOMPARE(now.height_world, camera.height_world);
  QCOMPARE(f.window->views().slice(Axis::z).navigation().camera().scale, slice.scale);
  QCOMPARE(f.window->views().slice(Axis::z).navigation().camera().row, slice.row);
  const Comparison& comparison = f.window->comparison();
  QVERIFY(comparison.active());
  QCOMPARE(comparison.a()->name, QStringLiteral("cells"));
  QCOMPARE(comparison.b()->id, result.id);
  QCOMPARE(comparison.settings().mode, CompareMode::reveal);
  QCOMPARE(comparison.settings().reveal, 0.3);
  QVERIFY((comparison.settings().line == PlaneLine{{5.0, 6.0}, {30.0, 40.0}}));
  QVERIFY(!f.window->compare_area().profile().a().values.empty());
  QCOMPARE(f.window->compare_area().left().grab().toImage(), compared);
  // The history says how it came about; nothing is to be asked about.
  QVERIFY(f.document.undo_stack().isClean());
  QCOMPARE(f.document.undo_stack().count(), 3);
  QCOMPARE(f.document.undo_stack().text(0), QStringLiteral("Open cells"));
  QVERIFY(f.window->close());
}

void WorkspaceTest::images_show_while_steps_are_repeated() {
  const aprscope::test::TemporaryFolder folder;
  const QString path = QString::fromStdString((folder / "w.aprscope").string());
  const QString image = QString::fromStdString((folder / "cells.tif").string());
  write_cells_tiff(image, {32, 96, 96});
  {
    WindowFixture f;
    QVERIFY(f.drop({image}));
    f.trigger("convert_now");
    QVERIFY(f.settle());
    f.document.runner().apply(*parse_stencil_spec("gaussian:sigma=2"));
    QVERIFY(f.settle());
    QVERIFY(f.window->save_workspace_to(path).ok());
  }
  WindowFixture f;
  std::vector<std::size_t> seen;
  QObject::connect(&f.document.items(), &ItemList::current_changed, f.window.get(), [&] {
    if (f.document.items().current() == nullptr) return;
    seen.push_back(f.document.items().all().size());
  });
  bool asked_in_between = false;
  std::size_t kept = 0;
  QObject::connect(&f.document.items(), &ItemList::items_changed, f.window.get(), [&] {
    if (f.document.items().all().size() != 2 || asked_in_between) return;
    asked_in_between = true;
    // Saved now, nothing is missing of what is still to come.
    kept = f.document.workspace().capture().items.size();
    // Not within the change that is told.
    QTimer::singleShot(0, f.window.get(), [&] {
      f.document.edits().rename(f.document.items().all().front().id,
                                QStringLiteral("renamed meanwhile"));
    });
  });
  QVERIFY(f.drop({path}));
  QVERIFY(!seen.empty());
  // The image came alone, before the steps.
  QCOMPARE(seen.front(), std::size_t{1});
  QVERIFY(asked_in_between);
  QCOMPARE(kept, std::size_t{3});
  QCOMPARE(f.document.items().all().size(), std::size_t{3});
  QCOMPARE(f.document.items().full_name(f.document.items().current()->id),
           QStringLiteral("renamed meanwhile › particles › Gaussian"));
  // What was changed meanwhile is not saved.
  QVERIFY(!f.document.undo_stack().isClean());
  // What came back can be undone as if it had been made here.
  f.trigger("undo");
  QVERIFY(f.settle());
  QCOMPARE(f.document.items().all().size(), std::size_t{2});
}

void WorkspaceTest::a_written_result_is_read_instead_of_computed() {
  const aprscope::test::TemporaryFolder folder;
  const QString path = QString::fromStdString((folder / "w.aprscope").string());
  const QString image = QString::fromStdString((folder / "cells.tif").string());
  const QString written = QString::fromStdString((folder / "p.apr").string());
  write_cells_tiff(image, {16, 32, 40});
  double seconds = 0.0;
  std::vector<float> values;
  {
    WindowFixture f;
    QVERIFY(f.drop({image}));
    f.trigger("convert_now");
    QVERIFY(f.settle());
    values = f.document.items().current()->dataset->values().particles();
    seconds = f.document.items().current()->costs.at(0).seconds;
    f.document.exporter().export_item(f.document.items().current()->id, written);
    QVERIFY(f.settle());
    QVERIFY(f.window->save_workspace_to(path).ok());
  }
  // Without the image the result still opens.
  QVERIFY(QFile::remove(image));
  WindowFixture f;
  QVERIFY(f.drop({path}));
  QCOMPARE(f.document.items().all().size(), std::size_t{1});
  QCOMPARE(f.document.items().current()->dataset->values().particles(), values);
  // It took what it took when it was made.
  QCOMPARE(f.document.items().current()->costs.at(0).seconds, seconds);
  QVERIFY(f.window->message_bar().text().contains(QStringLiteral("cells.tif")));
}

void WorkspaceTest::an_exported_file_that_changed_is_not_trusted() {
  const aprscope::test::TemporaryFolder folder;
  const QString path = QString::fromStdString((folder / "w.aprscope").string());
  const QString image = QString::fromStdString((folder / "cells.tif").string());
  const QString written = QString::fromStdString((folder / "p.tif").string());
  write_cells_tiff(image, {16, 32, 40});
  std::vector<float> values;
  {
    WindowFixture f;
    QVERIFY(f.drop({image}));
    f.document.runner().apply(*parse_stencil_spec("box:size=3"));
    QVERIFY(f.settle());
    values = f.document.items().current()->dataset->values().pixels().values;
    f.document.exporter().export_item(f.document.items().current()->id, written);
    QVERIFY(f.settle());
    QVERIFY(f.window->save_workspace_to(path).ok());
  }
  // What was written is left alone: nothing to say.
  {
    WindowFixture f;
    QVERIFY(f.drop({path}));
    QVERIFY(!f.window->message_bar().text().contains(QStringLiteral("p.tif")));
    QVERIFY(f.document.items().current()->dataset->values().pixels().values == values);
  }
  // Another result of the same size under that name, as another program would write it.
  const auto size = QFileInfo(written).size();
  Volume other;
  other.pixels = Pixels<float>({16, 32, 40}, 7.0F);
  QVERIFY(write_tiff(other, written.toStdString()));
  QFile file(written);
  QVERIFY(file.resize(size));
  for (const bool there : {true, false}) {
    if (!there) QVERIFY(QFile::remove(written));
    WindowFixture f;
    QVERIFY(f.drop({path}));
    QCOMPARE(f.document.items().all().size(), std::size_t{2});
    QVERIFY(f.document.items().current()->dataset->values().pixels().values == values);
    const QString text = f.window->message_bar().text();
    QVERIFY2(text.contains(QStringLiteral("p.tif")), qPrintable(text));
    QVERIFY2(text.contains(there ? QStringLiteral("changed") : QStringLiteral("not there")),
             qPrintable(text));
    QVERIFY2(text.contains(QStringLiteral("done again")), qPrintable(text));
  }
}

void WorkspaceTest::a_missing_file_gets_a_sentence_and_the_rest_opens() {
  const aprscope::test::TemporaryFolder folder;
  const QString path = QString::fromStdString((folder / "w.aprscope").string());
  const QString one = QString::fromStdString((folder / "one.tif").string());
  const QString two = QString::fromStdString((folder / "two.tif").string());
  write_block_tiff(one, {12, 24, 32}, {5, 10, 10});
  write_block_tiff(two, {12, 24, 32}, {5, 10, 20});
  {
    WindowFixture f;
    QVERIFY(f.drop({one}));
    f.document.runner().apply(*parse_stencil_spec("box:size=3"));
    QVERIFY(f.settle());
    QVERIFY(f.drop({two}));
    QVERIFY(f.window->save_workspace_to(path).ok());
  }
  QVERIFY(QFile::remove(one));
  WindowFixture f;
  QVERIFY(f.drop({path}));
  QCOMPARE(f.document.items().all().size(), std::size_t{1});
  QCOMPARE(f.document.items().current()->name, QStringLiteral("two"));
  const QString text = f.window->message_bar().text();
  QVERIFY2(text.count(QStringLiteral("one.tif")) == 1, qPrintable(text));
}

void WorkspaceTest::a_bad_file_leaves_what_is_open() {
  WindowFixture f;
  write_block_tiff(f.file("one.tif"), {12, 24, 32}, {5, 10, 10});
  QVERIFY(f.drop({f.file("one.tif")}));
  QFile bad(f.file("bad.aprscope"));
  QVERIFY(bad.open(QIODevice::WriteOnly));
  bad.write("{\"aprscope_workspace\": 1, \"items\": 5}");
  bad.close();
  QVERIFY(f.drop({f.file("bad.aprscope")}));
  QCOMPARE(f.document.items().all().size(), std::size_t{1});
  QVERIFY(f.window->message_bar().text().contains(QStringLiteral("items")));
}

namespace {

// Answers the question that comes up while `act` runs; its text, empty where none was asked.
QString answered(QMessageBox::StandardButton button, const std::function<void()>& act) {
  QString text;
  QTimer::singleShot(100, qApp, [&] {
    auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
    if (box == nullptr) return;
    text = box->text();
    QTest::mouseClick(box->button(button), Qt::LeftButton);
  });
  act();
  QTest::qWait(150);
  return text;
}

}  // namespace

void WorkspaceTest::quitting_asks_about_results() {
  WindowFixture f;
  write_cells_tiff(f.file("cells.tif"), {16, 32, 40});
  QVERIFY(f.drop({f.file("cells.tif")}));
  bool closed = false;
  const auto close = [&] { closed = f.window->close(); };
  // An image that was opened is where it was.
  QCOMPARE(answered(QMessageBox::Cancel, close), QString());
  QVERIFY(closed);
  f.window->show();
  f.trigger("convert_now");
  QVERIFY(f.settle());
  const QString name = f.document.items().full_name(f.document.items().current()->id);
  const QString asked = answered(QMessageBox::Cancel, close);
  QVERIFY2(asked.contains(name), qPrintable(asked));
  QVERIFY(!closed && f.window->isVisible());
  // What a file holds is not lost.
  f.document.exporter().export_item(f.document.items().current()->id, f.file("cells.apr"));
  QVERIFY(f.settle());
  QCOMPARE(answered(QMessageBox::Cancel, close), QString());
  QVERIFY(closed);
  f.window->show();
  // Work that goes on is named, a preview is not.
  f.document.runner().apply(*parse_stencil_spec("gaussian:sigma=1"));
  QVERIFY(answered(QMessageBox::Cancel, close).contains(QStringLiteral("Gaussian")));
  QVERIFY(f.settle());
  QVERIFY(!answered(QMessageBox::Discard, close).isEmpty());
  QVERIFY(closed);
}

void WorkspaceTest::quitting_can_save_them() {
  WindowFixture f;
  write_cells_tiff(f.file("cells.tif"), {16, 32, 40});
  QVERIFY(f.drop({f.file("cells.tif")}));
  f.trigger("convert_now");
  QVERIFY(f.settle());
  QTimer::singleShot(600, qApp, [&] {
    auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
    if (dialog == nullptr) return;
    dialog->findChild<QLineEdit*>()->setText(f.file("kept.aprscope"));
    QMetaObject::invokeMethod(dialog, "accept");
  });
  bool closed = false;
  answered(QMessageBox::Save, [&] { closed = f.window->close(); });
  QVERIFY(closed);
  const auto kept = load_window_workspace(f.file("kept.aprscope").toStdString());
  QVERIFY(kept.ok());
  QCOMPARE(kept->items.size(), std::size_t{2});
}

APRSCOPE_GUI_TESTS(WorkspaceTest)
#include "workspace_test.moc"
