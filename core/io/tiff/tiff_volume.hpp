#pragma once

#include <filesystem>
#include <memory>

#include "core/base/job_context.hpp"
#include "core/io/common/format.hpp"

// Private to core/io: pixel images in TIFF files.

namespace aprscope {

/// Reads the directories and metadata of a TIFF file (ImageJ, OME-TIFF, plain). Plain files: all
/// pages of the first page's shape are slices; the resolution tags count as a pixel size only below
/// 20 µm, as larger ones are a printer's or a default. Errors name the file.
Result<SourceInfo> inspect_tiff(const std::filesystem::path& path, const JobContext& context = {});

/// Reads one channel and time point; converts samples that Volume does not keep to f32.
Result<Volume> load_tiff(const SourceInfo& info, const SourceSelection& selection,
                         const JobContext& context);

/// Reads as Format::exactly says.
Status read_tiff_exactly(const SourceInfo& info, const SourceSelection& selection,
                         const SliceVisitor& visit, const JobContext& context);

/// The same slice by slice.
Result<std::unique_ptr<SliceSource>> open_tiff_slices(const SourceInfo& info,
                                                      const SourceSelection& selection);

}  // namespace aprscope
