#pragma once

#include "core/operations/schema/words.hpp"
#include "core/topology/strata.hpp"

namespace aprscope {

inline constexpr schema::Word<LevelSets> kLevelSets[] = {{"superlevel", LevelSets::superlevel},
                                                         {"sublevel", LevelSets::sublevel}};
inline constexpr schema::Word<Construction> kConstructions[] = {{"t", Construction::closed_voxels},
                                                                {"v", Construction::vertices}};

}  // namespace aprscope
