#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/job_context.hpp"
#include "core/io/slices/slice_names.hpp"
#include "core/io/tiff/tiff_image.hpp"

// Private to core/io: folders of TIFF files whose names say what each slice is.

namespace aprscope {

/// Whether TIFF files lie in a folder that is no store of Zarr or N5. Decided by names; a single
/// TIFF file beside a store is a picture of it.
bool holds_slices(const std::filesystem::path& folder);

/// The images in a folder. Files that belong together by name, but each hold a stack or name other
/// files of their set, become images of their own. Errors: the folder cannot be read, has no such
/// files or more than a million; cancelled.
Result<std::vector<SliceNames>> images_in(const std::filesystem::path& folder,
                                          const JobContext& context);

/// The image of that name; for "" the image with the most files. Errors: there is no such image.
Result<SliceNames> chosen_image(const std::vector<SliceNames>& images, const std::string& dataset,
                                const std::filesystem::path& folder);

/// Opens an image; the first file stands for all, and check_planes() finds files unlike it. Errors:
/// the problem of its names; those of open_tiff_image(); links out of the folder.
Result<TiffImage> open_slice_image(const std::filesystem::path& folder, const SliceNames& names,
                                   const JobContext& context);

}  // namespace aprscope
