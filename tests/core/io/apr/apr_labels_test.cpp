// Labels of particles in files: a plain u32 field beside the others.
#include <algorithm>

#include <gtest/gtest.h>

#include "core/image/labels.hpp"
#include "core/io/write.hpp"
#include "tests/core/io/apr_write_fixture.hpp"
#include "tests/support/paths.hpp"

namespace aprscope::test {
namespace {

constexpr const char* kDataset = "ParticleRepr/membrane/labels";

Apr labelled() {
  Apr apr = rich_apr();
  Labels labels;
  for (std::uint64_t i = 0; i < apr.access->count(); ++i) {
    labels.values.push_back(static_cast<std::uint32_t>(i % 70));
  }
  labels.largest = 69;
  apr.labels = std::make_shared<const Labels>(std::move(labels));
  return apr;
}

// The file of an APR whose dataset of labels was written anew.
template <class T>
void write_with(const Apr& apr, const std::vector<T>& labels, const std::filesystem::path& path) {
  ASSERT_TRUE(write_apr(apr, path).ok());
  PlainHdf5 file(path, PlainHdf5::Mode::change);
  H5Ldelete(file.id(), kDataset, H5P_DEFAULT);
  file.dataset(kDataset, labels);
}

TEST(AprLabels, ComeBackBesideTheFields) {
  const TemporaryFolder folder;
  const Apr apr = labelled();
  ASSERT_TRUE(write_apr(apr, folder / "a.apr").ok());
  const Apr back = load(folder / "a.apr");
  expect_same(apr, back);
  ASSERT_NE(back.labels, nullptr);
  EXPECT_EQ(*back.labels, *apr.labels);
  EXPECT_EQ(back.main_field()->name, apr.main_field()->name);
}

TEST(AprLabels, AreAPlainFieldToOthersAndNotTheMainOne) {
  const TemporaryFolder folder;
  Apr apr = labelled();
  // No usual name: the first one is the main field.
  apr.fields = {field_of<float>("signal", apr.access->count())};
  ASSERT_TRUE(write_apr(apr, folder / "a.apr").ok());
  {
    // Written by a tool that says nothing of the order.
    PlainHdf5 file(folder / "a.apr", PlainHdf5::Mode::change);
    H5Adelete_by_name(file.id(), "ParticleRepr/membrane", "field_order", H5P_DEFAULT);
  }
  const auto info = inspect_apr(folder / "a.apr");
  ASSERT_TRUE(info.ok());
  EXPECT_EQ(info->fields, (std::vector<std::string>{"signal", "labels"}));
  EXPECT_EQ(info->dtype, "f32");
  const Apr back = load(folder / "a.apr");
  EXPECT_EQ(back.main_field()->name, "signal");
  ASSERT_NE(back.labels, nullptr);
  EXPECT_EQ(back.labels->values, apr.labels->values);
}

TEST(AprLabels, OfAnotherTypeStayAField) {
  const TemporaryFolder folder;
  const Apr apr = labelled();
  write_with(apr, std::vector<std::uint16_t>(apr.access->count(), 3), folder / "a.apr");
  const Apr back = load(folder / "a.apr");
  EXPECT_EQ(back.labels, nullptr);
  ASSERT_NE(back.field("labels"), nullptr);
  EXPECT_STREQ(back.field("labels")->dtype(), "u16");
}

TEST(AprLabels, NumbersMayBeLargerThanThereAreParticles) {
  const TemporaryFolder folder;
  const Apr apr = labelled();
  std::vector<std::uint32_t> values(apr.access->count(), 7);
  values[5] = 0xFFFFFFFEU;
  write_with(apr, values, folder / "a.apr");
  const Apr back = load(folder / "a.apr");
  ASSERT_NE(back.labels, nullptr);
  EXPECT_EQ(back.labels->values, values);
  EXPECT_EQ(back.labels->largest, 0xFFFFFFFEU);
  EXPECT_EQ(back.field("labels"), nullptr);
}

TEST(AprLabels, OfAnotherLengthAreDamage) {
  const TemporaryFolder folder;
  const Apr apr = labelled();
  write_with(apr, std::vector<std::uint32_t>(apr.access->count() - 1), folder / "a.apr");
  const auto info = inspect_apr(folder / "a.apr");
  ASSERT_TRUE(info.ok());
  const auto back = load_apr(*info, {});
  ASSERT_FALSE(back.ok());
  EXPECT_NE(back.error().message().find("field labels has"), std::string::npos)
      << back.error().message();
}

TEST(AprLabels, AreRefusedWhereTheyDoNotFit) {
  const TemporaryFolder folder;
  Apr apr = labelled();
  apr.fields.push_back(field_of<float>("labels", apr.access->count()));
  const Status twice = write_apr(apr, folder / "a.apr");
  ASSERT_FALSE(twice.ok());
  EXPECT_NE(twice.error().message().find("two fields are called \"labels\""), std::string::npos);
  apr.fields.pop_back();
  Labels few = *apr.labels;
  few.values.resize(3);
  apr.labels = std::make_shared<const Labels>(std::move(few));
  EXPECT_FALSE(write_apr(apr, folder / "a.apr").ok());
}

}  // namespace
}  // namespace aprscope::test
