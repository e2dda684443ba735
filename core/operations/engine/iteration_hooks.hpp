#pragma once

#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <vector>

#include "core/dataset/dataset.hpp"
#include "core/filter/stencil.hpp"
#include "core/operations/engine/iteration_report.hpp"

namespace aprscope {

struct LiveMap;
class Ranks;

/// How the host of an iterative operation takes part in it.
struct IterationHooks {
  /// Called after each iteration from the thread that runs it; values are particles, or pixels, of
  /// the whole data, and stay as they are during the call only.
  std::function<void(const IterationReport&, std::span<const float> iterate)> observer;
  /// "End after this iteration and give me the iterate", which is then marked partial.
  std::stop_token keep;
  /// The true result: each report then compares the iterate with it. Pixels of the same size, or an
  /// APR of any structure, which is reconstructed for it.
  std::shared_ptr<const Dataset> truth;
  /// The estimate to begin with instead of what the operation says: an earlier result on the same
  /// structure, or of the same size. An operation that goes on from "previous" needs it.
  std::shared_ptr<const Dataset> start;
  /// The image of its background instead of the operation's file, where the host has it already.
  std::shared_ptr<const Dataset> background;
  /// The operation's PSF where the host has made it already; must be what psf_of() gives.
  std::shared_ptr<const Stencil> psf;
  /// Called with a map that grows out of projections, as far as it is; see BackprojectHooks.
  std::function<void(LiveMap)> growing{};
  /// Called before the error that names images with pixels that are not numbers: one flag for each
  /// row of the table, true for such an image.
  std::function<void(const std::vector<bool>& rows)> unsound{};
  /// The processes that share the work of an operation that can be shared (Traits::is_shared), or
  /// the blur of a deconvolution on the CPU: then `keep` is refused, and without `truth` an
  /// observer's values are whole only where this process knows them, see BlurShares.
  Ranks* ranks = nullptr;
  /// Called once with what was measured of the result, where the operation was asked for that.
  std::function<void(const std::vector<NamedFigure>&)> concluded{};
};

}  // namespace aprscope
