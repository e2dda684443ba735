#pragma once

#include <cstdint>
#include <filesystem>
#include <span>

#include "core/base/result.hpp"
#include "core/io/em/em_file.hpp"

// Private to core/io: the header of MRC2014 files (Cheng et al. 2015, J. Struct. Biol. 192, 146)
// and of older ones.

namespace aprscope {

/// Whether these are the first kEmHeaderBytes of such a file of `file_bytes` (0: not known). Files
/// from before 2000 lack the mark: they are recognised by plausible sizes, mode and axes, and by a
/// file size that fits exactly.
bool is_mrc(std::span<const std::uint8_t, kEmHeaderBytes> header, std::uint64_t file_bytes);

/// Parses a header. A stack has space group 0 or a name that ends in .mrcs. ORIGIN is used if set,
/// else the starts. Errors name the file: no such header, complex numbers, an unknown mode,
/// impossible sizes. Whether the file has all that it claims is not looked at.
Result<EmHeader> parse_mrc(std::span<const std::uint8_t, kEmHeaderBytes> header,
                           std::uint64_t file_bytes, const std::filesystem::path& path);

}  // namespace aprscope
