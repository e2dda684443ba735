#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/apr/apr.hpp"
#include "core/base/job_context.hpp"
#include "core/image/labels.hpp"

namespace aprscope {

/// All writers write a temporary file beside the target and rename it: a failed or cancelled job
/// leaves what was there.

struct AprWriteOptions {
  /// Also write the tree's structure and the mean of the main field on it.
  bool with_tree = false;
};
/// Writes the linear layout of the reference library (blosc/zstd, every attribute); labels as a u32
/// field "labels".
Status write_apr(const Apr& apr, const std::filesystem::path& path,
                 const AprWriteOptions& options = {}, const JobContext& context = {});
/// Several channels and time points of one data set in one file.
Status write_apr_series(const std::vector<Apr>& series, const std::filesystem::path& path,
                        const AprWriteOptions& options = {}, const JobContext& context = {});

/// ImageJ-compatible TIFF (z as pages, voxel size and unit kept), deflate-compressed; BigTIFF where
/// the pixels exceed 4 GB.
Status write_tiff(const Volume& volume, const std::filesystem::path& path,
                  const JobContext& context = {});

/// By the name's ending: .mrc, .map and .mrcs as MRC (see mrc_write.hpp), anything else as TIFF.
Status write_image(const Volume& volume, const std::filesystem::path& path,
                   const JobContext& context = {});

/// What labels do not know of the image that they belong to.
struct LabelImageFacts {
  Size3 size;
  VoxelSize voxel;
  /// See Volume::origin.
  std::array<double, 3> origin{0.0, 0.0, 0.0};
};
/// Labels of the pixels of an image as such a TIFF: u16 where they fit, which all programs open,
/// else u32. Where the name says MRC: u16, or f32 up to 2^24 labels, beyond which it is an error.
/// Errors: as many labels as pixels are needed; those of the file system; cancelled.
Status write_labels(const Labels& labels, const LabelImageFacts& facts,
                    const std::filesystem::path& path, const JobContext& context = {});

/// 8-bit RGB(A) PNG; `rgba` holds 4 bytes a pixel, row 0 on top.
Status write_png(const std::vector<std::uint8_t>& rgba, int width, int height,
                 const std::filesystem::path& path);

}  // namespace aprscope
