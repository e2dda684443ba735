#pragma once

#include <QImage>
#include <QLineF>
#include <QTest>
#include <algorithm>
#include <chrono>
#include <cmath>

#include "render/mip_view.hpp"
#include "tests/render/view_fixture.hpp"

// A projection of a volume in which one particle is bright.

namespace aprscope::test {

inline const Size3 kSize{24, 40, 56};
inline const VoxelSize kVoxel{2.0, 1.0, 1.0, "µm"};
/// Off every axis of symmetry: a mirrored or turned picture shows it elsewhere.
inline const Index3 kBright{5, 31, 9};

/// A view of one bright particle, with nothing drawn over the picture.
struct BrightView {
  OneBright data = one_bright(kSize, kBright, kVoxel);
  MipView view;

  BrightView() {
    view.overlays().set_hud_visible(false);
    view.overlays().set_box_visible(false);
    view.overlays().set_planes_visible(false);
    view.set_contrast({100.0, 1000.0, 1.0});
    view.set_source(data.caster, kSize, kVoxel);
  }

  /// The middle of the bright cell on screen, by the view's projection.
  [[nodiscard]] QPointF bright() const {
    const auto middle = [&](std::int64_t first, std::int64_t size) {
      return 0.5 * static_cast<double>(first + std::min(first + data.side, size));
    };
    return view.to_widget(middle(data.first.z, kSize.z), middle(data.first.x, kSize.x),
                          middle(data.first.y, kSize.y));
  }

  /// Where white pixels are: their mean position; null when there are none.
  [[nodiscard]] static QPointF white_centre(const QImage& picture) {
    QPointF sum;
    int count = 0;
    for (int y = 0; y < picture.height(); ++y) {
      for (int x = 0; x < picture.width(); ++x) {
        if (distance(picture.pixelColor(x, y), kWhite) > 2) continue;
        sum += QPointF(x + 0.5, y + 0.5);
        ++count;
      }
    }
    return count == 0 ? QPointF() : sum / count / picture.devicePixelRatio();
  }

  /// The bright cell is seen where the projection says, and nowhere else.
  void expect_in_place() {
    QVERIFY(view.wait_until_exact(std::chrono::seconds(20)));
    const QImage shot = picture_of(view);
    const QPointF seen = white_centre(shot);
    QVERIFY2(QLineF(seen, bright()).length() < 2.0, qPrintable(QStringLiteral("%1, %2 for %3, %4")
                                                                   .arg(seen.x())
                                                                   .arg(seen.y())
                                                                   .arg(bright().x())
                                                                   .arg(bright().y())));
    QVERIFY(distance(color_at(shot, bright()), kWhite) <= 2);
  }
};

/// Angle between two lines of sight, in degrees.
inline double turned_by(const RayCamera& a, const RayCamera& b) {
  double cosine = 0.0;
  for (std::size_t i = 0; i < 3; ++i) cosine += a.forward[i] * b.forward[i];
  return std::acos(std::min(1.0, cosine)) * 180.0 / M_PI;
}

}  // namespace aprscope::test
