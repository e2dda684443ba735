#pragma once

#include <cstdint>
#include <string>
#include <vector>

// Private to core/io: which files of a folder belong together, by their names.

namespace aprscope {

/// Files whose names differ in numbers alone.
struct SliceNames {
  /// "cells_c#_z#.tif", with # where numbers differ; of a single file its name.
  std::string name;
  /// Numbers of channels as in the names; a single "" if names have none.
  std::vector<std::string> channels{""};
  std::int64_t times = 1;
  std::int64_t slices = 1;
  /// The file of plane (t · channels + c) · slices + z.
  std::vector<std::string> files;
  /// Why they make up no image: a file that lacks, or is there twice; "" where nothing is wrong.
  std::string problem;
};

/// Files in the order of the numbers in their names, slice2 before slice10. A number that follows
/// c, ch, channel, w or wavelength is a channel's; t, time, timepoint, tp or frame a time point's;
/// z, slice, plane, section or layer a slice's: "_c1_t002_z0003", "C=1,T=2,Z=3", "z0003". Where no
/// number is a slice's, the last of the others that differ is; what differs beside makes images of
/// their own.
std::vector<SliceNames> slice_names(std::vector<std::string> files);

/// Whether slice2 comes before slice10: numbers by their values, all else by bytes.
bool natural_less(const std::string& a, const std::string& b);

}  // namespace aprscope
