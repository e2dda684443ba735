// The views follow each other, the theme and the keys.
#include <QTreeWidget>
#include <QTreeWidgetItemIterator>

#include "app/gui/window/shortcuts_dialog.hpp"
#include "app/gui/window/status_info.hpp"
#include "tests/app/gui/window_fixture.hpp"

using namespace aprscope;
using namespace aprscope::gui;
using namespace aprscope::gui::test;

class ViewsTest : public QObject {
  Q_OBJECT

 private slots:
  void init();
  void cleanup();
  void a_click_moves_the_crosshair_everywhere();
  void the_wheel_moves_one_slice();
  void the_status_bar_tells_what_is_under_the_cursor();
  void the_status_bar_follows_the_wheel();
  void the_theme_changes_everything();
  void shortcuts_are_listed_as_they_are();
  void no_key_does_two_things();
  void display_settings_reach_the_picture();
  void levels_and_dots_are_drawn();
  void the_level_map_explains_its_colours();
  void controls_without_effect_are_disabled();

 private:
  std::unique_ptr<WindowFixture> f_;
  const Size3 size_{24, 48, 96};
  const Index3 bright_{10, 20, 60};
};

void ViewsTest::init() {
  f_ = std::make_unique<WindowFixture>();
  write_block_tiff(f_->file("block.tif"), size_, bright_);
  QVERIFY(f_->drop({f_->file("block.tif")}));
}

void ViewsTest::cleanup() { f_.reset(); }

void ViewsTest::a_click_moves_the_crosshair_everywhere() {
  SliceView& xy = f_->slice(Axis::z);
  const QPoint at = xy.to_widget(bright_.x + 0.5, bright_.y + 0.5).toPoint();
  QTest::mouseClick(&xy, Qt::LeftButton, Qt::NoModifier, at);
  QVERIFY(f_->settle());
  QCOMPARE(f_->document.view().crosshair().x, bright_.x);
  QCOMPARE(f_->document.view().crosshair().y, bright_.y);
  QCOMPARE(f_->slice(Axis::x).index(), bright_.x);
  QCOMPARE(f_->slice(Axis::y).index(), bright_.y);
  // The yz slice through the block holds it, at its z and y.
  const Plane& yz = f_->picture(Axis::x).plane;
  QCOMPARE(yz.rows, size_.z);
  QCOMPARE(yz.values[static_cast<std::size_t>(bright_.z * yz.cols + bright_.y)], 4000.0F);
  const Plane& xz = f_->picture(Axis::y).plane;
  QCOMPARE(xz.values[static_cast<std::size_t>(bright_.z * xz.cols + bright_.x)], 4000.0F);
}

void ViewsTest::the_wheel_moves_one_slice() {
  SliceView& xy = f_->slice(Axis::z);
  const std::int64_t before = f_->document.view().crosshair().z;
  const QPointF middle(xy.width() / 2.0, xy.height() / 2.0);
  QWheelEvent wheel(middle, xy.mapToGlobal(middle), {}, QPoint(0, -120), Qt::NoButton,
                    Qt::NoModifier, Qt::NoScrollPhase, false);
  QApplication::sendEvent(&xy, &wheel);
  QVERIFY(f_->settle());
  QCOMPARE(std::abs(f_->document.view().crosshair().z - before), std::int64_t{1});
  QCOMPARE(f_->picture(Axis::z).index, f_->document.view().crosshair().z);
}

void ViewsTest::the_status_bar_tells_what_is_under_the_cursor() {
  f_->document.view().set_crosshair({bright_.z, 0, 0});
  QVERIFY(f_->settle());
  SliceView& xy = f_->slice(Axis::z);
  QVERIFY(move_pointer(xy, xy.to_widget(bright_.x + 0.5, bright_.y + 0.5).toPoint()));
  StatusInfo& status = *f_->window->findChild<StatusInfo*>();
  QTRY_VERIFY2(status.value_text().contains(QStringLiteral("4000")),
               qPrintable(status.value_text()));
  // From 1, with names and directions: row 20 · 0.5 µm, column 60 · 0.5 µm, slice 10 · 2 µm.
  QCOMPARE(status.position_text(),
           QStringLiteral("x ↓ 21  y → 61  z 11   (x 10.00  y 30.00  z 20.00 µm)"));
  // As most programs for microscopy have it.
  f_->trigger("axes_as_images");
  QVERIFY(move_pointer(xy, xy.to_widget(bright_.x + 0.5, bright_.y + 0.5).toPoint()));
  QTRY_COMPARE(status.position_text(),
               QStringLiteral("x → 61  y ↓ 21  z 11   (x 30.00  y 10.00  z 20.00 µm)"));
}

