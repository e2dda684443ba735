#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/regular_file.hpp"
#include "core/base/result.hpp"

// Private to core/io: one-dimensional structured arrays as NumPy writes them (.npy, versions 1 to
// 3), which is what tables of cryoSPARC are.

namespace aprscope {

/// One field of a row: `count` values of `size` bytes each. kind: 'f' (4 or 8 bytes), 'i', 'u' and
/// 'b' (1, 2, 4 or 8), 'S' (text of `size` bytes), 'U' (text of characters of 4 bytes).
struct NpyField {
  std::string name;
  char kind = 'f';
  std::size_t size = 4;
  std::size_t count = 1;
  /// Offset from the first byte of a row.
  std::size_t offset = 0;
};

struct NpyTable {
  std::vector<NpyField> fields;
  std::size_t row_bytes = 0;
  std::int64_t rows = 0;
  /// Offset of the first row in the file.
  std::uint64_t begin = 0;

  [[nodiscard]] const NpyField* field(std::string_view name) const;
};

/// Whether bytes begin as such a file does.
bool begins_like_npy(std::string_view head);

/// Reads the header; accepts little-endian rows only, all of them in the file. Errors name it:
/// another format or version, a header that is no description of rows, Python objects, big-endian
/// or unknown types, rows that are not there.
Result<NpyTable> read_npy_table(const RegularFile& file);

/// A number of a row; true is 1. NaN where the field is a text or has fewer values.
double npy_number(const NpyField& field, std::span<const std::uint8_t> row, std::size_t which = 0);

/// A text of a row, in UTF-8, without the zeros behind it; empty where the field is a number. Wide
/// characters beyond ASCII become '?'.
std::string npy_text(const NpyField& field, std::span<const std::uint8_t> row);

}  // namespace aprscope
