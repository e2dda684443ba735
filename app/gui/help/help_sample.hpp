#pragma once

#include <QImage>
#include <QRectF>
#include <vector>

#include "app/gui/help/help_canvas.hpp"
#include "core/apr/sample/slice.hpp"
#include "core/apr/structure/apr.hpp"

namespace aprscope::gui {

/// A small image of two cells, and its particles as made by the program's own conversion, for the
/// pictures of the help page.
class HelpSample {
 public:
  /// `noise`: standard deviation in grey values, where the brighter cell has 900.
  explicit HelpSample(double noise);

  /// False if there was too little memory; then no other function may be called.
  [[nodiscard]] bool made() const { return apr_.access != nullptr; }
  [[nodiscard]] const AprAccess& access() const { return *apr_.access; }
  [[nodiscard]] qulonglong pixels() const;
  [[nodiscard]] qulonglong particles() const { return access().count(); }

  [[nodiscard]] Plane pixel_plane() const;
  [[nodiscard]] Plane plane(ReconstructionMode mode) const;
  [[nodiscard]] std::vector<SliceDot> dots() const;

 private:
  Volume volume_;
  Apr apr_;
  std::vector<float> values_;
};

/// A plane as an image of grey values, as slices show it.
QImage grey_image(const Plane& plane);
QImage level_image(const Plane& plane, const AprAccess& access);
/// The difference of two planes in colours from −range to range.
QImage difference_image(const Plane& a, const Plane& b, double range);

/// The outlines of the cells of all particles, drawn over a picture of the image.
void draw_cells(HelpCanvas& canvas, const HelpSample& sample, const QRectF& place,
                const QColor& color);
/// One dot a particle, as large as its cell allows.
void draw_dots(HelpCanvas& canvas, const HelpSample& sample, const QRectF& place);

}  // namespace aprscope::gui
