// Labels that give their memory back to what they were made of.
#include <gtest/gtest.h>

#include "core/operations/engine/operation_type.hpp"

namespace aprscope {
namespace {

class Nothing final : public Prepared {
 public:
  [[nodiscard]] std::uint64_t bytes() const override { return 0; }
};

TEST(Prepared, GetsLabelsBackFromTheLastWhoLooksAtThem) {
  const std::shared_ptr<const Prepared> prepared = std::make_shared<const Nothing>();
  Labels made;
  made.values = {1, 2, 2};
  made.largest = 2;
  const std::uint32_t* const memory = made.values.data();
  auto labels = with_spare(std::move(made), prepared);
  EXPECT_EQ(labels->values, (std::vector<std::uint32_t>{1, 2, 2}));
  EXPECT_EQ(labels->largest, 2U);
  auto looks_on = labels;
  labels.reset();
  EXPECT_EQ(prepared->spare().bytes(), 0U);
  looks_on.reset();
  EXPECT_EQ(prepared->spare().bytes(), 12U);
  EXPECT_EQ(prepared->spare().take(3).data(), memory);
}

TEST(Prepared, MayBeGoneBeforeItsLabels) {
  std::shared_ptr<const Prepared> prepared = std::make_shared<const Nothing>();
  Labels made;
  made.values = {7};
  const auto labels = with_spare(std::move(made), prepared);
  const std::weak_ptr<const Prepared> seen = prepared;
  prepared.reset();
  EXPECT_TRUE(seen.expired()) << "labels keep it alive";
  EXPECT_EQ(labels->values.front(), 7U);
  EXPECT_EQ(with_spare(*labels, nullptr)->values.front(), 7U);
}

}  // namespace
}  // namespace aprscope
