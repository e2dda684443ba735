#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/job_context.hpp"
#include "core/io/bdv/bdv_xml.hpp"
#include "core/io/common/source_info.hpp"

// Private to core/io: the images of a BigDataViewer data set, and where their pixels are.

namespace aprscope {

/// Setups that differ in their channel alone.
struct BdvImage {
  /// Name that tells the image from the others: "/tile1_angle0"; "" for the only one.
  std::string name;
  /// Places in BdvProject::setups, in the order of channels.
  std::vector<std::size_t> setups;
  std::vector<std::string> channels;
};

/// The images of a data set, at least one.
std::vector<BdvImage> bdv_images(const BdvProject& project);

/// One level of resolution of an image.
struct BdvChoice {
  BdvImage image;
  int level = 0;
};

/// Chooses by the name of an image, or that and "/1" for a level; "": the largest image at full
/// resolution. Errors: there is none of that name.
Result<BdvChoice> bdv_choice(const BdvProject& project, const std::string& dataset,
                             const std::filesystem::path& path);

/// Reads the XML file. Errors name it: those of parse_bdv(), too large, pixels kept in a way that
/// is not read.
Result<BdvProject> read_bdv(const std::filesystem::path& path);

/// The files or folders that the pixels are in, as far as they lie below the XML's folder.
std::vector<std::filesystem::path> bdv_files(const BdvProject& project,
                                             const std::filesystem::path& path);

/// The XML file of the same name beside a file of HDF5 or a folder of N5, if it names these as its
/// pixels: it has the channels, the time points and the voxel size, which they lack. None where
/// there is no such file, or it can't be used.
std::optional<std::filesystem::path> bdv_xml_of(const std::filesystem::path& pixels);

/// The pixels of a view in the format that has them.
struct BdvPixels {
  bool in_n5 = false;
  /// File or folder of the pixels, and the array in it.
  SourceInfo source;
  /// Pixels of full resolution in one of this level, z, x, y.
  std::array<double, 3> factors{1.0, 1.0, 1.0};
};

/// Where the pixels of setup `setup` (a place in BdvProject::setups) are at time point `time` (a
/// place in BdvProject::times), with the size and the type of samples of that array. Errors: the
/// view was not recorded, the file is not below the XML's folder, no such level, cancelled; those
/// of reading it.
Result<BdvPixels> bdv_pixels(const BdvProject& project, const std::filesystem::path& path,
                             std::size_t setup, std::size_t time, int level,
                             const JobContext& context);

}  // namespace aprscope
