#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/job_context.hpp"
#include "core/io/slices/slice_names.hpp"
#include "core/io/tiff/tiff_image.hpp"

// Private to core/io: folders of TIFF files whose names say what each slice is.

namespace aprscope {

/// Whether TIFF files lie in a folder that is no store of Zarr or N5. Their names tell; one alone
/// beside a store is a picture of it.
bool holds_slices(const std::filesystem::path& folder);

/// The images in a folder. What the names put together and the files do not, as each holds a stack
/// or names others of its set, stands by itself. Errors: the folder cannot be read, has no such
/// files or more than a million; cancelled.
Result<std::vector<SliceNames>> images_in(const std::filesystem::path& folder,
                                          const JobContext& context);

/// The one of that name, the one of the most files for "". Errors: there is none of that name.
Result<SliceNames> chosen_image(const std::vector<SliceNames>& images, const std::string& dataset,
                                const std::filesystem::path& folder);

/// Opens it; the first file stands for all, and `check_planes` finds those that are unlike it.
/// Errors: what its problem says; those of open_tiff_image(); links out of the folder.
Result<TiffImage> open_slice_image(const std::filesystem::path& folder, const SliceNames& names,
                                   const JobContext& context);

}  // namespace aprscope
