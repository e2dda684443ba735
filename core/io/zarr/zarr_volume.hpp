#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "core/apr/convert/slice_source.hpp"
#include "core/base/job_context.hpp"
#include "core/io/common/format.hpp"

// Private to core/io: images in folders of Zarr and N5. See image_source.hpp for what these give.

namespace aprscope {

/// `path` is the folder of a store or one below it, `dataset` an array in it or "" for the largest.
Result<SourceInfo> inspect_zarr(const std::filesystem::path& path, const std::string& dataset,
                                const JobContext& context);
Result<Volume> load_zarr(const SourceInfo& info, const SourceSelection& selection,
                         const JobContext& context);
Result<std::unique_ptr<SliceSource>> open_zarr_slices(const SourceInfo& info,
                                                      const SourceSelection& selection);
Status read_zarr_exactly(const SourceInfo& info, const SourceSelection& selection,
                         const SliceVisitor& visit, const JobContext& context);

/// The file of a store that says what an image is: it changes when the image does.
std::filesystem::path zarr_description(const SourceInfo& info);

}  // namespace aprscope
