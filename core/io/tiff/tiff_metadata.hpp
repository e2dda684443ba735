#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.hpp"
#include "core/image/channel_blend.hpp"
#include "core/image/volume.hpp"

// Private to core/io: what ImageJ and OME-XML image descriptions say.

namespace aprscope {

/// ImageJ's "key=value" lines. Planes lie in the order channel (fastest), slice, frame.
struct ImageJInfo {
  std::int64_t images = 1;
  std::int64_t channels = 1;
  std::int64_t slices = 1;
  std::int64_t frames = 1;
  /// Distance of slices in `unit`, ImageJ's default 1 when missing.
  double spacing = 1.0;
  /// Normalized unit; empty when missing.
  std::string unit;
  /// Pixel coordinates (z, x, y in our order) of the origin of the physical coordinates.
  std::array<double, 3> origin_pixel{0.0, 0.0, 0.0};
  /// Between frames, in seconds; none: not said.
  std::optional<double> seconds;
  /// Our own key, which ImageJ leaves alone: the name of the channel.
  std::string channel_name;
};

/// Parses ImageJ's description; none for others. Counts that are no positive whole numbers are 1.
std::optional<ImageJInfo> parse_imagej(const std::string& description);

/// The first image of an OME-XML description.
struct OmeInfo {
  std::int64_t size_x = 0;
  std::int64_t size_y = 0;
  std::int64_t size_z = 1;
  std::int64_t size_c = 1;
  std::int64_t size_t = 1;
  /// Samples (such as RGB) of one page; size_c counts them.
  std::int64_t samples = 1;
  /// Channels that have planes of their own: size_c / samples.
  [[nodiscard]] std::int64_t plane_channels() const { return size_c / samples; }
  VoxelSize voxel;
  /// Between time points, in seconds; none: not said.
  std::optional<double> seconds;
  /// Names of the Channel elements, their number where one has no name.
  std::vector<std::string> channel_names;
  /// Colours of the channels, where they have some.
  std::vector<ChannelHint> channel_hints;
  /// Directory number (from 0) of plane (t · plane_channels + c) · size_z + z; −1: in no file.
  std::vector<std::int64_t> directory;
  /// The file that it is in: 0 is this one, k is others[k − 1].
  std::vector<std::int32_t> file;
  /// Names of other files of the set that hold planes, as the XML has them.
  std::vector<std::string> others;
};

/// True when the description looks like OME-XML.
bool is_ome_xml(const std::string& description);

/// The file whose description it is, as OME-XML tells it from others of a set.
struct OmeFile {
  std::string name;
  /// UUID in the file itself, if the XML stands in another file; "": the XML has it.
  std::string uuid;
};

/// Parses OME-XML. `directories`: pages of the file; `samples`: samples of a pixel of its pages.
/// Errors (without `where`): damaged XML, missing or impossible sizes. Throws std::bad_alloc.
Result<OmeInfo> parse_ome(const std::string& xml, std::int64_t directories, int samples,
                          const OmeFile& own = {});

/// For a file that only says that its metadata are elsewhere: the name of that file, and the UUID
/// of this file in it.
struct OmeCompanion {
  std::string file;
  std::string uuid;
};
std::optional<OmeCompanion> ome_companion(const std::string& xml);

}  // namespace aprscope
