// Damaged .apr files: an error that names the file, or data that is consistent; never a crash.
#include <cstring>
#include <fstream>

#include <gtest/gtest.h>

#include "core/io/apr/apr_file.hpp"
#include "core/io/apr/apr_file_part.hpp"
#include "core/io/apr/apr_summary.hpp"
#include "core/io/write.hpp"
#include "tests/core/io/apr_maker.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/sanitized.hpp"

// Damaged files make the HDF5 library ask for absurd amounts of memory. It copes with a refusal, so
// the address sanitizer may refuse instead of ending the program.
extern "C" const char* __asan_default_options() { return "allocator_may_return_null=1"; }
// The library loses memory of its own where it gives up on a damaged file; that none of our handles
// stays open is checked below.
extern "C" const char* __lsan_default_suppressions() { return "leak:libhdf5"; }

namespace aprscope::test {
namespace {

namespace fs = std::filesystem;

std::string read_bytes(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void write_bytes(const fs::path& path, const std::string& bytes) {
  std::ofstream out(path, std::ios::binary);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

Apr sample() { return make_apr({13, 21, 18}, random_cells({13, 21, 18}, 7)); }

void expect_clear(const Error& error, const fs::path& path) {
  EXPECT_FALSE(error.cancelled());
  EXPECT_NE(error.message().find(path.filename().string()), std::string::npos) << error.message();
  EXPECT_FALSE(error.what.empty());
  EXPECT_FALSE(error.advice.empty()) << error.message();
}

bool opens_unchecked(const fs::path& path) {
  const auto info = inspect_apr(path);
  if (!info) {
    expect_clear(info.error(), path);
    return false;
  }
  bool any = false;
  for (int channel = 0; channel < static_cast<int>(info->channels.size()); ++channel) {
    const auto apr = load_apr(*info, {channel, 0});
    if (!apr) {
      expect_clear(apr.error(), path);
      continue;
    }
    any = true;
    EXPECT_GT(apr->access->count(), 0U);
    for (const auto& field : apr->fields) EXPECT_EQ(field->count(), apr->access->count());
    for (const auto& field : apr->tree_fields) {
      EXPECT_EQ(field->count(), apr->access->tree().count());
    }
  }
  return any;
}

// Opens it, and checks what comes out. True when it could be opened.
bool opens(const fs::path& path) {
  // Other tests of damaged files may have left objects behind inside the library.
  const auto before = H5Fget_obj_count(static_cast<hid_t>(H5F_OBJ_ALL), H5F_OBJ_ALL);
  const bool any = opens_unchecked(path);
  EXPECT_EQ(H5Fget_obj_count(static_cast<hid_t>(H5F_OBJ_ALL), H5F_OBJ_ALL), before);
  return any;
}

std::string error_of(const fs::path& path) {
  const auto info = inspect_apr(path);
  if (!info) {
    expect_clear(info.error(), path);
    return info.error().message();
  }
  const auto apr = load_apr(*info, {});
  EXPECT_FALSE(apr.ok());
  if (apr) return "";
  expect_clear(apr.error(), path);
  return apr.error().message();
}

class RandomDamage : public testing::TestWithParam<const char*> {
 protected:
  // The bytes of a real file, or of one of our own.
  std::string original() {
    const std::string name = GetParam();
    if (name != "own") return read_bytes(data_dir() / "apr" / name);
    EXPECT_TRUE(write_apr_series({sample()}, folder_ / "own.apr", {.with_tree = true}).ok());
    return read_bytes(folder_ / "own.apr");
  }

  TemporaryFolder folder_;
  // 0 unless the tests are shuffled, so other damage can be tried with --gtest_shuffle.
  std::mt19937 random_{static_cast<unsigned>(testing::UnitTest::GetInstance()->random_seed())};
};

TEST_P(RandomDamage, FlippedBytes) {
  APRSCOPE_NEEDS_DATA();
  const std::string bytes = original();
  const fs::path path = folder_ / "damaged.apr";
  int damaged = 0;
  for (int variant = 0; variant < (kSanitized ? 34 : 100); ++variant) {
    std::string spoiled = bytes;
    const int flips = 1 << (variant % 7);
    // Headers are small beside the data: half of the variants aim at the start of the file.
    const std::size_t reach =
        variant % 2 == 0 ? bytes.size() : std::min<std::size_t>(8192, bytes.size());
    for (int i = 0; i < flips; ++i) {
      spoiled[random_() % reach] = static_cast<char>(random_());
    }
    write_bytes(path, spoiled);
    damaged += opens(path) ? 0 : 1;
  }
  EXPECT_GT(damaged, kSanitized ? 6 : 20);
}

TEST_P(RandomDamage, CutOff) {
  APRSCOPE_NEEDS_DATA();
  const std::string bytes = original();
  const fs::path path = folder_ / "damaged.apr";
  for (int variant = 0; variant < (kSanitized ? 14 : 40); ++variant) {
    write_bytes(path, bytes.substr(0, random_() % bytes.size()));
    EXPECT_FALSE(opens(path));
  }
}

TEST_P(RandomDamage, BlocksOfZerosAndOfNoise) {
  APRSCOPE_NEEDS_DATA();
  const std::string bytes = original();
  const fs::path path = folder_ / "damaged.apr";
  int damaged = 0;
  for (int variant = 0; variant < (kSanitized ? 14 : 40); ++variant) {
    std::string spoiled = bytes;
    const std::size_t begin = random_() % bytes.size();
    const std::size_t end = std::min(bytes.size(), begin + 16 + random_() % 4096);
    for (std::size_t i = begin; i < end; ++i) {
      spoiled[i] = variant % 2 == 0 ? '\0' : static_cast<char>(random_());
    }
    write_bytes(path, spoiled);
    damaged += opens(path) ? 0 : 1;
  }
  EXPECT_GT(damaged, kSanitized ? 3 : 10);
}

INSTANTIATE_TEST_SUITE_P(Files, RandomDamage,
                         testing::Values("own", "sphere_1D/sphere_1D.apr",
                                         "sphere_2D/sphere_2D.apr", "benchmark/cr_1000.apr"));

// A sound file with one thing changed.
class Spoiled : public testing::Test {
 protected:
  Spoiled() { EXPECT_TRUE(write_apr(sample(), path_).ok()); }

  template <class T>
  void replace(const std::string& dataset, const std::vector<T>& values) {
    PlainHdf5 file(path_, PlainHdf5::Mode::change);
    const std::string name = "ParticleRepr/t/" + dataset;
    ASSERT_GE(H5Ldelete(file.id(), name.c_str(), H5P_DEFAULT), 0);
    file.dataset(name, values);
  }

  template <class T>
  [[nodiscard]] std::vector<T> values(const std::string& dataset) const {
    return PlainHdf5(path_, PlainHdf5::Mode::read).values<T>("ParticleRepr/t/" + dataset);
  }

  void expect_error(const std::string& words) const {
    const std::string message = error_of(path_);
    EXPECT_NE(message.find(words), std::string::npos) << message;
  }

  TemporaryFolder folder_;
  fs::path path_ = folder_ / "spoiled.apr";
};

TEST_F(Spoiled, SizesThatLie) {
  const auto with = [&](const char* name, std::uint64_t value, const std::string& words) {
    SCOPED_TRACE(name);
    ASSERT_TRUE(write_apr(sample(), path_).ok());
    PlainHdf5(path_, PlainHdf5::Mode::change).attribute("ParticleRepr/t", name, value);
    expect_error(words);
  };
  with("x_num", 0, "sizes of 1 to 65536");
  with("x_num", 70000, "sizes of 1 to 65536");
  with("x_num", 65536, "finest level");
  with("x_num", 20, "xz_end_vec");
  with("y_num", 17, "");
  with("y_num", 19, "pixels");
  with("level_max", 6, "finest level");
  with("total_number_particles", 0, "particles for");
  with("total_number_particles", 1ULL << 60U, "particles for");
  with("total_number_particles", 4000, "for 4000 particles");
}

TEST_F(Spoiled, MissingAttribute) {
  {
    const PlainHdf5 file(path_, PlainHdf5::Mode::change);
    H5Adelete_by_name(file.id(), "ParticleRepr/t", "z_num", H5P_DEFAULT);
  }
  expect_error("lacks its sizes");
}

// A file may change after it was opened: whatever reads it next says the same of it.
TEST_F(Spoiled, EveryWayInSaysTheSame) {
  const auto info = inspect_apr(path_);
  ASSERT_TRUE(info.ok());
  {
    const PlainHdf5 file(path_, PlainHdf5::Mode::change);
    H5Adelete_by_name(file.id(), "ParticleRepr/t", "z_num", H5P_DEFAULT);
  }
  const auto expect_error_of = [&](const auto& result) {
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().what, "lacks its sizes");
    EXPECT_EQ(result.error().where, path_.string() + ":/ParticleRepr/t");
    EXPECT_EQ(result.error().advice, "the file is damaged or not an APR");
  };
  expect_error_of(inspect_apr(path_));
  expect_error_of(load_apr(*info, {}));
  expect_error_of(load_apr_file_part(*info, {}, {}));
  expect_error_of(summarize_apr(*info, {}));
}

TEST_F(Spoiled, ParticleOutsideTheImage) {
  auto y = values<std::uint16_t>("y_vec");
  y.back() = 60000;
  replace("y_vec", y);
  expect_error("out of range");
}

TEST_F(Spoiled, ParticleTwice) {
  auto y = values<std::uint16_t>("y_vec");
  y[y.size() - 1] = y[y.size() - 2];
  replace("y_vec", y);
  expect_error("out of order");
}

TEST_F(Spoiled, RowsThatGoBack) {
  auto ends = values<std::uint64_t>("xz_end_vec");
  ends[ends.size() / 2] = ends.back() + 5;
  replace("xz_end_vec", ends);
  expect_error("out of order");
}

TEST_F(Spoiled, RowsOfAnImpossibleNumber) {
  auto ends = values<std::uint64_t>("xz_end_vec");
  for (auto& end : ends) end = ~0ULL;
  replace("xz_end_vec", ends);
  expect_error("");
}

TEST_F(Spoiled, WrongTypes) {
  replace("y_vec", std::vector<float>(values<std::uint16_t>("y_vec").size()));
  expect_error("wrong type");
}

TEST_F(Spoiled, FieldOfAnotherLength) {
  replace("particles", std::vector<std::uint16_t>(5));
  expect_error("5 values");
}

TEST_F(Spoiled, NoField) {
  {
    const PlainHdf5 file(path_, PlainHdf5::Mode::change);
    H5Ldelete(file.id(), "ParticleRepr/t/xz_end_vec", H5P_DEFAULT);
  }
  expect_error("is missing");
}

// Chunks that are not blosc at all, that unpack to another size, or that are cut.
TEST_F(Spoiled, Chunks) {
  const auto with = [&](const std::string& chunk, std::uint32_t mask,
                        const std::string& words = "cannot be unpacked") {
    ASSERT_TRUE(write_apr(sample(), path_).ok());
    {
      const PlainHdf5 file(path_, PlainHdf5::Mode::change);
      const hid_t set = H5Dopen2(file.id(), "ParticleRepr/t/particles", H5P_DEFAULT);
      const hsize_t zero = 0;
      ASSERT_GE(H5Dwrite_chunk(set, H5P_DEFAULT, mask, &zero, chunk.size(), chunk.data()), 0);
      H5Dclose(set);
    }
    expect_error(words);
  };
  with(std::string(40, '\0'), 0);
  with(std::string(40, '\xFF'), 0);
  with("short", 0, "not in the file");
  with("short", 1, "not in the file");
  with(std::string(1000, 'x'), 1);
  with(std::string(100000, 'x'), 1);
  // A whole chunk of another dataset: sound, but of another size.
  ASSERT_TRUE(write_apr(sample(), path_).ok());
  std::string other(65536, '\0');
  std::uint32_t mask = 0;
  {
    const PlainHdf5 file(path_, PlainHdf5::Mode::read);
    const hid_t set = H5Dopen2(file.id(), "ParticleRepr/t/xz_end_vec", H5P_DEFAULT);
    const hsize_t zero = 0;
    hsize_t bytes = 0;
    ASSERT_GE(H5Dget_chunk_storage_size(set, &zero, &bytes), 0);
    ASSERT_LE(bytes, other.size());
    ASSERT_GE(H5Dread_chunk(set, H5P_DEFAULT, &zero, &mask, other.data()), 0);
    other.resize(bytes);
    H5Dclose(set);
  }
  with(other, 0);
}

// Lengths that a few bytes of file cannot hold must not take memory.
TEST_F(Spoiled, DatasetsWithoutTheirData) {
  {
    const PlainHdf5 file(path_, PlainHdf5::Mode::change);
    const std::string name = "ParticleRepr/t/particles";
    H5Ldelete(file.id(), name.c_str(), H5P_DEFAULT);
    const hsize_t count = 1ULL << 40U;
    const hsize_t chunk = 1000;
    const hid_t space = H5Screate_simple(1, &count, nullptr);
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(creation, 1, &chunk);
    const hid_t set = H5Dcreate2(file.id(), name.c_str(), H5T_STD_U16LE, space, H5P_DEFAULT,
                                 creation, H5P_DEFAULT);
    ASSERT_GE(set, 0);
    H5Dclose(set);
    H5Pclose(creation);
    H5Sclose(space);
  }
  expect_error("not in the file");
}

// The library (1.10) divides by the extents of chunks and by their number before it checks them,
// which ends the process that it runs in.
TEST_F(Spoiled, ChunksWithoutExtent) {
  ASSERT_TRUE(write_apr(sample(), path_).ok());
  const std::string bytes = read_bytes(path_);
  // A layout message of version 3, chunked, of one dimension and the bytes of a value.
  const std::string message = {3, 2, 2};
  const std::size_t extents = message.size() + 8;
  int found = 0;
  for (std::size_t at = bytes.find(message); at != std::string::npos;
       at = bytes.find(message, at + 1)) {
    if (bytes.compare(at - 8, 2, std::string{8, 0}) != 0) continue;  // by chance, in the data
    ++found;
    std::string spoiled = bytes;
    spoiled.replace(at + extents, 4, 4, '\0');
    write_bytes(path_, spoiled);
    expect_error("damaged");
    spoiled = bytes;
    spoiled[at + 2] = 0;
    write_bytes(path_, spoiled);
    expect_error("damaged");
  }
  EXPECT_GE(found, 3);
}

TEST(NotAnApr, OtherFiles) {
  const TemporaryFolder folder;
  EXPECT_NE(error_of(folder / "absent.apr").find("does not exist"), std::string::npos);
  EXPECT_NE(error_of(folder.path()).find("is a folder"), std::string::npos);
  write_bytes(folder / "empty.apr", "");
  error_of(folder / "empty.apr");
  write_bytes(folder / "text.apr", "this is a letter, not an image");
  error_of(folder / "text.apr");
  PlainHdf5(folder / "other.apr", PlainHdf5::Mode::create).group("data");
  EXPECT_NE(error_of(folder / "other.apr").find("ParticleRepr"), std::string::npos);
  PlainHdf5(folder / "hollow.apr", PlainHdf5::Mode::create).group("ParticleRepr");
  EXPECT_NE(error_of(folder / "hollow.apr").find("holds no APR"), std::string::npos);
}

}  // namespace
}  // namespace aprscope::test
