#include <cstring>

#include <png.h>

#include "core/base/atomic_file.hpp"
#include "core/io/write.hpp"

namespace aprscope {

Status write_png(const std::vector<std::uint8_t>& rgba, int width, int height,
                 const std::filesystem::path& path) {
  if (width <= 0 || height <= 0 ||
      rgba.size() != static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 4) {
    return Error{"cannot be written: the picture is empty or not of the size it claims",
                 path.string(), "render it again"};
  }
  return write_atomically(path, [&](const std::filesystem::path& temporary) -> Status {
    // The simplified interface keeps libpng's setjmp and longjmp to itself.
    png_image image;
    std::memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    image.width = static_cast<png_uint_32>(width);
    image.height = static_cast<png_uint_32>(height);
    image.format = PNG_FORMAT_RGBA;
    const int written =
        png_image_write_to_file(&image, temporary.c_str(), 0, rgba.data(), width * 4, nullptr);
    if (written == 0) {
      const std::string reason = image.message;
      png_image_free(&image);
      return Error{"cannot be written (" + reason + ")", path.string(),
                   "free some space or choose another folder"};
    }
    return {};
  });
}

}  // namespace aprscope
