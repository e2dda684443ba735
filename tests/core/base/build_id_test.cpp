#include "core/base/build_id.hpp"

#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

namespace aprscope {
namespace {

// As the bytes lie in the file, behind the header of the note.
TEST(BuildId, IsThatOfThisFile) {
  const std::string id = build_id();
  ASSERT_EQ(id.size(), 40U) << "SHA-1, as all compilers of Debian ask for";
  std::string note("\x04\0\0\0\x14\0\0\0\x03\0\0\0GNU\0", 16);
  for (std::size_t i = 0; i < id.size(); i += 2) {
    note += static_cast<char>(std::stoi(id.substr(i, 2), nullptr, 16));
  }
  std::ifstream file("/proc/self/exe", std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  EXPECT_NE(bytes.find(note), std::string::npos);
  EXPECT_EQ(build_id(), id);
}

}  // namespace
}  // namespace aprscope
