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
/// What weights take for the noise of images: the same power at all frequencies of all of them, or
/// that of their optics group by frequency, measured in their corners (see noise_power()).
enum class NoiseUse { white, corners };

/// Largest BackprojectSettings::tau: beyond it hardly anything is left of a map.
inline constexpr double kMostTau = 10.0;
/// Largest BackprojectSettings::order.
inline constexpr int kMostBlobOrder = 4;

/// How a map is made from projections: 3-D Fourier reconstruction in the manner of Střelák et al.
/// 2019, by planes ("slabs") instead of blobs.
struct BackprojectSettings {
  /// See symmetry_group().
  std::string symmetry = "C1";
  InsertionKernel kernel = InsertionKernel::slab;
  /// The blob behind both kernels, in frequencies of the padded transform.
  double radius = 1.5;
  double alpha = 10.0;
  /// 0 … kMostBlobOrder.
  int order = 0;
  /// Side of the padded images ÷ side; 1 … 4.
  double padding = 2.0;
  CtfUse ctf = CtfUse::automatic;
  /// F and CTF² are divided by its power, σ²(k); corners: with a CTF only.
  NoiseUse noise = NoiseUse::white;
  /// Images of each optics group that it is measured in; 0: all.
  std::int64_t noise_images = 1000;
  Solve solve = Solve::division;
  /// Of least squares and of weights.
  int iterations = 5;
  /// Least share of a shell's mean weight that sums are divided by; 0 … kMostTau.
  double tau = 1e-3;
  /// Å; 0: Nyquist.
  double max_resolution = 0.0;
  /// automatic: those of the table, else odd and even rows; rows: odd and even rows.
  Halves halves = Halves::automatic;
  /// Å; outside a ball of it, with a soft edge, the map is zero. 0: none.
  double mask_diameter = 0.0;
  /// Only so many, taken from both halves in proportion, each in the order of the table; 0: all.
  std::int64_t images = 0;
  /// Images are dark on bright.
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
  /// Å.
  double pixel_size = 1.0;
  /// side³ values, x fastest; the halves' are empty without halves.
  std::vector<float> map, half1, half2;
  /// Of the halves, one for each shell 0 … side/2; empty without halves.
  std::vector<double> fsc;
  DirectionHistogram directions;
  /// Mean W of each shell 0 … side/2.
  std::vector<double> shell_weight;
  /// Share of Fourier voxels whose W is below 10 % of their shell's mean.
  double thin_share = 0.0;
  /// Of each optics group, where weights follow it.
  std::vector<NoisePower> noise;
  /// Images that are in it, of `total` that were to be; rows that were not asked for.
  std::int64_t images = 0;
  std::int64_t total = 0;
  std::int64_t left_out = 0;
  /// Of those left out: images with pixels that are not numbers, which is seen when they are read.
  std::int64_t unsound = 0;
  /// Ended before all images were in.
  bool partial = false;
  std::vector<std::string> notes;
};

/// What can be shown of a map while it grows: its central (2h' + 1)³ frequencies, h' = min(h, 64).
struct LiveMap {
  std::int64_t done = 0, total = 0;
  std::int64_t side = 0;
  double pixel_size = 1.0;
  std::vector<float> map;
  /// Of the halves' sums, see tile_correlation(): near that of their maps. Empty without halves.
  std::vector<double> fsc;
};

class Ranks;

struct BackprojectHooks {
  /// Called from the thread that called backproject(), as often as LivePace allows.
  std::function<void(LiveMap)> live;
  /// At least; 0: after every batch, whatever it takes.
  double seconds_between = 0.25;
  /// Asks for what there is: ends early with a valid map that is marked partial.
  std::stop_token keep;
  /// Bytes that it may take on the host, where that is less than it asks for (see
  /// backproject_bytes(), backproject_scratch_bytes()): then the images are inserted in passes, and
  /// the sums lie in temporary files. The map is the same, and nothing is shown of it meanwhile. 0:
  /// what it asks for. Not with ranks.
  std::uint64_t memory = 0;
  /// Processes that share the images: each inserts its share of the rows, and the first gets the
  /// map. `live` and `keep` are not for these. A null pointer, or ranks that have parted: none.
  Ranks* ranks = nullptr;
  /// Is told which images have pixels that are not numbers, before the error that names them; of
  /// ranks each is told of those in its share.
  UnsoundRows unsound{};
};

class Inserter;
struct InsertionPlan;

/// Bytes that backproject() needs at most on the processor.
std::uint64_t backproject_bytes(const ProjectionTable& table, const BackprojectSettings& settings);

/// The same with sums in temporary files, in as many passes over the images as may be: the least.
std::uint64_t backproject_scratch_bytes(const ProjectionTable& table,
                                        const BackprojectSettings& settings);

/// A map from projections. Rows that are not enabled are left out. Errors, naming file and line:
/// rows whose angles, shifts or defocus are not numbers, images with pixels that are not numbers or
/// that cannot be read, numbers that give no finite map, settings that do not fit, no memory,
/// cancelled. With hooks.ranks all ranks call it with the same table and settings (an error on all
/// of them where they are not: see job_fingerprint()); one that fails
/// must go on to Ranks::agree() with its error, and all but the first have none but
/// cancelled_error() when the sums are with the first. `factory` makes what sums (see
/// inserter.hpp); none: the processor.
Result<Reconstruction> backproject(
    const Projections& projections, const BackprojectSettings& settings,
    const BackprojectHooks& hooks = {}, const JobContext& context = {},
    const std::function<Result<std::unique_ptr<Inserter>>(const InsertionPlan&, const JobContext&)>&
        factory = {});

}  // namespace aprscope
