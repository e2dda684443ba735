#pragma once

#include <filesystem>
#include <functional>

#include "core/base/result.hpp"

// Private to core/io: folders that appear whole or not at all.

namespace aprscope {

/// Calls `fill` with a new folder beside `target` and renames it to `target` when it is filled. An
/// existing store of one image, or an empty folder, is replaced in one step (two where the system
/// has no such step); errors leave it and no part of the new one. Errors: something else is there,
/// or more than the files of a group and numbered arrays; the folder above cannot be written to;
/// what `fill` gives; the disk.
Status make_zarr_folder(const std::filesystem::path& target,
                        const std::function<Status(const std::filesystem::path&)>& fill);

}  // namespace aprscope
