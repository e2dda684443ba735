#include "core/base/file_stamp.hpp"

#include <fstream>
#include <vector>

#include <zlib.h>

namespace aprscope {

Result<FileStamp> stamp_of(const std::filesystem::path& path, const JobContext& context) {
  constexpr std::size_t kPiece = std::size_t{1} << 20U;
  const Error unreadable{"cannot be read", path.string(), "check that it is there and readable"};
  std::error_code code;
  // A folder can be opened like a file.
  if (!std::filesystem::is_regular_file(path, code)) return unreadable;
  std::ifstream in(path, std::ios::binary);
  if (!in) return unreadable;
  std::vector<char> piece(kPiece);
  FileStamp stamp;
  uLong crc = crc32(0, nullptr, 0);
  while (in) {
    if (context.stop_requested()) return cancelled_error();
    in.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    const auto got = static_cast<uInt>(in.gcount());
    crc = crc32(crc, reinterpret_cast<const Bytef*>(piece.data()), got);
    stamp.bytes += got;
  }
  if (in.bad()) return unreadable;
  stamp.crc = static_cast<std::uint32_t>(crc);
  return stamp;
}

}  // namespace aprscope
