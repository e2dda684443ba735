// Pictures of several channels over each other, and of surfaces, by the real program.
#include "app/cli/commands/render_channels.hpp"

#include <array>
#include <filesystem>
#include <map>
#include <vector>

#include <gtest/gtest.h>

#include "core/apr/raycast/raycast.hpp"
#include "core/apr/raycast/surface_shading.hpp"
#include "core/image/colormap.hpp"
#include "core/io/image_source.hpp"
#include "core/io/write.hpp"
#include "tests/app/cli/film_fixture.hpp"

namespace aprscope::test {
namespace {

class RenderChannels : public Film {
 protected:
  std::vector<std::string> render(const std::string& view, const std::string& output,
                                  const std::vector<std::string>& more = {}) {
    std::vector<std::string> all{"render", path("movie.tif"), "--view", view, "-o", path(output)};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
};

// The squares are above the contrast, what is around them below it.
TEST_F(RenderChannels, ASliceHasThemInTheirColours) {
  const auto done =
      run(render("slice", "all.png",
                 {"--channels", "all", "--time", "1", "--index", "2", "--contrast", "150,1900"}));
  std::vector<std::uint8_t> wanted;
  const auto first = film_slice(0, 1, 2);
  const auto second = film_slice(1, 1, 2);
  for (std::size_t i = 0; i < first.size(); ++i) {
    const auto green = static_cast<std::uint8_t>(first[i] > 1900 ? 255 : 0);
    const auto magenta = static_cast<std::uint8_t>(second[i] > 1900 ? 255 : 0);
    wanted.insert(wanted.end(), {magenta, green, magenta, 255});
  }
  ASSERT_TRUE(write_png(wanted, static_cast<int>(kFilmSize.y), static_cast<int>(kFilmSize.x),
                        path("wanted.png")));
  expect_same_bytes("all.png", "wanted.png");
  ASSERT_EQ(done["channels"].size(), 2U);
  EXPECT_EQ(done["channels"][0]["colour"], "#00ff00");
  EXPECT_EQ(done["channels"][1]["colour"], "#ff00ff");
  EXPECT_EQ(done["channels"][1]["channel"], 1);
  EXPECT_EQ(done["channels"][1]["contrast"]["low"], 150.0);
}

TEST_F(RenderChannels, ParticlesAndAllViewsHaveThemToo) {
  run({"convert", path("movie.tif"), "--channels", "all", "-o", path("all.apr")});
  for (const std::string view : {"mip", "translucent"}) {
    const auto with = [&](const std::string& output, const std::vector<std::string>& which) {
      std::vector<std::string> all{"render", path("all.apr"), "--view",     view,
                                   "-o",     path(output),    "--contrast", "150,1900"};
      all.insert(all.end(), which.begin(), which.end());
      return run(all);
    };
    const auto all = with("all.png", {"--channels", "all"});
    with("first.png", {"--channels", "0-0"});
    with("second.png", {"--channels", "1-1"});
    EXPECT_EQ(all["channels"].size(), 2U);
    EXPECT_NE(bytes_of(path("all.png")), bytes_of(path("first.png"))) << view;
    EXPECT_NE(bytes_of(path("all.png")), bytes_of(path("second.png"))) << view;
    const auto turned =
        with("turn_" + view, {"--channels", "all", "--turn", "2", "--size", "48,48"});
    EXPECT_EQ(turned["frames"], 2);
    EXPECT_NE(bytes_of(path("turn_" + view + "/frame_0001.png")),
              bytes_of(path("turn_" + view + "/frame_0002.png")));
  }
}

TEST_F(RenderChannels, ASurfaceIsThatOfTheValue) {
  run(render("surface", "surface.png",
             {"--at", "1500", "--camera", "20,10,1", "--size", "90,70", "--channel", "1"}));
  const auto info = inspect(path("movie.tif"));
  ASSERT_TRUE(info);
  const auto data = Dataset::create(*load(*info, {1, 0}));
  const RayCamera camera = orbit_camera(data->size(), data->voxel(), 20, 10, 1);
  const auto raycaster = data->raycaster();
  ASSERT_TRUE(raycaster);
  const auto depths = (*raycaster)->surface(camera, 90, 70, (*raycaster)->level_max(), 1500.0F);
  ASSERT_TRUE(depths);
  const auto lit = shade_surface(*depths, camera, 1.0);
  ASSERT_TRUE(lit);
  ASSERT_TRUE(
      write_png(apply_colormap(lit->values, {0.0, 1.0, 1.0}, colormap("grey"), {0, 0, 0, 255}), 90,
                70, path("wanted.png")));
  expect_same_bytes("surface.png", "wanted.png");
  run(render("surface", "turn", {"--at", "1500", "--turn", "2", "--size", "48,48"}));
  EXPECT_TRUE(std::filesystem::exists(path("turn/frame_0002.png")));
  run(render("mip", "turned", {"--turn", "2", "--size", "48,48"}));
  EXPECT_NE(bytes_of(path("turn/frame_0001.png")), bytes_of(path("turned/frame_0001.png")));
}

TEST_F(RenderChannels, WhatDoesNotGoTogetherIsSaid) {
  const std::vector<std::string> all{"--channels", "all"};
  const auto with = [&](const std::string& view, const std::vector<std::string>& more) {
    return render(view, "out.png", more);
  };
  expect_wrong(with("slice", {"--channels", "all", "--channel", "1"}), "leave it out", 2);
  expect_wrong(with("slice", {"--channels", "all", "--colormap", "magma"}), "colours of their own",
               2);
  expect_wrong(with("slice", {"--channels", "1-2"}), "has 2 channels", 1);
  expect_wrong(with("slice", {"--channels", "all", "--mode", "level"}), "one channel", 2);
  expect_wrong(with("surface", all), "that of one channel", 2);
  expect_wrong(with("surface", {"--channels", "all", "--at", "5"}), "that of one channel", 2);
  expect_wrong(with("surface", {}), "--at", 2);
  expect_wrong(with("mip", {"--at", "5"}), "--view surface", 2);
  expect_wrong(with("surface", {"--at", "5", "--contrast", "0,1"}), "leave it out", 2);
  expect_wrong(with("surface", {"--at", "1e6"}), "has no value of at least", 1);
  expect_wrong(render("surface", "turned", {"--at", "1e6", "--turn", "2"}),
               "has no value of at least", 1);
  // There is such a value, but not in the box that is shown.
  expect_wrong(with("surface", {"--at", "1500", "--clip", "0:1,0:2,0:2"}), "shows no value", 1);
  EXPECT_FALSE(std::filesystem::exists(path("turned")));
  EXPECT_FALSE(std::filesystem::exists(path("out.png")));
}

}  // namespace
}  // namespace aprscope::test
