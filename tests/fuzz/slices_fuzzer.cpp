// Names of files in a folder of slices, a line each.
#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/slices/slice_names.hpp"
#include "tests/fuzz/support/expect.hpp"

namespace {

std::vector<std::string> lines_of(std::string_view text) {
  std::set<std::string> names;  // a folder has each name once
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (end > 0) names.emplace(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return {names.begin(), names.end()};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace aprscope;
  const std::vector<std::string> names =
      lines_of(std::string_view(reinterpret_cast<const char*>(data), size));
  for (std::size_t i = 1; i < names.size(); ++i) {
    const bool less = natural_less(names[i - 1], names[i]);
    fuzz::expect(!(less && natural_less(names[i], names[i - 1])), "one of two names comes first");
    fuzz::expect(!natural_less(names[i], names[i]), "no name comes before itself");
  }
  std::set<std::string> given(names.begin(), names.end());
  for (const SliceNames& group : slice_names(names)) {
    fuzz::expect(!group.channels.empty() && group.times > 0 && group.slices > 0,
                 "an image has channels, time points and slices");
    if (!group.problem.empty()) continue;
    const auto planes = static_cast<std::uint64_t>(group.times) * group.channels.size() *
                        static_cast<std::uint64_t>(group.slices);
    fuzz::expect(group.files.size() == planes, "each plane has its file");
    for (const std::string& file : group.files) {
      fuzz::expect(given.erase(file) == 1, "each file is a plane of one image");
    }
  }
  return 0;
}
