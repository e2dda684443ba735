#include "app/gui/document/workspace/window_workspace.hpp"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "core/base/atomic_file.hpp"
#include "core/operations/engine/registry.hpp"
#include "tests/support/paths.hpp"

namespace aprscope::gui {
namespace {

namespace fs = std::filesystem;

WindowWorkspace sample() {
  WindowWorkspace w;
  ShownItem image;
  image.id = 4;
  image.name = "cells “5”";
  image.recipe = {"/data/cells.h5:/t0/raw", 1, 2, {}};
  image.left_out = "3,17-20";
  image.beside_level = 8;
  image.display = {"pixel", {10.5, 900.25, 0.5}, "magma", false, true};
  ShownItem result;
  result.id = 9;
  result.parent = 4;
  result.name = "particles";
  result.recipe = {"/data/cells.h5:/t0/raw", 1, 2, {*complete({"convert", {}})}};
  result.display.composite = true;
  result.display.channels = {{true, {0, 255, 16}, Contrast{2.5, 90.0, 0.75}},
                             {false, {255, 0, 255}, std::nullopt}};
  result.file = "/data/cells.apr";
  result.file_stamp = {12345, 0xF0E1D2C3U};
  result.costs = {{"convert", 1.25, 1000, 5000, "CPU, 2 threads"},
                  {"box", 0.125, 2000, {}, "cuda:0 Some GPU"}};
  result.costs[1].moved = DeviceMove{"cuda:0", "cpu", "CPU, 2 threads", "it “does” not fit"};
  w.items = {image, result};
  w.current = 9;
  w.crosshair = {3, 14, 15};
  w.views.shown = "3d";
  w.views.box = false;
  w.views.slices[1] = {false, 3.25, 4.5, 2.0};
  RayCamera camera;
  camera.eye = {1, 2, 3};
  camera.forward = {0, 1, 0};
  camera.up = {0, 0, -1};
  camera.perspective = true;
  camera.height_world = 77;
  w.views.camera = camera;
  w.views.slices_in_3d = true;
  w.views.translucent = true;
  w.views.depth = 0.125;
  w.views.clip = Region{{1, 2, 3}, {4, 5, 6}};
  WorkspaceBookmark mark;
  mark.name = "a nucleus";
  mark.size = {10, 20, 30};
  mark.voxel = {2.0, 0.5, 0.25, "µm"};
  mark.crosshair = {7, 8, 9};
  mark.slices[2] = {false, 1.5, 2.5, 4.0};
  mark.camera = camera;
  mark.clip = Region{{0, 0, 0}, {2, 2, 2}};
  WorkspaceBookmark empty;
  empty.name = "empty";
  w.views.bookmarks = {mark, empty};
  w.comparison = {true, 4, 9, "reveal", "yz", false, 0.25, 120.0, true, PlaneLine{{1, 2}, {3, 4.5}},
                  3};
  return w;
}

void expect_same(const WindowWorkspace& a, const WindowWorkspace& b) {
  EXPECT_EQ(a.items, b.items);
  EXPECT_EQ(a.current, b.current);
  EXPECT_EQ(a.crosshair, b.crosshair);
  EXPECT_EQ(a.views.shown, b.views.shown);
  EXPECT_EQ(a.views.box, b.views.box);
  EXPECT_EQ(a.views.slices, b.views.slices);
  ASSERT_EQ(a.views.camera.has_value(), b.views.camera.has_value());
  if (a.views.camera) {
    EXPECT_EQ(a.views.camera->eye, b.views.camera->eye);
    EXPECT_EQ(a.views.camera->up, b.views.camera->up);
    EXPECT_EQ(a.views.camera->perspective, b.views.camera->perspective);
    EXPECT_EQ(a.views.camera->height_world, b.views.camera->height_world);
  }
  EXPECT_EQ(a.views.slices_in_3d, b.views.slices_in_3d);
  EXPECT_EQ(a.views.translucent, b.views.translucent);
  EXPECT_EQ(a.views.depth, b.views.depth);
  EXPECT_EQ(a.views.clip, b.views.clip);
  ASSERT_EQ(a.views.bookmarks.size(), b.views.bookmarks.size());
  for (std::size_t i = 0; i < a.views.bookmarks.size(); ++i) {
    const WorkspaceBookmark& p = a.views.bookmarks[i];
    const WorkspaceBookmark& q = b.views.bookmarks[i];
    EXPECT_EQ(p.name, q.name);
    EXPECT_EQ(p.size, q.size);
    EXPECT_EQ(p.voxel, q.voxel);
    EXPECT_EQ(p.crosshair, q.crosshair);
    EXPECT_EQ(p.slices, q.slices);
    EXPECT_EQ(p.clip, q.clip);
    ASSERT_EQ(p.camera.has_value(), q.camera.has_value());
    if (p.camera) {
      EXPECT_EQ(p.camera->eye, q.camera->eye);
    }
  }
  EXPECT_EQ(a.comparison.active, b.comparison.active);
  EXPECT_EQ(a.comparison.a, b.comparison.a);
  EXPECT_EQ(a.comparison.mode, b.comparison.mode);
  EXPECT_EQ(a.comparison.place, b.comparison.place);
  EXPECT_EQ(a.comparison.reveal, b.comparison.reveal);
  EXPECT_EQ(a.comparison.difference_range, b.comparison.difference_range);
  EXPECT_EQ(a.comparison.line, b.comparison.line);
  EXPECT_EQ(a.comparison.line_width, b.comparison.line_width);
}

TEST(WindowWorkspace, RoundTripKeepsEverything) {
  const auto back = window_workspace_from_json(to_json(sample()));
  ASSERT_TRUE(back.ok()) << back.error().message();
  expect_same(sample(), *back);
}

TEST(WindowWorkspace, WhatIsMissingHasItsDefault) {
  const auto least = window_workspace_from_json(R"({"aprscope_workspace": 1})");
  ASSERT_TRUE(least.ok());
  expect_same(WindowWorkspace{}, *least);
}

struct Wrong {
  const char* text;
  std::vector<const char*> names;
};
class WrongWindowWorkspace : public ::testing::TestWithParam<Wrong> {};

TEST_P(WrongWindowWorkspace, GetsASentenceThatNamesIt) {
  const auto read = window_workspace_from_json(GetParam().text);
  ASSERT_FALSE(read.ok());
  for (const char* name : GetParam().names) {
    EXPECT_NE(read.error().message().find(name), std::string::npos) << read.error().message();
  }
}

#define WITH(text) "{\"aprscope_workspace\": 1, " text "}"
INSTANTIATE_TEST_SUITE_P(
    Texts, WrongWindowWorkspace,
    ::testing::Values(
        Wrong{"{", {"JSON"}}, Wrong{"[]", {"not a workspace"}},
        Wrong{"{\"aprscope\": 1, \"steps\": []}", {"not a workspace", "recipe"}},
        Wrong{"{\"aprscope_workspace\": 2}", {"version 2"}},
        Wrong{WITH("\"items\": {}"), {"items", "list"}},
        Wrong{WITH("\"items\": [3]"), {"items 1", "object"}},
        Wrong{WITH("\"items\": [{\"id\": 1}, {\"id\": 1}]"), {"items 2", "id"}},
        Wrong{WITH("\"items\": [{}]"), {"items 1", "id"}},
        Wrong{WITH("\"items\": [{\"id\": 1, \"parent\": 2}, {\"id\": 2}]"), {"items 1", "parent"}},
        Wrong{WITH("\"items\": [{\"id\": 1, \"recipe\": {\"aprscope\": 1, \"steps\": "
                   "[{\"operation\": \"bake\"}]}}]"),
              {"items 1", "step 1"}},
        Wrong{WITH("\"items\": [{\"id\": -1}]"), {"items 1", "id"}},
        Wrong{WITH("\"items\": [{\"id\": 1, \"file_crc32\": 4294967296}]"),
              {"items 1", "file_crc32"}},
        Wrong{WITH("\"crosshair\": {\"z\": \"a\"}"), {"crosshair", "z"}},
        Wrong{WITH("\"views\": {\"slices\": [{\"scale\": 0}]}"), {"views", "slices 1", "scale"}},
        Wrong{WITH("\"views\": {\"slices\": [{}, {}, {}, {}]}"), {"slices 4"}},
        Wrong{WITH("\"views\": {\"camera\": {\"eye\": [1, 2]}}"), {"camera", "eye"}},
        Wrong{WITH("\"views\": {\"camera\": {\"forward\": [0, 2, 0], \"up\": [0, 1, 0]}}"),
              {"camera", "different directions"}},
        Wrong{WITH("\"views\": {\"clip\": \"1:2,3:4\"}"), {"views", "clip"}},
        Wrong{WITH("\"views\": {\"depth\": 0}"), {"views", "depth"}},
        Wrong{WITH("\"views\": {\"depth\": 1e300}"), {"views", "depth"}},
        Wrong{WITH("\"views\": {\"bookmarks\": [{}, {\"clip\": \"4:2,0:1,0:1\"}]}"),
              {"bookmarks 2", "clip"}},
        Wrong{WITH("\"views\": {\"bookmarks\": [{\"size\": {\"z\": 2000000}}]}"),
              {"bookmarks 1", "size", "million"}},
        Wrong{WITH("\"views\": {\"bookmarks\": [{\"voxel\": {\"x\": 0}}]}"),
              {"bookmarks 1", "voxel"}},
        Wrong{WITH("\"comparison\": {\"active\": 1}"), {"comparison", "active"}}));
#undef WITH

TEST(WindowWorkspace, DataMayMoveWithTheFile) {
  const test::TemporaryFolder folder;
  fs::create_directories(folder / "old" / "data");
  std::ofstream(folder / "old" / "data" / "a.tif") << "x";
  WindowWorkspace w;
  ShownItem item;
  item.id = 1;
  item.recipe.input = (folder / "old" / "data" / "a.tif").string();
  w.items = {item};
  ASSERT_TRUE(save_workspace(w, folder / "old" / "w.aprscope").ok());
  EXPECT_EQ(load_window_workspace(folder / "old" / "w.aprscope")->items[0].recipe.input,
            item.recipe.input);
  fs::rename(folder / "old", folder / "new");
  const auto moved = load_window_workspace(folder / "new" / "w.aprscope");
  ASSERT_TRUE(moved.ok());
  EXPECT_EQ(moved->items[0].recipe.input, (folder / "new" / "data" / "a.tif").string());
  // Gone altogether: the path as it was, for the message.
  fs::remove(folder / "new" / "data" / "a.tif");
  EXPECT_EQ(load_window_workspace(folder / "new" / "w.aprscope")->items[0].recipe.input,
            item.recipe.input);
}

TEST(WindowWorkspace, ErrorsNameTheFile) {
  const test::TemporaryFolder folder;
  EXPECT_FALSE(load_window_workspace(folder / "none.aprscope").ok());
  ASSERT_TRUE(write_text_atomically(folder / "bad.aprscope", "{}").ok());
  const auto bad = load_window_workspace(folder / "bad.aprscope");
  ASSERT_FALSE(bad.ok());
  EXPECT_NE(bad.error().message().find("bad.aprscope"), std::string::npos);
  EXPECT_FALSE(save_workspace(WindowWorkspace{}, folder / "missing" / "w.aprscope").ok());
}

}  // namespace
}  // namespace aprscope::gui
