#include "gpu/projections/projection_inserter.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <numbers>
#include <random>

#include "core/projections/backproject.hpp"
#include "core/projections/symmetry.hpp"
#include "gpu/engines/projections.hpp"
#include "gpu/projections/projection_planes.hpp"
#include "gpu/projections/projection_sums.hpp"
#include "tests/gpu/cuda_fixture.hpp"
#include "tests/gpu/projections/drawn_planes.hpp"

namespace aprscope {
namespace {

using Case = test::DrawnCase;
using Input = test::DrawnInput;
using Sums = test::DrawnSums;
using test::input_of;
using test::projected;
using test::sums_of;

// ‖a − b‖ ÷ ‖b‖ in the ball, of G and of W.
std::pair<double, double> difference(const FrequencyTiles& tiles, const std::vector<float>& a,
                                     const std::vector<float>& b) {
  double error[2] = {0.0, 0.0};
  double size[2] = {0.0, 0.0};
  const std::int64_t h = tiles.reach();
  for (std::int64_t z = -h; z <= h; ++z) {
    for (std::int64_t y = -h; y <= h; ++y) {
      for (std::int64_t x = 0; x <= h; ++x) {
        if (x * x + y * y + z * z > h * h) continue;
        for (std::int64_t c = 0; c < 3; ++c) {
          const auto i = static_cast<std::size_t>(tiles.at(x, y, z) + c * tiles.voxels());
          const double d = static_cast<double>(a[i]) - static_cast<double>(b[i]);
          error[c / 2] += d * d;
          size[c / 2] += static_cast<double>(b[i]) * static_cast<double>(b[i]);
        }
      }
    }
  }
  return {std::sqrt(error[0] / size[0]), std::sqrt(error[1] / size[1])};
}

class ProjectionInserterTest : public test::CudaTest {
 protected:
  std::unique_ptr<Inserter> on_gpu(const InsertionPlan& plan, bool exact) {
    auto made = gpu::make_cuda_inserter(device_, plan, exact);
    if (!made) {
      ADD_FAILURE() << made.error().message();
      return nullptr;
    }
    return *std::move(made);
  }
};

const std::vector<Case> kCases = {
    {.name = "even side, tiles of 8"},
    {.name = "odd side, tiles of 16", .side = 25, .tile = 16},
    {.name = "CTF, halves", .ctf = CtfUse::ctf, .halves = 2},
    {.name = "phase-flipped, tiles of 16", .tile = 16, .ctf = CtfUse::phase_flipped},
    {.name = "pre-multiplied", .ctf = CtfUse::premultiplied},
    {.name = "Xmipp's", .ctf = CtfUse::xmipp},
    {.name = "D7", .halves = 2, .symmetry = "D7", .images = 12},
    {.name = "I2 with CTF", .tile = 16, .ctf = CtfUse::ctf, .symmetry = "I2", .images = 12},
    // No voxel lies just at the images' rim, where rounding decides.
    {.name = "larger pixels", .ctf = CtfUse::ctf, .scale = 1.23F},
    {.name = "smaller pixels", .scale = 0.75F},
    {.name = "aberrations", .ctf = CtfUse::ctf, .aberrated = true},
    {.name = "aberrations, pre-multiplied, tiles of 16",
     .tile = 16,
     .ctf = CtfUse::premultiplied,
     .aberrated = true},
    {.name = "a magnification", .magnified = true},
    {.name = "a magnification with CTF", .ctf = CtfUse::ctf, .magnified = true},
    {.name = "weights that follow the noise", .ctf = CtfUse::ctf, .weighted = true},
    {.name = "all of it, phase-flipped",
     .ctf = CtfUse::phase_flipped,
     .halves = 2,
     .aberrated = true,
     .magnified = true,
     .weighted = true},
    {.name = "slab of order 1", .blob = {1.9, 8.0, 1}},
    {.name = "blob", .kernel = InsertionKernel::blob},
    {.name = "blob, odd side, tiles of 16",
     .side = 25,
     .tile = 16,
     .kernel = InsertionKernel::blob,
     .blob = {1.9, 15.0, 0}},
    {.name = "blob of order 2, CTF, halves",
     .ctf = CtfUse::ctf,
     .halves = 2,
     .kernel = InsertionKernel::blob,
     .blob = {2.0, 10.4, 2}},
    {.name = "blob of order 4, pre-multiplied, tiles of 16",
     .tile = 16,
     .ctf = CtfUse::premultiplied,
     .kernel = InsertionKernel::blob,
     .blob = {2.5, 10.0, 4}},
    {.name = "blob, I2 with CTF",
     .ctf = CtfUse::ctf,
     .symmetry = "I2",
     .images = 12,
     .kernel = InsertionKernel::blob},
    {.name = "blob, larger pixels",
     .ctf = CtfUse::ctf,
     .scale = 1.23F,
     .kernel = InsertionKernel::blob},
    {.name = "blob, smaller pixels", .scale = 0.75F, .kernel = InsertionKernel::blob},
    {.name = "blob, all of it",
     .ctf = CtfUse::phase_flipped,
     .halves = 2,
     .aberrated = true,
     .magnified = true,
     .weighted = true,
     .kernel = InsertionKernel::blob},
};

TEST_F(ProjectionInserterTest, ExactSumsAreThoseOfTheProcessor) {
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.name);
    const Input in = input_of(c, true);
    const auto gpu = on_gpu(in.plan, true);
    const auto cpu = make_cpu_inserter(in.plan, {});
    ASSERT_TRUE(gpu != nullptr && cpu);
    const Sums got = sums_of(*gpu, in, 1000);
    const Sums wanted = sums_of(**cpu, in, 1000);
    ASSERT_EQ(got.size(), wanted.size());
    for (std::size_t half = 0; half < got.size(); ++half) {
      const auto [g, w] = difference(in.plan.tiles, got[half], wanted[half]);
      EXPECT_LE(g, 1e-5);
      EXPECT_LE(w, 1e-5);
    }
  }
}

