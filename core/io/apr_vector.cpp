#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <span>
#include <utility>
#include <variant>

#include "core/base/system.hpp"
#include "core/io/apr_hdf5.hpp"
#include "core/io/hdf5_blosc.hpp"

namespace aprscope {
namespace {

constexpr std::uint64_t kChunkValues = 100000;  // what the reference library uses
constexpr std::uint64_t kBlockValues = 1U << 20U;
constexpr std::size_t kTypeSizes[] = {1, 2, 4, 8, 1, 2, 4, 8, 4, 8};

hid_t native_type(int type) {
  const std::array<hid_t, 10> types = {
      H5T_NATIVE_UINT8, H5T_NATIVE_UINT16, H5T_NATIVE_UINT32, H5T_NATIVE_UINT64, H5T_NATIVE_INT8,
      H5T_NATIVE_INT16, H5T_NATIVE_INT32,  H5T_NATIVE_INT64,  H5T_NATIVE_FLOAT,  H5T_NATIVE_DOUBLE};
  return types[static_cast<std::size_t>(type)];
}

hid_t file_type(int type) {
  const std::array<hid_t, 10> types = {H5T_STD_U8LE,   H5T_STD_U16LE, H5T_STD_U32LE, H5T_STD_U64LE,
                                       H5T_STD_I8LE,   H5T_STD_I16LE, H5T_STD_I32LE, H5T_STD_I64LE,
                                       H5T_IEEE_F32LE, H5T_IEEE_F64LE};
  return types[static_cast<std::size_t>(type)];
}

// Index in FieldValues of a dataset's type; -1 for what is not a number of 1, 2, 4 or 8 bytes.
int classify(hid_t type) {
  const std::size_t size = H5Tget_size(type);
  const int width = size == 1 ? 0 : size == 2 ? 1 : size == 4 ? 2 : size == 8 ? 3 : -1;
  if (width < 0) return -1;
  switch (H5Tget_class(type)) {
    case H5T_INTEGER:
      return H5Tget_sign(type) == H5T_SGN_NONE ? width : 4 + width;
    case H5T_FLOAT:
      return width == 2 ? 8 : width == 3 ? 9 : -1;
    default:
      return -1;
  }
}

// One chunk as it lies in the file.
struct PackedChunk {
  std::vector<std::uint8_t> bytes;
  bool plain = false;
};

// Unpacks a chunk of `chunk_bytes` and keeps `wanted` bytes from `skipped` on.
bool unpack(const PackedChunk& chunk, std::size_t chunk_bytes, std::uint8_t* target,
            std::size_t skipped, std::size_t wanted) {
  if (chunk.plain) {
    if (chunk.bytes.size() != chunk_bytes) return false;
    std::memcpy(target, chunk.bytes.data() + skipped, wanted);
    return true;
  }
  if (blosc_unpacked_size(chunk.bytes) != chunk_bytes) return false;
  if (wanted == chunk_bytes) return blosc_unpack(chunk.bytes, {target, chunk_bytes});
  std::vector<std::uint8_t> whole(chunk_bytes);
  if (!blosc_unpack(chunk.bytes, whole)) return false;
  std::memcpy(target, whole.data() + skipped, wanted);
  return true;
}

}  // namespace

std::size_t Hdf5Vector::type_size() const { return kTypeSizes[type_]; }

Error Hdf5Vector::damaged(const std::string& what) const {
  const std::string reason = hdf5_error_text();
  return {reason.empty() ? what : what + " (" + reason + ")", where_,
          "the file is damaged, get another copy of it"};
}

bool Hdf5Vector::is_vector(hid_t group, const std::string& name) {
  const std::scoped_lock lock(hdf5_mutex());
  const Hdf5Handle dataset(H5Dopen2(group, name.c_str(), H5P_DEFAULT));
  if (!dataset) return true;  // damaged: open() tells
  const Hdf5Handle space(H5Dget_space(dataset.get()));
  const Hdf5Handle type(H5Dget_type(dataset.get()));
  return !space || !type ||
         (H5Sget_simple_extent_ndims(space.get()) == 1 && classify(type.get()) >= 0);
}

Result<Hdf5Vector> Hdf5Vector::open(hid_t group, const std::string& name,
                                    const std::string& where) {
  const std::scoped_lock lock(hdf5_mutex());
  Hdf5Vector v;
  v.where_ = where + ":" + name;
  if (H5Lexists(group, name.c_str(), H5P_DEFAULT) <= 0) {
    return Error{"is missing", v.where_, "the file is not a complete APR"};
  }
  v.dataset_ = Hdf5Handle(H5Dopen2(group, name.c_str(), H5P_DEFAULT));
  if (!v.dataset_) return v.damaged("cannot be opened");
  const Hdf5Handle space(H5Dget_space(v.dataset_.get()));
  const Hdf5Handle type(H5Dget_type(v.dataset_.get()));
  const Hdf5Handle creation(H5Dget_create_plist(v.dataset_.get()));
  if (!space || !type || !creation) return v.damaged("cannot be opened");
  hsize_t count = 0;
  if (H5Sget_simple_extent_ndims(space.get()) != 1 ||
      H5Sget_simple_extent_dims(space.get(), &count, nullptr) != 1) {
    return Error{"is not a one-dimensional dataset", v.where_, "the file is not an APR"};
  }
  v.count_ = count;
  v.type_ = classify(type.get());
  if (v.type_ < 0) return Error{"does not hold numbers", v.where_, "the file is not an APR"};

  const H5D_layout_t layout = H5Pget_layout(creation.get());
  const int filters = H5Pget_nfilters(creation.get());
  if (layout == H5D_CHUNKED) {
    hsize_t chunk = 0;
    if (H5Pget_chunk(creation.get(), 1, &chunk) != 1 || chunk == 0 || filters < 0) {
      return v.damaged("has no valid chunks");
    }
    v.chunk_ = chunk;
    H5Z_filter_t filter = kBloscFilter;
    if (filters == 1) {
      unsigned flags = 0;
      std::size_t none = 0;
      filter = H5Pget_filter2(creation.get(), 0, &flags, &none, nullptr, 0, nullptr, nullptr);
    }
    v.own_decoding_ =
        filters <= 1 && filter == kBloscFilter && H5Tequal(type.get(), native_type(v.type_)) > 0;
  } else if (layout == H5D_VIRTUAL || H5Pget_external_count(creation.get()) != 0) {
    return Error{"lies in other files", v.where_, "choose a file that holds its data itself"};
  }
  const Hdf5Handle file(H5Iget_file_id(v.dataset_.get()));
  hsize_t file_bytes = 0;
  if (!file || H5Fget_filesize(file.get(), &file_bytes) < 0) return v.damaged("cannot be opened");
  if (Status fits = v.check_storage(file_bytes); !fits) return fits.error();
  return v;
}

// The stated length must be possible with the bytes that are there.
Status Hdf5Vector::check_storage(std::uint64_t file_bytes) const {
  const std::uint64_t stored = H5Dget_storage_size(dataset_.get());
  const std::uint64_t limit = std::uint64_t{1} << 48U;
  const bool all_there =
      chunk_ == 0
          ? stored == bytes()
          // A packed chunk has a header of 16 bytes; one that would not shrink is stored plain.
          : chunk_ <= limit && stored / std::min<std::uint64_t>(16, chunk_ * type_size()) >=
                                   (count_ + chunk_ - 1) / chunk_;
  if (count_ > limit || stored > file_bytes || !all_there) {
    return damaged("says it has " + std::to_string(count_) + " values, which are not in the file");
  }
  return {};
}

Status Hdf5Vector::read(void* target, const JobContext& context) const {
  return read(0, count_, target, context);
}

Status Hdf5Vector::read(std::uint64_t begin, std::uint64_t count, void* target,
                        const JobContext& context) const {
  if (count == 0) return {};
  return own_decoding_ ? read_chunks(begin, begin + count, target, context)
                       : read_blocks(begin, begin + count, target, context);
}

Status Hdf5Vector::read_chunks(std::uint64_t begin, std::uint64_t end, void* target,
                               const JobContext& context) const {
  auto* const out = static_cast<std::uint8_t*>(target);
  const std::uint64_t first_chunk = begin / chunk_;
  const std::uint64_t chunks = (end + chunk_ - 1) / chunk_ - first_chunk;
  const std::size_t chunk_bytes = chunk_ * type_size();
  const std::uint64_t batch = static_cast<std::uint64_t>(thread_count());
  std::vector<PackedChunk> packed(std::min(batch, chunks));
  bool filtered = false;
  std::uint64_t file_bytes = 0;
  {
    const std::scoped_lock lock(hdf5_mutex());
    const Hdf5Handle creation(H5Dget_create_plist(dataset_.get()));
    filtered = H5Pget_nfilters(creation.get()) == 1;
    const Hdf5Handle file(H5Iget_file_id(dataset_.get()));
    hsize_t bytes = 0;
    if (H5Fget_filesize(file.get(), &bytes) < 0) return damaged("cannot be read");
    file_bytes = bytes;
  }
  for (std::uint64_t first = 0; first < chunks; first += batch) {
    if (context.stop_requested()) return cancelled_error();
    const auto here = static_cast<std::int64_t>(std::min(batch, chunks - first));
    {
      const std::scoped_lock lock(hdf5_mutex());
      for (std::int64_t i = 0; i < here; ++i) {
        PackedChunk& chunk = packed[static_cast<std::size_t>(i)];
        const hsize_t offset = (first_chunk + first + static_cast<std::uint64_t>(i)) * chunk_;
        hsize_t bytes = 0;
        if (H5Dget_chunk_storage_size(dataset_.get(), &offset, &bytes) < 0 || bytes == 0 ||
            bytes > file_bytes) {
          return damaged("lacks values from " + std::to_string(offset) + " on");
        }
        chunk.bytes.resize(bytes);
        std::uint32_t mask = 0;
        if (H5Dread_chunk(dataset_.get(), H5P_DEFAULT, &offset, &mask, chunk.bytes.data()) < 0) {
          return damaged("cannot be read");
        }
        chunk.plain = !filtered || (mask & 1U) != 0;
      }
    }
    std::atomic<bool> fine{true};
#pragma omp parallel for num_threads(thread_count()) schedule(dynamic, 1) if (here > 1)
    for (std::int64_t i = 0; i < here; ++i) {
      const std::uint64_t chunk = (first_chunk + first + static_cast<std::uint64_t>(i)) * chunk_;
      const std::uint64_t from = std::max(chunk, begin);
      const std::size_t wanted = (std::min(chunk + chunk_, end) - from) * type_size();
      // An exception must not leave the parallel region.
      try {
        if (!unpack(packed[static_cast<std::size_t>(i)], chunk_bytes,
                    out + (from - begin) * type_size(), (from - chunk) * type_size(), wanted)) {
          fine = false;
        }
      } catch (const std::exception&) {
        fine = false;
      }
    }
    if (!fine) return damaged("cannot be unpacked");
    context.report(
        static_cast<double>(std::min(first + batch, chunks)) / static_cast<double>(chunks),
        "reading");
  }
  return {};
}

Status Hdf5Vector::read_blocks(std::uint64_t begin, std::uint64_t end, void* target,
                               const JobContext& context) const {
  auto* const out = static_cast<std::uint8_t*>(target);
  // Whole chunks: the library unpacks a chunk again for each part of it that is asked for.
  const std::uint64_t block =
      chunk_ == 0 ? kBlockValues : std::max<std::uint64_t>(1, kBlockValues / chunk_) * chunk_;
  for (std::uint64_t at = begin, next = 0; at < end; at = next) {
    if (context.stop_requested()) return cancelled_error();
    next = std::min((at / block + 1) * block, end);
    const hsize_t start = at;
    const hsize_t length = next - at;
    {
      const std::scoped_lock lock(hdf5_mutex());
      const Hdf5Handle memory(H5Screate_simple(1, &length, nullptr));
      const Hdf5Handle space(H5Dget_space(dataset_.get()));
      if (!memory || !space ||
          H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, &start, nullptr, &length, nullptr) < 0 ||
          H5Dread(dataset_.get(), native_type(type_), memory.get(), space.get(), H5P_DEFAULT,
                  out + (at - begin) * type_size()) < 0) {
        return damaged("cannot be read");
      }
    }
    context.report(static_cast<double>(next - begin) / static_cast<double>(end - begin), "reading");
  }
  return {};
}

