// One map by several ranks, here threads, against that of one.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <random>
#include <set>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/projections/backproject.hpp"
#include "core/projections/inserter.hpp"
#include "core/ranks/shares.hpp"
#include "tests/core/projections/cryo_data.hpp"
#include "tests/support/thread_ranks.hpp"

namespace aprscope {
namespace {

using test::ThreadRanks;

constexpr std::int64_t kSide = 16;

// Noise along random orientations, with a defocus: no value of it is like another.
Projections noise(std::int64_t count) {
  Projections set;
  ProjectionTable& table = set.table;
  table.path = "noise.star";
  table.side = kSide;
  table.pixel_size = 2.0;
  table.optics.resize(1);
  table.optics[0].pixel_size = 2.0;
  table.optics[0].voltage_kv = 300;
  table.optics[0].spherical_aberration_mm = 2.7;
  table.optics[0].amplitude_contrast = 0.1;
  table.stacks.emplace_back("noise.mrcs");
  std::mt19937 engine(5);
  const auto uniform = [&](double least, double most) {
    return least + (most - least) * static_cast<double>(engine()) / 4294967296.0;
  };
  std::vector<float> values(static_cast<std::size_t>(count * kSide * kSide));
  for (float& value : values) value = static_cast<float>(uniform(-1, 1));
  for (std::int64_t i = 0; i < count; ++i) {
    Projection row;
    row.image = i;
    row.line = i + 10;
    row.rot = uniform(0, 360);
    row.tilt = uniform(0, 180);
    row.psi = uniform(0, 360);
    row.defocus_u = uniform(8000, 20000);
    row.defocus_v = row.defocus_u + 300;
    table.rows.push_back(row);
  }
  set.images = std::make_shared<test::MemoryImages>(kSide, std::move(values));
  return set;
}

double relative_difference(const std::vector<float>& a, const std::vector<float>& b) {
  if (a.size() != b.size() || a.empty()) return std::numeric_limits<double>::infinity();
  double most = 0.0;
  double apart = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    most = std::max(most, std::abs(static_cast<double>(a[i])));
    apart = std::max(apart, std::abs(static_cast<double>(a[i]) - b[i]));
  }
  return apart / most;
}

// As a program does: a rank that fails goes on to the agreement.
Result<Reconstruction> map_by(int count, const Projections& set,
                              const BackprojectSettings& settings, BackprojectHooks hooks = {}) {
  Result<Reconstruction> of_first = Error{"there was no first", "", ""};
  ThreadRanks::run(count, [&](Ranks& ranks) {
    BackprojectHooks own = hooks;
    own.ranks = &ranks;
    auto map = backproject(set, settings, own);
    const Status all = ranks.part(map ? Status() : Status(map.error()));
    if (!ranks.is_first()) {
      EXPECT_FALSE(map.ok()) << "only the first has a map";
      return;
    }
    of_first = all ? std::move(map) : Result<Reconstruction>(all.error());
  });
  return of_first;
}

TEST(BackprojectRanks, MakeTheMapOfOne) {
  const Projections set = noise(61);
  for (const char* symmetry : {"C1", "D3"}) {
    for (const Solve solve : {Solve::division, Solve::least_squares, Solve::weights}) {
      BackprojectSettings settings;
      settings.symmetry = symmetry;
      settings.solve = solve;
      const auto alone = backproject(set, settings);
      ASSERT_TRUE(alone.ok());
      const auto shared = map_by(4, set, settings);
      ASSERT_TRUE(shared.ok()) << shared.error().message();
      EXPECT_LT(relative_difference(alone->map, shared->map), 1e-6) << symmetry;
      EXPECT_LT(relative_difference(alone->half1, shared->half1), 1e-6) << symmetry;
      EXPECT_LT(relative_difference(alone->half2, shared->half2), 1e-6) << symmetry;
      EXPECT_EQ(alone->directions.counts, shared->directions.counts);
      EXPECT_EQ(shared->images, 61);
      EXPECT_EQ(shared->total, 61);
      EXPECT_FALSE(shared->partial);
      EXPECT_EQ(alone->notes, shared->notes);
      const auto again = map_by(4, set, settings);
      ASSERT_TRUE(again.ok());
      EXPECT_EQ(shared->map, again->map);
      EXPECT_EQ(shared->half2, again->half2);
    }
  }
}

TEST(BackprojectRanks, MayBeMoreThanThereAreImages) {
  const Projections set = noise(2);
  const auto alone = backproject(set, {});
  const auto shared = map_by(5, set, {});
  ASSERT_TRUE(alone.ok());
  ASSERT_TRUE(shared.ok()) << shared.error().message();
  EXPECT_LT(relative_difference(alone->map, shared->map), 1e-6);
}

// Notes which images are read, and fails at one.
class ReadOnce final : public ProjectionImages {
 public:
  ReadOnce(std::shared_ptr<ProjectionImages> from, std::int64_t bad)
      : from_(std::move(from)), bad_(bad) {}
  Status read(std::span<const Projection> rows, std::span<float> out,
              const JobContext& context) override {
    {
      const std::lock_guard lock(mutex_);
      for (const Projection& row : rows) {
        if (!seen_.insert(row.image).second) twice_ = true;
        if (row.image == bad_) return Error{"is torn", "noise.mrcs", "copy it again"};
      }
    }
    return from_->read(rows, out, context);
  }
  [[nodiscard]] std::size_t seen() const { return seen_.size(); }
  [[nodiscard]] bool twice() const { return twice_; }

