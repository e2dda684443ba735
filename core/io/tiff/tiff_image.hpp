#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "core/base/job_context.hpp"
#include "core/io/common/format.hpp"
#include "core/io/tiff/tiff_files.hpp"
#include "core/io/tiff/tiff_series.hpp"

// Private to core/io: pixel images whose planes are pages of one TIFF file or of several.

namespace aprscope {

struct TiffImage {
  TiffSeries series;
  TiffFiles files;
  /// See Volume::name.
  std::string name;
};

/// The image that a file's metadata describe, with the files beside it that they name. Errors name
/// the file.
Result<TiffImage> open_tiff_image(const std::filesystem::path& path, const JobContext& context);

/// Read as image_source.hpp and Format::exactly say. Errors: no such channel or time point, planes
/// that are missing or unlike the others, a file that changes meanwhile, cancelled.
Result<Volume> load_tiff_image(TiffImage image, const SourceSelection& selection,
                               const JobContext& context);
Result<std::unique_ptr<SliceSource>> open_tiff_image_slices(TiffImage image,
                                                            const SourceSelection& selection);
Status read_tiff_image_exactly(TiffImage image, const SourceSelection& selection,
                               const SliceVisitor& visit, const JobContext& context);

}  // namespace aprscope