FieldValues make_values(int type, std::uint64_t count) {
  FieldValues values;
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    ((static_cast<int>(I) == type ? (void)values.emplace<I>(count) : void()), ...);
  }
  (std::make_index_sequence<std::variant_size_v<FieldValues>>());
  return values;
}

Result<FieldValues> read_values(const Hdf5Vector& vector, const JobContext& context) {
  return read_values(vector, 0, vector.count(), context);
}

Result<FieldValues> read_values(const Hdf5Vector& vector, std::uint64_t begin, std::uint64_t count,
                                const JobContext& context) {
  FieldValues values = make_values(vector.type(), count);
  void* const data = std::visit([](auto& v) { return static_cast<void*>(v.data()); }, values);
  if (Status read = vector.read(begin, count, data, context); !read) return read.error();
  return values;
}

Status write_vector(hid_t group, const std::string& name, int type, const void* values,
                    std::uint64_t count, unsigned level, const std::string& where,
                    const JobContext& context) {
  const auto failed = [&] {
    return hdf5_error(where, "\"" + name + "\" cannot be written",
                      "free some space or choose another folder");
  };
  const std::size_t size = kTypeSizes[type];
  Hdf5Handle dataset;
  {
    const std::scoped_lock lock(hdf5_mutex());
    const hsize_t extent = count;
    const hsize_t chunk = std::min(count, kChunkValues);
    const Hdf5Handle space(H5Screate_simple(1, &extent, nullptr));
    const Hdf5Handle creation(H5Pcreate(H5P_DATASET_CREATE));
    // No time of day in the file: the same data must give the same bytes.
    if (!space || !creation || H5Pset_obj_track_times(creation.get(), false) < 0 ||
        H5Pset_chunk(creation.get(), 1, &chunk) < 0 ||
        !add_blosc_filter(creation.get(), size, chunk * size, level)) {
      return failed();
    }
    dataset = Hdf5Handle(H5Dcreate2(group, name.c_str(), file_type(type), space.get(), H5P_DEFAULT,
                                    creation.get(), H5P_DEFAULT));
    if (!dataset) return failed();
  }
  for (std::uint64_t begin = 0; begin < count; begin += kChunkValues) {
    if (context.stop_requested()) return cancelled_error();
    const hsize_t start = begin;
    const hsize_t length = std::min(kChunkValues, count - begin);
    {
      const std::scoped_lock lock(hdf5_mutex());
      const Hdf5Handle memory(H5Screate_simple(1, &length, nullptr));
      const Hdf5Handle space(H5Dget_space(dataset.get()));
      if (!memory || !space ||
          H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, &start, nullptr, &length, nullptr) < 0 ||
          H5Dwrite(dataset.get(), native_type(type), memory.get(), space.get(), H5P_DEFAULT,
                   static_cast<const std::uint8_t*>(values) + begin * size) < 0) {
        return failed();
      }
    }
    context.report(static_cast<double>(begin + length) / static_cast<double>(count), "writing");
  }
  if (!dataset.reset()) return failed();
  return {};
}

}  // namespace aprscope
