#include "core/operations/particles/overview.hpp"

#include <algorithm>

#include "core/apr/structure/linear_access.hpp"
#include "core/io/apr/apr_file_part.hpp"
#include "core/io/apr/apr_summary.hpp"

namespace aprscope {
namespace {

// Read and painted in less than a second.
constexpr std::int64_t kOverviewPixels = std::int64_t{1} << 25;
// Bytes for each particle beside its lists and values: its f32 value, and its share of the tree
// with means and of the ray caster.
constexpr std::uint64_t kBesideParticle = 8;

}  // namespace

std::uint64_t bytes_to_show(const Size3& size, const std::string& dtype) {
  const std::uint64_t sample = dtype == "u8" ? 1 : dtype == "u16" ? 2 : sizeof(float);
  return static_cast<std::uint64_t>(std::max<std::int64_t>(0, size.count())) *
         (sample + sizeof(float));
}

Result<std::uint64_t> particle_bytes_to_show(const SourceInfo& info,
                                             const SourceSelection& selection) {
  const auto summary = summarize_apr(info, selection);
  if (!summary) return summary.error();
  if (!*summary) return std::uint64_t{0};
  return (*summary)->bytes + (*summary)->particles * kBesideParticle;
}

int overview_level(const Size3& size, std::uint64_t bytes) {
  const int finest = finest_level(size);
  int level = std::max(1, finest - 1);
  while (level > 1) {
    const Size3 grid = level_grid(size, finest, level);
    if (grid.count() <= kOverviewPixels && bytes_to_show(grid, "f32") <= bytes) break;
    --level;
  }
  return level;
}

Result<std::optional<Data>> level_of_file(const SourceInfo& info, const SourceSelection& selection,
                                          int level, const JobContext& context) {
  // At the finest one a part of a file keeps the type of the particles, and is no smaller.
  if (!info.is_apr || level >= finest_level(info.size)) return std::optional<Data>();
  auto part = load_apr_file_part(info, selection, {level, std::nullopt, false}, context);
  if (!part) return part.error();
  if (!*part) return std::optional<Data>();
  return std::optional<Data>(std::move((*part)->image));
}

}  // namespace aprscope
