// What `cells` reads for one time point beside the image, by the real program.
#include <algorithm>
#include <functional>

#include <gtest/gtest.h>

#include "core/base/atomic_file.hpp"
#include "tests/app/cli/chain_fixture.hpp"
#include "tests/core/io/tiff_maker.hpp"

namespace aprscope::test {
namespace {

constexpr std::int64_t kRows = 10;
constexpr std::int64_t kCols = 12;
constexpr int kSlices = 2;

class CellRun : public Chain {
 protected:
  void SetUp() override {
    write("film.tif", 3, 10, [](int time) { return 100 + 10 * time; });
    write("labels.tif", 3, 0, [](int time) { return 21 + time; });
  }
  // Frames with a square of 5 × 5 pixels that moves by one each time; in the last frame of a film
  // of four there is none.
  void write(const std::string& name, int frames, int ground,
             const std::function<int(int)>& value) {
    TiffMaker file(path(name), "w");
    PageSpec page;
    page.cols = static_cast<std::uint32_t>(kCols);
    page.rows = static_cast<std::uint32_t>(kRows);
    for (int time = 0; time < frames; ++time) {
      std::vector<std::uint16_t> pixels(static_cast<std::size_t>(kRows * kCols),
                                        static_cast<std::uint16_t>(ground));
      for (std::int64_t i = 0; i < 25 && time < 3; ++i) {
        const std::int64_t at = (2 + i / 5) * kCols + 3 + time + i % 5;
        pixels[static_cast<std::size_t>(at)] = static_cast<std::uint16_t>(value(time));
      }
      for (int z = 0; z < kSlices; ++z) {
        page.description = time == 0 && z == 0 ? head(frames) : "";
        file.add(page, pixels);
      }
    }
  }
  static std::string head(int frames) {
    return "ImageJ=1.53t\nimages=" + std::to_string(kSlices * frames) +
           "\nslices=" + std::to_string(kSlices) + "\nframes=" + std::to_string(frames) +
           "\nhyperstack=true\n";
  }
  void expect_rows(const std::string& name, const std::vector<std::string>& rows) {
    const auto table = read_text(path(name));
    ASSERT_TRUE(table.ok());
    EXPECT_EQ(std::count(table->begin(), table->end(), '\n'),
              static_cast<std::ptrdiff_t>(rows.size()) + 1)
        << *table;
    for (const std::string& row : rows) {
      EXPECT_NE(table->find("\n" + row + ","), std::string::npos) << row << "\n" << *table;
    }
  }
  void expect_refused(const std::vector<std::string>& arguments, int code,
                      const std::string& words) {
    const ProgramResult done = run_cli(arguments);
    EXPECT_EQ(done.exit_code, code) << done.out;
    EXPECT_NE(done.err.find(words), std::string::npos) << done.err;
  }
};

TEST_F(CellRun, LabelsOfAFilmAreThoseOfTheTimePoint) {
  run({"cells", path("film.tif"), "--labels", path("labels.tif"), "--times", "all", "--csv",
       path("t.csv")});
  expect_rows("t.csv", {"0,21", "1,22", "2,23"});
  run({"cells", path("film.tif"), "--labels", path("labels.tif"), "--time", "2", "--csv",
       path("one.csv")});
  expect_rows("one.csv", {"23"});
  // They overlap from one to the next.
  run({"cells", path("film.tif"), "--labels", path("labels.tif"), "--times", "all", "--follow",
       "--csv", path("f.csv")});
  expect_rows("f.csv", {"0,1", "1,1", "2,1"});
}

TEST_F(CellRun, LabelsOfOneTimePointAreThoseOfAll) {
  write("same.tif", 1, 0, [](int) { return 7; });
  run({"cells", path("film.tif"), "--labels", path("same.tif"), "--times", "1-2", "--csv",
       path("t.csv")});
  expect_rows("t.csv", {"1,7", "2,7"});
}

TEST_F(CellRun, ATimePointThatFailsDoesNotStopTheOthers) {
  write("short.tif", 2, 0, [](int time) { return 21 + time; });
  expect_refused({"cells", path("film.tif"), "--labels", path("short.tif"), "--times", "all",
                  "--csv", path("t.csv")},
                 1, "1 of 3 time points failed");
  expect_rows("t.csv", {"0,21", "1,22"});
  // Nothing is in the last frame.
  write("gone.tif", 4, 10, [](int) { return 900; });
  const ProgramResult done = run_cli({"cells", path("gone.tif"), "--method", "fill", "--threshold",
                                      "500", "--times", "all", "--follow", "--csv", path("g.csv")});
  EXPECT_EQ(done.exit_code, 1);
  EXPECT_NE(done.err.find("1 of 4 time points failed"), std::string::npos) << done.err;
  EXPECT_NE(done.out.find("has no membrane"), std::string::npos) << done.out;
  expect_rows("g.csv", {"0,1", "1,1", "2,1"});
}

TEST_F(CellRun, SeedsOfAFilmAreRefusedButAtItsFirstTimePoint) {
  const std::vector<std::string> seeded{"cells", path("film.tif"), "--method",
                                        "seeds", "--seeds",        path("labels.tif")};
  run(seeded);
  std::vector<std::string> later = seeded;
  later.insert(later.end(), {"--time", "1"});
  expect_refused(later, 1, "seeds of several time points");
}

TEST_F(CellRun, CellsThatAFileShouldHaveAreMissed) {
  run({"convert", path("film.tif"), "-o", path("p.apr")});
  expect_refused({"cells", path("p.apr"), "--method", "kept", "--times", "all", "--follow"}, 1,
                 "no labels");
}

TEST_F(CellRun, NothingThatIsReadIsReplaced) {
  run({"convert", path("film.tif"), "-o", path("p.apr")});
  expect_refused({"cells", path("p.apr"), "--method", "fill", "--threshold", "50", "--check",
                  path("film.tif"), "-o", path("film.tif")},
                 1, "replaced");
}

}  // namespace
}  // namespace aprscope::test
