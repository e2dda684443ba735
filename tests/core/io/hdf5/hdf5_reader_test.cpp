#include "core/io/hdf5/hdf5_reader.hpp"

#include <chrono>
#include <csignal>
#include <fstream>
#include <memory>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

#include "tests/core/io/hdf5_maker.hpp"
#include "tests/core/io/tiff_maker.hpp"
#include "tests/core/io/volume_checks.hpp"

namespace aprscope::test {
namespace {

// The one process that this thread has started and not waited for.
pid_t helper() {
  std::ifstream in("/proc/self/task/" + std::to_string(::gettid()) + "/children");
  pid_t child = 0;
  in >> child;
  return child;
}

class Hdf5ReaderTest : public testing::Test {
 protected:
  Hdf5ReaderTest() {
    const Hdf5Made file(path_);
    file.dataset("v", H5T_STD_U16LE, {3, 4, 5}, std::vector<double>(60, 8), [](hid_t c) {
      const hsize_t chunk[] = {1, 2, 5};
      H5Pset_chunk(c, 3, chunk);
    });
    file.group("g");
  }

  TemporaryFolder folder_;
  std::filesystem::path path_ = folder_ / "v.h5";
};

TEST_F(Hdf5ReaderTest, DescribesWhatIsThere) {
  const auto reader = Hdf5Reader::open(path_);
  ASSERT_TRUE(reader.ok()) << reader.error().message();
  EXPECT_EQ(**(*reader)->kind("/v"), Hdf5ObjectKind::dataset);
  EXPECT_EQ(**(*reader)->kind("/g"), Hdf5ObjectKind::group);
  EXPECT_FALSE((*reader)->kind("/v/w")->has_value());
  EXPECT_FALSE((*reader)->kind("/none")->has_value());
  const auto children = (*reader)->children("");
  ASSERT_TRUE(children.ok());
  ASSERT_EQ(children->size(), 2U);
  EXPECT_EQ((*children)[1].name, "v");
  EXPECT_EQ((*children)[1].extent, (std::vector<std::uint64_t>{3, 4, 5}));
  const auto facts = (*reader)->dataset("/v");
  ASSERT_TRUE(facts.ok());
  EXPECT_EQ(facts->type.name(), "u16");
  EXPECT_TRUE(facts->type.plain());
  EXPECT_EQ(facts->stored, 120U);
  const auto places = (*reader)->places("/v", {0, 0, 0}, {2, 1, 0});
  ASSERT_TRUE(places.ok());
  ASSERT_EQ(places->size(), 6U);
  for (const Hdf5Place& place : *places) EXPECT_EQ(place.bytes, 20U);
  EXPECT_FALSE((*reader)->dataset("/none").ok());
  EXPECT_FALSE((*reader)->attribute("/v", "none")->has_value());
}

TEST_F(Hdf5ReaderTest, AHelperThatCrashesIsASentence) {
  const auto reader = Hdf5Reader::open(path_);
  ASSERT_TRUE(reader.ok());
  const pid_t process = helper();
  ASSERT_GT(process, 0);
  ASSERT_EQ(::kill(process, SIGSEGV), 0);
  for (int again = 0; again < 2; ++again) {
    const auto facts = (*reader)->dataset("/v");
    ASSERT_FALSE(facts.ok());
    EXPECT_NE(facts.error().message().find("v.h5: is damaged"), std::string::npos)
        << facts.error().message();
  }
  EXPECT_FALSE((*reader)->status().ok());
}

TEST_F(Hdf5ReaderTest, AHelperThatHangsCanBeStopped) {
  std::stop_source source;
  const auto reader = Hdf5Reader::open(path_, source.get_token());
  ASSERT_TRUE(reader.ok());
  const pid_t process = helper();
  ASSERT_GT(process, 0);
  ASSERT_EQ(::kill(process, SIGSTOP), 0);
  const auto start = std::chrono::steady_clock::now();
  std::jthread stopper([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    source.request_stop();
  });
  const auto facts = (*reader)->dataset("/v");
  ASSERT_FALSE(facts.ok());
  EXPECT_TRUE(facts.error().cancelled());
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
  // And nothing of it is left.
  EXPECT_EQ(::kill(process, 0), -1);
}

// Whatever other threads hold at that moment, among them the locks of an allocator, the helper does
// not wait for it.
TEST_F(Hdf5ReaderTest, OpensWhileOtherThreadsTakeMemory) {
  std::vector<std::jthread> others;
  for (int i = 0; i < 4; ++i) {
    others.emplace_back([](const std::stop_token& stop) {
      while (!stop.stop_requested()) {
        std::vector<std::unique_ptr<std::string>> pieces;
        for (std::size_t n = 0; n < 2000; ++n) {
          pieces.push_back(std::make_unique<std::string>(64 + n % 512, 'x'));
        }
      }
    });
  }
  for (int i = 0; i < 50; ++i) {
    const auto opened = Hdf5Reader::open(path_);
    ASSERT_TRUE(opened.ok()) << opened.error().message();
  }
}

TEST_F(Hdf5ReaderTest, NothingIsLeftOfHelpers) {
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(inspect(path_.string()).ok());
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

// Figures that a changed byte makes unusual are refused, in attributes as in values.
TEST_F(Hdf5ReaderTest, BitFieldsThatLieOutsideTheirValue) {
  const std::string bytes = read_bytes(path_);
  // The type of v: fixed point, version 1, little-endian, 2 bytes; then offset 0 and precision 16.
  const std::string type("\x10\0\0\0\x02\0\0\0\0\0\x10\0", 12);
  const std::size_t at = bytes.find(type);
  ASSERT_NE(at, std::string::npos);
  for (const auto& [offset, precision] : {std::pair{0, 17}, std::pair{0, 255}, std::pair{1, 16},
                                          std::pair{16, 1}, std::pair{0, 0}, std::pair{255, 255}}) {
    std::string spoiled = bytes;
    spoiled[at + 8] = static_cast<char>(offset);
    spoiled[at + 10] = static_cast<char>(precision);
    write_bytes(path_, spoiled);
    const auto data = load_file(path_.string());
    ASSERT_FALSE(data.ok()) << offset << ' ' << precision;
    EXPECT_NE(data.error().message().find("v.h5"), std::string::npos);
  }
}

TEST_F(Hdf5ReaderTest, AFileThatEndsWhileItIsReadGivesAnError) {
  auto info = inspect(path_.string());
  ASSERT_TRUE(info.ok());
  auto slices = open_slices(*info);
  ASSERT_TRUE(slices.ok());
  std::vector<std::uint16_t> slice(20);
  const std::string bytes = read_bytes(path_);
  std::filesystem::resize_file(path_, bytes.size() / 2);
  bool failed = false;
  for (std::int64_t z = 0; z < 3; ++z) failed = failed || !(*slices)->read(z, slice.data(), {});
  EXPECT_TRUE(failed);
}

// BigDataViewer has no unsigned numbers of its own: it stores their bits as signed ones.
TEST(BigDataViewer, BrightPixelsStayBright) {
  TemporaryFolder folder;
  const auto path = folder / "bdv.h5";
  const std::vector<std::int16_t> bits(60, static_cast<std::int16_t>(40000));
  const auto write = [&](const char* data_type) {
    const Hdf5Made file(path);
    for (const char* group : {"/s00", "/t00000", "/t00000/s00", "/t00000/s00/0"}) file.group(group);
    file.dataset("/t00000/s00/0/cells", H5T_STD_I16LE, {3, 4, 5}, bits);
    file.dataset("/elsewhere", H5T_STD_I16LE, {2, 2, 2}, std::vector<std::int16_t>(8, -5));
    if (data_type == nullptr) return;
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, std::string(data_type).size());
    const hid_t space = H5Screate(H5S_SCALAR);
    const hid_t attribute = H5Acreate_by_name(file.id(), "/s00", "dataType", type, space,
                                              H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    ASSERT_GE(H5Awrite(attribute, type, data_type), 0);
    H5Aclose(attribute);
    H5Sclose(space);
    H5Tclose(type);
  };
  for (const char* data_type : {static_cast<const char*>(nullptr), "uint16"}) {
    write(data_type);
    const auto info = inspect(path.string());
    ASSERT_TRUE(info.ok()) << info.error().message();
    EXPECT_EQ(info->dataset, "/t00000/s00/0/cells");
    EXPECT_EQ(info->dtype, "u16");
    const Volume volume = must_load(path.string());
    EXPECT_STREQ(volume.dtype(), "u16");
    EXPECT_EQ(volume.value({2, 3, 4}), 40000.0F);
    EXPECT_EQ(must_load(path.string() + ":/elsewhere").value({1, 1, 1}), -5.0F);
  }
  write("int16");
  EXPECT_EQ(must_load(path.string()).value({2, 3, 4}), -25536.0F);
}

TEST(BigDataViewer, RealFileOfAMesoSpim) {
  APRSCOPE_NEEDS_DATA();
  const auto path = data_dir() / "formats/bdv/kidney.h5";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no " << path;
  // Scale-offset and deflate.
  const std::string dataset = "/t00000/s00/0/cells";
  const Volume volume = must_load(path.string() + ":" + dataset);
  EXPECT_STREQ(volume.dtype(), "u16");
  const std::vector<float> expected = values_by_library(path, dataset);
  std::size_t wrong = 0;
  const auto& pixels = std::get<Pixels<std::uint16_t>>(volume.pixels).values;
  ASSERT_EQ(pixels.size(), expected.size());
  for (std::size_t i = 0; i < pixels.size(); ++i) {
    wrong += static_cast<float>(static_cast<std::int16_t>(pixels[i])) != expected[i];
  }
  EXPECT_EQ(wrong, 0U);
}

// Files made to break programs that read them: a sentence, soon, and no pixels.
class Hostile : public testing::TestWithParam<const char*> {};

TEST_P(Hostile, GivesASentence) {
  APRSCOPE_NEEDS_DATA();
  const auto path = data_dir() / "hostile" / GetParam();
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no " << path;
  testing::internal::CaptureStderr();
  const auto start = std::chrono::steady_clock::now();
  const auto data = load_file(path.string());
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  ASSERT_FALSE(data.ok());
  EXPECT_NE(data.error().message().find(GetParam()), std::string::npos);
  EXPECT_EQ(data.error().message().find('\n'), std::string::npos);
  EXPECT_FALSE(data.error().advice.empty());
  EXPECT_LT(took.count(), 10) << "2 s on a quiet machine";
}

INSTANTIATE_TEST_SUITE_P(Files, Hostile,
                         testing::Values("crash_deflate.h5", "short_deflate.h5", "short_field.apr",
                                         "vds_self.h5", "deep_latest_2000.h5",
                                         "many_latest_4000.apr", "apr_float_1byte.apr",
                                         "apr_int_bitfields.apr", "h5_userblock_cont_decode.h5",
                                         "h5_base_address_bypass.h5", "h5_linfo_decode.h5"),
                         [](const auto& file) {
                           std::string name = file.param;
                           std::replace(name.begin(), name.end(), '.', '_');
                           return name;
                         });

}  // namespace
}  // namespace aprscope::test
