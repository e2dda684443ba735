#include "core/apr/structure/apr.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/random_apr.hpp"

namespace aprscope {
namespace {

std::shared_ptr<const Field> field(const std::string& name) {
  return std::make_shared<const Field>(Field{name, std::vector<std::uint8_t>{1, 2, 3}});
}

TEST(Field, KnowsItsType) {
  const Field u16{"a", std::vector<std::uint16_t>{1, 65535}};
  EXPECT_STREQ(u16.dtype(), "u16");
  EXPECT_EQ(u16.count(), 2U);
  EXPECT_EQ(u16.bytes(), 4U);
  EXPECT_EQ(u16.to_float(), (std::vector<float>{1.0F, 65535.0F}));
  EXPECT_STREQ((Field{"a", std::vector<std::uint8_t>{}}.dtype()), "u8");
  EXPECT_STREQ((Field{"a", std::vector<std::uint32_t>{}}.dtype()), "u32");
  EXPECT_STREQ((Field{"a", std::vector<std::uint64_t>{}}.dtype()), "u64");
  EXPECT_STREQ((Field{"a", std::vector<std::int8_t>{}}.dtype()), "i8");
  EXPECT_STREQ((Field{"a", std::vector<std::int16_t>{}}.dtype()), "i16");
  EXPECT_STREQ((Field{"a", std::vector<std::int32_t>{}}.dtype()), "i32");
  EXPECT_STREQ((Field{"a", std::vector<std::int64_t>{}}.dtype()), "i64");
  EXPECT_STREQ((Field{"a", std::vector<float>{}}.dtype()), "f32");
  const Field f64{"a", std::vector<double>{-0.5}};
  EXPECT_STREQ(f64.dtype(), "f64");
  EXPECT_EQ(f64.bytes(), 8U);
  EXPECT_EQ(f64.to_float(), std::vector<float>{-0.5F});
}

TEST(Apr, MainFieldPrefersTheUsualNames) {
  Apr apr;
  EXPECT_EQ(apr.main_field(), nullptr);
  apr.fields = {field("zeta"), field("parts"), field("particles")};
  EXPECT_EQ(apr.main_field()->name, "particles");
  apr.fields.push_back(field("particle_intensities"));
  EXPECT_EQ(apr.main_field()->name, "particle_intensities");
  apr.fields = {field("zeta"), field("alpha")};
  EXPECT_EQ(apr.main_field()->name, "zeta");
  EXPECT_EQ(apr.field("alpha")->name, "alpha");
  EXPECT_EQ(apr.field("beta"), nullptr);
}

TEST(Apr, CountsBytesOfStructureAndFields) {
  const Apr apr = test::random_apr({.size = {6, 7, 8}});
  EXPECT_EQ(apr.bytes(), apr.access->bytes() + 2 * apr.access->count());
}

}  // namespace
}  // namespace aprscope
