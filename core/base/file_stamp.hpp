#pragma once

#include <cstdint>
#include <filesystem>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"

namespace aprscope {

/// A stamp that tells whether a file still holds the same bytes: their number and CRC-32 (ISO
/// 3309). It guards against files that were replaced or damaged, not against forgery.
struct FileStamp {
  std::uint64_t bytes = 0;
  std::uint32_t crc = 0;
  friend bool operator==(const FileStamp&, const FileStamp&) = default;
};

/// Reads the whole file. Errors: it cannot be read; cancelled.
Result<FileStamp> stamp_of(const std::filesystem::path& path, const JobContext& context = {});

}  // namespace aprscope
