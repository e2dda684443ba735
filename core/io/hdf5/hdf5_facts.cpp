#include "core/io/hdf5/hdf5_facts.hpp"

#include <algorithm>
#include <array>

namespace aprscope {
namespace {

// Filters and mappings beyond these are not believed.
constexpr int kMostFilters = 32;
constexpr std::size_t kMostMappings = 1U << 16U;
constexpr std::size_t kLongestName = 4096;
constexpr std::size_t kMostFilterValues = 1024;
// Compact data share an object header, whose messages have 16 bits for their length.
constexpr std::uint64_t kMostCompact = 1U << 16U;

struct IeeeLayout {
  std::size_t size, sign, exponent, exponent_bits, mantissa_bits, bias;
};
constexpr std::array<IeeeLayout, 3> kIeee = {
    {{2, 15, 10, 5, 10, 15}, {4, 31, 23, 8, 23, 127}, {8, 63, 52, 11, 52, 1023}}};

bool is_ieee(hid_t type, std::size_t size) {
  const auto* layout =
      std::find_if(kIeee.begin(), kIeee.end(), [&](const auto& l) { return l.size == size; });
  std::size_t sign = 0, exponent = 0, exponent_bits = 0, mantissa = 0, mantissa_bits = 0;
  if (layout == kIeee.end() ||
      H5Tget_fields(type, &sign, &exponent, &exponent_bits, &mantissa, &mantissa_bits) < 0) {
    return false;
  }
  return sign == layout->sign && exponent == layout->exponent &&
         exponent_bits == layout->exponent_bits && mantissa == 0 &&
         mantissa_bits == layout->mantissa_bits && H5Tget_ebias(type) == layout->bias &&
         H5Tget_norm(type) == H5T_NORM_IMPLIED && H5Tget_precision(type) == 8 * size &&
         H5Tget_offset(type) == 0;
}

bool filter_facts(hid_t creation, std::vector<Hdf5Filter>& filters) {
  const int count = H5Pget_nfilters(creation);
  if (count < 0 || count > kMostFilters) return false;
  for (int i = 0; i < count; ++i) {
    Hdf5Filter filter;
    unsigned flags = 0;
    std::size_t values = 0;
    const auto index = static_cast<unsigned>(i);
    H5Z_filter_t id =
        H5Pget_filter2(creation, index, &flags, &values, nullptr, 0, nullptr, nullptr);
    if (id < 0 || values > kMostFilterValues) return false;
    filter.values.resize(values);
    id =
        H5Pget_filter2(creation, index, &flags, &values, filter.values.data(), 0, nullptr, nullptr);
    if (id < 0) return false;
    filter.id = static_cast<std::uint32_t>(id);
    filters.push_back(std::move(filter));
  }
  return true;
}

bool external_facts(hid_t creation, std::vector<Hdf5External>& pieces) {
  const int count = H5Pget_external_count(creation);
  if (count < 0 || static_cast<std::size_t>(count) > kMostMappings) return false;
  for (int i = 0; i < count; ++i) {
    std::string name(kLongestName, '\0');
    off_t offset = 0;
    hsize_t bytes = 0;
    if (H5Pget_external(creation, static_cast<unsigned>(i), name.size(), name.data(), &offset,
                        &bytes) < 0) {
      return false;
    }
    name.resize(name.find('\0') == std::string::npos ? name.size() : name.find('\0'));
    pieces.push_back({name, static_cast<std::uint64_t>(offset), bytes});
  }
  return true;
}

bool selection_facts(hid_t space, Hdf5Selection& out) {
  std::vector<std::uint64_t> extent;
  if (!extent_facts(space, extent)) return false;
  const auto rank = static_cast<std::ptrdiff_t>(extent.size());
  std::array<hsize_t, H5S_MAX_RANK> start{}, stride{}, count{}, block{};
  stride.fill(1);
  count.fill(1);
  switch (H5Sget_select_type(space)) {
    case H5S_SEL_ALL:
      return true;
    case H5S_SEL_HYPERSLABS:
      if (H5Sis_regular_hyperslab(space) <= 0 ||
          H5Sget_regular_hyperslab(space, start.data(), stride.data(), count.data(), block.data()) <
              0) {
        return false;
      }
      break;
    default:
      return false;
  }
  out.start.assign(start.begin(), start.begin() + rank);
  out.stride.assign(stride.begin(), stride.begin() + rank);
  out.count.assign(count.begin(), count.begin() + rank);
  out.block.assign(block.begin(), block.begin() + rank);
  return true;
}

bool mapping_facts(hid_t creation, std::vector<Hdf5Mapping>& mappings) {
  std::size_t count = 0;
  if (H5Pget_virtual_count(creation, &count) < 0 || count > kMostMappings) return false;
  for (std::size_t i = 0; i < count; ++i) {
    Hdf5Mapping mapping;
    std::string name(kLongestName, '\0');
    ssize_t length = H5Pget_virtual_filename(creation, i, name.data(), name.size());
    if (length < 0 || static_cast<std::size_t>(length) >= name.size()) return false;
    mapping.file = name.substr(0, static_cast<std::size_t>(length));
    length = H5Pget_virtual_dsetname(creation, i, name.data(), name.size());
    if (length < 0 || static_cast<std::size_t>(length) >= name.size()) return false;
    mapping.dataset = name.substr(0, static_cast<std::size_t>(length));
    const Hdf5Id here(H5Pget_virtual_vspace(creation, i));
    const Hdf5Id there(H5Pget_virtual_srcspace(creation, i));
    if (!here || !there || !selection_facts(here.get(), mapping.here) ||
        !selection_facts(there.get(), mapping.there)) {
      return false;
    }
    mappings.push_back(std::move(mapping));
  }
  return true;
}

bool fill_facts(hid_t creation, hid_t type, std::uint32_t size, std::vector<std::uint8_t>& fill) {
  H5D_fill_value_t defined = H5D_FILL_VALUE_UNDEFINED;
  if (H5Pfill_value_defined(creation, &defined) < 0) return false;
  if (defined != H5D_FILL_VALUE_USER_DEFINED) return true;
  // The fill value in the type of the file, so that the library converts nothing.
  fill.resize(size);
  return H5Pget_fill_value(creation, type, fill.data()) >= 0;
}

// Fills in what depends on how the values are stored.
bool storage_facts(hid_t dataset, hid_t creation, hid_t type, Hdf5Dataset& out) {
  const auto rank = static_cast<int>(out.extent.size());
  switch (H5Pget_layout(creation)) {
    case H5D_COMPACT: {
      out.storage = Hdf5Storage::compact;
      const std::uint64_t bytes = out.count() * out.type.size;
      if (out.count() > kMostCompact || bytes > kMostCompact) return false;
      out.compact.resize(bytes);
      return bytes == 0 ||
             H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, out.compact.data()) >= 0;
    }
    case H5D_CONTIGUOUS:
      if (!external_facts(creation, out.external)) return false;
      out.storage = out.external.empty() ? Hdf5Storage::contiguous : Hdf5Storage::elsewhere;
      if (out.external.empty()) out.address = H5Dget_offset(dataset);
      return true;
    case H5D_CHUNKED: {
      out.storage = Hdf5Storage::chunked;
      std::array<hsize_t, H5S_MAX_RANK> chunk{};
      if (rank == 0 || H5Pget_chunk(creation, H5S_MAX_RANK, chunk.data()) != rank) return false;
      out.chunk.assign(chunk.begin(), chunk.begin() + rank);
      return filter_facts(creation, out.filters);
    }
    case H5D_VIRTUAL:
      out.storage = Hdf5Storage::mapped;
      return true;
    default:
      return false;
  }
}

}  // namespace

