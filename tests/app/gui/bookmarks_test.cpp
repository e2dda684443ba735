// Bookmarks: where one comes back to, and the movie that flies from one to the next.
#include "app/gui/window/bookmarks.hpp"

#include <QAction>
#include <QDir>
#include <QFileDialog>
#include <QListWidget>
#include <QPushButton>

#include "app/gui/views/slice_cameras.hpp"
#include "app/gui/widgets/number_field.hpp"
#include "app/gui/window/bookmarks_dialog.hpp"
#include "tests/app/gui/window_fixture.hpp"

using namespace aprscope;
using namespace aprscope::gui;
using namespace aprscope::gui::test;

namespace {

constexpr Size3 kSize{24, 32, 40};

}  // namespace

class BookmarksTest : public QObject {
  Q_OBJECT

 private slots:
  void init();
  void cleanup() { f_.reset(); }
  void leads_back();
  void are_named_ordered_and_removed();
  void live_in_the_workspace();
  void of_an_overview_lead_to_the_same_place_of_all();
  void make_a_movie();

 private:
  Bookmarks& marks() { return *f_->window->findChild<Bookmarks*>(); }
  BookmarksDialog& dialog() {
    f_->trigger("bookmarks_list");
    return *f_->window->findChild<BookmarksDialog*>();
  }
  static void press(QDialog& in, const char* name) {
    auto* button = in.findChild<QPushButton*>(QLatin1String(name));
    QVERIFY(button != nullptr && button->isEnabled());
    QTest::mouseClick(button, Qt::LeftButton);
  }
  QStringList names() {
    QStringList out;
    for (const Bookmark& one : marks().all()) out << QString::fromStdString(one.place.name);
    return out;
  }
  MipNavigation& navigation() { return f_->window->views().mip().navigation(); }
  // Two places that differ in everything.
  void make_two();
  std::unique_ptr<WindowFixture> f_;
};

void BookmarksTest::init() {
  f_ = std::make_unique<WindowFixture>();
  QVERIFY(!f_->window->findChild<QAction*>(QStringLiteral("add_bookmark"))->isEnabled());
  write_block_tiff(f_->file("block.tif"), kSize, {12, 16, 20});
  QVERIFY(f_->drop({f_->file("block.tif")}));
}

void BookmarksTest::make_two() {
  f_->document.view().set_crosshair({3, 4, 5});
  navigation().set_orbit(20.0, 10.0, 1.0);
  QVERIFY(f_->settle());
  QTest::keyClick(f_->window.get(), Qt::Key_D, Qt::ControlModifier);
  f_->document.view().set_crosshair({20, 30, 35});
  f_->document.view().set_clip(Region{{6, 8, 10}, {18, 24, 30}});
  navigation().set_orbit(110.0, 40.0, 2.0);
  f_->slice(Axis::z).navigation().set_camera({10.0, 11.0, 30.0});
  QVERIFY(f_->settle());
  QTest::keyClick(f_->window.get(), Qt::Key_D, Qt::ControlModifier);
  QCOMPARE(marks().all().size(), std::size_t{2});
}

void BookmarksTest::leads_back() {
  make_two();
  BookmarksDialog& list = dialog();
  QVERIFY(list.isVisible());
  auto* rows = list.findChild<QListWidget*>(QStringLiteral("bookmark_list"));
  QCOMPARE(rows->count(), 2);
  QVERIFY(!rows->item(0)->icon().isNull());
  const RayCamera second = navigation().ray_camera();
  rows->setCurrentRow(0);
  press(list, "bookmark_go");
  QCOMPARE(f_->document.view().crosshair(), (Index3{3, 4, 5}));
  QVERIFY(!f_->document.view().clip());
  QVERIFY(f_->slice(Axis::z).navigation().fitted());
  QVERIFY(navigation().ray_camera().height_world > 1.5 * second.height_world);
  // A double click does the same.
  const QRect place = rows->visualItemRect(rows->item(1));
  QTest::mouseClick(rows->viewport(), Qt::LeftButton, {}, place.center());
  QTest::mouseDClick(rows->viewport(), Qt::LeftButton, {}, place.center());
  QCOMPARE(f_->document.view().crosshair(), (Index3{20, 30, 35}));
  QCOMPARE(f_->document.view().clip(), std::optional(Region{{6, 8, 10}, {18, 24, 30}}));
  QVERIFY(!f_->slice(Axis::z).navigation().fitted());
  QCOMPARE(slice_cameras(f_->window->views())[0].row, 10.0);
  for (std::size_t a = 0; a < 3; ++a) {
    QVERIFY(std::abs(navigation().ray_camera().forward[a] - second.forward[a]) < 1e-9);
  }
  // The same command shows the same dialog.
  QCOMPARE(&dialog(), &list);
}

void BookmarksTest::are_named_ordered_and_removed() {
  make_two();
  BookmarksDialog& list = dialog();
  press(list, "bookmark_add");
  QCOMPARE(names(), QStringList({"Place 1", "Place 2", "Place 3"}));
  auto* rows = list.findChild<QListWidget*>(QStringLiteral("bookmark_list"));
  QCOMPARE(rows->currentRow(), 2);
  press(list, "bookmark_earlier");
  press(list, "bookmark_earlier");
  QCOMPARE(names(), QStringList({"Place 3", "Place 1", "Place 2"}));
  QCOMPARE(rows->currentRow(), 0);
  press(list, "bookmark_later");
  QCOMPARE(names(), QStringList({"Place 1", "Place 3", "Place 2"}));
  rows->item(1)->setText(QStringLiteral("  a nucleus "));
  QCOMPARE(names(), QStringList({"Place 1", "a nucleus", "Place 2"}));
  // No name is none.
  rows->item(1)->setText(QStringLiteral("  "));
  QCOMPARE(names().at(1), QStringLiteral("a nucleus"));
  QCOMPARE(rows->item(1)->text(), QStringLiteral("a nucleus"));
  rows->setCurrentRow(0);
  press(list, "bookmark_remove");
  QCOMPARE(names(), QStringList({"a nucleus", "Place 2"}));
  press(list, "bookmark_remove");
  QVERIFY(!list.findChild<QPushButton*>(QStringLiteral("bookmark_movie"))->isEnabled());
  press(list, "bookmark_remove");
  QVERIFY(!list.findChild<QPushButton*>(QStringLiteral("bookmark_go"))->isEnabled());
}

