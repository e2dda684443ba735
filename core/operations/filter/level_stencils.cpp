#include "core/operations/filter/level_stencils.hpp"

#include "core/filter/stencil_pyramid.hpp"
#include "core/operations/filter/filter_plan.hpp"
#include "core/operations/filter/filter_words.hpp"

namespace aprscope {

Result<std::vector<Stencil>> level_stencils(const Operation& operation, const VoxelSize& voxel,
                                            const Size3& size, int level_max) {
  const auto whole = complete(operation);
  if (!whole) return whole.error();
  const auto finest = stencils_of(*whole, voxel, size);
  if (!finest) return finest.error();
  return level_stencils(finest->front(), parameter<std::string>(*whole, "mode"),
                        parameter<bool>(*whole, "normalize"), level_max);
}

Result<std::vector<Stencil>> level_stencils(const Stencil& stencil, const std::string& mode,
                                            bool normalize, int level_max) {
  const auto pyramid =
      StencilPyramid::create(stencil, schema::value_of(kStencilModes, mode), normalize, level_max);
  if (!pyramid) return pyramid.error();
  std::vector<Stencil> all;
  for (int level = 0; level <= level_max; ++level) all.push_back(pyramid->at(level));
  return all;
}

}  // namespace aprscope
