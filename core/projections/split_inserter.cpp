#include "core/projections/split_inserter.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>

#include "core/projections/side_inserters.hpp"

namespace aprscope {

namespace {

// A part of the tiles and who sums them.
struct Part {
  TileRange tiles;
  std::unique_ptr<Inserter> inserter;
};

class SplitInserter final : public Inserter {
 public:
  SplitInserter(const InsertionPlan& plan, TileRange tiles, std::vector<Part> parts)
      : plan_(plan), tiles_(tiles), parts_(std::move(parts)), together_(parts_.size()) {}

  [[nodiscard]] std::int64_t batch() const override {
    std::int64_t least = parts_.front().inserter->batch();
    for (const Part& part : parts_) least = std::min(least, part.inserter->batch());
    return least;
  }
  [[nodiscard]] TileRange fitting() const override { return tiles_; }
  // All parts read the same images, so one place for them suffices.
  [[nodiscard]] std::shared_ptr<float[]> image_room(std::size_t floats) const override {
    return parts_.front().inserter->image_room(floats);
  }

  Status insert(std::span<const float> images, std::span<const ImageTerms> terms,
                std::span<const InsertionSample> samples, const JobContext& context) override {
    return together_.insert(
        [&](std::size_t i) { return parts_[i].inserter->insert(images, terms, samples, context); });
  }
  Status sums(int half, std::span<const std::int32_t> tiles, std::span<float> out) override {
    const std::int64_t stride = plan_.tiles.stride();
    for (const Part& part : parts_) {
      std::vector<std::int32_t> its;
      std::vector<std::size_t> where;
      for (std::size_t i = 0; i < tiles.size(); ++i) {
        if (tiles[i] < part.tiles.begin || tiles[i] >= part.tiles.end) continue;
        its.push_back(tiles[i]);
        where.push_back(i);
      }
      if (its.empty()) continue;
      std::vector<float> values(its.size() * static_cast<std::size_t>(stride));
      if (Status ok = part.inserter->sums(half, its, values); !ok) return ok;
      for (std::size_t i = 0; i < its.size(); ++i) {
        std::copy_n(values.data() + static_cast<std::int64_t>(i) * stride, stride,
                    out.data() + static_cast<std::int64_t>(where[i]) * stride);
      }
    }
    return {};
  }

  Result<std::vector<float>> take(int half) override {
    if (auto& kept = kept_[static_cast<std::size_t>(half)]; !kept.empty()) return std::move(kept);
    std::vector<float> all;
    all.reserve(static_cast<std::size_t>(tiles_.size() * plan_.tiles.stride()));
    for (const Part& part : parts_) {
      const auto some = part.inserter->take(half);
      if (!some) return some.error();
      all.insert(all.end(), some->begin(), some->end());
    }
    return all;
  }

  [[nodiscard]] std::unique_ptr<MapSolver> solver() const override {
    return parts_.front().inserter->solver();
  }
  // Joins the sums of all parts where the solver of the first part works.
  Result<std::unique_ptr<HeldSums>> hold(int half) override {
    const auto first = solver();
    if (Status room = first->holds(plan_); !room) return room.error();
    std::vector<std::unique_ptr<HeldSums>> held;
    std::optional<Error> failed;
    for (const Part& part : parts_) {
      auto some = part.inserter->hold(half);
      if (!some) {
        failed = some.error();
        break;
      }
      held.push_back(*std::move(some));
    }
    if (!failed) {
      auto all = first->joined(plan_, held);
      if (all) return all;
      failed = all.error();
    }
    if (Status kept = keep(half, std::move(held)); !kept) return kept.error();
    return *failed;
  }

