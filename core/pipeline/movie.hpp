#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/apr/raycast/raycast.hpp"
#include "core/image/channel_blend.hpp"
#include "core/image/colormap.hpp"

namespace aprscope {

/// A channel of a projection that turns.
struct MovieChannel {
  std::shared_ptr<const MipRaycaster> raycaster;
  ChannelLook look;
};

/// One of the projections that turn beside each other.
struct MovieSide {
  std::shared_ptr<const MipRaycaster> raycaster;
  Size3 size;
  VoxelSize voxel;
  Contrast contrast;
  std::string colormap = "grey";
  /// Title above it; empty for none.
  std::string title;
  /// Channels to blend, each with its own raycaster, instead of `raycaster`, `contrast` and
  /// `colormap`; empty: these.
  std::vector<MovieChannel> channels{};
  /// Pixels that are seen; none: all.
  std::optional<Region> only{};
  /// Depth of translucent matter to show instead of projections, see Translucency; none:
  /// projections.
  std::optional<double> depth{};
  /// The value whose surface is shown instead, in the light of the camera, see
  /// Raycaster::surface(); none: projections or matter. Channels have none.
  std::optional<float> surface{};
};

struct MovieOptions {
  /// Frames of one full turn.
  int frames = 120;
  int per_second = 25;
  /// Side of each projection in pixels.
  int pixels = 512;
  /// Degrees and zoom as for orbit_camera(); the azimuth of the first frame.
  double azimuth = 0.0;
  double elevation = 15.0;
  double zoom = 1.0;
  bool scale_bar = true;
};

/// Whether a movie of this name is one file: .mp4 or .webm.
bool is_movie_file(const std::filesystem::path& output);

/// Whether a movie of this name can be made here: the ending is .mp4 or .webm, which needs ffmpeg
/// to be installed, or none: a folder of PNG files.
Status check_movie(const std::filesystem::path& output);

/// A flight through one volume from stop to stop, with `steps` pictures from each to the next, see
/// camera_path(): `options` say size, bar and pictures a second; the view is 16 : 9, `pixels`
/// wide, with a margin around it. Files and errors: as write_turn(), no stops.
Status write_flight(const MovieSide& side, const std::vector<RayCamera>& stops, int steps,
                    const MovieOptions& options, const std::filesystem::path& output,
                    const JobContext& context = {});

/// A full turn of one volume, or of several beside each other. To a folder (made if it is not
/// there): frame_0001.png …; to .mp4 or .webm: encoded by ffmpeg. A failed or cancelled movie
/// leaves no file; frames that a folder has got stay. Errors: of check_movie(), no sides, of the
/// file system and of ffmpeg, cancelled.
Status write_turn(const std::vector<MovieSide>& sides, const MovieOptions& options,
                  const std::filesystem::path& output, const JobContext& context = {});

}  // namespace aprscope
