#include "render/screenshot.hpp"

#include <vector>

#include "core/io/write.hpp"

namespace aprscope {

QImage screenshot(QWidget& widget) { return widget.grab().toImage(); }

Status save_png(const QImage& image, const std::string& path) {
  if (image.isNull()) return Error{"there is no picture to write", path, "show the window first"};
  const QImage rgba = image.convertToFormat(QImage::Format_RGBA8888);
  std::vector<std::uint8_t> bytes;
  bytes.reserve(static_cast<std::size_t>(rgba.width()) * static_cast<std::size_t>(rgba.height()) *
                4);
  for (int y = 0; y < rgba.height(); ++y) {
    const uchar* line = rgba.constScanLine(y);
    bytes.insert(bytes.end(), line, line + static_cast<std::ptrdiff_t>(rgba.width()) * 4);
  }
  return write_png(bytes, rgba.width(), rgba.height(), path);
}

}  // namespace aprscope
