// Labels from files over images and particles.
#include <gtest/gtest.h>

#include "core/cells/carried_labels.hpp"
#include "core/io/write.hpp"
#include "core/pipeline/execution.hpp"
#include "tests/support/paths.hpp"

namespace aprscope {
namespace {

constexpr Size3 kSize{6, 10, 12};

Volume image() {
  Volume volume;
  Pixels<std::uint16_t> pixels(kSize);
  for (std::size_t i = 0; i < pixels.values.size(); ++i) {
    pixels.values[i] = static_cast<std::uint16_t>(100 + (i * 37) % 50 + (i % 12 > 5 ? 500 : 0));
  }
  volume.pixels = std::move(pixels);
  return volume;
}

Labels halves() {
  Labels labels;
  for (std::size_t i = 0; i < static_cast<std::size_t>(kSize.count()); ++i) {
    labels.values.push_back(i % 12 > 5 ? 70001 : 0);
  }
  labels.largest = 70001;
  return labels;
}

TEST(OpenLabels, LieOverPixelsAndParticles) {
  const test::TemporaryFolder folder;
  const std::string file = (folder / "l.tif").string();
  ASSERT_TRUE(write_labels(halves(), {kSize, {}}, file).ok());
  const auto input = Dataset::create(image());
  const Operation open{"open_labels", {{"file", file}}};
  const auto over = execute({open}, input, *cpu_backend());
  ASSERT_TRUE(over.ok()) << over.error().message();
  EXPECT_EQ(*over->data->labels(), halves());
  EXPECT_EQ(over->data->values().pixels().values, input->values().pixels().values);
  const auto particles = execute({{"convert", {}}, open}, input, *cpu_backend());
  ASSERT_TRUE(particles.ok()) << particles.error().message();
  const AprAccess& access = *particles->data->apr().access;
  const auto expected = particle_labels(access, halves());
  ASSERT_TRUE(expected.ok());
  EXPECT_EQ(*particles->data->labels(), *expected);
}

TEST(OpenLabels, SayWhatIsWrong) {
  const test::TemporaryFolder folder;
  const std::string file = (folder / "l.tif").string();
  ASSERT_TRUE(write_labels(halves(), {{6, 12, 10}, {}}, file).ok());
  const auto input = Dataset::create(image());
  const auto message = [&](const Operation& operation) {
    const auto done = execute({operation}, input, *cpu_backend());
    return done.ok() ? std::string() : done.error().message();
  };
  EXPECT_NE(message({"open_labels", {}}).find("none is named"), std::string::npos);
  EXPECT_NE(message({"open_labels", {{"file", file}}}).find("6 × 12 × 10"), std::string::npos);
  EXPECT_NE(message({"open_labels", {{"file", file + "x"}}}).find("l.tifx"), std::string::npos);
  EXPECT_NE(message({"open_labels", {{"file", file}, {"time", std::int64_t{1}}}}), "");
}

}  // namespace
}  // namespace aprscope
