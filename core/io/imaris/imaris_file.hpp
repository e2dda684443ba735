#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/job_context.hpp"
#include "core/io/hdf5/hdf5_reader.hpp"
#include "core/io/imaris/imaris_description.hpp"

// Private to core/io: the image of an Imaris file, and where its pixels are.

namespace aprscope {

/// One level of resolution of the image. Channels and time points are those that are in the file;
/// their numbers there need not follow each other.
struct ImarisFile {
  std::shared_ptr<Hdf5Reader> reader;
  /// "/DataSet" and "/DataSetInfo", unless the file calls them otherwise.
  std::string pixels, description;
  ImarisImage image;
  int level = 0;
  /// Numbers of time points and channels, at least one each.
  std::vector<int> times;
  std::vector<int> channels;
  /// Description of each channel.
  std::vector<ImarisChannel> shown;
  /// From one time point to the next; none: the file does not say.
  std::optional<double> seconds;
  /// What the file lacks of what it announces, for users; "" for nothing.
  std::string remark;
};

/// Reads the structure of a file. `dataset`: "" for full resolution, "/1" for another level. Errors
/// name the file and the group: no such level, no time point or no channel, those of
/// parse_imaris_image(), attributes that cannot be read, cancelled.
Result<ImarisFile> read_imaris(const std::shared_ptr<Hdf5Reader>& reader,
                               const std::string& dataset);

/// One channel at one time point.
struct ImarisView {
  /// The array, larger than the image by what pads its chunks.
  std::string dataset;
  Size3 size;
  std::string dtype;
  ImarisPlace place;
};

/// `channel` and `time` are places in ImarisFile::channels and ImarisFile::times. Errors name the
/// file and the group: the view is not there, sizes that are not said, that differ from those of
/// the whole, or beyond the array, an array that is not of three dimensions; those of
/// open_dataset() and imaris_place().
Result<ImarisView> imaris_view(const ImarisFile& file, std::size_t channel, std::size_t time);

}  // namespace aprscope
