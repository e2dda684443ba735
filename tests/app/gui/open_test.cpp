// Files come in: dropped, chosen, from the list of recent files; bad ones leave all as it was.
#include <QDialog>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QTreeWidget>

#include "app/gui/widgets/settings.hpp"
#include "app/gui/window/data_list.hpp"
#include "app/gui/window/message_bar.hpp"
#include "core/io/formats.hpp"
#include "core/io/write.hpp"
#include "tests/app/gui/window_fixture.hpp"
#include "tests/support/zarr_maker.hpp"

using namespace aprscope;
using namespace aprscope::gui;
using namespace aprscope::gui::test;
using aprscope::test::ZarrArrayMaker;

class OpenTest : public QObject {
  Q_OBJECT

 private slots:
  void a_dropped_file_is_shown();
  void several_files_are_opened();
  void a_bad_file_says_why_and_leaves_the_rest();
  void a_missing_file_says_so();
  void recent_files_reopen();
  void a_file_with_several_volumes_asks();
  void the_demo_image_opens();
  void an_apr_opens_as_particles();
  void the_dialog_names_all_formats();
  void a_folder_of_zarr_is_an_image();
  void a_folder_of_slices_is_an_image();
  void what_is_exported_as_zarr_opens_again();
};

void OpenTest::a_dropped_file_is_shown() {
  WindowFixture f;
  const Index3 bright{10, 20, 60};
  write_block_tiff(f.file("block.tif"), {24, 48, 96}, bright);
  QVERIFY(f.drop({f.file("block.tif")}));
  QVERIFY(f.document.items().current() != nullptr);
  QCOMPARE(f.document.items().current()->dataset->size(), (Size3{24, 48, 96}));
  QCOMPARE(f.document.items().current()->name, QStringLiteral("block"));
  QCOMPARE(f.window->data_list().topLevelItemCount(), 1);

  f.document.view().set_crosshair({bright.z, 0, 0});
  QVERIFY(f.settle());
  const SlicePicture& xy = f.picture(Axis::z);
  QCOMPARE(xy.index, bright.z);
  const auto value = [&](std::int64_t row, std::int64_t col) {
    return xy.plane.values[static_cast<std::size_t>(row * xy.plane.cols + col)];
  };
  QCOMPARE(value(bright.x, bright.y), 4000.0F);
  QCOMPARE(value(bright.x, bright.y + 2), 100.0F);

  // The bright block lies where the view says, and the dark image around it is dark.
  SliceView& view = f.slice(Axis::z);
  const QImage shot = view.grab().toImage();
  const auto at = [&](double row, double col) {
    const QPointF p = view.to_widget(row, col) * shot.devicePixelRatio();
    return brightness(shot, QRect(p.toPoint() - QPoint(1, 1), QSize(3, 3)));
  };
  QVERIFY2(at(bright.x + 0.5, bright.y + 0.5) > 200.0, "the block must be bright");
  QVERIFY2(at(bright.x + 0.5 + 8, bright.y + 0.5) < 60.0, "its surroundings must be dark");

  // The projection shows the block too, and it is not the whole picture.
  const QImage mip = f.window->views().mip().grab().toImage();
  int bright_pixels = 0;
  for (int y = 0; y < mip.height(); ++y) {
    for (int x = 0; x < mip.width(); ++x) bright_pixels += qGreen(mip.pixel(x, y)) > 230 ? 1 : 0;
  }
  QVERIFY(bright_pixels > 20);
  QVERIFY(bright_pixels < mip.width() * mip.height() / 5);
}