std::string library_reason(const std::string& otherwise) {
  std::string text;
  const auto take = [](unsigned, const H5E_error2_t* entry, void* out) -> herr_t {
    if (entry->desc != nullptr && *entry->desc != '\0') {
      *static_cast<std::string*>(out) = entry->desc;
    }
    return 0;
  };
  // Downward runs to the function that failed first, whose words say most; the last one is kept.
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, take, &text);
  H5Eclear2(H5E_DEFAULT);
  return text.empty() ? otherwise : text;
}

Error library_error(const std::string& otherwise) {
  return {"cannot be read (" + library_reason(otherwise) + ")", "", ""};
}

Hdf5Type type_facts(hid_t type) {
  Hdf5Type out;
  const std::size_t size = H5Tget_size(type);
  if (size == 0 || size > UINT32_MAX) return out;
  out.size = static_cast<std::uint32_t>(size);
  const H5T_order_t order = H5Tget_order(type);
  const bool ordered = order == H5T_ORDER_LE || order == H5T_ORDER_BE;
  out.big_endian = order == H5T_ORDER_BE;
  switch (H5Tget_class(type)) {
    case H5T_INTEGER: {
      const H5T_sign_t sign = H5Tget_sign(type);
      if ((!ordered && size > 1) || (sign != H5T_SGN_NONE && sign != H5T_SGN_2)) return out;
      out.is_signed = sign == H5T_SGN_2;
      out.precision = static_cast<std::uint32_t>(H5Tget_precision(type));
      const int offset = H5Tget_offset(type);
      out.offset = offset < 0 ? UINT32_MAX : static_cast<std::uint32_t>(offset);
      out.kind = Hdf5Kind::integer;
      return out;
    }
    case H5T_FLOAT:
      out.kind = Hdf5Kind::real;
      out.ieee = ordered && is_ieee(type, size);
      return out;
    case H5T_STRING:
      out.kind = Hdf5Kind::text;
      out.variable = H5Tis_variable_str(type) > 0;
      return out;
    default:
      return out;
  }
}

