#include "core/pipeline/shared_execution.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "core/apr/convert/conversion.hpp"
#include "core/apr/convert/sampling.hpp"
#include "core/operations/particles/conversion_operation.hpp"
#include "tests/core/apr/conversion_fixtures.hpp"

namespace aprscope {
namespace {

std::vector<std::shared_ptr<const Dataset>> three_channels(const Size3& size) {
  std::vector<std::shared_ptr<const Dataset>> out;
  for (int channel = 0; channel < 3; ++channel) {
    Volume image =
        test::blobs<std::uint16_t>(size, 100.0, 4000.0, static_cast<unsigned>(30 + channel));
    image.channel_index = channel;
    image.channel = "channel " + std::to_string(channel);
    out.push_back(Dataset::create(Data{std::move(image)}));
  }
  return out;
}

std::vector<SharedChannel> with_steps(const std::vector<std::shared_ptr<const Dataset>>& channels,
                                      const std::vector<Operation>& steps) {
  std::vector<SharedChannel> out;
  for (const auto& channel : channels) out.push_back({steps, channel});
  return out;
}

const Operation kSharing{"convert", {{"structure", std::string("shared")}}};

Operation smoothed(double sigma) {
  return {"gaussian", {{"sigma", std::array{sigma, sigma, sigma}}}};
}

TEST(SharedExecution, ChannelsHaveOneStructureAndTheirOwnValues) {
  const Size3 size{14, 22, 30};
  const auto channels = three_channels(size);
  const auto runs = execute_shared(with_steps(channels, {kSharing}), *cpu_backend());
  ASSERT_TRUE(runs) << runs.error().message();
  ASSERT_EQ(runs->size(), 3U);
  const std::shared_ptr<const AprAccess> access = runs->front().data->apr().access;
  std::vector<Apr> own;
  for (const auto& channel : channels) {
    auto one = convert(channel->volume(), {});
    ASSERT_TRUE(one);
    own.push_back(*std::move(one));
  }
  for (std::int64_t z = 0; z < size.z; ++z) {
    for (std::int64_t x = 0; x < size.x; ++x) {
      for (std::int64_t y = 0; y < size.y; ++y) {
        int finest = 0;
        for (const Apr& one : own) finest = std::max(finest, one.access->find({z, x, y}).level);
        ASSERT_EQ(access->find({z, x, y}).level, finest);
      }
    }
  }
  for (std::size_t i = 0; i < 3; ++i) {
    const Execution& run = (*runs)[i];
    const Apr& apr = run.data->apr();
    EXPECT_EQ(apr.access, access);
    EXPECT_EQ(apr.channel, own[i].channel);
    EXPECT_EQ(apr.channel_index, static_cast<int>(i));
    EXPECT_EQ(apr.parameters, own[i].parameters);
    EXPECT_EQ(run.converted_from, channels[i]);
    ASSERT_EQ(run.costs.size(), 1U);
    EXPECT_EQ(run.costs.front().bytes, own_bytes(run.data->data()));
    const auto values = sample_particles(channels[i]->volume(), *access);
    ASSERT_TRUE(values);
    EXPECT_EQ(apr.main_field()->values, *values);
  }
}

TEST(SharedExecution, LaterStepsRunOnEach) {
  const auto channels = three_channels({8, 16, 20});
  const std::vector<Operation> steps{kSharing, {"gaussian", {}}, {"reconstruct", {}}};
  const auto plain = execute_shared(with_steps(channels, {kSharing}), *cpu_backend());
  const auto runs = execute_shared(with_steps(channels, steps), *cpu_backend());
  ASSERT_TRUE(plain && runs);
  for (std::size_t i = 0; i < runs->size(); ++i) {
    const auto rest = execute({steps[1], steps[2]}, (*plain)[i].data, *cpu_backend());
    ASSERT_TRUE(rest);
    const auto values_of = [](const Execution& run) {
      return std::visit(
          [](const auto& pixels) {
            return std::vector<double>(pixels.values.begin(), pixels.values.end());
          },
          run.data->volume().pixels);
    };
    EXPECT_EQ(values_of((*runs)[i]), values_of(*rest));
    EXPECT_EQ((*runs)[i].steps.size(), 3U);
    EXPECT_EQ((*runs)[i].costs.size(), 3U);
    EXPECT_EQ((*runs)[i].converted_from, nullptr);
  }
}

TEST(SharedExecution, OnlyConversionsThatSaySoShare) {
  EXPECT_TRUE(share_structure({kSharing}));
  EXPECT_TRUE(share_structure({{"box", {}}, kSharing, {"box", {}}}));
  EXPECT_FALSE(share_structure({{"convert", {}}}));
  EXPECT_FALSE(share_structure({kSharing, {"reconstruct", {}}, {"convert", {}}}));
  EXPECT_FALSE(share_structure({}));
}

// Steps before may have found another number in each channel, as an offset.
TEST(SharedExecution, StepsBeforeAreEachChannelsOwn) {
  const auto images = three_channels({14, 22, 30});
  std::vector<SharedChannel> channels;
  std::vector<std::shared_ptr<const Dataset>> prepared;
  for (std::size_t i = 0; i < 2; ++i) {
    const Operation less = smoothed(i == 0 ? 0.5 : 1.0);
    channels.push_back({{less, kSharing}, images[i]});
    const auto done = execute({less}, images[i], *cpu_backend());
    ASSERT_TRUE(done);
    prepared.push_back(done->data);
  }
  const auto runs = execute_shared(channels, *cpu_backend());
  ASSERT_TRUE(runs) << runs.error().message();
  const auto wanted = execute_shared(with_steps(prepared, {kSharing}), *cpu_backend());
  ASSERT_TRUE(wanted);
  EXPECT_EQ((*runs)[0].data->apr().access, (*runs)[1].data->apr().access);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ((*runs)[i].data->apr().main_field()->values,
              (*wanted)[i].data->apr().main_field()->values);
    EXPECT_EQ((*runs)[i].costs.size(), 2U);
    EXPECT_EQ((*runs)[i].steps.size(), 2U);
  }
}

TEST(SharedExecution, WhatWasMadeTogetherIsToldByItsSteps) {
  Operation other = kSharing;
  other.parameters["rel_error"] = 0.3;
  const Operation own{"convert", {}};
  EXPECT_TRUE(could_share({kSharing}, {kSharing}));
  EXPECT_FALSE(could_share({smoothed(1.0), kSharing}, {smoothed(2.0), kSharing})) << "other runs";
  const auto deconvolved = [](double offset) {
    return Operation{"deconvolve", {{"offset", offset}}};
  };
  EXPECT_TRUE(could_share({deconvolved(100.0), kSharing}, {deconvolved(120.0), kSharing}));
  EXPECT_TRUE(could_share({kSharing, deconvolved(100.0)}, {kSharing, deconvolved(120.0)}));
  EXPECT_FALSE(could_share({own}, {own})) << "nothing is shared";
  EXPECT_FALSE(could_share({kSharing}, {own}));
  EXPECT_FALSE(could_share({kSharing}, {other})) << "made by another run";
  EXPECT_FALSE(could_share({smoothed(1.0), kSharing}, {kSharing}));
  EXPECT_FALSE(could_share({kSharing, smoothed(1.0)}, {kSharing, smoothed(2.0)}));
  EXPECT_FALSE(could_share({kSharing, smoothed(1.0)}, {kSharing}));
  EXPECT_EQ(with_own_structure({smoothed(1.0), *complete(kSharing)}),
            (std::vector<Operation>{smoothed(1.0), *complete(own)}));
}

TEST(SharedExecution, RefusesChannelsOfOtherSizesAndStops) {
  auto channels = three_channels({8, 8, 8});
  channels.push_back(three_channels({8, 8, 9}).front());
  const auto refused = execute_shared(with_steps(channels, {kSharing}), *cpu_backend());
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().what.find("differ in size"), std::string::npos);
  test::Progress progress(1);
  channels.pop_back();
  const auto stopped =
      execute_shared(with_steps(channels, {kSharing}), *cpu_backend(), progress.context());
  ASSERT_FALSE(stopped);
  EXPECT_TRUE(stopped.error().cancelled());
}

}  // namespace
}  // namespace aprscope