void BookmarksTest::live_in_the_workspace() {
  make_two();
  marks().rename(0, QStringLiteral("first"));
  const auto before = marks().places();
  QVERIFY(f_->window->save_workspace_to(f_->file("w.aprscope")).ok());
  marks().remove(0);
  marks().remove(0);
  f_->window->open_workspace_from(f_->file("w.aprscope"));
  QTRY_COMPARE(names(), QStringList({"first", "Place 2"}));
  QVERIFY(f_->settle());
  const auto after = marks().places();
  for (std::size_t i = 0; i < 2; ++i) {
    QCOMPARE(after[i].crosshair, before[i].crosshair);
    QCOMPARE(after[i].clip, before[i].clip);
    QCOMPARE(after[i].slices, before[i].slices);
    QVERIFY(std::abs(after[i].camera->height_world - before[i].camera->height_world) < 1e-9);
    // Directions that the file does not hold follow from those that it does.
    for (std::size_t a = 0; a < 3; ++a) {
      QVERIFY(std::abs(after[i].camera->right[a] - before[i].camera->right[a]) < 1e-9);
    }
  }
  marks().go_to(0);
  QCOMPARE(f_->document.view().crosshair(), (Index3{3, 4, 5}));
  // Another name makes the file older than what is on screen.
  QVERIFY(f_->document.undo_stack().isClean());
  marks().rename(0, QStringLiteral("renamed"));
  QVERIFY(!f_->document.undo_stack().isClean());
}

void BookmarksTest::of_an_overview_lead_to_the_same_place_of_all() {
  // A place in an overview with pixels of twice the side.
  WorkspaceBookmark place;
  place.name = "overview";
  place.size = {12, 16, 20};
  place.voxel = f_->document.items().current()->dataset->voxel();
  for (double* side : {&place.voxel.z, &place.voxel.x, &place.voxel.y}) *side *= 2.0;
  place.crosshair = {5, 7, 9};
  place.clip = Region{{1, 2, 3}, {10, 12, 14}};
  place.slices[0] = {false, 4.0, 6.0, 20.0};
  place.camera = navigation().ray_camera();
  marks().set_places({place});
  marks().go_to(0);
  QCOMPARE(f_->document.view().crosshair(), (Index3{11, 15, 19}));
  QCOMPARE(f_->document.view().clip(), std::optional(Region{{2, 4, 6}, {20, 24, 28}}));
  const WorkspaceCamera camera = slice_cameras(f_->window->views())[0];
  QCOMPARE(camera.row, 8.0);
  QCOMPARE(camera.col, 12.0);
  QCOMPARE(camera.scale, 20.0);
  // Of other data of another size: as it is, as far as it is in the data.
  place.size = {100, 100, 100};
  place.crosshair = {50, 3, 4};
  place.clip = Region{{50, 50, 50}, {60, 60, 60}};
  marks().set_places({place});
  marks().go_to(0);
  QCOMPARE(f_->document.view().crosshair(), (Index3{23, 3, 4}));
  QVERIFY(!f_->document.view().clip());
}

void BookmarksTest::make_a_movie() {
  make_two();
  // As read from a workspace.
  QVERIFY(f_->window->save_workspace_to(f_->file("w.aprscope")).ok());
  f_->window->open_workspace_from(f_->file("w.aprscope"));
  QVERIFY(f_->settle());
  BookmarksDialog& list = dialog();
  auto* seconds = list.findChild<RealField*>(QStringLiteral("bookmark_seconds"));
  seconds->setValue(0.2);
  press(list, "bookmark_movie");
  auto* chooser = list.findChild<QFileDialog*>(QStringLiteral("bookmark_movie_dialog"));
  QVERIFY(chooser != nullptr);
  const QString folder = f_->file("flight");
  emit chooser->fileSelected(folder);
  chooser->close();
  QVERIFY(f_->settle());
  // A fifth of a second of 25 pictures a second, and the last one.
  const QStringList pictures = QDir(folder).entryList({QStringLiteral("frame_*.png")});
  QCOMPARE(pictures.size(), 6);
  const QImage first(folder + QStringLiteral("/frame_0001.png"));
  const QImage last(folder + QStringLiteral("/frame_0006.png"));
  QVERIFY(first.width() >= 1280 && first.height() >= 720 && first.width() > first.height());
  QVERIFY(first != last);
  const auto bright = [](const QImage& image) {
    int count = 0;
    for (int y = 0; y < image.height(); y += 2) {
      for (int x = 0; x < image.width(); x += 2) count += qGray(image.pixel(x, y)) > 200 ? 1 : 0;
    }
    return count;
  };
  // The block, twice as near in the end.
  QVERIFY2(bright(first) > 20 && bright(last) > 2 * bright(first),
           qPrintable(QStringLiteral("%1 %2").arg(bright(first)).arg(bright(last))));
}

APRSCOPE_GUI_TESTS(BookmarksTest)
#include "bookmarks_test.moc"
