#include "core/operations/schema/region_text.hpp"

#include <array>
#include <charconv>

namespace aprscope {
namespace {

Error no_region(const std::string& text) {
  return {"\"" + text + "\" is not Z0:Z1,X0:X1,Y0:Y1 in whole pixels, each Z0 < Z1", "region", ""};
}

}  // namespace

Result<Region> region_from_text(const std::string& text) {
  std::array<std::int64_t, 6> v{};
  const char* at = text.data();
  const char* const end = at + text.size();
  for (std::size_t i = 0; i < v.size(); ++i) {
    const auto read = std::from_chars(at, end, v[i]);
    const bool is_last = i + 1 == v.size();
    const char follows = i % 2 == 0 ? ':' : ',';
    if (read.ec != std::errc() || v[i] < 0 || v[i] > 1'000'000 ||
        (i % 2 == 1 && v[i] <= v[i - 1]) ||
        (is_last ? read.ptr != end : read.ptr == end || *read.ptr != follows)) {
      return no_region(text);
    }
    at = is_last ? end : read.ptr + 1;
  }
  return Region{{v[0], v[2], v[4]}, {v[1], v[3], v[5]}};
}

std::string region_text(const Region& box) {
  const auto range = [](std::int64_t begin, std::int64_t end) {
    return std::to_string(begin) + ":" + std::to_string(end);
  };
  return range(box.begin.z, box.end.z) + "," + range(box.begin.x, box.end.x) + "," +
         range(box.begin.y, box.end.y);
}

Result<Region> region_in(const std::string& text, const Size3& size) {
  if (text.empty()) return whole(size);
  auto region = region_from_text(text);
  if (!region) return region;
  if (region->end.z > size.z || region->end.x > size.x || region->end.y > size.y) {
    return Error{"the region " + text + " reaches out of the image of " + std::to_string(size.z) +
                     " × " + std::to_string(size.x) + " × " + std::to_string(size.y) + " pixels",
                 "", "choose one inside"};
  }
  return region;
}

}  // namespace aprscope