void OpenTest::several_files_are_opened() {
  WindowFixture f;
  write_block_tiff(f.file("a.tif"), {8, 16, 24}, {4, 8, 8});
  write_block_tiff(f.file("b.tif"), {8, 20, 24}, {4, 8, 8});
  QVERIFY(f.drop({f.file("a.tif"), f.file("b.tif")}));
  QCOMPARE(f.document.items().all().size(), std::size_t{2});
  QCOMPARE(f.document.items().current()->name, QStringLiteral("b"));
  QTreeWidgetItem* first = f.window->data_list().topLevelItem(0);
  QCOMPARE(first->text(0), QStringLiteral("a"));
  f.window->data_list().setCurrentItem(first);
  QCOMPARE(f.document.items().current()->name, QStringLiteral("a"));
  QVERIFY(f.settle());
  QCOMPARE(f.picture(Axis::z).plane.rows, std::int64_t{16});
}

void OpenTest::a_bad_file_says_why_and_leaves_the_rest() {
  WindowFixture f;
  write_block_tiff(f.file("good.tif"), {8, 16, 24}, {4, 8, 8});
  QVERIFY(f.drop({f.file("good.tif")}));
  const auto before = f.document.items().current()->dataset;
  QFile bad(f.file("bad.tif"));
  QVERIFY(bad.open(QIODevice::WriteOnly));
  bad.write(QByteArray("II*\0 this is no image", 21));
  bad.close();
  QVERIFY(f.drop({f.file("bad.tif")}));
  QVERIFY(f.window->message_bar().isVisible());
  QVERIFY2(f.window->message_bar().text().contains(QStringLiteral("bad.tif")),
           qPrintable(f.window->message_bar().text()));
  QCOMPARE(f.document.items().all().size(), std::size_t{1});
  QCOMPARE(f.document.items().current()->dataset, before);
  // It can be dismissed.
  QTest::mouseClick(f.window->message_bar().findChild<QAbstractButton*>(), Qt::LeftButton);
  QVERIFY(!f.window->message_bar().isVisible());
}

void OpenTest::a_missing_file_says_so() {
  WindowFixture f;
  f.document.opener().open(QStringList{f.file("nothing.tif")});
  QVERIFY(f.settle());
  QVERIFY(f.window->message_bar().text().contains(QStringLiteral("nothing.tif")));
  QVERIFY(f.document.items().all().empty());
}

void OpenTest::recent_files_reopen() {
  WindowFixture f;
  write_block_tiff(f.file("a.tif"), {8, 16, 24}, {4, 8, 8});
  write_block_tiff(f.file("b.tif"), {8, 16, 24}, {4, 8, 8});
  QVERIFY(f.drop({f.file("a.tif"), f.file("b.tif")}));
  QCOMPARE(recent_files(), (QStringList{f.file("b.tif"), f.file("a.tif")}));
  auto* menu = f.window->findChild<QMenu*>(QStringLiteral("recent_menu"));
  QVERIFY(menu != nullptr);
  emit menu->aboutToShow();
  QCOMPARE(menu->actions().at(1)->text(), f.file("a.tif"));
  menu->actions().at(1)->trigger();
  QVERIFY(f.settle());
  QCOMPARE(f.document.items().all().size(), std::size_t{3});
  QCOMPARE(recent_files(), (QStringList{f.file("a.tif"), f.file("b.tif")}));
}

void OpenTest::a_file_with_several_volumes_asks() {
  const auto data = aprscope::test::data_dir();
  // Where changes are accepted nobody would notice that it never runs.
  QVERIFY(!data.empty() || qEnvironmentVariableIsEmpty("CI"));
  if (data.empty()) QSKIP("no test data");
  const auto info = inspect((data / "fluo" / "sample_ovule.h5").string());
  QVERIFY(info.ok());
  if (info->datasets.size() < 2) QSKIP("the sample holds one volume only");
  WindowFixture f;
  f.document.opener().open(QStringList{QString::fromStdString(info->path.string())});
  QTRY_VERIFY(f.window->findChild<QDialog*>(QStringLiteral("dataset_dialog")) != nullptr);
  auto* dialog = f.window->findChild<QDialog*>(QStringLiteral("dataset_dialog"));
  auto* list = dialog->findChild<QTreeWidget*>();
  QCOMPARE(list->topLevelItemCount(), static_cast<int>(info->datasets.size()));
  // The image is proposed, not its labels; each says its size and type and shows a slice.
  QCOMPARE(list->currentItem()->text(0), QStringLiteral("/raw"));
  for (int i = 0; i < list->topLevelItemCount(); ++i) {
    QTreeWidgetItem* row = list->topLevelItem(i);
    QTRY_COMPARE(row->text(1), QStringLiteral("32 × 128 × 128"));
    const auto one = inspect(info->path.string() + ":" + row->text(0).toStdString());
    QVERIFY(one.ok());
    QCOMPARE(row->text(2), QString::fromStdString(one->dtype));
    const QImage thumbnail = row->icon(0).pixmap(64, 64).toImage();
    QVERIFY(brightness(thumbnail) > 5.0);
  }
  const QRect second = list->visualItemRect(list->topLevelItem(1));
  QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, second.center());
  QTest::mouseClick(dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Open),
                    Qt::LeftButton);
  QVERIFY(f.settle());
  QVERIFY(f.document.items().current() != nullptr);
  QCOMPARE(f.document.items().current()->source->dataset, info->datasets[1]);
}

