#pragma once

#include <cstdint>
#include <string>

namespace aprscope::fuzz {

/// Does with a file what the programs do with a file that somebody opens: looks at it, and reads
/// each way that there is: whole, slice by slice, level by level, first and last channel. Nothing
/// may crash, and what is read two ways must be the same. Images above some megabytes are looked at
/// but not read.
/// Particles are read in one way only, the one of this number: each opens the file again.
void read_everything(const std::string& path, std::uint64_t way = 0);

}  // namespace aprscope::fuzz
