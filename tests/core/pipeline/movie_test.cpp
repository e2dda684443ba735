#include "core/pipeline/movie.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/process.hpp"
#include "core/base/temporary.hpp"
#include "core/dataset/dataset.hpp"
#include "tests/core/pipeline/data_builders.hpp"
#include "tests/support/paths.hpp"

namespace aprscope {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

class Movie : public ::testing::Test {
 protected:
  Movie() : data_(Dataset::create(test::image_of({12, 16, 20}, test::rough))) {}
  ~Movie() override {
    if (!path_before_.empty()) ::setenv("PATH", path_before_.c_str(), 1);
  }

  std::vector<MovieSide> sides(int count = 1) {
    const auto raycaster = data_->raycaster();
    EXPECT_TRUE(raycaster.ok());
    return std::vector<MovieSide>(
        static_cast<std::size_t>(count),
        MovieSide{*raycaster, data_->size(), data_->voxel(), {0.0, 1000.0, 1.0}, "grey", "A"});
  }
  static MovieOptions small(int frames) {
    MovieOptions options;
    options.frames = frames;
    options.pixels = 48;
    return options;
  }
  // A PATH with one folder, whose ffmpeg does what `script` says; none: no ffmpeg at all.
  void use_ffmpeg(const std::string& script) {
    path_before_ = std::getenv("PATH");
    const fs::path folder = folder_ / "bin";
    fs::create_directory(folder);
    if (!script.empty()) {
      std::ofstream(folder / "ffmpeg") << "#!/bin/sh\n" << script << "\n";
      fs::permissions(folder / "ffmpeg", fs::perms::owner_all);
    }
    ::setenv("PATH", script.empty() ? folder.c_str() : (folder.string() + ":/usr/bin:/bin").c_str(),
             1);
  }
  std::size_t files_in(const fs::path& folder) {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
  }

