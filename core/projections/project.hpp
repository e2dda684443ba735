#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/projections/projection_table.hpp"
#include "core/projections/slab_kernel.hpp"

namespace aprscope {

/// How images are made of a map.
struct ProjectSettings {
  /// Multiplies with the CTF of the rows (twice in premultiplied groups, to match their images) and
  /// applies the aberrations of the groups (once).
  bool ctf = false;
  /// Standard deviation of Gaussian noise, which is that of CounterRandom(seed, row).
  double noise = 0.0;
  std::uint64_t seed = 1;
  double padding = 2.0;
  Blob blob;
};

/// Takes images of consecutive rows, side² values each; an error ends the projecting.
using ImageSink = std::function<Status(std::int64_t first, std::span<const float> images)>;

/// A map whose padded spectrum is kept, to project it repeatedly. Copies share it; any number of
/// threads may use it.
class PreparedMap {
 public:
  /// Prepares a map of side³ voxels; padding and blob are those of the settings. Errors: another
  /// number of voxels, settings that do not fit, no memory, cancelled.
  static Result<PreparedMap> create(std::span<const float> map, std::int64_t side,
                                    const ProjectSettings& settings,
                                    const JobContext& context = {});
  [[nodiscard]] std::int64_t side() const;
  /// Bytes of the spectrum that is kept.
  [[nodiscard]] std::uint64_t bytes() const;

 private:
  struct State;
  friend Status project(const PreparedMap& map, const ProjectionTable& table,
                        const ProjectSettings& settings, const ImageSink& sink,
                        const JobContext& context);
  std::shared_ptr<const State> state_;
};

/// Projects a map (side³ voxels) along the orientations of all rows of a table, shifted and
/// mirrored such that backproject() of them puts the map together again. It is the transpose of
/// the insertion: ⟨project(x), y⟩ = ⟨x, backprojected y⟩ · (integral of the slab kernel).
/// Frequencies below Nyquist are used. Errors: sizes that differ, a pixel size of an optics group
/// that is not the table's, a CTF that is not known, those of `sink`, no memory, cancelled.
Status project(std::span<const float> map, std::int64_t side, const ProjectionTable& table,
               const ProjectSettings& settings, const ImageSink& sink,
               const JobContext& context = {});

/// project() of a map that was prepared with the padding and blob of these settings.
Status project(const PreparedMap& map, const ProjectionTable& table,
               const ProjectSettings& settings, const ImageSink& sink,
               const JobContext& context = {});

/// A table of `count` rows with directions that are uniform on the sphere, one optics group and no
/// files.
ProjectionTable uniform_projections(std::int64_t side, double pixel_size, std::int64_t count,
                                    std::uint64_t seed);

}  // namespace aprscope
