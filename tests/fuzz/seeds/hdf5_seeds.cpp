#include <numeric>
#include <vector>

#include <hdf5.h>

#include "tests/fuzz/seeds/seeds.hpp"

namespace aprscope::fuzz {
namespace {

using Extent = std::vector<hsize_t>;

// Properties of one seed; those of HDF5's own lists that matter to a reader.
struct Spec {
  hid_t type = H5T_STD_U16LE;
  Extent extent{3, 5, 7};
  Extent chunk{};
  bool shuffle = false;
  bool deflate = false;
  bool checksum = false;
  bool scale_offset = false;
  bool n_bit = false;
  bool compact = false;
  bool latest = false;
  Extent maximum{};
  hsize_t user_block = 0;
};

hid_t properties_of(const Spec& spec) {
  const hid_t list = H5Pcreate(H5P_DATASET_CREATE);
  if (!spec.chunk.empty())
    H5Pset_chunk(list, static_cast<int>(spec.chunk.size()), spec.chunk.data());
  if (spec.compact) H5Pset_layout(list, H5D_COMPACT);
  if (spec.scale_offset) H5Pset_scaleoffset(list, H5Z_SO_INT, 0);
  if (spec.n_bit) H5Pset_nbit(list);
  if (spec.shuffle) H5Pset_shuffle(list);
  if (spec.deflate) H5Pset_deflate(list, 1);
  if (spec.checksum) H5Pset_fletcher32(list);
  return list;
}

void add_volume(hid_t file, const char* name, const Spec& spec) {
  const auto rank = static_cast<int>(spec.extent.size());
  const hid_t space = H5Screate_simple(rank, spec.extent.data(),
                                       spec.maximum.empty() ? nullptr : spec.maximum.data());
  const hid_t list = properties_of(spec);
  const hid_t links = H5Pcreate(H5P_LINK_CREATE);
  H5Pset_create_intermediate_group(links, 1);
  const hid_t set = H5Dcreate2(file, name, spec.type, space, links, list, H5P_DEFAULT);
  must(set >= 0, name);
  std::vector<double> values(static_cast<std::size_t>(
      std::accumulate(spec.extent.begin(), spec.extent.end(), hsize_t{1}, std::multiplies<>())));
  std::iota(values.begin(), values.end(), 1.0);
  must(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0, name);
  const hsize_t three = 3;
  const double microns[] = {2.0, 0.5, 0.25};
  const hid_t row = H5Screate_simple(1, &three, nullptr);
  const hid_t attribute =
      H5Acreate2(set, "element_size_um", H5T_IEEE_F32LE, row, H5P_DEFAULT, H5P_DEFAULT);
  must(H5Awrite(attribute, H5T_NATIVE_DOUBLE, microns) >= 0, name);
  H5Aclose(attribute);
  H5Sclose(row);
  H5Dclose(set);
  H5Pclose(links);
  H5Pclose(list);
  H5Sclose(space);
}

hid_t create(const std::filesystem::path& path, const Spec& spec) {
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  if (spec.latest) H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  const hid_t creation = H5Pcreate(H5P_FILE_CREATE);
  if (spec.user_block > 0) H5Pset_userblock(creation, spec.user_block);
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation, access);
  must(file >= 0, path.string());
  H5Pclose(creation);
  H5Pclose(access);
  return file;
}

void write_one(const std::filesystem::path& path, const Spec& spec) {
  const hid_t file = create(path, spec);
  add_volume(file, "/volume", spec);
  H5Fclose(file);
}

void write_layouts(const std::filesystem::path& folder, bool latest) {
  const auto path = [&](const char* name) {
    return folder / (std::string(latest ? "latest_" : "") + name + ".h5");
  };
  Spec plain;
  plain.latest = latest;
  const auto with = [&](auto change) {
    Spec spec = plain;
    change(spec);
    return spec;
  };
  write_one(path("contiguous"), plain);
  write_one(path("compact"), with([](Spec& s) { s.compact = true; }));
  write_one(path("user_block"), with([](Spec& s) { s.user_block = 512; }));
  const Extent chunk{2, 2, 4};
  write_one(path("chunked"), with([&](Spec& s) { s.chunk = chunk; }));
  write_one(path("one_chunk"), with([&](Spec& s) {
              s.chunk = s.extent;
              s.deflate = true;
            }));
  write_one(path("growing"), with([&](Spec& s) {
              s.chunk = chunk;
              s.maximum = {H5S_UNLIMITED, 5, 7};
              s.deflate = true;
            }));
  write_one(path("growing_both"), with([&](Spec& s) {
              s.chunk = chunk;
              s.maximum = {H5S_UNLIMITED, H5S_UNLIMITED, 7};
            }));
  write_one(path("filtered"), with([&](Spec& s) {
              s.chunk = chunk;
              s.shuffle = s.deflate = s.checksum = true;
            }));
  write_one(path("scaled"), with([&](Spec& s) {
              s.chunk = chunk;
              s.scale_offset = s.deflate = true;
            }));
  write_one(path("n_bit"), with([&](Spec& s) {
              s.chunk = chunk;
              s.n_bit = true;
            }));
}

void write_types(const std::filesystem::path& folder) {
  const std::pair<const char*, hid_t> types[] = {
      {"u8", H5T_STD_U8LE},      {"i8", H5T_STD_I8LE},   {"u16be", H5T_STD_U16BE},
      {"i16", H5T_STD_I16LE},    {"u32", H5T_STD_U32LE}, {"i64be", H5T_STD_I64BE},
      {"f32be", H5T_IEEE_F32BE}, {"f64", H5T_IEEE_F64LE}};
  for (const auto& [name, type] : types) {
    Spec spec;
    spec.type = type;
    write_one(folder / (std::string("type_") + name + ".h5"), spec);
  }
}

}  // namespace

void write_hdf5_seeds(const std::filesystem::path& folder) {
  write_layouts(folder, false);
  write_layouts(folder, true);
  write_types(folder);
  for (const Extent& extent : {Extent{5, 7}, Extent{2, 2, 5, 7}, Extent{2, 2, 2, 3, 4}}) {
    Spec spec;
    spec.extent = extent;
    write_one(folder / ("rank_" + std::to_string(extent.size()) + ".h5"), spec);
  }
  // As BigDataViewer nests its volumes: times, channels, resolutions.
  Spec bytes;
  bytes.type = H5T_STD_I16LE;
  bytes.chunk = {2, 2, 4};
  bytes.deflate = true;
  const hid_t file = create(folder / "nested.h5", bytes);
  for (const char* name : {"/t00000/s00/0/cells", "/t00000/s00/1/cells", "/t00001/s00/0/cells"}) {
    add_volume(file, name, bytes);
  }
  H5Lcreate_soft("/t00000/s00/0/cells", file, "/soft", H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_external("other.h5", "/volume", file, "/external", H5P_DEFAULT, H5P_DEFAULT);
  H5Fclose(file);
}

}  // namespace aprscope::fuzz
