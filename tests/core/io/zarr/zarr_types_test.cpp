#include "core/io/zarr/zarr_types.hpp"

#include <tuple>

#include <gtest/gtest.h>

namespace aprscope {
namespace {

using FillBytes = std::vector<std::uint8_t>;

TEST(ZarrTypes, NamesAndLettersMeanTheSame) {
  for (const auto& [name, letter, bytes] :
       {std::tuple{"bool", 'b', 1}, {"uint16", 'u', 2}, {"int8", 'i', 1}, {"float32", 'f', 4}}) {
    const auto named = zarr_type_of_name(name);
    const auto lettered = zarr_type_of_letters(letter, bytes);
    ASSERT_TRUE(named && lettered) << name;
    EXPECT_EQ(named->bits, 8 * bytes) << name;
    EXPECT_EQ(named->bits, lettered->bits) << name;
    EXPECT_EQ(named->kind, lettered->kind) << name;
  }
  for (const char* name : {"", "uint", "uint24", "complex64", "float8", "r16"}) {
    EXPECT_FALSE(zarr_type_of_name(name)) << name;
  }
  EXPECT_FALSE(zarr_type_of_letters('b', 2));
  EXPECT_FALSE(zarr_type_of_letters('S', 1));
}

TEST(ZarrTypes, FillValuesAreOneSample) {
  const auto u16 = *zarr_type_of_name("uint16");
  const auto i16 = *zarr_type_of_name("int16");
  const auto f32 = *zarr_type_of_name("float32");
  EXPECT_EQ(zarr_fill(nullptr, u16), (FillBytes{0, 0}));
  EXPECT_EQ(zarr_fill(0x0102, u16), (FillBytes{2, 1}));
  EXPECT_EQ(zarr_fill(-2, i16), (FillBytes{0xFE, 0xFF}));
  EXPECT_EQ(zarr_fill(1.0, f32), (FillBytes{0, 0, 0x80, 0x3F}));
  EXPECT_EQ(zarr_fill("-Infinity", f32), (FillBytes{0, 0, 0x80, 0xFF}));
  // As the file has the bits, the largest ones first.
  EXPECT_EQ(zarr_fill("0x3F80000a", f32), (FillBytes{0x0A, 0, 0x80, 0x3F}));
  EXPECT_EQ(zarr_fill(0.5, *zarr_type_of_name("float16")), (FillBytes{0, 0x38}));
  for (const char* text : {"NaN", "0x12", "0x12345g", "seven"}) {
    EXPECT_FALSE(zarr_fill(text, u16)) << text;
  }
}

}  // namespace
}  // namespace aprscope
