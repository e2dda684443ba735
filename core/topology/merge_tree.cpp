#include "core/topology/merge_tree.hpp"

#include <algorithm>
#include <numeric>

namespace aprscope {
namespace {

struct Pair {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
};

// Joints by place (counting sort); begin[p] is where those of place p begin.
struct SortedJoints {
  std::vector<std::uint64_t> begin;
  std::vector<Pair> pairs;
};

SortedJoints sort_joints(Growth& growth, int levels) {
  SortedJoints out;
  out.begin.resize(static_cast<std::size_t>(levels) + 1);
  for (const auto& part : growth.parts) {
    for (const Joint& joint : part.joints) ++out.begin[joint.place + std::size_t{1}];
  }
  std::partial_sum(out.begin.begin(), out.begin.end(), out.begin.begin());
  out.pairs.resize(out.begin.back());
  auto next = out.begin;
  for (auto& part : growth.parts) {
    for (const Joint& joint : part.joints) out.pairs[next[joint.place]++] = {joint.a, joint.b};
    part.joints = {};
  }
  return out;
}

class Merger {
 public:
  Merger(MergeTree& tree, std::span<const std::uint64_t> position)
      : tree_(tree), position_(position), parent_(tree.birth.size()) {
    std::iota(parent_.begin(), parent_.end(), 0U);
  }

  void join(const Pair& pair, std::uint32_t place) {
    std::uint32_t elder = find(pair.a);
    std::uint32_t younger = find(pair.b);
    if (elder == younger) return;
    if (!is_elder(elder, younger)) std::swap(elder, younger);
    parent_[younger] = elder;
    --tree_.change[place];
    if (tree_.death.empty()) return;
    tree_.death[younger] = place;
    tree_.into[younger] = elder;
  }

 private:
  std::uint32_t find(std::uint32_t basin) {
    while (parent_[basin] != basin) {
      parent_[basin] = parent_[parent_[basin]];
      basin = parent_[basin];
    }
    return basin;
  }
  [[nodiscard]] bool is_elder(std::uint32_t a, std::uint32_t b) const {
    if (tree_.birth[a] != tree_.birth[b]) return tree_.birth[a] < tree_.birth[b];
    return position_.empty() ? a < b : position_[a] < position_[b];
  }

  MergeTree& tree_;
  std::span<const std::uint64_t> position_;
  std::vector<std::uint32_t> parent_;
};

MergeTree born(const Growth& growth, int levels) {
  MergeTree tree;
  tree.change.resize(static_cast<std::size_t>(levels));
  tree.birth.reserve(growth.basins());
  // What lies outside is the eldest by its number and is not counted.
  if (growth.has_exterior) tree.birth.push_back(0);
  for (const auto& part : growth.parts) {
    tree.birth.insert(tree.birth.end(), part.first_place.begin(), part.first_place.end());
    for (const std::uint16_t place : part.first_place) ++tree.change[place];
  }
  return tree;
}

}  // namespace

Result<MergeTree> merge_basins(Growth& growth, int levels, std::span<const std::uint64_t> position,
                               bool keep_deaths, const JobContext& context) {
  MergeTree tree = born(growth, levels);
  if (keep_deaths) {
    tree.death.assign(tree.birth.size(), MergeTree::kNever);
    tree.into.resize(tree.birth.size());
  }
  const SortedJoints joints = sort_joints(growth, levels);
  Merger merger(tree, position);
  constexpr std::uint64_t kLook = std::uint64_t{1} << 20U;
  std::uint64_t next_look = 0;
  for (std::size_t place = 0; place < tree.change.size(); ++place) {
    for (std::uint64_t i = joints.begin[place]; i < joints.begin[place + 1]; ++i) {
      if (i >= next_look) {
        if (context.stop_requested()) return cancelled_error();
        context.report(static_cast<double>(i) / static_cast<double>(joints.pairs.size()), "merge");
        next_look = i + kLook;
      }
      merger.join(joints.pairs[i], static_cast<std::uint32_t>(place));
    }
  }
  return tree;
}

}  // namespace aprscope
