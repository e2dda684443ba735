#include "core/io/apr/vector_writer.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <span>
#include <utility>

#include "core/base/ordered_pipeline.hpp"
#include "core/io/apr/apr_group_write.hpp"
#include "core/io/apr/apr_hdf5.hpp"
#include "core/io/hdf5/hdf5_blosc.hpp"

namespace aprscope {
namespace {

constexpr std::uint64_t kChunkValues = 100000;  // what the reference library uses
constexpr std::size_t kTypeSizes[] = {1, 2, 4, 8, 1, 2, 4, 8, 4, 8};

hid_t file_type(int type) {
  const std::array<hid_t, 10> types = {H5T_STD_U8LE,   H5T_STD_U16LE, H5T_STD_U32LE, H5T_STD_U64LE,
                                       H5T_STD_I8LE,   H5T_STD_I16LE, H5T_STD_I32LE, H5T_STD_I64LE,
                                       H5T_IEEE_F32LE, H5T_IEEE_F64LE};
  return types[static_cast<std::size_t>(type)];
}

static_assert(std::endian::native == std::endian::little, "chunks are written as they are");

// A chunk on its way to the file.
class Chunk {
 public:
  // `values` fill a chunk of `bytes` bytes, but for the end of the last one, which is zeros.
  void pack(std::span<const std::uint8_t> values, std::size_t bytes, std::size_t type_size,
            unsigned level) {
    plain_.assign(values.begin(), values.end());
    plain_.resize(bytes);
    packed_.resize(bytes);
    packed_.resize(blosc_pack_chunk(plain_, type_size, level, packed_));
  }
  [[nodiscard]] std::span<const std::uint8_t> stored() const {
    return packed_.empty() ? plain_ : packed_;
  }
  // Mask of the filters that were left out: the chunk did not shrink.
  [[nodiscard]] std::uint32_t skipped() const { return packed_.empty() ? 1 : 0; }