bool extent_facts(hid_t space, std::vector<std::uint64_t>& extent) {
  extent.clear();
  const H5S_class_t kind = H5Sget_simple_extent_type(space);
  if (kind == H5S_SCALAR) return true;
  const int rank = kind == H5S_SIMPLE ? H5Sget_simple_extent_ndims(space) : -1;
  std::array<hsize_t, H5S_MAX_RANK> extents{};
  if (rank < 0 || rank > H5S_MAX_RANK ||
      H5Sget_simple_extent_dims(space, extents.data(), nullptr) != rank) {
    return false;
  }
  extent.assign(extents.begin(), extents.begin() + rank);
  return true;
}

Result<Hdf5Dataset> dataset_facts(hid_t dataset) {
  const Hdf5Id space(H5Dget_space(dataset));
  const Hdf5Id type(H5Dget_type(dataset));
  const Hdf5Id creation(H5Dget_create_plist(dataset));
  Hdf5Dataset out;
  if (!space || !type || !creation || !extent_facts(space.get(), out.extent)) {
    return library_error("it is damaged");
  }
  out.type = type_facts(type.get());
  // Values of other types are not read, so nothing else about them matters.
  if (out.type.kind != Hdf5Kind::integer && out.type.kind != Hdf5Kind::real) return out;
  if (H5Pget_layout(creation.get()) == H5D_VIRTUAL &&
      !mapping_facts(creation.get(), out.mappings)) {
    H5Eclear2(H5E_DEFAULT);
    return Error{"is put together from other datasets in a way that this program does not follow",
                 "", ""};
  }
  if (!fill_facts(creation.get(), type.get(), out.type.size, out.fill) ||
      !storage_facts(dataset, creation.get(), type.get(), out)) {
    return library_error("it is damaged");
  }
  out.stored = H5Dget_storage_size(dataset);
  H5Eclear2(H5E_DEFAULT);
  return out;
}

}  // namespace aprscope