TEST_F(ProjectionInserterTest, FilteredSumsOfAMoleculeAreNearThoseOfTheProcessor) {
  for (Case c : kCases) {
    SCOPED_TRACE(c.name);
    c.images *= 4;
    const Input in = input_of(c, false);
    const auto gpu = on_gpu(in.plan, false);
    const auto cpu = make_cpu_inserter(in.plan, {});
    ASSERT_TRUE(gpu != nullptr && cpu);
    const Sums got = sums_of(*gpu, in, 1000);
    const Sums wanted = sums_of(**cpu, in, 1000);
    ASSERT_EQ(got.size(), wanted.size());
    for (std::size_t half = 0; half < got.size(); ++half) {
      const auto [g, w] = difference(in.plan.tiles, got[half], wanted[half]);
      EXPECT_LE(g, 3e-4);
      EXPECT_LE(w, 3e-4);
    }
  }
}

TEST_F(ProjectionInserterTest, TwoRunsGiveTheSameBytes) {
  for (const bool exact : {false, true}) {
    for (const Case& c : kCases) {
      SCOPED_TRACE(testing::Message() << c.name << (exact ? ", exact" : ", filtered"));
      const Input in = input_of(c, true);
      Sums runs[2];
      for (Sums& run : runs) {
        const auto gpu = on_gpu(in.plan, exact);
        ASSERT_NE(gpu, nullptr);
        run = sums_of(*gpu, in, 25);
      }
      ASSERT_EQ(runs[0].size(), runs[1].size());
      for (std::size_t half = 0; half < runs[0].size(); ++half) {
        ASSERT_EQ(runs[0][half].size(), runs[1][half].size());
        EXPECT_EQ(std::memcmp(runs[0][half].data(), runs[1][half].data(),
                              runs[0][half].size() * sizeof(float)),
                  0);
      }
    }
  }
}

TEST_F(ProjectionInserterTest, SumsDoNotDependOnTheBatches) {
  const Input in = input_of({.ctf = CtfUse::ctf, .halves = 2, .images = 300}, true);
  for (const bool exact : {false, true}) {
    const auto whole = on_gpu(in.plan, exact);
    ASSERT_NE(whole, nullptr);
    const Sums wanted = sums_of(*whole, in, 1000);
    for (const std::int64_t batch : {1, 37, 256}) {
      SCOPED_TRACE(batch);
      const auto gpu = on_gpu(in.plan, exact);
      ASSERT_NE(gpu, nullptr);
      const Sums got = sums_of(*gpu, in, batch);
      for (std::size_t half = 0; half < got.size(); ++half) {
        const auto [g, w] = difference(in.plan.tiles, got[half], wanted[half]);
        EXPECT_LE(g, 1e-6);
        EXPECT_LE(w, 1e-6);
      }
    }
  }
}

