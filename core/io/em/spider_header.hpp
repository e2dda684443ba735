#pragma once

#include <cstdint>
#include <filesystem>
#include <span>

#include "core/base/result.hpp"
#include "core/io/em/em_file.hpp"

// Private to core/io: the header of SPIDER files (Frank et al. 1996, J. Struct. Biol. 116, 190).

namespace aprscope {

/// Whether these are the first bytes of such a file: its numbers are whole, agree with each other
/// and are of an image or a map. A transform is one too, see parse_spider().
bool is_spider(std::span<const std::uint8_t, kEmHeaderBytes> header);

/// Parses a header. Errors name the file: no such header, a transform, impossible sizes. The file's
/// length is not checked. There is no voxel size.
Result<EmHeader> parse_spider(std::span<const std::uint8_t, kEmHeaderBytes> header,
                              const std::filesystem::path& path);

}  // namespace aprscope
