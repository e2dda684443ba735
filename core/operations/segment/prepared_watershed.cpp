#include "core/operations/segment/prepared_watershed.hpp"

#include <utility>
#include <variant>

#include "core/cells/particle_walls.hpp"

namespace aprscope {

std::uint64_t PreparedWatershed::bytes() const {
  const std::scoped_lock lock(mutex_);
  return basins.bytes() + tree.bytes() + at_border.size() / 8 + 4 * numbers.size() +
         (signal ? 4 * signal->values.size() : 0) + (cut_ ? 4 * cut_->region.size() : 0) +
         (merges_ ? merges_->size() * sizeof(WallMerge) : 0) +
         (walls_ ? 4 * walls_->regions.region.size() + walls_->walls.bytes() : 0) +
         (table_ ? 4 * table_->region.size() : 0) + (seen_ ? 20 * seen_->labels.size() : 0) +
         spare().bytes();
}

void PreparedWatershed::keep_table(const Operation& operation,
                                   std::shared_ptr<const RegionTable> table) const {
  const std::scoped_lock lock(mutex_);
  table_of_ = operation;
  table_ = std::move(table);
}

std::shared_ptr<const RegionTable> PreparedWatershed::table_for(const Operation& operation) const {
  const std::scoped_lock lock(mutex_);
  return table_of_ == operation ? table_ : nullptr;
}

std::shared_ptr<const SeenObjects> PreparedWatershed::seen_on(const Dataset& input) const {
  {
    const std::scoped_lock lock(mutex_);
    if (seen_ != nullptr) return seen_;
  }
  const auto look = [&](const auto& pixels) { return seen_objects(pixels, basins.labels); };
  auto made = std::make_shared<const SeenObjects>(
      input.is_apr() ? seen_objects(*input.apr().access, input.values().particles(), basins.labels)
                     : std::visit(look, input.volume().pixels));
  const std::scoped_lock lock(mutex_);
  seen_ = made;
  return made;
}

std::shared_ptr<const RegionTable> PreparedWatershed::cut_at(double depth) const {
  {
    const std::scoped_lock lock(mutex_);
    if (cut_at_ == depth) return cut_;
  }
  auto made = std::make_shared<const RegionTable>(cut_tree(tree, depth));
  const std::scoped_lock lock(mutex_);
  cut_at_ = depth;
  cut_ = made;
  return made;
}

Result<std::shared_ptr<const std::vector<WallMerge>>> PreparedWatershed::merges_at(
    double depth, double strength, const RegionTable& cut, const Dataset& input,
    const JobContext& context) const {
  {
    const std::scoped_lock lock(mutex_);
    if (merges_at_ == depth && strength <= strongest_) return merges_;
  }
  const double strongest = 2.0 * strength;
  const auto walls = walls_of(cut, input, context.part(0.0, 0.8));
  if (!walls) return walls.error();
  auto found = wall_merges((*walls)->walls, (*walls)->regions, basins, cut, strongest,
                           context.part(0.8, 1.0));
  if (!found) return found.error();
  auto made = std::make_shared<const std::vector<WallMerge>>(*std::move(found));
  const std::scoped_lock lock(mutex_);
  merges_at_ = depth;
  strongest_ = strongest;
  merges_ = made;
  return std::shared_ptr<const std::vector<WallMerge>>(std::move(made));
}

// The walls of this cut, or walls that are known of a cut less deep.
Result<std::shared_ptr<const PreparedWatershed::Walls>> PreparedWatershed::walls_of(
    const RegionTable& cut, const Dataset& input, const JobContext& context) const {
  {
    const std::scoped_lock lock(mutex_);
    if (walls_ != nullptr && is_within(walls_->regions, cut)) return walls_;
  }
  const auto find = [&](const auto& pixels) {
    return region_walls(pixels, basins, cut, rule, context);
  };
  const auto find_on_particles = [&] {
    const std::vector<float>& values = input.values().particles();
    return region_walls(particle_walls(*input.apr().access, values, basins, rule), cut, context);
  };
  auto found = input.is_apr() ? find_on_particles()
               : signal       ? find(*signal)
                              : std::visit(find, input.volume().pixels);
  if (!found) return found.error();
  auto made = std::make_shared<const Walls>(Walls{cut, *std::move(found)});
  const std::scoped_lock lock(mutex_);
  walls_ = made;
  return std::shared_ptr<const Walls>(std::move(made));
}

}  // namespace aprscope
