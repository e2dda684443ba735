#include "render/vtk_widget.hpp"

#include <QDockWidget>
#include <QFile>
#include <QMainWindow>
#include <QTemporaryDir>
#include <QVBoxLayout>

#include "render/mip_view.hpp"
#include "render/screenshot.hpp"
#include "render/slice_view.hpp"
#include "render/vtk_log.hpp"
#include "tests/render/view_fixture.hpp"

using namespace aprscope;              // NOLINT: a test program
using namespace aprscope::test;        // NOLINT
using namespace std::chrono_literals;  // NOLINT

namespace {

const Size3 kSize{16, 32, 32};

void show_white(SliceView& view) {
  view.set_shape({1, 8, 8}, {});
  view.set_plane({8, 8, std::vector<float>(64, 1.0F)}, 0);
}

int white_pixels(QWidget& view) {
  return count_color(picture_of(view), view.rect().toRectF(), kWhite, 2);
}

}  // namespace

class VtkWidgetTest : public QObject {
  Q_OBJECT

 private slots:
  void device_pixels_follow_the_screen() {
    SliceView view(Axis::z);
    show_white(view);
    QVERIFY(show(view, {301, 203}));
    const double ratio = qEnvironmentVariable("QT_SCALE_FACTOR", "1").toDouble();
    QCOMPARE(view.devicePixelRatioF(), ratio);
    QCOMPARE(picture_of(view).size(), QSize(qRound(301 * ratio), qRound(203 * ratio)));
  }

  void pictures_are_opaque() {
    SliceView view(Axis::z);
    show_white(view);
    QVERIFY(show(view, {200, 150}));
    const QImage shot = view.grabFramebuffer().convertToFormat(QImage::Format_ARGB32);
    for (int y = 0; y < shot.height(); ++y) {
      for (int x = 0; x < shot.width(); ++x) QCOMPARE(qAlpha(shot.pixel(x, y)), 255);
    }
  }

  void several_views_live_in_one_window() {
    QWidget window;
    auto* column = new QVBoxLayout(&window);
    SliceView a(Axis::z);
    SliceView b(Axis::x);
    MipView c;
    for (QWidget* view : std::initializer_list<QWidget*>{&a, &b, &c}) column->addWidget(view);
    show_white(a);
    b.set_shape({8, 8, 8}, {});
    const OneBright data = one_bright(kSize, {4, 20, 9}, {});
    c.set_contrast({100.0, 1000.0, 1.0});
    c.set_source(data.caster, kSize, {});
    QVERIFY(show(window, {400, 700}));
    QVERIFY(c.wait_until_exact(20s));
    QTRY_VERIFY(white_pixels(a) > 1000);
    QCOMPARE(white_pixels(b), 0);
    QVERIFY(white_pixels(c) > 0);
  }

  // Docking and floating give the widget a new OpenGL context.
  void views_survive_a_new_context() {
    QMainWindow window;
    auto* dock = new QDockWidget(&window);
    auto* other = new QDockWidget(&window);
    auto* slice = new SliceView(Axis::z);
    auto* mip = new MipView;
    dock->setWidget(slice);
    other->setWidget(mip);
    window.addDockWidget(Qt::LeftDockWidgetArea, dock);
    window.addDockWidget(Qt::RightDockWidgetArea, other);
    show_white(*slice);
    const OneBright data = one_bright(kSize, {4, 20, 9}, {});
    mip->set_contrast({100.0, 1000.0, 1.0});
    mip->set_source(data.caster, kSize, {});
    QVERIFY(show(window, {700, 500}));
    QVERIFY(mip->wait_until_exact(20s));
    const auto whole = [&] {
      return QTest::qWaitFor([&] { return white_pixels(*slice) > 1000; }) &&
             mip->wait_until_exact(20s) && white_pixels(*mip) > 0 &&
             mip->overlays().hud_rect().height() > 20;
    };
    QVERIFY(whole());
    QCOMPARE(slice->context_count(), 1);
    for (int round = 1; round <= 3; ++round) {
      dock->setFloating(true);
      other->setFloating(true);
      QTRY_VERIFY(dock->isFloating() && slice->isVisible());
      QVERIFY2(whole(), qPrintable(QStringLiteral("floating %1").arg(round)));
      dock->setFloating(false);
      other->setFloating(false);
      QVERIFY2(whole(), qPrintable(QStringLiteral("docked %1").arg(round)));
    }
    QVERIFY2(slice->context_count() >= 4, qPrintable(QString::number(slice->context_count())));
    QVERIFY(mip->context_count() >= 4);
    // The panel works as before.
    const double open = mip->overlays().hud_rect().height();
    QTest::mouseClick(mip, Qt::LeftButton, {},
                      (mip->overlays().hud_rect().topLeft() + QPointF(11, 10)).toPoint());
    QTRY_VERIFY(mip->overlays().hud_rect().height() < 0.5 * open);
    QCOMPARE(vtk_error_count(), 0U);
  }

  void a_view_can_change_its_window_while_it_is_hidden() {
    auto slice = std::make_unique<SliceView>(Axis::z);
    show_white(*slice);
    QVERIFY(show(*slice, {200, 200}));
    slice->hide();
    QWidget window;
    slice->setParent(&window);
    slice->set_plane({8, 8, std::vector<float>(64, 0.5F)}, 0);
    window.resize(300, 300);
    slice->show();
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    QTRY_VERIFY(count_color(picture_of(*slice), slice->rect().toRectF(), QColor(128, 128, 128), 2) >
                1000);
    // On its own again it still draws.
    slice->setParent(nullptr);
    slice->show();
    QVERIFY(QTest::qWaitForWindowExposed(slice.get()));
    QTRY_VERIFY(count_color(picture_of(*slice), slice->rect().toRectF(), QColor(128, 128, 128), 2) >
                1000);
  }

  void screenshots_are_written_whole_or_not_at_all() {
    QTemporaryDir folder;
    QImage image(40, 30, QImage::Format_ARGB32);
    image.fill(QColor(10, 200, 30));
    image.setPixelColor(39, 29, QColor(255, 0, 0));
    const QString path = folder.filePath(QStringLiteral("shot.png"));
    QVERIFY(save_png(image, path.toStdString()).ok());
    const QImage back(path);
    QCOMPARE(back.size(), image.size());
    QCOMPARE(back.pixelColor(3, 4), QColor(10, 200, 30));
    QCOMPARE(back.pixelColor(39, 29), QColor(255, 0, 0));
    QVERIFY(!save_png(QImage(), path.toStdString()).ok());
    QCOMPARE(QImage(path), back);
    const Status missing =
        save_png(image, folder.filePath(QStringLiteral("no/x.png")).toStdString());
    QVERIFY(!missing.ok());
    QVERIFY(!missing.error().message().empty());
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files).size(), 1);
  }
};

APRSCOPE_VIEW_TESTS(VtkWidgetTest)
#include "vtk_widget_test.moc"
