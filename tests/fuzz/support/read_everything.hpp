#pragma once

#include <string>

namespace aprscope::fuzz {

/// Does with a file what the programs do with a file that somebody opens: looks at it, and reads
/// each way that there is: whole, slice by slice, level by level, first and last channel. Nothing
/// may crash, and what is read two ways must be the same. Images above some megabytes are looked at
/// but not read.
void read_everything(const std::string& path);

}  // namespace aprscope::fuzz