void OpenTest::the_demo_image_opens() {
  WindowFixture f;
  f.trigger("open_demo");
  QVERIFY(f.settle());
  QVERIFY(f.document.items().current() != nullptr);
  // Cells: a picture with bright and dark parts, in the slice and in the projection.
  for (QWidget* view : {static_cast<QWidget*>(&f.slice(Axis::z)),
                        static_cast<QWidget*>(&f.window->views().mip())}) {
    const QImage shot = view->grab().toImage();
    int bright = 0;
    int dark = 0;
    for (int y = 0; y < shot.height(); ++y) {
      for (int x = 0; x < shot.width(); ++x) {
        bright += qGray(shot.pixel(x, y)) > 110 ? 1 : 0;
        dark += qGray(shot.pixel(x, y)) < 50 ? 1 : 0;
      }
    }
    const int all = shot.width() * shot.height();
    QVERIFY2(bright > all / 50, qPrintable(QString::number(bright)));
    QVERIFY2(dark > all / 4, qPrintable(QString::number(dark)));
  }
}

void OpenTest::an_apr_opens_as_particles() {
  const auto data = aprscope::test::data_dir();
  // Where changes are accepted nobody would notice that it never runs.
  QVERIFY(!data.empty() || qEnvironmentVariableIsEmpty("CI"));
  if (data.empty()) QSKIP("no test data");
  WindowFixture f;
  QVERIFY(f.drop(
      {QString::fromStdString((data / "apr" / "sphere_diff_dims" / "sphere.apr").string())}));
  QVERIFY(f.document.items().current() != nullptr);
  QVERIFY(f.document.items().current()->is_apr());
  QCOMPARE(f.document.items().current()->display.mode, ShowMode::constant);
}

void OpenTest::the_dialog_names_all_formats() {
  WindowFixture f;
  f.trigger("open");
  auto* dialog = f.window->findChild<QFileDialog*>();
  QVERIFY(dialog != nullptr);
  const QString images = dialog->nameFilters().front();
  const QStringList patterns =
      images.section(QLatin1Char('('), 1).chopped(1).split(QLatin1Char(' '));
  QStringList wanted;
  for (const Format& format : formats()) {
    // Folders have a dialog of their own.
    if (format.folders) continue;
    for (const std::string& ending : format.endings) {
      wanted << QLatin1Char('*') + QString::fromStdString(ending);
    }
  }
  QCOMPARE(patterns, wanted);
  dialog->reject();
}

