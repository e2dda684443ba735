// What is said where a watershed of walls was asked for and there are none.
#include "core/operations/measure/background_note.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "core/image/synthetic.hpp"
#include "core/pipeline/backend.hpp"
#include "core/pipeline/execution.hpp"
#include "tests/support/sanitized.hpp"
#include "tests/support/tissue_phantom.hpp"

namespace aprscope {
namespace {

bool is_said(const Volume& image, const std::map<std::string, ParameterValue>& given = {}) {
  const auto run = execute({*complete({"watershed", given}), *complete({"cells", {}})},
                           Dataset::create(image), *cpu_backend(), {});
  EXPECT_TRUE(run.ok()) << (run.ok() ? "" : run.error().message());
  if (!run) return false;
  const std::vector<std::string>& notes = run->measured.back().found->notes;
  const bool said = std::any_of(notes.begin(), notes.end(), [](const std::string& note) {
    return note.rfind("one cell is ", 0) == 0;
  });
  // The preview, which has no table, says the same.
  EXPECT_EQ(!background_note(background_share_of(*run->data, *run->data->labels())).empty(), said);
  return said;
}

TEST(BackgroundNote, IsSaidOfNucleiThatAreFloodedAsIfTheyHadWalls) {
  SyntheticOptions options;
  options.size = {24, 96, 96};
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    options.seed = seed;
    const auto nuclei = make_synthetic("cells", options);
    ASSERT_TRUE(nuclei.ok());
    EXPECT_TRUE(is_said(*nuclei));
    EXPECT_FALSE(is_said(*nuclei, {{"signal", std::string("distance")}}));
  }
}

TEST(BackgroundNote, IsNotSaidOfTissues) {
  using test::TissuePhantom;
  test::SanitizedShare share(2);
  for (const auto kind : {TissuePhantom::Kind::isotropic, TissuePhantom::Kind::elongated,
                          TissuePhantom::Kind::mixed}) {
    if (!share.takes()) continue;
    TissuePhantom phantom;
    phantom.kind = kind;
    phantom.size = {40, 64, 64};
    Volume image = test::make_tissue(phantom).image;
    EXPECT_FALSE(is_said(image));
    // Nor of dark walls that are taken for what they are.
    for (auto& v : std::get<Pixels<std::uint16_t>>(image.pixels).values) {
      v = static_cast<std::uint16_t>(2000 - v);
    }
    EXPECT_FALSE(is_said(image, {{"dark", true}}));
  }
}

TEST(BackgroundNote, HasTheShareInIt) {
  EXPECT_EQ(background_note(0.0), "");
  EXPECT_NE(background_note(0.874).find("87 % of the image"), std::string::npos);
}

}  // namespace
}  // namespace aprscope
