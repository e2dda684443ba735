#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"

// Private to core/io: bytes of a file that may be packed with gzip or bzip2.

namespace aprscope {

/// Bytes of a file, unpacked if it is packed. One thread at a time.
class EmBytes {
 public:
  /// Opens a file. Errors: those of open_regular().
  static Result<std::unique_ptr<EmBytes>> open(const std::filesystem::path& path);
  virtual ~EmBytes() = default;

  /// Reads from byte `offset` of what is unpacked, fewer bytes where that ends. Packed files are
  /// unpacked forward in bounded memory, and from the start again for an earlier byte. Errors: the
  /// disk, packed data that is damaged; cancelled.
  virtual Result<std::size_t> read_at(std::uint64_t offset, void* out, std::size_t bytes,
                                      const JobContext& context) = 0;

  [[nodiscard]] bool packed() const { return packed_; }
  /// Bytes of the file as it lies on the disk.
  [[nodiscard]] std::uint64_t file_bytes() const { return file_bytes_; }

 protected:
  EmBytes(bool packed, std::uint64_t file_bytes) : packed_(packed), file_bytes_(file_bytes) {}

 private:
  bool packed_;
  std::uint64_t file_bytes_;
};

}  // namespace aprscope
