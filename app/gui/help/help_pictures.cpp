#include "app/gui/help/help_pictures.hpp"

#include <QPainter>
#include <array>
#include <cmath>

#include "app/gui/help/help_drawings.hpp"

namespace aprscope::gui {
namespace {

struct Picture {
  const char* name;
  int height;
  void (*draw)(HelpCanvas&);
};

constexpr std::array kPictures{Picture{"particles", 242, draw_particles_picture},
                               Picture{"levels", 236, draw_levels_picture},
                               Picture{"bound", 262, draw_bound_picture},
                               Picture{"scale", 236, draw_scale_picture},
                               Picture{"display", 176, draw_display_picture},
                               Picture{"stencils", 374, draw_stencils_picture},
                               Picture{"deconvolution", 172, draw_deconvolution_picture},
                               Picture{"compare", 242, draw_compare_picture},
                               Picture{"keeping", 208, draw_keeping_picture}};

const Picture* find(const QString& name) {
  for (const Picture& picture : kPictures) {
    if (name == QLatin1String(picture.name)) return &picture;
  }
  return nullptr;
}

}  // namespace

QStringList help_picture_names() {
  QStringList names;
  for (const Picture& picture : kPictures) names << QLatin1String(picture.name);
  return names;
}

QSize help_picture_size(const QString& name) {
  const Picture* picture = find(name);
  return picture != nullptr ? QSize(kHelpWidth, picture->height) : QSize();
}

QImage draw_help_picture(const QString& name, const QPalette& palette, const QFont& font,
                         double ratio) {
  const Picture* picture = find(name);
  if (picture == nullptr) return {};
  QImage image(static_cast<int>(std::lround(kHelpWidth * ratio)),
               static_cast<int>(std::lround(picture->height * ratio)),
               QImage::Format_ARGB32_Premultiplied);
  image.setDevicePixelRatio(ratio);
  image.fill(palette.color(QPalette::Base));
  QPainter painter(&image);
  HelpCanvas canvas(painter, palette, font);
  picture->draw(canvas);
  painter.end();
  image.setDevicePixelRatio(1.0);  // the page says how large it is shown
  return image;
}

}  // namespace aprscope::gui
