#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/io/apr/apr_cells.hpp"
#include "core/io/apr/apr_slabs.hpp"
#include "core/io/common/file_watch.hpp"

// Private to core/io: code shared by reading and rewriting a file in slabs.

namespace aprscope {

struct AprFileSlabs::Impl {
  std::string where;
  FileWatch watch;
  Hdf5Object group;
  AprHeader header;
  Apr facts;
  std::string field;
  AprCells particles;
  std::optional<AprCells> tree;
  // Where each plane of each level begins, level 0 first; tree_planes is empty without a tree.
  std::vector<std::vector<std::uint64_t>> planes;
  std::vector<std::vector<std::uint64_t>> tree_planes;
  int coarsest = 0;
  LinearAccess coarse;
  std::vector<float> coarse_values;
  // Values that are used in the place of the field's.
  std::span<const float> others;
};

}  // namespace aprscope