 private:
  std::vector<std::uint8_t> plain_, packed_;
};

}  // namespace

Error VectorWriter::failed() const {
  return hdf5_error(where_, "\"" + name_ + "\" cannot be written", kDiskAdvice);
}

VectorWriter::VectorWriter(std::string name, int type, std::uint64_t count, unsigned level,
                           std::string where)
    : name_(std::move(name)),
      where_(std::move(where)),
      type_(type),
      count_(count),
      chunk_(std::min(count, kChunkValues)),
      size_(kTypeSizes[type]),
      level_(level) {}

Status VectorWriter::create_dataset(hid_t group) {
  const std::scoped_lock lock(hdf5_mutex());
  const hsize_t extent = count_;
  const hsize_t chunk = chunk_;
  const Hdf5Handle space(H5Screate_simple(1, &extent, nullptr));
  const Hdf5Handle creation(H5Pcreate(H5P_DATASET_CREATE));
  // No time stamp in the file, so that the same data give the same bytes.
  if (!space || !creation || H5Pset_obj_track_times(creation.get(), false) < 0 ||
      H5Pset_chunk(creation.get(), 1, &chunk) < 0 ||
      !add_blosc_filter(creation.get(), size_, chunk * size_, level_)) {
    return failed();
  }
  dataset_ = Hdf5Handle(H5Dcreate2(group, name_.c_str(), file_type(type_), space.get(), H5P_DEFAULT,
                                   creation.get(), H5P_DEFAULT));
  return dataset_ ? Status() : Status(failed());
}

Result<VectorWriter> VectorWriter::create(hid_t group, const std::string& name, int type,
                                          std::uint64_t count, unsigned level,
                                          const std::string& where) {
  VectorWriter out(name, type, count, level, where);
  if (Status made = out.create_dataset(group); !made) return made.error();
  return out;
}

Result<VectorWriter> VectorWriter::spooled(const std::filesystem::path& folder,
                                           const std::string& name, int type, std::uint64_t count,
                                           unsigned level, const std::string& where) {
  VectorWriter out(name, type, count, level, where);
  auto file = NamelessFile::create(folder, kDiskAdvice);
  if (!file) return file.error();
  out.spool_ = std::move(*file);
  return out;
}

std::uint64_t VectorWriter::values_in(std::uint64_t chunk) const {
  return std::min(chunk_, count_ - chunk * chunk_);
}

Status VectorWriter::write_chunk(std::uint64_t chunk, std::uint32_t skipped,
                                 const std::uint8_t* stored, std::size_t bytes) {
  const hsize_t start = chunk * chunk_;
  const std::scoped_lock lock(hdf5_mutex());
  if (H5Dwrite_chunk(dataset_.get(), H5P_DEFAULT, skipped, &start, bytes, stored) < 0) {
    return failed();
  }
  return {};
}

Status VectorWriter::put(std::uint64_t chunk, std::uint32_t skipped, const std::uint8_t* stored,
                         std::size_t bytes) {
  if (spool_) {
    waiting_[chunk] = {spool_->size(), bytes, skipped};
    if (Status kept = spool_->append({stored, bytes}); !kept) return kept;
  } else if (Status done = write_chunk(chunk, skipped, stored, bytes); !done) {
    return done;
  }
  written_ += values_in(chunk);
  return {};
}

// Whole chunks [first, end), packed here by all threads, as HDF5 would have it done one after the
// other.
Status VectorWriter::write_chunks(std::uint64_t first, std::uint64_t end,
                                  const std::uint8_t* values, const JobContext& context) {
  const auto chunks = static_cast<std::int64_t>(end - first);
  return ordered_pipeline<Chunk>(
      chunks, threads_for(chunks * static_cast<std::int64_t>(chunk_)), context,
      [&](std::int64_t i, int, Chunk& item) {
        const std::uint64_t here = first + static_cast<std::uint64_t>(i);
        item.pack(
            {values + static_cast<std::uint64_t>(i) * chunk_ * size_, values_in(here) * size_},
            chunk_ * size_, size_, level_);
      },
      [&](std::int64_t i, const Chunk& item) -> Status {
        const auto stored = item.stored();
        Status done = put(first + static_cast<std::uint64_t>(i), item.skipped(), stored.data(),
                          stored.size());
        if (done) {
          context.report(static_cast<double>(i + 1) / static_cast<double>(chunks), "writing");
        }
        return done;
      });
}

// Values of one chunk that others still join.
Status VectorWriter::write_part(std::uint64_t begin, const std::uint8_t* values,
                                std::uint64_t count) {
  const std::uint64_t chunk = begin / chunk_;
  Pending& pending = pending_[chunk];
  pending.bytes.resize(values_in(chunk) * size_);
  std::memcpy(pending.bytes.data() + (begin - chunk * chunk_) * size_, values, count * size_);
  pending.filled += count;
  if (pending.filled < values_in(chunk)) return {};
  Chunk whole;
  whole.pack(pending.bytes, chunk_ * size_, size_, level_);
  pending_.erase(chunk);
  return put(chunk, whole.skipped(), whole.stored().data(), whole.stored().size());
}

Status VectorWriter::write(std::uint64_t begin, const void* values, std::uint64_t count,
                           const JobContext& context) {
  const auto* bytes = static_cast<const std::uint8_t*>(values);
  const std::uint64_t end = begin + count;
  const auto part = [&](std::uint64_t to) -> Status {
    if (begin >= to) return {};
    Status done = write_part(begin, bytes, to - begin);
    bytes += (to - begin) * size_;
    begin = to;
    return done;
  };
  // Writes up to the first whole chunk, then whole chunks, then what is left.
  const std::uint64_t first = (begin + chunk_ - 1) / chunk_;
  if (Status done = part(std::min(end, first * chunk_)); !done) return done;
  if (begin == end) return {};
  const std::uint64_t whole = end == count_ ? (end + chunk_ - 1) / chunk_ : end / chunk_;
  if (whole > first) {
    if (Status done = write_chunks(first, whole, bytes, context); !done) return done;
    const std::uint64_t to = std::min(end, whole * chunk_);
    bytes += (to - begin) * size_;
    begin = to;
  }
  return part(end);
}

Status VectorWriter::complete() const {
  if (written_ == count_ && pending_.empty()) return {};
  return Error{"\"" + name_ + "\" got " + std::to_string(written_) + " of " +
                   std::to_string(count_) + " values",
               where_, "report this: the program is wrong"};
}

Status VectorWriter::finish() {
  if (Status all = complete(); !all) return all;
  return dataset_.reset() ? Status() : Status(failed());
}

Status VectorWriter::store(hid_t group, const JobContext& context) {
  if (Status all = complete(); !all) return all;
  if (Status made = create_dataset(group); !made) return made;
  std::vector<std::uint8_t> stored;
  for (const auto& [chunk, waiting] : waiting_) {
    if (context.stop_requested()) return cancelled_error();
    context.report(static_cast<double>(chunk * chunk_) / static_cast<double>(count_), "writing");
    stored.resize(waiting.bytes);
    if (Status read = spool_->read(waiting.offset, stored); !read) return read;
    if (Status done = write_chunk(chunk, waiting.skipped, stored.data(), stored.size()); !done) {
      return done;
    }
  }
  return finish();
}

Status write_vector(hid_t group, const std::string& name, int type, const void* values,
                    std::uint64_t count, unsigned level, const std::string& where,
                    const JobContext& context) {
  auto writer = VectorWriter::create(group, name, type, count, level, where);
  if (!writer) return writer.error();
  if (Status written = writer->write(0, values, count, context); !written) return written;
  return writer->finish();
}

}  // namespace aprscope
