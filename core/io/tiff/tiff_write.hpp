#pragma once

#include <filesystem>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/image/volume.hpp"
#include "core/io/common/label_image_facts.hpp"
#include "core/io/tiff/strip_packer.hpp"

namespace aprscope {

/// ImageJ-compatible TIFF (z as pages, voxel size and unit kept), packed by all threads; BigTIFF
/// where the pixels exceed 4 GB. The same bytes for any number of threads.
Status write_tiff(const Volume& volume, const std::filesystem::path& path,
                  const JobContext& context = {}, TiffPacking packing = TiffPacking::deflate);

/// Labels as such a TIFF: u16 where they fit, else u32; there are as many labels as pixels.
Status write_tiff_labels(const Labels& labels, const LabelImageFacts& facts,
                         const std::filesystem::path& path, const JobContext& context);

}  // namespace aprscope
