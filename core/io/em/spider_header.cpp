#include "core/io/em/spider_header.hpp"

#include <cmath>
#include <cstring>
#include <optional>

#include "core/io/common/read_limits.hpp"

namespace aprscope {
namespace {

// Whole numbers up to here are exact in the header's floats.
constexpr double kLargest = 1 << 24;

// The header's floats, counted from 1 as its description does.
class SpiderWords {
 public:
  SpiderWords(std::span<const std::uint8_t, kEmHeaderBytes> bytes, bool swapped)
      : bytes_(bytes), swapped_(swapped) {}
  [[nodiscard]] double operator()(std::size_t word) const {
    std::uint32_t bits = 0;
    std::memcpy(&bits, bytes_.data() + 4 * (word - 1), 4);
    if (swapped_) bits = __builtin_bswap32(bits);
    float value = 0;
    std::memcpy(&value, &bits, 4);
    return value;
  }
  [[nodiscard]] bool swapped() const { return swapped_; }

 private:
  std::span<const std::uint8_t, kEmHeaderBytes> bytes_;
  bool swapped_;
};

bool whole(double value, double least) {
  return value >= least && value <= kLargest && value == std::floor(value);
}

double header_bytes(double columns) { return std::ceil(1024.0 / (4.0 * columns)) * 4.0 * columns; }

bool is_transform(double type) {
  return type == -1 || type == -3 || type == -11 || type == -12 || type == -21 || type == -22;
}

bool consistent(const SpiderWords& word) {
  const double columns = word(12);
  if (!whole(columns, 1) || !whole(word(2), 1) || !whole(word(1), 1)) return false;
  if (word(5) != 1 && word(5) != 3 && !is_transform(word(5))) return false;
  if (word(22) != header_bytes(columns) || word(13) != word(22) / (4.0 * columns)) return false;
  // Some programs leave the bytes of a record out.
  return word(23) == 4.0 * columns || word(23) == 0.0;
}

std::optional<SpiderWords> order_of(std::span<const std::uint8_t, kEmHeaderBytes> header) {
  for (const bool swapped : {false, true}) {
    const SpiderWords words(header, swapped);
    if (consistent(words)) return words;
  }
  return {};
}

}  // namespace

bool is_spider(std::span<const std::uint8_t, kEmHeaderBytes> header) {
  return order_of(header).has_value();
}

Result<EmHeader> parse_spider(std::span<const std::uint8_t, kEmHeaderBytes> bytes,
                              const std::filesystem::path& path) {
  const auto word = order_of(bytes);
  if (!word) {
    return Error{"has no header of a SPIDER file", path.string(), "choose a SPIDER map or stack"};
  }
  if (is_transform((*word)(5))) {
    return Error{"holds complex numbers (a transform)", path.string(),
                 "choose the map or images themselves"};
  }
  const auto integer = [&](std::size_t at) { return static_cast<std::int64_t>((*word)(at)); };
  EmHeader header;
  header.format = "SPIDER";
  EmPlanes& planes = header.planes;
  planes.columns = integer(12);
  planes.rows = integer(2);
  planes.sections_per_item = integer(1);
  planes.type = {SampleType::Kind::floating, 32};
  const Size3 stored{planes.sections_per_item, planes.rows, planes.columns};
  if (const auto bytes16 = checked_bytes(stored, 16, 1, path); !bytes16) return bytes16.error();
  planes.swapped = word->swapped();
  const auto own = static_cast<std::uint64_t>(integer(22));
  const std::uint64_t item =
      planes.plane_bytes() * static_cast<std::uint64_t>(planes.sections_per_item);
  std::int64_t items = 1;
  const bool stacked = (*word)(24) > 0;
  if (stacked) {
    if (!whole((*word)(26), 1)) {
      return Error{"is a stack that does not say of how many images", path.string(),
                   "the file is damaged; get it again from its source"};
    }
    items = integer(26);
  }
  planes.sections = planes.sections_per_item * items;
  const Size3 all{planes.sections, planes.rows, planes.columns};
  if (const auto bytes16 = checked_bytes(all, 16, 1, path); !bytes16) return bytes16.error();
  // A stack has a header for itself and one for each of its images.
  planes.first = stacked ? 2 * own : own;
  planes.item_stride = stacked ? own + item : item;
  const bool maps = planes.sections_per_item > 1;
  header.stack = !maps && stacked;
  header.maps = maps ? items : 1;
  return header;
}

}  // namespace aprscope
