#include "core/pipeline/workspace.hpp"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "core/base/atomic_file.hpp"
#include "tests/support/paths.hpp"

namespace aprscope {
namespace {

namespace fs = std::filesystem;

Workspace sample() {
  Workspace w;
  WorkspaceItem image;
  image.id = 4;
  image.name = "cells “5”";
  image.recipe = {"/data/cells.h5:/t0/raw", 1, 2, {}};
  image.left_out = "3,17-20";
  WorkspaceItem result;
  result.id = 9;
  result.parent = 4;
  result.name = "particles";
  result.recipe = {"/data/cells.h5:/t0/raw", 1, 2, {*complete({"convert", {}})}};
  result.file = "/data/cells.apr";
  result.file_stamp = {12345, 0xF0E1D2C3U};
  result.costs = {{"convert", 1.25, 1000, 5000, "CPU, 2 threads"},
                  {"box", 0.125, 2000, {}, "cuda:0 Some GPU"}};
  result.costs[1].moved = DeviceMove{"cuda:0", "cpu", "CPU, 2 threads", "it “does” not fit"};
  w.items = {image, result};
  w.current = 9;
  return w;
}

void expect_same(const Workspace& a, const Workspace& b) {
  EXPECT_EQ(a.items, b.items);
  EXPECT_EQ(a.current, b.current);
}

TEST(Workspace, RoundTripKeepsEverything) {
  const auto back = workspace_from_json(to_json(sample()));
  ASSERT_TRUE(back.ok()) << back.error().message();
  expect_same(sample(), *back);
}

TEST(Workspace, WhatIsMissingHasItsDefault) {
  const auto least = workspace_from_json(R"({"aprscope_workspace": 1})");
  ASSERT_TRUE(least.ok());
  expect_same(Workspace{}, *least);
}

// What the window adds to the file is none of this reader's, whatever it is.
TEST(Workspace, WhatOthersAddedIsLeftAlone) {
  const auto read = workspace_from_json(
      R"({"aprscope_workspace": 1, "items": [{"id": 3, "display": 7}], "views": [], "current": 3})");
  ASSERT_TRUE(read.ok()) << read.error().message();
  EXPECT_EQ(read->current, 3U);
  EXPECT_EQ(to_json(*read).find("display"), std::string::npos);
}

struct Wrong {
  const char* text;
  std::vector<const char*> names;
};
class WrongWorkspace : public ::testing::TestWithParam<Wrong> {};

TEST_P(WrongWorkspace, GetsASentenceThatNamesIt) {
  const auto read = workspace_from_json(GetParam().text);
  ASSERT_FALSE(read.ok());
  for (const char* name : GetParam().names) {
    EXPECT_NE(read.error().message().find(name), std::string::npos) << read.error().message();
  }
}

#define WITH(text) "{\"aprscope_workspace\": 1, " text "}"
INSTANTIATE_TEST_SUITE_P(
    Texts, WrongWorkspace,
    ::testing::Values(Wrong{"{", {"JSON"}}, Wrong{"[]", {"not a workspace"}},
                      Wrong{"{\"aprscope\": 1, \"steps\": []}", {"not a workspace", "recipe"}},
                      Wrong{"{\"aprscope_workspace\": 2}", {"version 2"}},
                      Wrong{WITH("\"items\": {}"), {"items", "list"}},
                      Wrong{WITH("\"items\": [3]"), {"items 1", "object"}},
                      Wrong{WITH("\"items\": [{\"id\": 1}, {\"id\": 1}]"), {"items 2", "id"}},
                      Wrong{WITH("\"items\": [{}]"), {"items 1", "id"}},
                      Wrong{WITH("\"items\": [{\"id\": 1, \"parent\": 2}, {\"id\": 2}]"),
                            {"items 1", "parent"}},
                      Wrong{WITH("\"items\": [{\"id\": 1, \"recipe\": {\"aprscope\": 1, \"steps\": "
                                 "[{\"operation\": \"bake\"}]}}]"),
                            {"items 1", "step 1"}},
                      Wrong{WITH("\"items\": [{\"id\": -1}]"), {"items 1", "id"}},
                      Wrong{WITH("\"items\": [{\"id\": 1, \"file_crc32\": 4294967296}]"),
                            {"items 1", "file_crc32"}}));
#undef WITH

TEST(Workspace, DataMayMoveWithTheFile) {
  const test::TemporaryFolder folder;
  fs::create_directories(folder / "old" / "data");
  std::ofstream(folder / "old" / "data" / "a.tif") << "x";
  Workspace w;
  WorkspaceItem item;
  item.id = 1;
  item.recipe.input = (folder / "old" / "data" / "a.tif").string();
  w.items = {item};
  ASSERT_TRUE(save_workspace(w, folder / "old" / "w.aprscope").ok());
  EXPECT_EQ(load_workspace(folder / "old" / "w.aprscope")->items[0].recipe.input,
            item.recipe.input);
  fs::rename(folder / "old", folder / "new");
  const auto moved = load_workspace(folder / "new" / "w.aprscope");
  ASSERT_TRUE(moved.ok());
  EXPECT_EQ(moved->items[0].recipe.input, (folder / "new" / "data" / "a.tif").string());
  // Gone altogether: the path as it was, for the message.
  fs::remove(folder / "new" / "data" / "a.tif");
  EXPECT_EQ(load_workspace(folder / "new" / "w.aprscope")->items[0].recipe.input,
            item.recipe.input);
}

TEST(Workspace, FindsTheFilesOfStepsThatMovedWithIt) {
  const test::TemporaryFolder folder;
  fs::create_directories(folder / "old");
  ASSERT_TRUE(write_text_atomically(folder / "old" / "labels.tif", "labels").ok());
  WorkspaceItem item;
  item.id = 1;
  item.name = "cells";
  item.recipe.steps.push_back(
      *complete({"open_labels", {{"file", (folder / "old" / "labels.tif").string()}}}));
  Workspace w;
  w.items.push_back(item);
  ASSERT_TRUE(save_workspace(w, folder / "old" / "w.aprscope").ok());
  EXPECT_EQ(load_workspace(folder / "old" / "w.aprscope")->items[0].recipe, item.recipe);
  fs::rename(folder / "old", folder / "new");
  const auto moved = load_workspace(folder / "new" / "w.aprscope");
  ASSERT_TRUE(moved.ok());
  EXPECT_EQ(parameter<std::string>(moved->items[0].recipe.steps[0], "file"),
            (folder / "new" / "labels.tif").string());
}

TEST(Workspace, ErrorsNameTheFile) {
  const test::TemporaryFolder folder;
  EXPECT_FALSE(load_workspace(folder / "none.aprscope").ok());
  ASSERT_TRUE(write_text_atomically(folder / "bad.aprscope", "{}").ok());
  const auto bad = load_workspace(folder / "bad.aprscope");
  ASSERT_FALSE(bad.ok());
  EXPECT_NE(bad.error().message().find("bad.aprscope"), std::string::npos);
  EXPECT_FALSE(save_workspace({}, folder / "missing" / "w.aprscope").ok());
}

}  // namespace
}  // namespace aprscope
