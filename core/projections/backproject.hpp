#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/projections/noise_power.hpp"
#include "core/projections/projections.hpp"

namespace aprscope {

enum class InsertionKernel { slab, blob };
enum class CtfUse { automatic, none, ctf, phase_flipped, premultiplied, xmipp };
enum class Solve { division, least_squares, weights };
enum class Halves { automatic, rows, none };
/// The noise of images that weights assume: the same power at all frequencies of all images, or
/// that of their optics group by frequency, measured in the corners of images (see noise_power()).
enum class NoiseUse { white, corners };

/// Largest BackprojectSettings::tau: beyond it hardly anything is left of a map.
inline constexpr double kMostTau = 10.0;
/// Largest BackprojectSettings::order.
inline constexpr int kMostBlobOrder = 4;

/// How a map is made from projections: 3-D Fourier reconstruction in the manner of Střelák et al.
/// 2019, by planes ("slabs") instead of blobs.
struct BackprojectSettings {
  /// Name of the point group, see symmetry_group().
  std::string symmetry = "C1";
  InsertionKernel kernel = InsertionKernel::slab;
  /// The blob behind both kernels, in frequencies of the padded transform.
  double radius = 1.5;
  double alpha = 10.0;
  /// Order of the blob, 0 … kMostBlobOrder.
  int order = 0;
  /// Side of the padded images ÷ side of the images; 1 … 4.
  double padding = 2.0;
  CtfUse ctf = CtfUse::automatic;
  /// Whether F and CTF² are divided by the noise power σ²(k); corners: with a CTF only.
  NoiseUse noise = NoiseUse::white;
  /// Number of images of each optics group in which noise is measured; 0: all.
  std::int64_t noise_images = 1000;
  Solve solve = Solve::division;
  /// Iterations of Solve::least_squares and Solve::weights.
  int iterations = 5;
  /// Least share of a shell's mean weight that sums are divided by; 0 … kMostTau.
  double tau = 1e-3;
  /// Finest resolution used, Å; 0: Nyquist.
  double max_resolution = 0.0;
  /// automatic: the halves of the table, else odd and even rows; rows: odd and even rows.
  Halves halves = Halves::automatic;
  /// Diameter of a ball, Å, outside of which the map is zero (soft edge). 0: none.
  double mask_diameter = 0.0;
  /// Number of images used, from both halves in proportion, in the order of the table; 0: all.
  std::int64_t images = 0;
  /// Images show dark objects on bright ground.
  bool invert = false;
  /// Leaves out images with pixels that are not numbers, instead of naming them.
  bool skip_unsound = false;
};

/// Viewing directions, counted in cells of equal area: `rows` bands of equal height in cos tilt
/// from 1 to −1, `columns` of rot from −180° to 180°; counts are row by row. The directions of all
/// copies under the symmetry are counted.
struct DirectionHistogram {
  int rows = 18;
  int columns = 36;
  std::vector<double> counts;
};

/// A map and what belongs to it.
struct Reconstruction {
  std::int64_t side = 0;
  /// Å a voxel.
  double pixel_size = 1.0;
  /// side³ values, x fastest; the halves' are empty without halves.
  std::vector<float> map, half1, half2;
  /// Correlation of the halves for each shell 0 … side/2; empty without halves.
  std::vector<double> fsc;
  DirectionHistogram directions;
  /// Mean W of each shell 0 … side/2.
  std::vector<double> shell_weight;
  /// Share of Fourier voxels whose W is below 10 % of their shell's mean.
  double thin_share = 0.0;
  /// Noise of each optics group, where weights follow it.
  std::vector<NoisePower> noise;
  /// Number of images in the map, of `total` to be inserted; number of rows left out.
  std::int64_t images = 0;
  std::int64_t total = 0;
  std::int64_t left_out = 0;
  /// Among those left out: images with pixels that are not numbers, found when they were read.
  std::int64_t unsound = 0;
  /// Whether it was ended before all images were in.
  bool partial = false;
  std::vector<std::string> notes;
};

/// What can be shown of a map while it grows: its central (2h' + 1)³ frequencies, h' = min(h, 64).
struct LiveMap {
  std::int64_t done = 0, total = 0;
  std::int64_t side = 0;
  double pixel_size = 1.0;
  std::vector<float> map;
  /// Correlation of the halves' sums, near that of their maps, see tile_correlation(); or empty.
  std::vector<double> fsc;
};

class Ranks;

struct BackprojectHooks {
  /// Called from the thread that called backproject(), as often as LivePace allows.
  std::function<void(LiveMap)> live;
  /// Least seconds between two live maps; 0: one after every batch, whatever it takes.
  double seconds_between = 0.25;
  /// A stop requested here ends early with a valid map that is marked partial.
  std::stop_token keep;
  /// Bytes that backproject() may take on the host. If these are fewer than backproject_bytes()
  /// (see backproject_scratch_bytes()), the images are inserted in passes, and the sums lie in
  /// temporary files. The map is the same; `live` is not called. 0: no limit. Not used with
  /// ranks.
  std::uint64_t memory = 0;
  /// Processes that share the images: each inserts its share of the rows, and the first gets the
  /// map. `live` and `keep` are not used then. Null, or ranks that have parted: one process.
  Ranks* ranks = nullptr;
  /// Called with the images that have pixels that are not numbers, before the error that names
  /// them; with ranks each process is told of its share.
  UnsoundRows unsound{};
};

class Inserter;
struct InsertionPlan;

/// Bytes that backproject() needs at most on the processor.
std::uint64_t backproject_bytes(const ProjectionTable& table, const BackprojectSettings& settings);

/// Least bytes that backproject() needs: sums in temporary files, the most passes over the images.
std::uint64_t backproject_scratch_bytes(const ProjectionTable& table,
                                        const BackprojectSettings& settings);

/// A map from projections. Rows that are not enabled are left out. Errors, naming file and
/// line: rows whose angles, shifts or defocus are not numbers, images with pixels that are
/// not numbers or that cannot be read, numbers that give no finite map, settings that do not
/// fit, no memory, cancelled. With hooks.ranks all ranks call it with the same table and
/// settings (an error on all of them where they are not: see job_fingerprint()); a rank that
/// fails must call Ranks::agree() with its error; all ranks but the first get
/// cancelled_error() when the first has the sums. `factory` makes the inserter (see
/// inserter.hpp); none: the processor.
Result<Reconstruction> backproject(
    const Projections& projections, const BackprojectSettings& settings,
    const BackprojectHooks& hooks = {}, const JobContext& context = {},
    const std::function<Result<std::unique_ptr<Inserter>>(const InsertionPlan&, const JobContext&)>&
        factory = {});

}  // namespace aprscope
