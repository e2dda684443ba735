#include <bit>
#include <cmath>
#include <cstdint>

#include <gtest/gtest.h>

#include "core/apr/sample/reconstruction.hpp"
#include "core/base/system.hpp"
#include "core/pipeline/backend.hpp"
#include "tests/core/pipeline/data_builders.hpp"

namespace aprscope {
namespace {

using Vector = std::array<double, 3>;

std::string word(const char* text) { return text; }

// Values of the result: of its pixels, or of its particles.
std::vector<float> values_of(const Data& data) {
  if (const auto* apr = std::get_if<Apr>(&data)) {
    return std::get<std::vector<float>>(apr->main_field()->values);
  }
  return std::get<Pixels<float>>(std::get<Volume>(data).pixels).values;
}

std::vector<float> run(const Operation& operation, Data input) {
  const auto done = cpu_backend()->run(operation, *Dataset::create(std::move(input)), {});
  EXPECT_TRUE(done.ok()) << done.error().message();
  return done ? values_of(*done) : std::vector<float>();
}

std::string refusal(const Operation& operation, Data input) {
  const auto done = cpu_backend()->run(operation, *Dataset::create(std::move(input)), {});
  EXPECT_FALSE(done.ok());
  return done ? std::string() : done.error().message();
}

void expect_mentions(const std::string& text, std::initializer_list<const char*> words) {
  for (const char* wanted : words) {
    EXPECT_NE(text.find(wanted), std::string::npos) << "\"" << wanted << "\" not in: " << text;
  }
}

std::vector<Operation> all_filters() {
  return {{"gaussian", {{"sigma", Vector{0.6, 1, 1.5}}}},
          {"gaussian", {{"mode", word("same")}, {"boundary", word("zero")}}},
          {"box", {{"size", Vector{1, 3, 5}}}},
          {"sharpen", {}},
          {"laplacian", {}},
          {"log", {{"sigma", Vector{1, 1, 1}}}},
          {"gradient", {}},
          {"gradient", {{"kind", word("sobel")}, {"component", word("x")}}},
          {"mean", {}},
          {"standard_deviation", {{"boundary", word("zero")}}},
          {"median", {}},
          {"min", {{"size", Vector{3, 1, 3}}}},
          {"max", {}},
          {"custom", {{"stencil", Stencil{{1, 3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9}, ""}}}}};
}

TEST(CpuBackend, ConstantIsAFixedPointOfSmoothing) {
  const auto constant = [](auto, auto, auto) { return 42.0; };
  for (const char* id : {"gaussian", "box", "sharpen", "mean", "median", "min", "max"}) {
    for (const Data& data :
         {Data{test::image_of({9, 10, 11}, constant)}, Data{test::two_level_apr(16, constant)}}) {
      for (const float v : run({id, {}}, data)) ASSERT_NEAR(v, 42.0F, 42.0F * 1e-5F) << id;
    }
  }
}

TEST(CpuBackend, DerivativesOfAConstantAreZero) {
  const auto constant = [](auto, auto, auto) { return 42.0; };
  for (const char* id : {"gradient", "laplacian", "log", "standard_deviation"}) {
    for (const Data& data :
         {Data{test::image_of({9, 10, 11}, constant)}, Data{test::two_level_apr(16, constant)}}) {
      for (const float v : run({id, {}}, data)) ASSERT_NEAR(v, 0.0F, 42.0F * 1e-5F) << id;
    }
  }
}

TEST(CpuBackend, BoxOfASpikeIsABox) {
  const Size3 size{7, 8, 9};
  const auto spike = [](auto z, auto x, auto y) { return z == 3 && x == 4 && y == 5 ? 27.0 : 0.0; };
  const Operation box{"box", {}};
  const auto pixels = run(box, test::image_of(size, spike));
  const auto particles = run(box, test::uniform_apr(size, finest_level(size), spike));
  ASSERT_EQ(pixels.size(), particles.size());
  std::size_t i = 0;
  for (std::int64_t z = 0; z < size.z; ++z) {
    for (std::int64_t x = 0; x < size.x; ++x) {
      for (std::int64_t y = 0; y < size.y; ++y, ++i) {
        const bool inside = std::abs(z - 3) <= 1 && std::abs(x - 4) <= 1 && std::abs(y - 5) <= 1;
        EXPECT_NEAR(pixels[i], inside ? 1.0 : 0.0, 1e-5);
        EXPECT_NEAR(particles[i], inside ? 1.0 : 0.0, 1e-5);
      }
    }
  }
}

TEST(CpuBackend, CustomStencilIsACorrelation) {
  // The result at y sees its left neighbour once and its right neighbour ten times.
  const Operation op{"custom", {{"stencil", Stencil{{1, 1, 3}, {1, 0, 10}, ""}}}};
  const auto out =
      run(op, test::image_of({1, 1, 5}, [](auto, auto, auto y) { return y == 2 ? 1.0 : 0.0; }));
  EXPECT_EQ(out, (std::vector<float>{0, 10, 0, 1, 0}));
}

TEST(CpuBackend, GradientOfARampIsItsSlope) {
  const Size3 size{8, 8, 8};
  const auto ramp = [](auto z, auto x, auto y) { return 2.0 * z + 3.0 * x + 6.0 * y; };
  for (const char* kind : {"central", "sobel"}) {
    for (int input = 0; input < 2; ++input) {
      const auto at_centre = [&](const char* component, const char* unit) {
        Volume image = test::image_of(size, ramp);
        Apr apr = test::uniform_apr(size, 3, ramp);
        image.voxel = apr.voxel = {4, 2, 0.5, "µm"};
        const auto out = run(
            {"gradient",
             {{"kind", word(kind)}, {"component", word(component)}, {"distance_unit", word(unit)}}},
            input == 0 ? Data{image} : Data{apr});
        return out[(4 * 8 + 4) * 8 + 4];
      };
      EXPECT_NEAR(at_centre("z", "pixels"), 2.0, 1e-4);
      EXPECT_NEAR(at_centre("x", "pixels"), 3.0, 1e-4);
      EXPECT_NEAR(at_centre("y", "pixels"), 6.0, 1e-4);
      EXPECT_NEAR(at_centre("magnitude", "pixels"), 7.0, 1e-4);
      EXPECT_NEAR(at_centre("z", "physical"), 0.5, 1e-4);
      EXPECT_NEAR(at_centre("y", "physical"), 12.0, 1e-4);
    }
  }
}

TEST(CpuBackend, LaplacianOfAParabolaIsTwoOverDistanceSquared) {
  const auto parabola = [](auto z, auto, auto) { return static_cast<double>(z * z); };
  Volume image = test::image_of({8, 8, 8}, parabola);
  image.voxel = {2, 1, 1, "µm"};
  const std::size_t centre = (4 * 8 + 4) * 8 + 4;
  EXPECT_NEAR(run({"laplacian", {}}, image)[centre], 2.0, 1e-4);
  EXPECT_NEAR(run({"laplacian", {{"distance_unit", word("physical")}}}, image)[centre], 0.5, 1e-4);
}

TEST(CpuBackend, StatisticsOfASpike) {
  const auto spike = [](auto z, auto x, auto y) { return z == 4 && x == 4 && y == 4 ? 27.0 : 0.0; };
  const std::size_t centre = (4 * 8 + 4) * 8 + 4;
  for (const Data& data :
       {Data{test::image_of({8, 8, 8}, spike)}, Data{test::uniform_apr({8, 8, 8}, 3, spike)}}) {
    EXPECT_NEAR(run({"mean", {}}, data)[centre + 1], 1.0, 1e-5);
    EXPECT_EQ(run({"median", {}}, data)[centre], 0.0F);
    EXPECT_EQ(run({"max", {}}, data)[centre - 73], 27.0F);
    EXPECT_EQ(run({"max", {}}, data)[centre + 2], 0.0F);
    EXPECT_EQ(run({"min", {}}, data)[centre], 0.0F);
    // Variance of 26 zeros and one 27: 27²·(1/27 − 1/27²) = 26 (dividing by n), 27 (by n − 1).
    const float deviation = run({"standard_deviation", {}}, data)[centre];
    EXPECT_GE(deviation, std::sqrt(26.0F) - 1e-4F);
    EXPECT_LE(deviation, std::sqrt(27.0F) + 1e-4F);
  }
}

TEST(CpuBackend, PhysicalSigmaRespectsAnisotropicVoxels) {
  Volume image = test::image_of({16, 16, 16}, test::rough);
  image.voxel = {2.0, 1.0, 0.5, "µm"};
  const auto physical =
      run({"gaussian", {{"sigma", Vector{1, 1, 1}}, {"sigma_unit", word("physical")}}}, image);
  EXPECT_EQ(physical, run({"gaussian", {{"sigma", Vector{0.5, 1, 2}}}}, image));
  EXPECT_NE(physical, run({"gaussian", {{"sigma", Vector{1, 1, 1}}}}, image));
}

TEST(CpuBackend, ParticlesOfAFullyRefinedAprEqualPixels) {
  const Size3 size{9, 10, 12};
  const Volume image = test::image_of(size, test::rough);
  const Apr apr = test::uniform_apr(size, finest_level(size), test::rough);
  for (const Operation& filter : all_filters()) {
    const auto pixels = run(filter, image);
    const auto particles = run(filter, apr);
    ASSERT_EQ(pixels.size(), particles.size());
    for (std::size_t i = 0; i < pixels.size(); ++i) {
      ASSERT_NEAR(pixels[i], particles[i], 0.05) << describe(filter) << " at " << i;
    }
  }
}

TEST(CpuBackend, SeveralRegionsAreEachOfThem) {
  const Volume image = test::image_of({14, 13, 17}, test::rough);
  const Apr apr = test::two_level_apr(16, test::rough);
  const std::vector<Region> regions{{{5, 0, 0}, {6, 13, 13}}, {{0, 2, 0}, {14, 3, 13}}};
  for (const Operation& filter : all_filters()) {
    for (const Data& data : {Data{image}, Data{apr}}) {
      const auto dataset = Dataset::create(data);
      std::vector<float> together(run(filter, data).size(), -7.0F);
      std::vector<float> alone = together;
      ASSERT_TRUE(cpu_backend()->run_regions(filter, *dataset, regions, together, {}).ok());
      for (const Region& region : regions) {
        ASSERT_TRUE(cpu_backend()->run_region(filter, *dataset, region, alone, {}).ok());
      }
      EXPECT_EQ(together, alone) << describe(filter);
    }
  }
}

TEST(CpuBackend, RegionAgreesWithTheWholeBitForBit) {
  const Volume image = test::image_of({14, 13, 17}, test::rough);
  const Apr apr = test::two_level_apr(16, test::rough);
  const Region region{{5, 0, 3}, {6, 12, 11}};
  for (const Operation& filter : all_filters()) {
    for (const Data& data : {Data{image}, Data{apr}}) {
      const auto dataset = Dataset::create(data);
      const auto full = run(filter, data);
      std::vector<float> part(full.size(), -7.0F);
      const Status done = cpu_backend()->run_region(filter, *dataset, region, part, {});
      ASSERT_TRUE(done.ok()) << done.error().message();
      const Size3 size = dataset->size();
      std::vector<char> touched(full.size(), 0);
      for (std::int64_t z = 0; z < size.z; ++z) {
        for (std::int64_t x = 0; x < size.x; ++x) {
          for (std::int64_t y = 0; y < size.y; ++y) {
            if (z < region.begin.z || z >= region.end.z || x >= region.end.x ||
                y < region.begin.y || y >= region.end.y) {
              continue;
            }
            const auto i = dataset->is_apr()
                               ? dataset->apr().access->find({z, x, y}).index
                               : static_cast<std::uint64_t>((z * size.x + x) * size.y + y);
            touched[i] = 1;
          }
        }
      }
      for (std::size_t i = 0; i < full.size(); ++i) {
        if (touched[i] != 0) {
          ASSERT_EQ(std::bit_cast<std::uint32_t>(full[i]), std::bit_cast<std::uint32_t>(part[i]))
              << describe(filter) << (dataset->is_apr() ? " on particles" : " on pixels") << " at "
              << i << ": " << full[i] << " and " << part[i];
        } else {
          ASSERT_EQ(part[i], -7.0F) << describe(filter) << " wrote outside at " << i;
        }
      }
    }
  }
}

TEST(CpuBackend, ResultDoesNotDependOnTheNumberOfThreads) {
  const Volume image = test::image_of({20, 21, 22}, test::rough);
  const Apr apr = test::two_level_apr(16, test::rough);
  for (const Operation& filter : all_filters()) {
    for (const Data& data : {Data{image}, Data{apr}}) {
      set_thread_count(1);
      const auto one = run(filter, data);
      set_thread_count(3);
      const auto three = run(filter, data);
      set_thread_count(0);
      ASSERT_EQ(one, three) << describe(filter);
    }
  }
}

TEST(CpuBackend, ResultCarriesWhereItComesFrom) {
  Volume image = test::image_of({8, 8, 8}, test::rough);
  image.voxel = {3, 2, 1, "nm"};
  image.origin = {1, 2, 3};
  image.channel = "DAPI";
  image.channel_index = 1;
  image.time = 2;
  const auto filtered = cpu_backend()->run({"box", {}}, *Dataset::create(image), {});
  ASSERT_TRUE(filtered.ok());
  const auto& volume = std::get<Volume>(*filtered);
  EXPECT_EQ(volume.name, "image");
  EXPECT_EQ(volume.voxel, image.voxel);
  EXPECT_EQ(volume.origin, image.origin);
  EXPECT_EQ(volume.channel, "DAPI");
  EXPECT_EQ(volume.channel_index, 1);
  EXPECT_EQ(volume.time, 2);

  const auto converted = cpu_backend()->run({"convert", {}}, *Dataset::create(image), {});
  ASSERT_TRUE(converted.ok()) << converted.error().message();
  const auto smoothed = cpu_backend()->run({"gaussian", {}}, *Dataset::create(*converted), {});
  ASSERT_TRUE(smoothed.ok()) << smoothed.error().message();
  const auto& apr = std::get<Apr>(*smoothed);
  EXPECT_EQ(apr.name, "image");
  EXPECT_EQ(apr.voxel, image.voxel);
  EXPECT_EQ(apr.channel, "DAPI");
  ASSERT_EQ(apr.fields.size(), 1U);
  EXPECT_EQ(apr.fields[0]->name, "particles");
  EXPECT_STREQ(apr.fields[0]->dtype(), "f32");
  ASSERT_EQ(apr.history.size(), 2U);
  expect_mentions(apr.history[0], {"convert", "rel_error=0.1", "[cpu]"});
  expect_mentions(apr.history[1], {"gaussian", "sigma=2,2,2 px", "restricted", "[cpu]"});
}

TEST(CpuBackend, ChannelWithoutANameStaysWithout) {
  Volume image = test::image_of({8, 8, 8}, test::rough);
  image.channel = "0";
  const auto converted = cpu_backend()->run({"convert", {}}, *Dataset::create(image), {});
  ASSERT_TRUE(converted.ok());
  EXPECT_EQ(std::get<Apr>(*converted).channel, "");
}

TEST(CpuBackend, IntegerParticlesBecomeFloats) {
  Apr apr = test::uniform_apr({4, 4, 4}, 2, test::rough);
  std::vector<std::uint16_t> counts(64, 60000);
  apr.fields = {std::make_shared<const Field>(Field{"parts", counts})};
  for (const float v : run({"gaussian", {}}, apr)) EXPECT_NEAR(v, 60000.0F, 0.1F);
}

TEST(CpuBackend, ReconstructionKeepsTypeAndValues) {
  Apr apr = test::two_level_apr(8, test::rough);
  const auto as_floats = run({"reconstruct", {}}, apr);
  EXPECT_EQ(as_floats[(1 * 8 + 2) * 8 + 3], static_cast<float>(test::rough(1, 2, 3)));
  EXPECT_EQ(as_floats[(5 * 8 + 2) * 8 + 7], static_cast<float>(test::rough(2, 1, 3)));
  std::vector<std::uint16_t> counts;
  for (const float v : std::get<std::vector<float>>(apr.main_field()->values)) {
    counts.push_back(static_cast<std::uint16_t>(v));
  }
  apr.fields = {std::make_shared<const Field>(Field{"parts", counts})};
  const auto image = cpu_backend()->run({"reconstruct", {}}, *Dataset::create(apr), {});
  ASSERT_TRUE(image.ok());
  EXPECT_STREQ(std::get<Volume>(*image).dtype(), "u16");
  EXPECT_EQ(std::get<Volume>(*image).to_float().values, as_floats);
  const auto levels =
      cpu_backend()->run({"reconstruct", {{"mode", word("level")}}}, *Dataset::create(apr), {});
  ASSERT_TRUE(levels.ok());
  EXPECT_EQ(std::get<Volume>(*levels).value({0, 0, 0}), 3.0F);
  EXPECT_EQ(std::get<Volume>(*levels).value({7, 0, 0}), 2.0F);
}

TEST(CpuBackend, ReconstructionAtALevelHasLargerPixels) {
  Apr apr = test::two_level_apr(8, [](auto, auto, auto) { return 5.0; });
  apr.voxel = {2, 1, 0.5, "µm"};
  const auto image = cpu_backend()->run({"reconstruct", {{"at_level", std::int64_t{2}}}},
                                        *Dataset::create(apr), {});
  ASSERT_TRUE(image.ok()) << image.error().message();
  EXPECT_EQ(std::get<Volume>(*image).size(), (Size3{4, 4, 4}));
  EXPECT_EQ(std::get<Volume>(*image).voxel, (VoxelSize{4, 2, 1, "µm"}));
  EXPECT_EQ(std::get<Volume>(*image).value({1, 1, 1}), 5.0F);
  expect_mentions(refusal({"reconstruct", {{"at_level", std::int64_t{9}}}}, apr), {"level 9", "3"});
}

TEST(CpuBackend, RefusesValuesThatAreNotFinite) {
  const Volume image = test::image_of({4, 4, 4}, [](auto z, auto x, auto y) {
    return (z == 1 && x == 2 && y == 3) || (z == 3 && y == 0) ? NAN : 1.0;
  });
  for (const char* id : {"convert", "gaussian", "median", "gradient"}) {
    expect_mentions(refusal({id, {}}, image), {"5 values", "z 1, x 2, y 3"});
  }
  const Apr apr = test::two_level_apr(
      8, [](auto z, auto x, auto y) { return z == 3 && x == 0 && y == 1 ? INFINITY : 1.0; });
  expect_mentions(refusal({"box", {}}, apr), {"2 values", "z 6, x 0, y 2"});
  std::vector<float> out;
  EXPECT_FALSE(
      cpu_backend()->run_region({"box", {}}, *Dataset::create(apr), whole({8, 8, 8}), out, {}));
}

TEST(CpuBackend, RefusesWhatDoesNotFitTheData) {
  const Volume image = test::image_of({4, 4, 4}, test::rough);
  Apr apr = test::uniform_apr({4, 4, 4}, 2, test::rough);
  expect_mentions(refusal({"convert", {}}, apr), {"particles", "APR already"});
  expect_mentions(refusal({"reconstruct", {}}, image), {"image", "convert it first"});
  expect_mentions(refusal({"blur", {}}, image), {"blur"});
  apr.fields.clear();
  expect_mentions(refusal({"box", {}}, apr), {"no particle values"});
  EXPECT_TRUE(cpu_backend()->supports({"box", {}}, *Dataset::create(image)).ok());
  EXPECT_FALSE(cpu_backend()->supports({"box", {}}, *Dataset::create(apr)).ok());
  std::vector<float> out;
  EXPECT_FALSE(cpu_backend()->run_region({"convert", {}}, *Dataset::create(image), whole({4, 4, 4}),
                                         out, {}));
}

TEST(CpuBackend, RefusesWhatDoesNotFitIntoMemory) {
  // Two particles that cover 2^38 pixels.
  const Apr apr = test::uniform_apr({2048, 2048, 65536}, 1, [](auto, auto, auto) { return 1.0; });
  ASSERT_EQ(apr.access->count(), 2U);
  const auto data = Dataset::create(apr);
  EXPECT_GT(cpu_backend()->estimate_bytes({"reconstruct", {}}, *data), std::uint64_t{1} << 40U);
  expect_mentions(refusal({"reconstruct", {}}, apr), {"needs about", "TB", "free"});
}

TEST(CpuBackend, StopsWhenAsked) {
  std::stop_source source;
  source.request_stop();
  const JobContext stopped(source.get_token());
  for (const Data& data : {Data{test::image_of({32, 32, 32}, test::rough)},
                           Data{test::two_level_apr(32, test::rough)}}) {
    const auto done = cpu_backend()->run({"gaussian", {}}, *Dataset::create(data), stopped);
    ASSERT_FALSE(done.ok());
    EXPECT_TRUE(done.error().cancelled());
  }
}

TEST(CpuBackend, NamesItself) {
  set_thread_count(2);
  EXPECT_NE(cpu_backend()->name().find("CPU, 2 threads, AVX"), std::string::npos);
  set_thread_count(0);
  EXPECT_EQ(cpu_backend()->id(), "cpu");
}

}  // namespace
}  // namespace aprscope
