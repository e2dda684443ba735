#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/io/common/metadata_part.hpp"

// Private to core/io: what a TIFF file says of itself in words.

namespace aprscope {

/// Texts in ImageJ's tags IJMetadataByteCounts (50838) and IJMetadata (50839), as its TiffEncoder
/// writes them: "Info" is what *Image → Show Info* has of the file that the image came from,
/// "Labels" those of its slices, a line each. Damaged ones are left out. `counts` are the first
/// tag's numbers, `bytes` the second one's.
std::vector<MetadataPart> parse_imagej_texts(std::span<const std::uint32_t> counts,
                                             std::span<const std::uint8_t> bytes);

/// What the first page says: its ImageDescription, by the name of what it is ("OME-XML", "ImageJ"),
/// the file with the OME-XML that it names, ImageJ's texts, and tags of software, maker and date.
/// Errors: the file cannot be read.
Result<std::vector<MetadataPart>> read_tiff_texts(const std::filesystem::path& path,
                                                  const JobContext& context);

}  // namespace aprscope