 private:
  std::shared_ptr<ProjectionImages> from_;
  std::int64_t bad_;
  std::mutex mutex_;
  std::set<std::int64_t> seen_;
  bool twice_ = false;
};

TEST(BackprojectRanks, ReadEachImageOnce) {
  Projections set = noise(23);
  const auto images = std::make_shared<ReadOnce>(set.images, -1);
  set.images = images;
  ASSERT_TRUE(map_by(3, set, {}).ok());
  EXPECT_EQ(images->seen(), 23U);
  EXPECT_FALSE(images->twice());
}

TEST(BackprojectRanks, AnErrorOfOneIsTheErrorOfAll) {
  Projections set = noise(40);
  set.images = std::make_shared<ReadOnce>(set.images, 25);
  const auto failed = map_by(4, set, {});
  ASSERT_FALSE(failed.ok());
  EXPECT_EQ(failed.error().what, "is torn");
  EXPECT_EQ(failed.error().where, "noise.mrcs (rank 2 of 4)");
}

// Tables of one length: nothing but their numbers tells that their shares do not belong together.
TEST(BackprojectRanks, RefuseDifferentTablesAndSettings) {
  const Projections set = noise(20);
  const auto refused = [&](const Projections& other_set, const BackprojectSettings& other) {
    std::atomic<int> read = 0;
    ThreadRanks::run(3, [&](Ranks& ranks) {
      BackprojectHooks hooks;
      hooks.ranks = &ranks;
      const bool odd = ranks.place().rank == 1;
      const auto map =
          backproject(odd ? other_set : set, odd ? other : BackprojectSettings{}, hooks);
      const Status all = ranks.part(map ? Status() : Status(map.error()));
      // Of the same jobs the first has the map, and others have done their part.
      if (all || all.error().cancelled()) return;
      EXPECT_EQ(all.error().what, "process 1 has another table or other settings than process 0");
      EXPECT_EQ(all.error().where, "noise.star");
      ++read;
    });
    return read == 3;
  };
  Projections turned = set;
  turned.table.rows[7].psi += 1e-9;
  EXPECT_TRUE(refused(turned, {}));
  BackprojectSettings settings;
  settings.tau *= 2;
  EXPECT_TRUE(refused(set, settings));
  EXPECT_FALSE(refused(set, {}));
}

TEST(BackprojectRanks, AreNotWatchedAndNotEndedEarly) {
  const Projections set = noise(10);
  BackprojectHooks live;
  live.live = [](const LiveMap&) {};
  EXPECT_FALSE(map_by(2, set, {}, live).ok());
  std::stop_source keep;
  BackprojectHooks kept;
  kept.keep = keep.get_token();
  EXPECT_FALSE(map_by(2, set, {}, kept).ok());
}

}  // namespace
}  // namespace aprscope
