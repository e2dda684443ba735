#pragma once

#include <filesystem>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/image/volume.hpp"

namespace aprscope {

/// The path of a half map: "map_half1.mrc" beside "map.mrc"; half 1 or 2.
std::filesystem::path half_map_path(const std::filesystem::path& map, int half);

/// Writes both half maps of a map that was made with them, beside it and in its format. Errors:
/// there are no half maps; those of write_image().
Status write_half_maps(const Volume& map, const std::filesystem::path& path,
                       const JobContext& context = {});

}  // namespace aprscope
