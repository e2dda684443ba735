#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/apr/structure/apr.hpp"
#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/image/channel_blend.hpp"
#include "core/image/volume.hpp"

namespace aprscope {

/// 0.4 is Zarr 2, which most programs read; 0.5 is Zarr 3 with its chunks in few files.
enum class OmeZarrVersion { v04, v05 };

/// Whether a name ends in .zarr, whatever its case.
bool is_zarr_name(const std::filesystem::path& path);

/// How other programs are to show a channel ("omero" of OME-NGFF).
struct OmeZarrChannel {
  /// Empty: that of the data, else its number.
  std::string name;
  /// Without a colour: white for one channel, that of channel_colour() for several; without a
  /// window: from its lowest to its highest value.
  ChannelHint look;
  /// Whether it is shown at first.
  bool active = true;
};

/// What several channels and time points have in common.
struct OmeZarrSeries {
  std::vector<OmeZarrChannel> channels{1};
  int times = 1;
  /// Seconds from one time point to the next; none: unknown.
  std::optional<double> seconds;
};

/// Pixels or particles of a channel and time point; never null.
using OmeZarrPart = std::variant<std::shared_ptr<const Volume>, std::shared_ptr<const Apr>>;
/// Makes one of them, counted from 0 in what is written; the context is of its share of the
/// progress.
using MakeOmeZarrPart =
    std::function<Result<OmeZarrPart>(int channel, int time, const JobContext& context)>;

/// Writes a folder of OME-Zarr (NGFF 0.4 or 0.5): axes t (where there are several time points), c,
/// z, y and x (of the file: x and y of the program are its y and x), voxel size, unit, place, names
/// and looks of the channels, and a pyramid down to 64 pixels a side, each level the mean of up to
/// 2³ pixels of the one before; for particles, the main field, constant in each cell, the levels of
/// the APR and the means of its tree. Integers are rounded to the nearest. Chunks of 64³, blosc
/// with zstd. Parts are made and written one after the other, all channels of one time point after
/// those of the one before, so that only one is in memory at a time; the first gives name, place
/// and voxel size. An existing folder of this kind is replaced at the end. Errors (which leave what
/// was there): a file or another folder is there; parts of unlike sizes or types of samples;
/// particles without values; those of making parts and of the disk; cancelled.
Status write_ome_zarr(const OmeZarrSeries& series, const MakeOmeZarrPart& part,
                      const std::filesystem::path& path, OmeZarrVersion version,
                      const JobContext& context = {});

/// One image, or one set of particles.
Status write_ome_zarr(const Volume& volume, const std::filesystem::path& path,
                      OmeZarrVersion version = OmeZarrVersion::v04, const JobContext& context = {});
Status write_ome_zarr(const Apr& apr, const std::filesystem::path& path,
                      OmeZarrVersion version = OmeZarrVersion::v04, const JobContext& context = {});

}  // namespace aprscope
