#include "core/deconvolution/blur/shared_filter.hpp"

#include "core/apr/structure/tree.hpp"

namespace aprscope {
namespace {

// The tree as far as this rank knows values: fine levels in its slices, coarse ones everywhere.
Status fill_known_tree(const AprAccess& access, BlurShares& shares, std::span<const float> x,
                       std::span<float> tree, const JobContext& context) {
  if (shares.knows_everything()) return fill_tree(access, x, Reduction::mean, tree, context);
  const int coarsest = shares.coarsest();
  const Status fine =
      fill_tree_levels(access, x, access.level_max() - 1, coarsest, shares.known(), tree, context);
  if (Status all = shares.share_tree(fine, tree); !all) return all;
  return fill_tree_levels(access, x, coarsest - 1, 0, {0, access.size().z}, tree, context);
}

}  // namespace

Status filter_shared(const AprAccess& access, ParticleFilter& filter, BlurShares* shares,
                     std::span<const float> x, std::span<float> tree, std::span<float> y,
                     const JobContext& context) {
  const JobContext quiet(context.stop_token());
  Status done = shares != nullptr ? fill_known_tree(access, *shares, x, tree, quiet)
                                  : fill_tree(access, x, Reduction::mean, tree, quiet);
  if (done) done = filter.apply(x, tree, y, quiet);
  return shares != nullptr ? shares->share(done, y) : done;
}

}  // namespace aprscope
