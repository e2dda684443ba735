#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <elf.h>
#include <gtest/gtest.h>

#include "core/base/process.hpp"
#include "tests/app/cli/run_program.hpp"

// What a release build of aprscope-cli was linked to be: resources/cmake/AprscopeHardening.cmake.

namespace aprscope::test {
namespace {

class Program {
 public:
  explicit Program(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    bytes_.assign(std::istreambuf_iterator<char>(file), {});
  }

  [[nodiscard]] Elf64_Ehdr header() const { return at<Elf64_Ehdr>(0); }

  [[nodiscard]] std::vector<Elf64_Phdr> segments() const {
    const Elf64_Ehdr head = header();
    return list<Elf64_Phdr>(head.e_phoff, head.e_phnum);
  }

  /// The value of an entry of the dynamic section, 0 where it has none.
  [[nodiscard]] std::uint64_t dynamic(Elf64_Sxword tag) const {
    for (const Elf64_Phdr& segment : segments()) {
      if (segment.p_type != PT_DYNAMIC) continue;
      for (const auto& entry :
           list<Elf64_Dyn>(segment.p_offset, segment.p_filesz / sizeof(Elf64_Dyn))) {
        if (entry.d_tag == tag) return entry.d_un.d_val;
      }
    }
    return 0;
  }

  /// The libraries without which it does not start.
  [[nodiscard]] std::vector<std::string> libraries() const { return names(DT_NEEDED); }

  /// The folders that are searched for them before the system's own.
  [[nodiscard]] std::vector<std::string> folders() const {
    std::vector<std::string> out;
    for (const Elf64_Sxword tag : {DT_RPATH, DT_RUNPATH}) {
      for (const std::string& path : names(tag)) {
        for (std::size_t begin = 0; begin <= path.size();) {
          const std::size_t end = std::min(path.find(':', begin), path.size());
          out.push_back(path.substr(begin, end - begin));
          begin = end + 1;
        }
      }
    }
    return out;
  }

  /// Whether it takes a function of this name from a library.
  [[nodiscard]] bool imports(const std::string& name) const {
    const std::string whole = '\0' + name + '\0';
    return std::search(bytes_.begin(), bytes_.end(), whole.begin(), whole.end()) != bytes_.end();
  }

 private:
  template <class T>
  [[nodiscard]] T at(std::uint64_t offset) const {
    T out{};
    if (offset + sizeof out <= bytes_.size()) std::memcpy(&out, &bytes_[offset], sizeof out);
    return out;
  }
  // Where in the file lies what is loaded to an address.
  [[nodiscard]] std::uint64_t offset_of(std::uint64_t address) const {
    for (const Elf64_Phdr& s : segments()) {
      if (s.p_type == PT_LOAD && address >= s.p_vaddr && address - s.p_vaddr < s.p_filesz) {
        return address - s.p_vaddr + s.p_offset;
      }
    }
    return 0;
  }
  // The texts of all entries with this tag.
  [[nodiscard]] std::vector<std::string> names(Elf64_Sxword tag) const {
    std::vector<std::string> out;
    const std::uint64_t texts = offset_of(dynamic(DT_STRTAB));
    for (const Elf64_Phdr& segment : segments()) {
      if (segment.p_type != PT_DYNAMIC) continue;
      for (const auto& entry :
           list<Elf64_Dyn>(segment.p_offset, segment.p_filesz / sizeof(Elf64_Dyn))) {
        const std::uint64_t at = texts + entry.d_un.d_val;
        if (entry.d_tag == tag && at < bytes_.size()) out.emplace_back(&bytes_[at]);
      }
    }
    return out;
  }
  template <class T>
  [[nodiscard]] std::vector<T> list(std::uint64_t offset, std::uint64_t count) const {
    std::vector<T> out;
    for (std::uint64_t i = 0; i < count; ++i) out.push_back(at<T>(offset + i * sizeof(T)));
    return out;
  }

  std::vector<char> bytes_;
};

class HardeningTest : public ::testing::Test {
 protected:
  void SetUp() override {
#if !defined(NDEBUG) || defined(__SANITIZE_ADDRESS__)
    GTEST_SKIP() << "only release builds are hardened; this one has other checks";
#endif
    ASSERT_EQ(std::memcmp(program_.header().e_ident, ELFMAG, SELFMAG), 0);
  }

  Program program_{cli_program()};
};

TEST_F(HardeningTest, TheProgramLiesAtAnotherAddressInEachRun) {
  EXPECT_EQ(program_.header().e_type, ET_DYN);
  EXPECT_NE(program_.dynamic(DT_FLAGS_1) & DF_1_PIE, 0U);
}

TEST_F(HardeningTest, TablesOfTheLinkerAreFilledAtTheStartAndThenReadOnly) {
  bool read_only = false;
  for (const Elf64_Phdr& segment : program_.segments()) {
    read_only = read_only || segment.p_type == PT_GNU_RELRO;
  }
  EXPECT_TRUE(read_only);
  EXPECT_NE((program_.dynamic(DT_FLAGS) & DF_BIND_NOW) | (program_.dynamic(DT_FLAGS_1) & DF_1_NOW),
            0U);
}

TEST_F(HardeningTest, NothingCanBeWrittenAndRun) {
  bool stack_named = false;
  for (const Elf64_Phdr& segment : program_.segments()) {
    EXPECT_FALSE((segment.p_flags & PF_W) != 0 && (segment.p_flags & PF_X) != 0);
    stack_named = stack_named || segment.p_type == PT_GNU_STACK;
  }
  EXPECT_TRUE(stack_named);
}

TEST_F(HardeningTest, StackAndCopiesAreChecked) {
  EXPECT_TRUE(program_.imports("__stack_chk_fail"));
  EXPECT_TRUE(program_.imports("__memcpy_chk") || program_.imports("__read_chk"));
}

// An empty folder among them stands for the current one: a file of the name of a library there, in
// a folder of downloads say, would be run.
TEST_F(HardeningTest, NoLibraryIsTakenFromTheCurrentFolder) {
  const auto helper = find_part("aprscope-hdf5", true);
  ASSERT_TRUE(helper);
  for (const std::string& path : {cli_program(), helper->string()}) {
    const Program program(path);
    ASSERT_FALSE(program.libraries().empty()) << path;
    for (const std::string& folder : program.folders()) {
      EXPECT_TRUE(folder.starts_with("/") || folder.starts_with("$ORIGIN"))
          << path << " looks into \"" << folder << "\"";
    }
  }
}

// The same program serves machines with a GPU and without.
TEST_F(HardeningTest, ItStartsWhereNothingOfCudaIsInstalled) {
  const auto libraries = program_.libraries();
  EXPECT_TRUE(std::any_of(libraries.begin(), libraries.end(),
                          [](const std::string& name) { return name.rfind("libc.so", 0) == 0; }));
  for (const std::string& name : libraries) {
    EXPECT_TRUE(name.rfind("libcu", 0) != 0 && name.rfind("libnv", 0) != 0) << name;
  }
}

}  // namespace
}  // namespace aprscope::test
