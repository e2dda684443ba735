#include "core/io/apr/apr_hdf5.hpp"

#include <algorithm>

namespace aprscope {
namespace {

constexpr std::size_t kLongestText = 60000;

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

}  // namespace aprscope
