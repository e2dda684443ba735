#include "core/io/zarr/zarr_node.hpp"

#include <gtest/gtest.h>

#include "tests/support/paths.hpp"
#include "tests/support/zarr_maker.hpp"

namespace aprscope {
namespace {

TEST(ZarrNodes, EachFormatIsToldByItsFile) {
  const test::TemporaryFolder folder;
  const auto put = [&](const char* file, const char* text) {
    test::write_file(folder / file, std::string(text));
  };
  put("three/zarr.json", R"({"node_type": "array", "attributes": {"of": 3}})");
  put("two/.zarray", R"({"shape": [1], "fill_value": NaN})");
  put("two/.zattrs", R"({"of": 2})");
  put("group/.zgroup", R"({"zarr_format": 2})");
  put("five/attributes.json", R"({"dimensions": [4], "blockSize": [2], "of": 5})");
  const auto store = ZarrStore::open(folder.path());
  ASSERT_TRUE(store.ok()) << store.error().message();
  struct Wanted {
    const char* key;
    ZarrKind kind;
    bool is_array;
    const char* file;
    int of;
  };
  for (const Wanted& w : {Wanted{"three", ZarrKind::zarr3, true, "three/zarr.json", 3},
                          Wanted{"two", ZarrKind::zarr2, true, "two/.zarray", 2},
                          Wanted{"group", ZarrKind::zarr2, false, "group/.zgroup", 0},
                          Wanted{"five", ZarrKind::n5, true, "five/attributes.json", 5}}) {
    const auto node = zarr_node(*store, w.key);
    ASSERT_TRUE(node.ok() && *node) << w.key;
    EXPECT_EQ((*node)->kind, w.kind) << w.key;
    EXPECT_EQ((*node)->is_array, w.is_array) << w.key;
    EXPECT_EQ((*node)->described_in, w.file);
    if (w.of != 0) {
      EXPECT_EQ((*node)->attributes["of"], w.of) << w.key;
    }
  }
  // What Python writes for no number is no JSON.
  EXPECT_TRUE((*zarr_node(*store, "two"))->description["fill_value"].is_null());
  const auto none = zarr_node(*store, "nowhere");
  ASSERT_TRUE(none.ok());
  EXPECT_FALSE(none->has_value());
  put("bad/zarr.json", "[1]");
  EXPECT_FALSE(zarr_node(*store, "bad").ok());
}

}  // namespace
}  // namespace aprscope
