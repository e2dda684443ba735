#include "core/base/file_stamp.hpp"

#include <vector>

#include <zlib.h>

#include "core/base/regular_file.hpp"

namespace aprscope {

Result<FileStamp> stamp_of(const std::filesystem::path& path, const JobContext& context) {
  constexpr std::size_t kPiece = std::size_t{1} << 20U;
  const auto file = open_regular(path);
  if (!file) return file.error();
  std::vector<char> piece(kPiece);
  FileStamp stamp;
  uLong crc = crc32(0, nullptr, 0);
  for (;;) {
    if (context.stop_requested()) return cancelled_error();
    const auto got = file->read_at(stamp.bytes, piece.data(), piece.size());
    if (!got) return got.error();
    if (*got == 0) break;
    crc = crc32(crc, reinterpret_cast<const Bytef*>(piece.data()), static_cast<uInt>(*got));
    stamp.bytes += *got;
  }
  stamp.crc = static_cast<std::uint32_t>(crc);
  return stamp;
}

}  // namespace aprscope
