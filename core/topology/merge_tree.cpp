#include "core/topology/merge_tree.hpp"

#include <utility>

#include "core/topology/disjoint_sets.hpp"

namespace aprscope {
namespace {

constexpr int kReport = 1024;  // places

class Merger {
 public:
  Merger(MergeTree& tree, std::span<const std::uint64_t> position)
      : tree_(tree), position_(position), sets_(tree.birth.size()) {}

  void join(const Joint& joint) {
    std::uint32_t elder = sets_.find(joint.a);
    std::uint32_t younger = sets_.find(joint.b);
    if (elder == younger) return;
    if (!is_elder(elder, younger)) std::swap(elder, younger);
    sets_.put(younger, elder);
    --tree_.change[joint.place];
    if (tree_.death.empty()) return;
    tree_.death[younger] = joint.place;
    tree_.into[younger] = elder;
  }

 private:
  [[nodiscard]] bool is_elder(std::uint32_t a, std::uint32_t b) const {
    if (tree_.birth[a] != tree_.birth[b]) return tree_.birth[a] < tree_.birth[b];
    return position_.empty() ? a < b : position_[a] < position_[b];
  }

  MergeTree& tree_;
  std::span<const std::uint64_t> position_;
  DisjointSets sets_;
};

// Pieces that end together all go into the one that stays. Paths are followed once only.
void skip_ended(MergeTree& tree) {
  for (std::uint32_t i = 0; i < tree.into.size(); ++i) {
    const std::uint32_t death = tree.death[i];
    if (death == MergeTree::kNever) continue;
    std::uint32_t stays = tree.into[i];
    while (tree.death[stays] == death) stays = tree.into[stays];
    for (std::uint32_t at = i; at != stays;) at = std::exchange(tree.into[at], stays);
  }
}

MergeTree born(const Growth& growth, int levels) {
  MergeTree tree;
  tree.change.resize(static_cast<std::size_t>(levels));
  tree.birth.reserve(growth.basins());
  // The exterior is the eldest basin by its number, and is not counted.
  if (growth.has_exterior) tree.birth.push_back(0);
  for (const auto& part : growth.parts) {
    tree.birth.insert(tree.birth.end(), part.first_place.begin(), part.first_place.end());
    for (const std::uint16_t place : part.first_place) ++tree.change[place];
  }
  return tree;
}

}  // namespace

Result<MergeTree> merge_basins(const Growth& growth, int levels,
                               std::span<const std::uint64_t> position, bool keep_deaths,
                               const JobContext& context) {
  MergeTree tree = born(growth, levels);
  if (keep_deaths) {
    tree.death.assign(tree.birth.size(), MergeTree::kNever);
    tree.into.resize(tree.birth.size());
  }
  Merger merger(tree, position);
  std::vector<std::size_t> next(growth.parts.size());
  for (int place = 0; place < levels; ++place) {
    if (context.stop_requested()) return cancelled_error();
    if (place % kReport == 0) context.report(static_cast<double>(place) / levels, "merge");
    for (std::size_t i = 0; i < next.size(); ++i) {
      const std::vector<Joint>& joints = growth.parts[i].joints;
      for (; next[i] < joints.size() && joints[next[i]].place == place; ++next[i]) {
        merger.join(joints[next[i]]);
      }
    }
  }
  skip_ended(tree);
  return tree;
}

}  // namespace aprscope
