#pragma once

#include <QComboBox>
#include <QFile>
#include <memory>

#include "app/gui/widgets/curve_view.hpp"
#include "tests/app/gui/cells_fixture.hpp"

namespace aprscope::gui::test {

// How many pixels of a picture are coloured, and the mean brightness of these.
struct Coloured {
  int count = 0;
  double brightness = 0.0;
};

inline Coloured coloured(QWidget& widget) {
  const QImage shot = widget.grab().toImage();
  Coloured out;
  for (int y = 0; y < shot.height(); ++y) {
    for (int x = 0; x < shot.width(); ++x) {
      const QColor color = shot.pixelColor(x, y);
      if (color.hsvSaturation() < 60 || color.value() < 40) continue;
      ++out.count;
      out.brightness += color.value();
    }
  }
  if (out.count > 0) out.brightness /= out.count;
  return out;
}

/// A window with a tissue whose cells were found, and places of its pixels in 3-D.
class CellsViewsFixture : public QObject {
 protected:
  void start() {
    w_ = std::make_unique<CellsWindow>();
    QVERIFY(w_->opened);
  }
  void end() { w_.reset(); }

  MipView& mip() { return w_->window.window->views().mip(); }
  void show_in_3d(const char* how) {
    auto* choice = w_->find<QComboBox>("cells_in_3d");
    QVERIFY(choice != nullptr);
    choice->setFocus();
    QTest::keyClicks(choice, QLatin1String(how));
    QCOMPARE(choice->currentText(), QLatin1String(how));
    QVERIFY(w_->window.settle());
  }
  // Where the first slice has a pixel, seen from the front.
  QPoint in_3d(std::int64_t x, std::int64_t y) {
    return mip()
        .to_widget(0.0, static_cast<double>(x) + 0.5, static_cast<double>(y) + 0.5)
        .toPoint();
  }
  QByteArray bytes_of(const char* name) {
    QFile file(w_->window.file(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  }

  std::unique_ptr<CellsWindow> w_;
};

}  // namespace aprscope::gui::test