 private:
  // For take(): keeps the sums, since parts that held them have let go of them.
  Status keep(int half, std::vector<std::unique_ptr<HeldSums>> held) {
    std::vector<float> all;
    all.reserve(static_cast<std::size_t>(tiles_.size() * plan_.tiles.stride()));
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      Inserter& inserter = *parts_[i].inserter;
      const auto some =
          i < held.size() ? inserter.solver()->let_go(std::move(held[i])) : inserter.take(half);
      if (!some) return some.error();
      all.insert(all.end(), some->begin(), some->end());
    }
    kept_[static_cast<std::size_t>(half)] = std::move(all);
    return {};
  }

  InsertionPlan plan_;
  /// Sums of halves that the solver could not hold.
  std::array<std::vector<float>, 2> kept_;
  TileRange tiles_;
  std::vector<Part> parts_;
  SideInserters together_;
};

struct Made {
  std::vector<Part> parts;
  // Least share of what one was asked for that fits.
  double fits = 1.0;
};

Result<Made> make_parts(const InsertionPlan& plan, TileRange tiles,
                        const std::vector<InserterFactory>& places, const JobContext& context) {
  Made made;
  const auto ranges = balanced_ranges(plan.tiles, tiles, static_cast<int>(places.size()));
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (ranges[i].size() <= 0) continue;
    InsertionPlan part = plan;
    part.share = ranges[i];
    auto inserter = places[i](part, context);
    if (!inserter) return inserter.error();
    if (const TileRange fits = (*inserter)->fitting(); fits.size() > 0) {
      made.fits = std::min(
          made.fits, static_cast<double>(fits.size()) / static_cast<double>(ranges[i].size()));
    }
    made.parts.push_back({ranges[i], *std::move(inserter)});
  }
  return made;
}

}  // namespace

std::vector<TileRange> balanced_ranges(const FrequencyTiles& tiles, TileRange range, int parts) {
  std::vector<double> until;  // work of the tiles before each, and of all
  until.reserve(static_cast<std::size_t>(range.size() + 1));
  until.push_back(0.0);
  const double half = 0.5 * static_cast<double>(tiles.side());
  for (std::int64_t t = range.begin; t < range.end; ++t) {
    const auto& o = tiles.origins()[static_cast<std::size_t>(t)];
    const double distance = std::hypot(o[0] + half, o[1] + half, o[2] + half);
    until.push_back(until.back() + 1.0 / distance);
  }
  std::vector<TileRange> out;
  std::int64_t begin = range.begin;
  for (int i = 1; i <= parts; ++i) {
    const double wanted = until.back() * i / parts;
    const auto found = std::lower_bound(until.begin(), until.end(), wanted);
    std::int64_t end = range.begin + (found - until.begin());
    // Each part gets at least one tile as long as there are enough.
    end = std::clamp(end, std::min(begin + 1, range.end), std::max(begin, range.end - (parts - i)));
    if (i == parts) end = range.end;
    out.push_back({begin, std::max(begin, end)});
    begin = out.back().end;
  }
  return out;
}

Result<std::unique_ptr<Inserter>> make_split_inserter(const InsertionPlan& plan,
                                                      const std::vector<InserterFactory>& places,
                                                      const JobContext& context) {
  if (places.empty()) {
    return Error{"there is no device to insert on", "reconstruction", "name one"};
  }
  // Try all tiles that were asked for, then so few that each part has room for its share.
  TileRange tiles = plan.summed();
  for (;;) {
    auto made = make_parts(plan, tiles, places, context);
    if (!made) return made.error();
    if (made->fits >= 1.0) {
      return std::unique_ptr<Inserter>(
          std::make_unique<SplitInserter>(plan, tiles, std::move(made->parts)));
    }
    // Passes of about equal size, of no more than fits. With fewer tiles, shares are cut elsewhere.
    const auto all = static_cast<double>(tiles.size());
    const double passes = std::ceil(1.0 / made->fits);
    const auto fewer = static_cast<std::int64_t>(std::ceil(all / passes));
    tiles.end = tiles.begin +
                std::clamp<std::int64_t>(fewer, 1, std::max<std::int64_t>(tiles.size() - 1, 1));
  }
}

}  // namespace aprscope