// Planes along the axes, whose pixels lie just at the blob's edge: all or none of them count, and
// a ball has steps of 1 there.
TEST_F(ProjectionInserterTest, PixelsAtTheEdgeOfABlobCountAsOnTheProcessor) {
  for (const Blob blob : {Blob{2.0, 0.0, 0}, Blob{1.0, 0.0, 0}, Blob{2.5, 10.0, 0}}) {
    Input in = input_of({.images = 4, .kernel = InsertionKernel::blob, .blob = blob}, true);
    const std::array<float, 9> turned[] = {{1, 0, 0, 0, 1, 0, 0, 0, 1},
                                           {0, 0, -1, 1, 0, 0, 0, -1, 0},
                                           {0, 1, 0, 0, 0, 1, 1, 0, 0},
                                           {0.6F, 0.8F, 0, -0.8F, 0.6F, 0, 0, 0, 1}};
    for (std::size_t i = 0; i < 4; ++i) in.samples[i].rows = turned[i];
    const auto gpu = on_gpu(in.plan, true);
    const auto cpu = make_cpu_inserter(in.plan, {});
    ASSERT_TRUE(gpu != nullptr && cpu);
    const auto [g, w] =
        difference(in.plan.tiles, sums_of(*gpu, in, 1000)[0], sums_of(**cpu, in, 1000)[0]);
    EXPECT_LE(g, 1e-5);
    EXPECT_LE(w, 1e-5);
  }
}

// Before anything is read, so that the processor can take over.
TEST_F(ProjectionInserterTest, PixelsThatAreTooLargeAreRefusedAtOnce) {
  Input in = input_of({.images = 2}, true);
  in.plan.largest_scale = 1.5;
  EXPECT_TRUE(gpu::make_cuda_inserter(device_, in.plan, false));
  in.plan.largest_scale = 1.6;
  const auto refused = gpu::make_cuda_inserter(device_, in.plan, false);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message().find("1.5 times"), std::string::npos);
}

TEST_F(ProjectionInserterTest, MoreImagesThanThereIsRoomForGoIn) {
  const std::uint64_t used = gpu::device_memory().used;
  const Input in = input_of({.images = 90}, true);
  const auto cpu = make_cpu_inserter(in.plan, {});
  ASSERT_TRUE(cpu);
  const Sums wanted = sums_of(**cpu, in, 1000);
  // The sums fit beside half of it, and in that half fewer images than there are.
  const std::uint64_t sums =
      gpu::PlaneSums::tile_bytes(in.plan) * static_cast<std::uint64_t>(in.plan.tiles.count()) +
      gpu::PlaneSums::other_bytes();
  ASSERT_LT(2 * sums, gpu::PlaneStore::bytes(in.plan, true));
  gpu::limit_device_memory(used + 2 * sums + 1000);
  const auto gpu = on_gpu(in.plan, true);
  gpu::limit_device_memory(0);
  ASSERT_NE(gpu, nullptr);
  EXPECT_EQ(gpu->fitting().size(), 0);
  EXPECT_LT(gpu->batch(), 90);
  const auto [g, w] = difference(in.plan.tiles, sums_of(*gpu, in, 1000)[0], wanted[0]);
  EXPECT_LE(g, 1e-5);
  EXPECT_LE(w, 1e-5);
}

TEST_F(ProjectionInserterTest, PinnedImagesGoInAsOthersDo) {
  const Input in = input_of({.ctf = CtfUse::ctf, .images = 300}, true);
  const gpu::PinnedBuffer memory(in.images.size() * sizeof(float));
  auto* const pinned = reinterpret_cast<float*>(memory.data());
  std::ranges::copy(in.images, pinned);
  std::vector<float> sums[2];
  for (const bool direct : {false, true}) {
    const auto gpu = on_gpu(in.plan, false);
    ASSERT_NE(gpu, nullptr);
    const std::span<const float> images =
        direct ? std::span<const float>(pinned, in.images.size()) : in.images;
    ASSERT_TRUE(gpu->insert(images, in.terms, in.samples, {}));
    if (direct) std::fill_n(pinned, in.images.size(), 0.0F);  // they may be overwritten
    sums[direct ? 1 : 0] = *gpu->take(0);
  }
  EXPECT_EQ(sums[0], sums[1]);
}

