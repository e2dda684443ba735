#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include "core/base/result.hpp"

namespace aprscope {

/// A piece of what a file says of itself.
struct MetadataPart {
  /// What it is: "OME-XML", "0/.zattrs".
  std::string title;
  std::string text;
  /// Whether the file says more there than `text` holds.
  bool cut = false;
};

/// Most bytes of what a file says that are read and shown, of all parts together.
inline constexpr std::size_t kMostMetadata = std::size_t{16} << 20U;

/// A part as it can be shown, with no more than `most` bytes of text. XML and JSON are indented
/// where they are sound, and are else shown as they are; no entity and no link in them is followed.
/// Control characters but tabulators and line breaks, and bytes that are not UTF-8, become visible
/// escapes, as printable() writes them. Throws std::bad_alloc.
MetadataPart shown_metadata(MetadataPart raw, std::size_t most = kMostMetadata);

/// A whole file as a part, as far as it is read. Errors: it cannot be read.
Result<MetadataPart> metadata_file(const std::string& title, const std::filesystem::path& path);

}  // namespace aprscope
