#include "core/operations/measure/file_values.hpp"

#include <utility>

namespace aprscope {
namespace {

// What is read of a file, and as much again while it is read.
constexpr std::uint64_t kBytesOfParticle = 2 * (sizeof(std::uint16_t) + sizeof(float));
constexpr std::uint64_t kBytesOfRow = 2 * sizeof(std::uint64_t);

}  // namespace

FileValues::FileValues(const AprFileSlabs& file, const Region& region, int first_level,
                       int last_level, std::uint64_t memory, const JobContext& context)
    : file_(file), region_(region), memory_(memory), context_(context) {
  layers_ = cell_layers(region, file.level_max(), first_level, last_level, [&](int level) {
    const std::int64_t planes = level_grid(file.size(), file.level_max(), level).z;
    return file.first_in_plane(level, 0) == file.first_in_plane(level, planes);
  });
}

std::int64_t FileValues::bring(std::int64_t first) {
  if (!failed_) return first;
  const auto layer = [&](std::int64_t block) { return layers_[static_cast<std::size_t>(block)]; };
  const int level = layer(first).level;
  const std::int64_t z0 = layer(first).z;
  const auto wide =
      static_cast<std::uint64_t>(level_grid(file_.size(), file_.level_max(), level).x);
  const auto bytes = [&](std::int64_t z1) {
    return (file_.first_in_plane(level, z1) - file_.first_in_plane(level, z0)) * kBytesOfParticle +
           static_cast<std::uint64_t>(z1 - z0) * wide * kBytesOfRow;
  };
  std::int64_t end = first + 1;
  while (end < blocks() && layer(end).level == level && bytes(layer(end).z + 1) <= memory_) ++end;
  rows_ = {};
  auto read = file_.rows(level, z0, layer(end - 1).z + 1, JobContext(context_.stop_token()));
  if (!read) {
    failed_ = read.error();
    return first;
  }
  rows_ = *std::move(read);
  if (first == 0) particles_ = 0;
  const Size3& size = file_.size();
  const bool all = region_.size().x == size.x && region_.size().y == size.y;
  if (all) particles_ += rows_.count();
  for (std::int64_t block = first; block < end && !all; ++block) {
    each(block,
         [&](std::span<const float> values, const std::uint64_t*) { particles_ += values.size(); });
  }
  return end;
}

Status FileValues::status() const {
  if (!failed_ && failed_.error().cancelled()) return failed_;
  if (Status same = file_.unchanged(); !same) return same;
  return failed_;
}

}  // namespace aprscope