void ViewsTest::the_status_bar_follows_the_wheel() {
  f_->document.view().set_crosshair({bright_.z, 0, 0});
  QVERIFY(f_->settle());
  SliceView& xy = f_->slice(Axis::z);
  const QPoint at = xy.to_widget(bright_.x + 0.5, bright_.y + 0.5).toPoint();
  QVERIFY(move_pointer(xy, at));
  StatusInfo& status = *f_->window->findChild<StatusInfo*>();
  QTRY_VERIFY2(status.value_text().contains(QStringLiteral("4000")),
               qPrintable(status.position_text() + status.value_text()));
  // The pointer rests while the slices go by, out of the block.
  for (int notch = 0; notch < 4; ++notch) {
    QWheelEvent wheel(at, xy.mapToGlobal(at), {}, QPoint(0, -120), Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(&xy, &wheel);
    QVERIFY(f_->settle());
  }
  const std::int64_t z = f_->document.view().crosshair().z;
  QCOMPARE(std::abs(z - bright_.z), std::int64_t{4});
  QTRY_VERIFY2(status.position_text().contains(QStringLiteral("z %1 ").arg(z + 1)),
               qPrintable(status.position_text()));
  QVERIFY2(status.value_text().contains(QStringLiteral("value 100")),
           qPrintable(status.value_text()));
}

void ViewsTest::the_theme_changes_everything() {
  const auto frame = [&] {
    QVERIFY(f_->settle());
    QTest::qWait(50);
  };
  frame();
  const double dark = brightness(f_->window->grab().toImage());
  f_->trigger("theme");
  frame();
  const double light = brightness(f_->window->grab().toImage());
  QVERIFY2(dark < 70.0, qPrintable(QString::number(dark)));
  QVERIFY2(light > dark + 60.0, qPrintable(QString::number(light)));
  f_->window->close();
  QCOMPARE(QSettings(f_->file("settings.ini"), QSettings::IniFormat)
               .value(QStringLiteral("theme"))
               .toString(),
           QStringLiteral("light"));
}

// Qt does neither then.
void ViewsTest::no_key_does_two_things() {
  QMap<QString, QString> seen;
  for (const QAction* action : f_->window->findChildren<QAction*>()) {
    for (const QKeySequence& key : action->shortcuts()) {
      const QString text = key.toString();
      QVERIFY2(!seen.contains(text),
               qPrintable(text + ": " + seen[text] + " and " + action->objectName()));
      seen.insert(text, action->objectName());
    }
  }
  QVERIFY(seen.size() > 30);
}

void ViewsTest::shortcuts_are_listed_as_they_are() {
  f_->trigger("shortcuts");
  auto* dialog = f_->window->findChild<ShortcutsDialog*>();
  QVERIFY(dialog != nullptr);
  QStringList keys;
  QTreeWidgetItemIterator it(dialog->findChild<QTreeWidget*>());
  for (; *it != nullptr; ++it) keys << (*it)->text(1);
  for (const char* name : {"open", "undo", "view_mip", "export", "theme", "panel_filter"}) {
    const QString key =
        f_->window->action(QLatin1String(name))->shortcut().toString(QKeySequence::NativeText);
    QVERIFY2(!key.isEmpty() && keys.contains(key), name);
  }
  dialog->close();
}

void ViewsTest::display_settings_reach_the_picture() {
  f_->document.view().set_crosshair({bright_.z, 0, 0});
  QVERIFY(f_->settle());
  SliceView& xy = f_->slice(Axis::z);
  const auto color = [&](double row, double col) {
    const QImage shot = xy.grab().toImage();
    return shot.pixelColor((xy.to_widget(row, col) * shot.devicePixelRatio()).toPoint());
  };
  DisplaySettings display = f_->document.items().current()->display;
  display.contrast = {100.0, 5000.0, 1.0};
  display.colormap = "green";
  f_->document.edits().set_display(f_->document.items().current()->id, display);
  QVERIFY(f_->settle());
  const QColor bright = color(bright_.x + 0.5, bright_.y + 0.5);
  const QColor dark = color(bright_.x + 8.5, bright_.y + 8.5);
  QVERIFY(bright.green() > 150 && bright.green() > bright.red() + 50);
  QVERIFY(dark.green() < 60);
  // With the upper limit far above the data, the block is dark too.
  display.contrast.high = 60000.0;
  f_->document.edits().set_display(f_->document.items().current()->id, display);
  QVERIFY(f_->settle());
  QVERIFY(color(bright_.x + 0.5, bright_.y + 0.5).green() < 60);
  f_->trigger("undo");
  f_->trigger("undo");
  QVERIFY(f_->document.items().current()->display.colormap == "grey");
}

void ViewsTest::levels_and_dots_are_drawn() {
  QVERIFY(f_->document.runner().apply(Operation{"convert", {}}) != 0);
  QVERIFY(f_->settle());
  f_->document.view().set_crosshair({bright_.z, 0, 0});
  const AprAccess& access = *f_->document.items().current()->dataset->apr().access;
  QVERIFY(access.level_min_used() < access.level_max());
  SliceView& xy = f_->slice(Axis::z);
  const auto show = [&](ShowMode mode) {
    DisplaySettings display = f_->document.items().current()->display;
    display.mode = mode;
    display.crosshair = false;
    f_->document.edits().set_display(f_->document.items().current()->id, display);
    QVERIFY(f_->settle());
    QCOMPARE(f_->picture(Axis::z).mode, mode);
  };
  const auto color = [&](double row, double col) {
    const QImage shot = xy.grab().toImage();
    return shot.pixelColor((xy.to_widget(row, col) * shot.devicePixelRatio()).toPoint());
  };
  // Each pixel has the colour of its level: the block's is the finest, far away it is coarser.
  show(ShowMode::level);
  const Index3 far{bright_.z, size_.x - 8, 8};
  const ColorTable& table = colormap("levels");
  for (const Index3& p : {Index3{bright_.z, bright_.x, bright_.y}, far}) {
    const int level = f_->document.items().current()->dataset->probe(p).level;
    const double share = static_cast<double>(level - access.level_min_used()) /
                         (access.level_max() - access.level_min_used());
    const auto& c = table[static_cast<std::size_t>(std::lround(255.0 * share))];
    const QColor seen = color(static_cast<double>(p.x) + 0.5, static_cast<double>(p.y) + 0.5);
    QVERIFY2(
        std::abs(seen.red() - c[0]) + std::abs(seen.green() - c[1]) + std::abs(seen.blue() - c[2]) <
            12,
        qPrintable(seen.name()));
  }
  QVERIFY(f_->document.items().current()->dataset->probe(far).level < access.level_max());

  // A dot a particle: bright in the middle of the block's cells, background between the dots.
  show(ShowMode::dots);
  xy.navigation().zoom_at(8.0, xy.to_widget(bright_.x + 0.5, bright_.y + 0.5));
  QVERIFY(f_->settle());
  const int side =
      f_->document.items().current()->dataset->probe({bright_.z, bright_.x, bright_.y}).cell_side;
  QCOMPARE(side, 1);
  QVERIFY(color(bright_.x + 0.5, bright_.y + 0.5).value() > 150);
  QVERIFY(color(bright_.x + 0.02, bright_.y + 0.02).value() < 60);
}

void ViewsTest::the_level_map_explains_its_colours() {
  QVERIFY(f_->document.runner().apply(Operation{"convert", {}}) != 0);
  QVERIFY(f_->settle());
  SliceView& xy = f_->slice(Axis::z);
  QVERIFY(xy.overlays().legend().empty());
  DisplaySettings display = f_->document.items().current()->display;
  display.mode = ShowMode::level;
  display.crosshair = false;
  f_->document.edits().set_display(f_->document.items().current()->id, display);
  f_->document.view().set_crosshair(bright_);
  QVERIFY(f_->settle());
  const AprAccess& access = *f_->document.items().current()->dataset->apr().access;
  const auto levels = static_cast<std::size_t>(access.level_max() - access.level_min_used() + 1);
  QVERIFY(levels > 2);
  QCOMPARE(xy.overlays().legend().size(), levels);
  // A particle of the next level covers 2 × 2 × 2 pixels of 2 × 0.5 × 0.5 µm.
  QCOMPARE(xy.overlays().legend()[1].label,
           QStringLiteral("level %1: 2 px · 4 × 1 × 1 µm").arg(access.level_max() - 1));
  // The colours of the list are those of the map, on the screen.
  const QImage shot = xy.grab().toImage();
  const auto color = [&](const QPointF& at) {
    return shot.pixelColor((at * shot.devicePixelRatio()).toPoint());
  };
  for (const Index3& p :
       {Index3{bright_.z, bright_.x, bright_.y}, Index3{bright_.z, size_.x - 8, 8}}) {
    const int level = f_->document.items().current()->dataset->probe(p).level;
    const QRectF swatch =
        xy.overlays().legend_swatch(static_cast<std::size_t>(access.level_max() - level));
    QVERIFY(!swatch.isEmpty());
    const QPointF pixel =
        xy.to_widget(static_cast<double>(p.x) + 0.5, static_cast<double>(p.y) + 0.5);
    QCOMPARE(color(swatch.center()), color(pixel));
  }
  // Once: in the first view, or the one that fills the area; without captions, nowhere.
  QVERIFY(f_->slice(Axis::x).overlays().legend().empty());
  f_->window->views().maximise(ViewPlace::yz);
  QCOMPARE(f_->slice(Axis::x).overlays().legend().size(), levels);
  QVERIFY(xy.overlays().legend().empty());
  f_->window->views().maximise(std::nullopt);
  f_->trigger("show_captions");
  QVERIFY(xy.overlays().legend_swatch(0).isEmpty());
  display.mode = ShowMode::constant;
  f_->document.edits().set_display(f_->document.items().current()->id, display);
  QVERIFY(f_->settle());
  QVERIFY(xy.overlays().legend().empty());
}

void ViewsTest::controls_without_effect_are_disabled() {
  QVERIFY(f_->document.runner().apply(Operation{"convert", {}}) != 0);
  QVERIFY(f_->settle());
  std::vector<QWidget*> controls;
  for (const char* name :
       {"display_colormap", "display_low", "display_high", "display_gamma", "display_auto"}) {
    controls.push_back(f_->window->findChild<QWidget*>(QLatin1String(name)));
    QVERIFY2(controls.back() != nullptr, name);
  }
  const auto all = [&](bool enabled) {
    return std::all_of(controls.begin(), controls.end(),
                       [&](const QWidget* w) { return w->isEnabled() == enabled; });
  };
  const QString tip = controls[1]->toolTip();
  QVERIFY(all(true));
  DisplaySettings display = f_->document.items().current()->display;
  display.mode = ShowMode::level;
  f_->document.edits().set_display(f_->document.items().current()->id, display);
  // They still change the projection.
  QVERIFY(all(true));
  const QImage before = f_->window->views().mip().grab().toImage();
  display.colormap = "magenta";
  f_->document.edits().set_display(f_->document.items().current()->id, display);
  QVERIFY(f_->settle());
  QVERIFY(f_->window->views().mip().grab().toImage() != before);
  // Where that is out of sight, nothing.
  f_->window->views().maximise(ViewPlace::xy);
  QVERIFY(all(false));
  QVERIFY(controls[1]->toolTip() != tip);
  QVERIFY(controls[1]->toolTip().contains(QStringLiteral("level map")));
  QVERIFY(f_->window->findChild<QWidget*>(QStringLiteral("display_mode"))->isEnabled());
  f_->window->views().maximise(ViewPlace::mip);
  QVERIFY(all(true));
  QCOMPARE(controls[1]->toolTip(), tip);
  f_->window->views().maximise(ViewPlace::xy);
  display.mode = ShowMode::constant;
  f_->document.edits().set_display(f_->document.items().current()->id, display);
  QVERIFY(all(true));
}

APRSCOPE_GUI_TESTS(ViewsTest)
#include "views_test.moc"
