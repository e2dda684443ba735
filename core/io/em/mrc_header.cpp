#include "core/io/em/mrc_header.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>

#include "core/io/common/read_limits.hpp"
#include "core/io/common/units.hpp"

namespace aprscope {
namespace {

// Longest side of an image that is taken for plausible.
constexpr std::int32_t kLongestSide = 1 << 24;

// The header's words, counted from 1 as its description does.
class MrcWords {
 public:
  MrcWords(std::span<const std::uint8_t, kEmHeaderBytes> bytes, bool swapped)
      : bytes_(bytes), swapped_(swapped) {}

  [[nodiscard]] std::int32_t integer(std::size_t word) const {
    std::uint32_t bits = 0;
    std::memcpy(&bits, bytes_.data() + 4 * (word - 1), 4);
    if (swapped_) bits = __builtin_bswap32(bits);
    std::int32_t value = 0;
    std::memcpy(&value, &bits, 4);
    return value;
  }
  [[nodiscard]] float real(std::size_t word) const {
    const std::int32_t bits = integer(word);
    float value = 0;
    std::memcpy(&value, &bits, 4);
    return value;
  }
  [[nodiscard]] bool swapped() const { return swapped_; }

 private:
  std::span<const std::uint8_t, kEmHeaderBytes> bytes_;
  bool swapped_;
};

bool has_mark(std::span<const std::uint8_t, kEmHeaderBytes> header) {
  return std::memcmp(header.data() + 208, "MAP", 3) == 0 &&
         (header[211] == ' ' || header[211] == '\0');
}

bool known_mode(std::int32_t mode) {
  return (mode >= 0 && mode <= 4) || mode == 6 || mode == 12 || mode == 101;
}

int mode_bits(std::int32_t mode) {
  switch (mode) {
    case 0:
      return 8;
    case 101:
      return 4;
    case 1:
    case 6:
    case 12:
      return 16;
    case 4:
      return 64;
    default:
      return 32;
  }
}

bool plausible_sides(const MrcWords& words) {
  for (std::size_t word = 1; word <= 3; ++word) {
    if (words.integer(word) < 1 || words.integer(word) > kLongestSide) return false;
  }
  return true;
}

// 1 2 3 in some order, or nothing.
std::optional<std::array<int, 3>> axes_of(const MrcWords& words) {
  std::array<int, 3> axes{};
  for (std::size_t i = 0; i < 3; ++i) axes[i] = words.integer(17 + i);
  if (axes == std::array<int, 3>{0, 0, 0}) return std::array<int, 3>{0, 1, 2};
  std::array<int, 3> sorted = axes;
  std::sort(sorted.begin(), sorted.end());
  if (sorted != std::array<int, 3>{1, 2, 3}) return {};
  for (int& axis : axes) --axis;
  return axes;
}

// Bytes up to the end of the data. Sides are below 2^24, so nothing overflows that is compared.
double claimed_bytes(const MrcWords& words) {
  const double row = std::ceil(words.integer(1) * mode_bits(words.integer(4)) / 8.0);
  return 1024.0 + words.integer(24) + row * words.integer(2) * words.integer(3);
}

bool plausible(const MrcWords& words) {
  return known_mode(words.integer(4)) && plausible_sides(words) && words.integer(24) >= 0 &&
         axes_of(words).has_value();
}

// For files without the mark: checks everything that can be checked, and the file's exact size.
bool certain(const MrcWords& words, std::uint64_t file_bytes) {
  if (!plausible(words)) return false;
  for (std::size_t word = 11; word <= 16; ++word) {
    const float value = words.real(word);
    if (!std::isfinite(value) || value < 0.0F || value > 1e9F) return false;
  }
  for (std::size_t word = 8; word <= 10; ++word) {
    if (words.integer(word) < 0 || words.integer(word) > kLongestSide) return false;
  }
  return claimed_bytes(words) == static_cast<double>(file_bytes);
}

std::optional<MrcWords> order_of(std::span<const std::uint8_t, kEmHeaderBytes> header,
                                 std::uint64_t file_bytes) {
  const std::array<MrcWords, 2> orders{MrcWords(header, false), MrcWords(header, true)};
  if (!has_mark(header)) {
    for (const MrcWords& words : orders) {
      if (file_bytes > 0 && certain(words, file_bytes)) return words;
    }
    return {};
  }
  const bool one = plausible(orders[0]);
  const bool other = plausible(orders[1]);
  if (one != other) return one ? orders[0] : orders[1];
  if (one) {
    // 256 and 65536 are the same bytes: what fits the file, then what the stamp says.
    const auto fits = [&](const MrcWords& words) {
      return claimed_bytes(words) == static_cast<double>(file_bytes);
    };
    if (fits(orders[0]) != fits(orders[1])) return fits(orders[0]) ? orders[0] : orders[1];
    return header[212] == 0x11 ? orders[1] : orders[0];
  }
  // The mark makes it one; what is wrong with it shows when it is read.
  for (const MrcWords& words : orders) {
    if (words.integer(4) >= 0 && words.integer(4) <= 127 && words.integer(24) >= 0) return words;
  }
  return {};
}

SampleType type_of(const MrcWords& words) {
  using Kind = SampleType::Kind;
  switch (words.integer(4)) {
    case 0: {
      // IMOD's stamp, and its flag for signed bytes.
      const bool imod = words.integer(39) == 1146047817;
      const bool is_signed = !imod || (words.integer(40) & 1) != 0;
      return {is_signed ? Kind::signed_integer : Kind::unsigned_integer, 8};
    }
    case 1:
      return {Kind::signed_integer, 16};
    case 6:
      return {Kind::unsigned_integer, 16};
    case 12:
      return {Kind::floating, 16};
    case 101:
      return {Kind::unsigned_integer, 4};
    default:
      return {Kind::floating, 32};
  }
}

Status check(const MrcWords& words, const std::filesystem::path& path) {
  const std::string& name = path.string();
  const std::int32_t mode = words.integer(4);
  if (mode == 3 || mode == 4) {
    return Error{"holds complex numbers (mode " + std::to_string(mode) + ", a transform)", name,
                 "choose the map or images themselves"};
  }
  if (!known_mode(mode)) {
    return Error{"has samples of an unknown kind (mode " + std::to_string(mode) + ")", name,
                 "save it with mode 0, 1, 2, 6, 12 or 101"};
  }
  const std::string damaged = "the file is damaged; get it again from its source";
  if (!plausible_sides(words)) {
    return Error{"claims an impossible size (" + std::to_string(words.integer(1)) + " × " +
                     std::to_string(words.integer(2)) + " × " + std::to_string(words.integer(3)) +
                     ")",
                 name, damaged};
  }
  if (!axes_of(words)) {
    return Error{"says that its axes are " + std::to_string(words.integer(17)) + ", " +
                     std::to_string(words.integer(18)) + " and " +
                     std::to_string(words.integer(19)) + ", not 1, 2 and 3 in some order",
                 name, damaged};
  }
  if (words.integer(24) < 0) {
    return Error{"claims an extended header of " + std::to_string(words.integer(24)) + " bytes",
                 name, damaged};
  }
  return {};
}

bool named_stack(const std::filesystem::path& path) {
  std::string name = path.filename().string();
  std::transform(name.begin(), name.end(), name.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  for (const char* packed : {".gz", ".bz2"}) {
    if (name.ends_with(packed)) name.resize(name.size() - std::strlen(packed));
  }
  return name.ends_with(".mrcs") || name.ends_with(".st");
}

void place(const MrcWords& words, bool marked, EmHeader& header) {
  std::array<std::int32_t, 3> start{};
  for (std::size_t i = 0; i < 3; ++i) {
    const auto axis = static_cast<std::size_t>(header.axes[i]);
    start[axis] = words.integer(5 + i);
    const double cell = words.real(11 + i);
    const double intervals = words.integer(8 + i);
    const double voxel = intervals > 0 ? shortest_decimal(cell / intervals) : 0.0;
    // Cell and intervals are of x, y and z, starts of columns, rows and sections.
    header.voxel[i] = std::isfinite(voxel) && voxel > 0.0 && voxel < 1e9 ? voxel : 0.0;
  }
  std::array<double, 3> origin{};
  for (std::size_t i = 0; i < 3; ++i) origin[i] = marked ? words.real(50 + i) : 0.0;
  const auto usable = [](double v) { return std::isfinite(v) && std::abs(v) < 1e9; };
  const bool set = std::any_of(origin.begin(), origin.end(), [](double v) { return v != 0.0; }) &&
                   std::all_of(origin.begin(), origin.end(), usable);
  for (std::size_t i = 0; i < 3; ++i) {
    header.origin[i] = set ? shortest_decimal(origin[i]) : start[i] * header.voxel[i];
    if (header.voxel[i] == 0.0) header.origin[i] = 0.0;
  }
}

}  // namespace

bool is_mrc(std::span<const std::uint8_t, kEmHeaderBytes> header, std::uint64_t file_bytes) {
  return order_of(header, file_bytes).has_value();
}

Result<EmHeader> parse_mrc(std::span<const std::uint8_t, kEmHeaderBytes> bytes,
                           std::uint64_t file_bytes, const std::filesystem::path& path) {
  const auto words = order_of(bytes, file_bytes);
  if (!words) {
    return Error{"has no header of an MRC file", path.string(), "choose an MRC map or stack"};
  }
  if (Status ok = check(*words, path); !ok) return ok.error();
  EmHeader header;
  header.format = "MRC";
  EmPlanes& planes = header.planes;
  planes.columns = words->integer(1);
  planes.rows = words->integer(2);
  planes.sections = words->integer(3);
  planes.type = type_of(*words);
  planes.nibbles = planes.type.bits == 4;
  planes.swapped = words->swapped();
  planes.first = kEmHeaderBytes + static_cast<std::uint64_t>(words->integer(24));
  planes.item_stride = planes.plane_bytes();
  const Size3 stored{planes.sections, planes.rows, planes.columns};
  if (const auto bytes16 = checked_bytes(stored, 16, 1, path); !bytes16) return bytes16.error();
  header.axes = *axes_of(*words);
  const bool marked = has_mark(bytes);
  const std::int32_t group = words->integer(23);
  header.stack = group == 0 || named_stack(path);
  const std::int32_t depth = words->integer(10);
  if (group >= 401 && depth > 0 && planes.sections % depth == 0) {
    header.maps = planes.sections / depth;
    header.stack = false;
  }
  // A stack's sections follow each other in no direction of space.
  if (header.stack) header.axes = {0, 1, 2};
  place(*words, marked, header);
  if (header.stack) header.voxel[2] = header.voxel[0];
  return header;
}

}  // namespace aprscope
