#pragma once

#include <string>
#include <string_view>

#include "core/base/result.hpp"
#include "core/image/colormap.hpp"

namespace aprscope {

/// The colours of a look-up table, as ImageJ and others write them: 768 bytes, all reds, then
/// greens and blues; the same after the 32 bytes of NIH Image ("ICOL"); or lines of red, green and
/// blue, from 0 to 255 or as fractions of 1, with the number of the line before them or without,
/// separated by blanks, commas or semicolons. A first line that names the columns and lines that
/// begin with # are passed over. Fewer or more than 256 lines are stretched to as many. Errors: it
/// is none of these; `where` is named in them.
Result<ColorTable> colour_table_from(std::string_view bytes, const std::string& where);

/// The same of a file, of at most 1 MB. Errors: also it cannot be read.
Result<ColorTable> read_colour_table(const std::string& path);

/// The 768 bytes of a table without its alpha, see colour_table_from().
std::string colour_table_bytes(const ColorTable& table);

}  // namespace aprscope
