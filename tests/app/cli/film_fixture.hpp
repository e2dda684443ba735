#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/image/volume.hpp"
#include "tests/app/cli/chain_fixture.hpp"
#include "tests/core/io/tiff_maker.hpp"

namespace aprscope::test {

inline constexpr Size3 kFilmSize{4, 24, 32};
inline constexpr int kFilmChannels = 2;
inline constexpr int kFilmTimes = 3;

// A bright square somewhere else in each channel and at each time point.
inline std::vector<std::uint16_t> film_slice(int channel, int time, std::int64_t z) {
  std::vector<std::uint16_t> values(static_cast<std::size_t>(kFilmSize.x * kFilmSize.y), 100);
  for (std::int64_t x = 4 + 3 * time; x < 10 + 3 * time; ++x) {
    for (std::int64_t y = 5 + 9 * channel; y < 12 + 9 * channel; ++y) {
      values[static_cast<std::size_t>(x * kFilmSize.y + y)] =
          static_cast<std::uint16_t>(2000 + 100 * z + 500 * channel);
    }
  }
  return values;
}

/// A film of two channels as an ImageJ TIFF, and runs of the program on it.
class Film : public Chain {
 protected:
  void SetUp() override { write_movie("movie.tif"); }

  void write_movie(const std::string& name, const std::string& more = "") {
    TiffMaker file(path(name), "w");
    PageSpec page;
    page.cols = static_cast<std::uint32_t>(kFilmSize.y);
    page.rows = static_cast<std::uint32_t>(kFilmSize.x);
    for (int t = 0; t < kFilmTimes; ++t) {
      for (std::int64_t z = 0; z < kFilmSize.z; ++z) {
        for (int c = 0; c < kFilmChannels; ++c) {
          page.description = t + z + c == 0
                                 ? "ImageJ=1.53t\nimages=24\nchannels=2\nslices=4\nframes=3\n"
                                   "hyperstack=true\n" +
                                       more
                                 : "";
          file.add(page, film_slice(c, t, z));
        }
      }
    }
  }

  void expect_wrong(const std::vector<std::string>& arguments, const std::string& words, int code) {
    const ProgramResult done = run_cli(arguments);
    EXPECT_EQ(done.exit_code, code) << done.out;
    EXPECT_NE(done.err.find(words), std::string::npos) << done.err;
  }
};

}  // namespace aprscope::test