  test::TemporaryFolder folder_;
  std::shared_ptr<const Dataset> data_;
  std::string path_before_;
};

TEST_F(Movie, ASurfaceTurnsInPlaceOfTheProjection) {
  auto surface = sides();
  surface.front().surface = 500.0F;
  ASSERT_TRUE(write_turn(surface, small(2), folder_ / "surface").ok());
  ASSERT_TRUE(write_turn(sides(), small(2), folder_ / "rays").ok());
  const std::string first = text_of(folder_ / "surface" / "frame_0001.png");
  EXPECT_NE(first, text_of(folder_ / "rays" / "frame_0001.png"));
  EXPECT_NE(first, text_of(folder_ / "surface" / "frame_0002.png"));
  // As bright as the light on it, whatever the values and their contrast.
  surface.front().contrast = {0.0, 1.0, 1.0};
  ASSERT_TRUE(write_turn(surface, small(2), folder_ / "again").ok());
  EXPECT_EQ(first, text_of(folder_ / "again" / "frame_0001.png"));
}

TEST_F(Movie, ATurnIsASequenceOfDifferentPictures) {
  ASSERT_TRUE(write_turn(sides(), small(4), folder_ / "turn").ok());
  EXPECT_EQ(files_in(folder_ / "turn"), 4U);
  const std::string first = text_of(folder_ / "turn" / "frame_0001.png");
  EXPECT_EQ(first.substr(1, 3), "PNG");
  EXPECT_NE(first, text_of(folder_ / "turn" / "frame_0002.png"));
  // The same again gives the same bytes; a fourth of a turn later is another beginning.
  ASSERT_TRUE(write_turn(sides(), small(4), folder_ / "again").ok());
  EXPECT_EQ(first, text_of(folder_ / "again" / "frame_0001.png"));
  MovieOptions later = small(4);
  later.azimuth = 90.0;
  ASSERT_TRUE(write_turn(sides(), later, folder_ / "later").ok());
  EXPECT_EQ(text_of(folder_ / "later" / "frame_0001.png"),
            text_of(folder_ / "turn" / "frame_0002.png"));
}

TEST_F(Movie, ChannelsTurnOverEachOther) {
  auto wanted = sides();
  // Of three thirds of grey: the same picture.
  const Contrast contrast = wanted.front().contrast;
  for (const Rgb& colour : {Rgb{255, 0, 0}, Rgb{0, 255, 0}, Rgb{0, 0, 255}}) {
    wanted.front().channels.push_back({wanted.front().raycaster, {true, colour, contrast}});
  }
  ASSERT_TRUE(write_turn(wanted, small(2), folder_ / "white").ok());
  wanted.front().channels.pop_back();
  ASSERT_TRUE(write_turn(wanted, small(2), folder_ / "yellow").ok());
  ASSERT_TRUE(write_turn(sides(), small(2), folder_ / "grey").ok());
  const auto first = [&](const char* name) { return text_of(folder_ / name / "frame_0001.png"); };
  EXPECT_EQ(first("white"), first("grey"));
  EXPECT_NE(first("yellow"), first("grey"));
}

TEST_F(Movie, TranslucentMatterTurnsToo) {
  auto wanted = sides();
  const auto first = [&](const char* name) { return text_of(folder_ / name / "frame_0001.png"); };
  ASSERT_TRUE(write_turn(wanted, small(2), folder_ / "maximum").ok());
  wanted.front().depth = 0.5;
  ASSERT_TRUE(write_turn(wanted, small(2), folder_ / "thick").ok());
  wanted.front().depth = 50.0;
  ASSERT_TRUE(write_turn(wanted, small(2), folder_ / "thin").ok());
  EXPECT_NE(first("thick"), first("maximum"));
  EXPECT_NE(first("thin"), first("thick"));
  // Each channel is matter by its own contrast: of three thirds of grey the same picture.
  const Contrast contrast = wanted.front().contrast;
  for (const Rgb& colour : {Rgb{255, 0, 0}, Rgb{0, 255, 0}, Rgb{0, 0, 255}}) {
    wanted.front().channels.push_back({wanted.front().raycaster, {true, colour, contrast}});
  }
  ASSERT_TRUE(write_turn(wanted, small(2), folder_ / "white").ok());
  EXPECT_EQ(first("white"), first("thin"));
}

TEST_F(Movie, AFlightGoesFromStopToStop) {
  const MovieSide side = sides().front();
  std::vector<RayCamera> stops;
  for (const double azimuth : {0.0, 90.0, 0.0}) {
    stops.push_back(orbit_camera(side.size, side.voxel, azimuth, 15.0, 1.0));
  }
  MovieOptions options = small(1);
  options.pixels = 160;
  ASSERT_TRUE(write_flight(side, stops, 3, options, folder_ / "flight").ok());
  EXPECT_EQ(files_in(folder_ / "flight"), 7U);
  const auto picture = [&](const char* name) { return text_of(folder_ / "flight" / name); };
  EXPECT_EQ(picture("frame_0001.png"), picture("frame_0007.png"));
  EXPECT_NE(picture("frame_0001.png"), picture("frame_0004.png"));
  // The way back is the way there.
  EXPECT_EQ(picture("frame_0003.png"), picture("frame_0005.png"));
  EXPECT_NE(picture("frame_0003.png"), picture("frame_0004.png"));
  EXPECT_FALSE(write_flight(side, {}, 3, options, folder_ / "nothing").ok());
  EXPECT_FALSE(write_flight(side, stops, 5000, options, folder_ / "nothing").ok());
  EXPECT_FALSE(fs::exists(folder_ / "nothing"));
}

TEST_F(Movie, NoFfmpegIsSaidBeforeAnythingIsDone) {
  use_ffmpeg("");
  const Status done = write_turn(sides(), small(2), folder_ / "t.mp4");
  ASSERT_FALSE(done.ok());
  EXPECT_NE(done.error().message().find("ffmpeg"), std::string::npos);
  EXPECT_NE(done.error().message().find("folder"), std::string::npos);
  EXPECT_FALSE(fs::exists(folder_ / "t.mp4"));
}

TEST_F(Movie, FfmpegGetsAllFramesAndItsFileIsTaken) {
  // The last argument is the file to write, the one after -i the frames.
  use_ffmpeg(
      "for last; do :; done; while [ \"$1\" != -i ]; do shift; done\n"
      "ls \"$(dirname \"$2\")\" | grep -c frame_ > \"$last\"");
  ASSERT_TRUE(write_turn(sides(2), small(3), folder_ / "t.webm").ok());
  EXPECT_EQ(text_of(folder_ / "t.webm"), "3\n");
  EXPECT_EQ(files_in(folder_.path()), 2U);  // bin and the movie: the frames are gone
}

TEST_F(Movie, AFailureOfFfmpegLeavesWhatWasThere) {
  std::ofstream(folder_ / "t.mp4") << "before";
  use_ffmpeg("echo 'Unknown encoder' >&2; exit 1");
  const Status done = write_turn(sides(), small(2), folder_ / "t.mp4");
  ASSERT_FALSE(done.ok());
  EXPECT_NE(done.error().message().find("Unknown encoder"), std::string::npos);
  EXPECT_EQ(text_of(folder_ / "t.mp4"), "before");
  EXPECT_EQ(files_in(folder_.path()), 2U);
}

TEST_F(Movie, FramesOfADeadProcessGoWithTheNextMovieOfThatName) {
  use_ffmpeg("for last; do :; done; echo movie > \"$last\"");
  const pid_t child = ::fork();
  if (child == 0) {
    const auto frames = PartsFolder::create(folder_ / "t.mp4");
    std::ofstream(frames->path() / "frame_0001.png") << "half";
    ::_exit(0);  // without destructors, as a killed process
  }
  ::waitpid(child, nullptr, 0);
  ASSERT_EQ(files_in(folder_.path()), 2U);  // bin and what the process has left
  const auto of_living = PartsFolder::create(folder_ / "t.mp4");
  ASSERT_TRUE(of_living.ok());
  EXPECT_EQ(files_in(folder_.path()), 2U);
  ASSERT_TRUE(write_turn(sides(), small(2), folder_ / "t.mp4").ok());
  EXPECT_EQ(files_in(folder_.path()), 3U);
  EXPECT_TRUE(fs::exists(of_living->path()));
}

TEST_F(Movie, RealFfmpegMakesAVideo) {
  if (!find_program("ffmpeg")) GTEST_SKIP() << "ffmpeg is not installed";
  for (const char* name : {"t.mp4", "t.webm"}) {
    const Status done = write_turn(sides(), small(6), folder_ / name);
    ASSERT_TRUE(done.ok()) << done.error().message();
    EXPECT_GT(fs::file_size(folder_ / name), 500U);
  }
  EXPECT_EQ(text_of(folder_ / "t.mp4").substr(4, 4), "ftyp");
  // Not a pattern of ffmpeg.
  EXPECT_TRUE(write_turn(sides(), small(2), folder_ / "100%d.mp4").ok());
  EXPECT_EQ(text_of(folder_ / "t.webm").substr(0, 4), "\x1a\x45\xdf\xa3");
}

TEST_F(Movie, StopsWhenAsked) {
  std::stop_source stop;
  const JobContext context(stop.get_token(), [&](double fraction, std::string_view) {
    if (fraction > 0.3) stop.request_stop();
  });
  const Status done = write_turn(sides(), small(50), folder_ / "turn", context);
  ASSERT_FALSE(done.ok());
  EXPECT_TRUE(done.error().cancelled());
  EXPECT_LT(files_in(folder_ / "turn"), 30U);
}

TEST_F(Movie, OtherNamesAndNoFramesAreRefused) {
  EXPECT_FALSE(check_movie(folder_ / "t.avi").ok());
  EXPECT_TRUE(check_movie(folder_ / "turn").ok());
  EXPECT_FALSE(write_turn({}, small(2), folder_ / "turn").ok());
  EXPECT_FALSE(write_turn(sides(), small(0), folder_ / "turn").ok());
  EXPECT_FALSE(write_turn(sides(), small(2), folder_ / "none" / "turn").ok());
}

}  // namespace
}  // namespace aprscope
