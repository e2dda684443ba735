#include "core/io/apr_hdf5.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace aprscope {
namespace {

constexpr std::size_t kLongestText = 60000;

// The attribute if it has exactly one element.
Hdf5Handle open_single(hid_t object, const char* name) {
  if (H5Aexists(object, name) <= 0) return {};
  Hdf5Handle attribute(H5Aopen(object, name, H5P_DEFAULT));
  if (!attribute) return {};
  const Hdf5Handle space(H5Aget_space(attribute.get()));
  if (!space || H5Sget_simple_extent_npoints(space.get()) != 1) return {};
  return attribute;
}

bool is_number(hid_t attribute) {
  const Hdf5Handle type(H5Aget_type(attribute));
  if (!type || H5Tget_size(type.get()) > 8) return false;
  const H5T_class_t kind = H5Tget_class(type.get());
  return kind == H5T_INTEGER || kind == H5T_FLOAT;
}

bool write_single(hid_t object, const char* name, hid_t file_type, hid_t memory_type, hid_t space,
                  const void* value) {
  const Hdf5Handle attribute(H5Acreate2(object, name, file_type, space, H5P_DEFAULT, H5P_DEFAULT));
  return attribute && H5Awrite(attribute.get(), memory_type, value) >= 0;
}

bool write_number(hid_t object, const char* name, hid_t file_type, hid_t memory_type,
                  const void* value) {
  const std::scoped_lock lock(hdf5_mutex());
  const hsize_t one = 1;
  const Hdf5Handle space(H5Screate_simple(1, &one, nullptr));
  return space && write_single(object, name, file_type, memory_type, space.get(), value);
}

}  // namespace

std::optional<std::uint64_t> read_integer_attribute(hid_t object, const char* name) {
  const std::scoped_lock lock(hdf5_mutex());
  const Hdf5Handle attribute = open_single(object, name);
  std::uint64_t value = 0;
  if (!attribute || !is_number(attribute.get()) ||
      H5Aread(attribute.get(), H5T_NATIVE_UINT64, &value) < 0) {
    H5Eclear2(H5E_DEFAULT);
    return std::nullopt;
  }
  return value;
}

std::optional<double> read_number_attribute(hid_t object, const char* name) {
  const std::scoped_lock lock(hdf5_mutex());
  const Hdf5Handle attribute = open_single(object, name);
  double value = 0;
  if (!attribute || !is_number(attribute.get()) ||
      H5Aread(attribute.get(), H5T_NATIVE_DOUBLE, &value) < 0) {
    H5Eclear2(H5E_DEFAULT);
    return std::nullopt;
  }
  return value;
}

std::optional<std::string> read_text_attribute(hid_t object, const char* name) {
  const std::scoped_lock lock(hdf5_mutex());
  const Hdf5Handle attribute = open_single(object, name);
  if (!attribute) return std::nullopt;
  const Hdf5Handle type(H5Aget_type(attribute.get()));
  if (!type || H5Tget_class(type.get()) != H5T_STRING) return std::nullopt;
  if (H5Tis_variable_str(type.get()) > 0) {
    char* text = nullptr;
    const Hdf5Handle memory(H5Tcopy(type.get()));
    if (!memory || H5Aread(attribute.get(), memory.get(), &text) < 0 || text == nullptr) {
      H5Eclear2(H5E_DEFAULT);
      return std::nullopt;
    }
    std::string out(text, ::strnlen(text, kLongestText));
    H5free_memory(text);
    return out;
  }
  const std::size_t size = H5Tget_size(type.get());
  if (size == 0 || size > kLongestText + 1) return std::nullopt;
  std::string text(size, '\0');
  if (H5Aread(attribute.get(), type.get(), text.data()) < 0) {
    H5Eclear2(H5E_DEFAULT);
    return std::nullopt;
  }
  text.resize(::strnlen(text.data(), size));
  return text;
}

bool write_attribute(hid_t object, const char* name, std::uint64_t value) {
  return write_number(object, name, H5T_STD_U64LE, H5T_NATIVE_UINT64, &value);
}

bool write_attribute(hid_t object, const char* name, std::int32_t value) {
  return write_number(object, name, H5T_STD_I32LE, H5T_NATIVE_INT32, &value);
}

bool write_attribute(hid_t object, const char* name, float value) {
  return write_number(object, name, H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, &value);
}

bool write_attribute(hid_t object, const char* name, double value) {
  return write_number(object, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, &value);
}

bool write_attribute(hid_t object, const char* name, const std::string& text) {
  const std::scoped_lock lock(hdf5_mutex());
  const std::string kept = text.substr(0, text.find('\0')).substr(0, kLongestText);
  const bool ascii = std::all_of(kept.begin(), kept.end(),
                                 [](char c) { return static_cast<unsigned char>(c) < 128; });
  const Hdf5Handle type(H5Tcopy(H5T_C_S1));
  const Hdf5Handle space(H5Screate(H5S_SCALAR));
  return type && space && H5Tset_size(type.get(), std::max<std::size_t>(1, kept.size())) >= 0 &&
         H5Tset_cset(type.get(), ascii ? H5T_CSET_ASCII : H5T_CSET_UTF8) >= 0 &&
         write_single(object, name, type.get(), type.get(), space.get(), kept.c_str());
}

std::vector<Hdf5Child> hdf5_children(hid_t group) {
  const std::scoped_lock lock(hdf5_mutex());
  std::vector<Hdf5Child> out;
  H5G_info_t info;
  if (H5Gget_info(group, &info) < 0) {
    H5Eclear2(H5E_DEFAULT);
    return out;
  }
  for (hsize_t i = 0; i < info.nlinks; ++i) {
    std::array<char, 1024> name{};
    const ssize_t length = H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, i,
                                              name.data(), name.size(), H5P_DEFAULT);
    if (length < 0) break;  // a damaged group: what follows cannot be read either
    if (length == 0 || static_cast<std::size_t>(length) >= name.size()) continue;
    H5L_info_t link;
    // Soft and external links would lead elsewhere, perhaps into other files.
    if (H5Lget_info(group, name.data(), &link, H5P_DEFAULT) < 0 || link.type != H5L_TYPE_HARD) {
      continue;
    }
    H5O_info_t object;
    if (H5Oget_info_by_name2(group, name.data(), &object, H5O_INFO_BASIC, H5P_DEFAULT) < 0) {
      continue;
    }
    out.push_back({name.data(), object.type == H5O_TYPE_GROUP, object.type == H5O_TYPE_DATASET});
  }
  H5Eclear2(H5E_DEFAULT);
  return out;
}

}  // namespace aprscope