void OpenTest::a_folder_of_zarr_is_an_image() {
  WindowFixture f;
  ZarrArrayMaker<std::uint16_t> made{
      f.file("stack.zarr").toStdString(), {8, 16, 24}, {4, 8, 8}, [](const auto& at) {
        const bool inside = at[1] >= 4 && at[1] < 8 && at[2] >= 8 && at[2] < 16;
        return static_cast<std::uint16_t>(inside ? 1000 : 10);
      }};
  made.write_2("<u2");
  QVERIFY(f.drop({f.file("stack.zarr")}));
  QVERIFY(f.document.items().current() != nullptr);
  QCOMPARE(f.document.items().current()->name, QStringLiteral("stack"));
  QVERIFY(f.settle());
  const Plane& plane = f.picture(Axis::z).plane;
  QCOMPARE(plane.rows, std::int64_t{16});
  QCOMPARE(plane.values[5 * 24 + 10], 1000.0F);
  QCOMPARE(plane.values[2 * 24 + 10], 10.0F);
  // The file in it that a dialog for files shows; it is no recipe.
  ZarrArrayMaker<std::uint16_t> other = made;
  other.folder = f.file("three.zarr").toStdString();
  other.write_3("uint16", nlohmann::ordered_json::array({{{"name", "bytes"}}}));
  QVERIFY(f.drop({f.file("three.zarr/zarr.json")}));
  QCOMPARE(f.document.items().all().size(), std::size_t{2});
  QCOMPARE(f.document.items().current()->name, QStringLiteral("three"));
  // A folder of something else says what it is not.
  f.trigger("open_folder");
  auto* dialog = f.window->findChild<QFileDialog*>();
  QVERIFY(dialog != nullptr);
  QCOMPARE(dialog->fileMode(), QFileDialog::Directory);
  dialog->reject();
  QVERIFY(QDir().mkpath(f.file("nothing")));
  QVERIFY(f.drop({f.file("nothing")}));
  QVERIFY2(f.window->message_bar().text().contains(QStringLiteral("holds no image")),
           qPrintable(f.window->message_bar().text()));
  QCOMPARE(f.document.items().all().size(), std::size_t{2});
}

void OpenTest::a_folder_of_slices_is_an_image() {
  WindowFixture f;
  QVERIFY(QDir().mkpath(f.file("stack")));
  for (int z = 1; z <= 12; ++z) {
    Volume slice;
    slice.pixels = Pixels<std::uint16_t>({1, 16, 24}, static_cast<std::uint16_t>(100 * z));
    const std::string name = "stack/z" + std::to_string(z) + ".tif";
    QVERIFY(write_image(slice, f.file(name.c_str()).toStdString()).ok());
  }
  QVERIFY(f.drop({f.file("stack")}));
  QVERIFY(f.document.items().current() != nullptr);
  QCOMPARE(f.document.items().current()->name, QStringLiteral("stack"));
  QCOMPARE(f.document.items().current()->dataset->size().z, std::int64_t{12});
  QVERIFY(f.settle());
  // The middle one, of twelve in natural order.
  QCOMPARE(f.picture(Axis::z).plane.values.front(),
           100.0F * static_cast<float>(f.picture(Axis::z).index + 1));
}

void OpenTest::what_is_exported_as_zarr_opens_again() {
  WindowFixture f;
  write_block_tiff(f.file("block.tif"), {12, 20, 24}, {6, 8, 10});
  QVERIFY(f.drop({f.file("block.tif")}));
  const auto image = f.document.items().current()->dataset;
  f.trigger("convert_now");
  QVERIFY(f.settle());
  const auto particles = f.document.items().current()->dataset;
  QVERIFY(particles->is_apr());
  f.window->export_to(f.file("particles.ome.zarr"), {});
  QVERIFY(f.settle());
  QVERIFY(QFileInfo(f.file("particles.ome.zarr")).isDir());
  QVERIFY(f.drop({f.file("particles.ome.zarr")}));
  const Item& back = *f.document.items().current();
  QVERIFY(!back.is_apr());
  QVERIFY(back.dataset->size() == image->size());
  QVERIFY(back.dataset->voxel() == image->voxel());
  const auto pixels = execute({{"reconstruct", {}}}, particles, f.document.backend());
  QVERIFY(pixels.ok());
  QVERIFY(back.dataset->values().pixels().values == pixels->data->values().pixels().values);
}

APRSCOPE_GUI_TESTS(OpenTest)
#include "open_test.moc"
