#include "core/io/hdf5/hdf5_attributes.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <limits>
#include <system_error>

#include "core/io/hdf5/hdf5_convert.hpp"

namespace aprscope {
namespace {

constexpr std::size_t kLongestText = 60000;
// Most numbers of an attribute that are spelled as text.
constexpr std::size_t kMostSpelled = 100;

std::optional<Hdf5Attribute> read(const Hdf5Object& object, const char* name) {
  auto attribute = object.reader->attribute(object.path, name);
  if (attribute) return *std::move(attribute);
  object.reader->fail(attribute.error());
  return std::nullopt;
}

// A number attribute with all of its values, which are of a usual kind.
std::optional<Hdf5Attribute> read_numbers(const Hdf5Object& object, const char* name) {
  auto attribute = read(object, name);
  if (!attribute) return std::nullopt;
  const Hdf5Type& type = attribute->type;
  if (type.kind != Hdf5Kind::integer && type.kind != Hdf5Kind::real) return std::nullopt;
  if (!type.plain()) {
    object.reader->fail({std::string("its attribute ") + name +
                             " is a number of an unusual kind (" +
                             std::to_string(8 * std::uint64_t{type.size}) +
                             " bits that are no integer of as many and no IEEE 754 number)",
                         object.where(), "the file is damaged, get another copy of it"});
    return std::nullopt;
  }
  if (attribute->values.size() != attribute->count * type.size) return std::nullopt;
  return attribute;
}

template <class T>
T value_of(const Hdf5Attribute& attribute, std::size_t index) {
  const Hdf5Type& type = attribute.type;
  const NumberType own = own_type(type);
  std::uint8_t bytes[8] = {};
  converter(type, own)(type, attribute.values.data() + index * type.size, 1, bytes);
  const auto as = [&]<class From>(From value) {
    std::memcpy(&value, bytes, sizeof value);
    if constexpr (std::is_unsigned_v<T>) {
      // As the HDF5 library does: a value out of range becomes the nearest number in range.
      if (!(value > From{0})) return T{0};
      if constexpr (std::is_floating_point_v<From>) {
        if (value >= static_cast<From>(std::numeric_limits<T>::max())) {
          return std::numeric_limits<T>::max();
        }
      }
    }
    return static_cast<T>(value);
  };
  switch (own) {
    case NumberType::u8:
      return as(std::uint8_t{});
    case NumberType::u16:
      return as(std::uint16_t{});
    case NumberType::u32:
      return as(std::uint32_t{});
    case NumberType::u64:
      return as(std::uint64_t{});
    case NumberType::i8:
      return as(std::int8_t{});
    case NumberType::i16:
      return as(std::int16_t{});
    case NumberType::i32:
      return as(std::int32_t{});
    case NumberType::i64:
      return as(std::int64_t{});
    case NumberType::f32:
      return as(float{});
    default:
      return as(double{});
  }
}

}  // namespace

bool has_attribute(const Hdf5Object& object, const char* name) {
  return read(object, name).has_value();
}

std::optional<std::uint64_t> read_integer_attribute(const Hdf5Object& object, const char* name) {
  const auto attribute = read_numbers(object, name);
  if (!attribute || attribute->count != 1) return std::nullopt;
  return value_of<std::uint64_t>(*attribute, 0);
}

std::optional<double> read_number_attribute(const Hdf5Object& object, const char* name) {
  const auto attribute = read_numbers(object, name);
  if (!attribute || attribute->count != 1) return std::nullopt;
  return value_of<double>(*attribute, 0);
}

std::optional<std::vector<double>> read_number_list(const Hdf5Object& object, const char* name,
                                                    bool* single) {
  const auto attribute = read_numbers(object, name);
  if (!attribute) return std::nullopt;
  if (single != nullptr) *single = attribute->type.size == 4;
  std::vector<double> values;
  for (std::size_t i = 0; i < attribute->count; ++i) {
    values.push_back(value_of<double>(*attribute, i));
  }
  return values;
}

std::optional<std::string> read_text_attribute(const Hdf5Object& object, const char* name) {
  const auto attribute = read(object, name);
  if (!attribute || attribute->type.kind != Hdf5Kind::text || attribute->count != 1) {
    return std::nullopt;
  }
  const std::vector<std::uint8_t>& bytes = attribute->values;
  const auto end = std::find(bytes.begin(), bytes.end(), std::uint8_t{0});
  if (static_cast<std::size_t>(end - bytes.begin()) > kLongestText) return std::nullopt;
  return std::string(bytes.begin(), end);
}

std::optional<std::string> read_spelled_attribute(const Hdf5Object& object, const char* name) {
  const auto attribute = read(object, name);
  if (!attribute) return std::nullopt;
  if (attribute->type.kind != Hdf5Kind::text) {
    const auto numbers = read_number_list(object, name);
    if (!numbers || numbers->size() > kMostSpelled) return std::nullopt;
    std::string text;
    for (const double number : *numbers) {
      char digits[40];
      const auto [end, error] = std::to_chars(digits, digits + sizeof digits, number);
      if (error != std::errc()) return std::nullopt;
      if (!text.empty()) text += ' ';
      text.append(digits, end);
    }
    return text;
  }
  if (attribute->count == 1) return read_text_attribute(object, name);
  const std::vector<std::uint8_t>& bytes = attribute->values;
  const std::size_t size = attribute->type.size;
  if (attribute->type.variable || size == 0 || bytes.size() > kLongestText ||
      bytes.size() != attribute->count * size) {
    return std::nullopt;
  }
  std::string text;
  for (std::size_t at = 0; at < bytes.size(); at += size) {
    const auto first = bytes.begin() + static_cast<std::ptrdiff_t>(at);
    text.append(first,
                std::find(first, first + static_cast<std::ptrdiff_t>(size), std::uint8_t{0}));
  }
  return text;
}

}  // namespace aprscope
