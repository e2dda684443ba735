#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "core/base/job_context.hpp"
#include "core/image/labels.hpp"
#include "core/io/apr/apr_write.hpp"
#include "core/io/common/label_image_facts.hpp"
#include "core/io/tiff/tiff_write.hpp"

namespace aprscope {

/// All writers write a temporary file beside the target and rename it: a failed or cancelled job
/// leaves what was there. Writers of one format stand beside it; these here choose a format.

/// Writes an image in a format by the name's ending: .mrc, .map, .mrcs as MRC, .zarr as OME-Zarr
/// 0.4, anything else as TIFF. `packing` is that of a TIFF.
Status write_image(const Volume& volume, const std::filesystem::path& path,
                   const JobContext& context = {}, TiffPacking packing = TiffPacking::deflate);

/// Writes labels of the pixels of an image as a TIFF: u16 where they fit, which all programs open,
/// else u32; if the name is that of an MRC file: u16, or f32 up to 2^24 labels, beyond which it is
/// an error. Errors: not one label a pixel; those of the file system; cancelled.
Status write_labels(const Labels& labels, const LabelImageFacts& facts,
                    const std::filesystem::path& path, const JobContext& context = {});

/// 8-bit RGB(A) PNG; `rgba` holds 4 bytes a pixel, row 0 on top.
Status write_png(const std::vector<std::uint8_t>& rgba, int width, int height,
                 const std::filesystem::path& path);

}  // namespace aprscope
