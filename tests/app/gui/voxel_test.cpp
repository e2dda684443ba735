// A voxel size that is typed counts everywhere, can be undone, and comes back with the workspace.
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QPushButton>
#include <cmath>

#include "app/gui/window/status_info.hpp"
#include "app/gui/window/voxel_dialog.hpp"
#include "core/io/write.hpp"
#include "tests/app/gui/window_fixture.hpp"

using namespace aprscope;
using namespace aprscope::gui;
using namespace aprscope::gui::test;

class VoxelTest : public QObject {
  Q_OBJECT

 private slots:
  void a_typed_size_counts_and_can_be_undone();
  void it_comes_back_with_a_workspace();
  void a_result_has_none_of_its_own();
  void undo_leaves_the_channel_that_is_shown();
  void the_demo_image_has_it_in_a_workspace_too();

 private:
  static void open(WindowFixture& f, const QString& path) {
    Volume volume;
    volume.pixels = Pixels<std::uint16_t>({8, 16, 24}, 100);
    QVERIFY(write_tiff(volume, path.toStdString()).ok());
    QVERIFY(f.drop({path}));
    QCOMPARE(f.document.items().current()->dataset->voxel().unit, std::string("px"));
  }
  static void type(WindowFixture& f) {
    f.trigger("voxel_size");
    auto* dialog = f.window->findChild<VoxelDialog*>();
    QVERIFY(dialog != nullptr);
    QTest::qWait(30);
    for (const auto& [name, text] :
         {std::pair("voxel_z", "2"), {"voxel_x", "0.5"}, {"voxel_y", "0.25"}}) {
      auto* field = dialog->findChild<QAbstractSpinBox*>(QLatin1String(name));
      field->setFocus();
      QTest::keyClick(field, Qt::Key_A, Qt::ControlModifier);
      QTest::keyClicks(field, QLatin1String(text));
    }
    QTest::mouseClick(dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok),
                      Qt::LeftButton);
    QVERIFY(f.settle());
  }
  const VoxelSize typed_{2.0, 0.5, 0.25, "µm"};
};

void VoxelTest::a_typed_size_counts_and_can_be_undone() {
  WindowFixture f;
  open(f, f.file("plain.tif"));
  type(f);
  QVERIFY(f.document.items().current()->dataset->voxel() == typed_);
  // The views have its proportions, and positions their unit.
  SliceView& xy = f.slice(Axis::z);
  const QPointF one = xy.to_widget(1, 1) - xy.to_widget(0, 0);
  QVERIFY(std::abs(one.y() / one.x() - 2.0) < 0.01);
  QVERIFY(move_pointer(xy, xy.to_widget(4.5, 8.5).toPoint()));
  QTRY_VERIFY2(f.window->findChild<StatusInfo*>()->position_text().contains(
                   QStringLiteral("x 2.00  y 2.00")),
               qPrintable(f.window->findChild<StatusInfo*>()->position_text()));
  // What is made of it has it.
  f.trigger("convert_now");
  QVERIFY(f.settle());
  QVERIFY(f.document.items().current()->dataset->voxel() == typed_);
  f.trigger("undo");
  f.trigger("undo");
  QVERIFY(f.settle());
  QCOMPARE(f.document.items().current()->dataset->voxel().unit, std::string("px"));
  f.trigger("redo");
  QVERIFY(f.settle());
  QVERIFY(f.document.items().current()->dataset->voxel() == typed_);
}

void VoxelTest::it_comes_back_with_a_workspace() {
  const aprscope::test::TemporaryFolder folder;
  const QString image = QString::fromStdString((folder / "plain.tif").string());
  const QString path = QString::fromStdString((folder / "w.aprscope").string());
  {
    WindowFixture f;
    open(f, image);
    f.document.runner().apply(*complete({"box", {}}));  // made before: keeps what it had
    QVERIFY(f.settle());
    f.document.items().set_current(f.document.items().all().front().id);
    type(f);
    f.trigger("convert_now");
    QVERIFY(f.settle());
    QVERIFY(f.window->save_workspace_to(path).ok());
  }
  WindowFixture f;
  QVERIFY(f.drop({path}));
  QCOMPARE(f.document.items().all().size(), std::size_t{3});
  for (const Item& item : f.document.items().all()) {
    const bool made_before = !item.recipe.steps.empty() && item.recipe.steps.front().id == "box";
    QCOMPARE(item.dataset->voxel() == typed_, !made_before);
    QCOMPARE(item.dataset->voxel().unit == "px", made_before);
  }
}

void VoxelTest::a_result_has_none_of_its_own() {
  WindowFixture f;
  open(f, f.file("plain.tif"));
  QVERIFY(f.window->action(QStringLiteral("voxel_size"))->isEnabled());
  f.trigger("convert_now");
  QVERIFY(f.settle());
  QVERIFY(!f.window->action(QStringLiteral("voxel_size"))->isEnabled());
}

void VoxelTest::undo_leaves_the_channel_that_is_shown() {
  WindowFixture f;
  write_series_apr(f.file("series.apr"));
  QVERIFY(f.drop({f.file("series.apr")}));
  const std::uint64_t id = f.document.items().current()->id;
  const auto shown = [&] {
    return f.document.items().find(id)->dataset->values().particles().front();
  };
  const VoxelSize before = f.document.items().find(id)->dataset->voxel();
  f.document.edits().set_voxel_size(id, typed_);
  QVERIFY(f.settle());
  f.document.opener().select(id, {1, 2});
  QVERIFY(f.settle());
  const float second = shown();
  QVERIFY(f.document.items().find(id)->dataset->voxel() == typed_);
  for (const char* step : {"undo", "redo", "undo"}) {
    f.trigger(step);
    QVERIFY(f.settle());
    QCOMPARE(shown(), second);
    QVERIFY((f.document.items().find(id)->dataset->voxel() == typed_) == (step[0] == 'r'));
  }
  QVERIFY(f.document.items().find(id)->dataset->voxel() == before);
}

void VoxelTest::the_demo_image_has_it_in_a_workspace_too() {
  const aprscope::test::TemporaryFolder folder;
  const QString path = QString::fromStdString((folder / "w.aprscope").string());
  {
    WindowFixture f;
    f.trigger("open_demo");
    QVERIFY(f.settle());
    f.document.edits().set_voxel_size(f.document.items().current()->id, typed_);
    QVERIFY(f.settle());
    QVERIFY(f.window->save_workspace_to(path).ok());
  }
  WindowFixture f;
  QVERIFY(f.drop({path}));
  QVERIFY(f.document.items().current()->dataset->voxel() == typed_);
}

APRSCOPE_GUI_TESTS(VoxelTest)
#include "voxel_test.moc"