TEST_F(ProjectionInserterTest, SomeTilesAreReadAsAll) {
  const Input in = input_of({.halves = 2}, true);
  const auto gpu = on_gpu(in.plan, false);
  ASSERT_NE(gpu, nullptr);
  ASSERT_TRUE(gpu->insert(in.images, in.terms, in.samples, {}));
  const std::vector<std::int32_t> tiles = {5, 0,
                                           static_cast<std::int32_t>(in.plan.tiles.count()) - 1};
  const std::int64_t stride = in.plan.tiles.stride();
  std::vector<float> some(static_cast<std::size_t>(stride) * tiles.size());
  ASSERT_TRUE(gpu->sums(1, tiles, some));
  const auto all = gpu->take(1);
  ASSERT_TRUE(all);
  for (std::size_t i = 0; i < tiles.size(); ++i) {
    EXPECT_TRUE(std::equal(some.begin() + static_cast<std::ptrdiff_t>(i) * stride,
                           some.begin() + static_cast<std::ptrdiff_t>(i + 1) * stride,
                           all->begin() + tiles[i] * stride));
  }
}

TEST_F(ProjectionInserterTest, AStopEndsIt) {
  const Input in = input_of({}, true);
  const auto gpu = on_gpu(in.plan, false);
  ASSERT_NE(gpu, nullptr);
  std::stop_source source;
  source.request_stop();
  const Status done = gpu->insert(in.images, in.terms, in.samples, JobContext(source.get_token()));
  ASSERT_FALSE(done);
  EXPECT_TRUE(done.error().cancelled());
}

// Images in memory.
class DrawnImages final : public ProjectionImages {
 public:
  explicit DrawnImages(std::vector<std::vector<float>> images) : images_(std::move(images)) {}
  Status read(std::span<const Projection> rows, std::span<float> out, const JobContext&) override {
    auto to = out.begin();
    for (const Projection& row : rows) {
      to = std::ranges::copy(images_[static_cast<std::size_t>(row.image)], to).out;
    }
    return {};
  }

 private:
  std::vector<std::vector<float>> images_;
};

TEST_F(ProjectionInserterTest, MapsAreThoseOfTheProcessor) {
  constexpr std::int64_t kSide = 24;
  Projections set;
  set.table.side = kSide;
  set.table.pixel_size = 2.0;
  set.table.stacks = {"drawn"};
  set.table.optics.emplace_back().pixel_size = 2.0;
  std::mt19937 random(3);
  std::uniform_real_distribution<double> even(-1.0, 1.0);
  std::vector<std::vector<float>> images;
  for (int i = 0; i < 300; ++i) {
    Projection row;
    row.image = i;
    row.rot = 180.0 * even(random);
    row.tilt = std::acos(even(random)) * 180.0 / std::numbers::pi;
    row.psi = 180.0 * even(random);
    images.push_back(projected(orientation_of(row), kSide));
    set.table.rows.push_back(row);
  }
  set.images = std::make_shared<DrawnImages>(std::move(images));
  for (const BackprojectSettings& settings :
       {BackprojectSettings{.solve = Solve::division},
        BackprojectSettings{.solve = Solve::least_squares},
        BackprojectSettings{.kernel = InsertionKernel::blob, .radius = 2.0, .order = 2}}) {
    const auto wanted = backproject(set, settings);
    ASSERT_TRUE(wanted) << wanted.error().message();
    // Least squares are solved there, too, which may differ by as much again: see the solver's
    // test.
    const double exact = settings.solve == Solve::division ? 1e-4 : 2e-4;
    const std::pair<InsertionReading, double> readings[] = {{InsertionReading::exact, exact},
                                                            {InsertionReading::filtered, 2e-3}};
    for (const auto& [reading, most] : readings) {
      const auto factory = inserters_on("cuda:0", reading);
      ASSERT_TRUE(factory) << factory.error().message();
      const auto got = backproject(set, settings, {}, {}, *factory);
      ASSERT_TRUE(got) << got.error().message();
      ASSERT_EQ(got->map.size(), wanted->map.size());
      double error = 0.0;
      double size = 0.0;
      for (std::size_t i = 0; i < got->map.size(); ++i) {
        const double d = static_cast<double>(got->map[i]) - static_cast<double>(wanted->map[i]);
        error += d * d;
        size += static_cast<double>(wanted->map[i]) * static_cast<double>(wanted->map[i]);
      }
      EXPECT_LE(std::sqrt(error / size), most);
      RecordProperty(reading == InsertionReading::exact ? "exact" : "filtered",
                     std::to_string(std::sqrt(error / size)));
    }
  }
}

TEST_F(ProjectionInserterTest, DevicesAreChosenByName) {
  const Input in = input_of({}, true);
  const auto named = inserters_on("cuda:0");
  ASSERT_TRUE(named) << named.error().message();
  const auto made = (*named)(in.plan, {});
  ASSERT_TRUE(made) << made.error().message();
  EXPECT_FALSE(inserters_on("cuda:99"));
}

}  // namespace
}  // namespace aprscope
