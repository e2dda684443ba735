#include "core/operations/measure/file_values.hpp"

#include <numeric>
#include <utility>

namespace aprscope {

FileValues::FileValues(const AprFileSlabs& file, const Region& region, int first_level,
                       int last_level, std::uint64_t at_once, const JobContext& context)
    : file_(file), region_(region), at_once_(at_once), context_(context) {
  layers_ = cell_layers(region, file.level_max(), first_level, last_level, [&](int level) {
    const std::int64_t planes = level_grid(file.size(), file.level_max(), level).z;
    return file.first_in_plane(level, 0) == file.first_in_plane(level, planes);
  });
  counts_.resize(layers_.size());
}

std::shared_ptr<const CellRows> FileValues::planes(const CellLayer& layer) const {
  const auto holds = [&](const std::shared_ptr<const CellRows>& rows) {
    return rows && rows->level == layer.level && rows->z0 <= layer.z && layer.z < rows->z1;
  };
  const std::lock_guard lock(mutex_);
  for (const auto& rows : {last_, one_before_}) {
    if (holds(rows)) return rows;
  }
  if (!failed_) return nullptr;
  const std::int64_t end = level_grid(file_.size(), file_.level_max(), layer.level).z;
  const std::uint64_t first = file_.first_in_plane(layer.level, layer.z);
  std::int64_t z1 = layer.z + 1;
  while (z1 < end && file_.first_in_plane(layer.level, z1 + 1) - first <= at_once_) ++z1;
  one_before_ = std::move(last_);
  last_ = nullptr;
  auto read = file_.rows(layer.level, layer.z, z1, JobContext(context_.stop_token()));
  if (!read) {
    failed_ = read.error();
    return nullptr;
  }
  last_ = std::make_shared<const CellRows>(*std::move(read));
  return last_;
}

std::uint64_t FileValues::particles() const {
  return std::accumulate(counts_.begin(), counts_.end(), std::uint64_t{0});
}

Status FileValues::status() const {
  const std::lock_guard lock(mutex_);
  if (!failed_) return failed_;
  return file_.unchanged();
}

}  // namespace aprscope
