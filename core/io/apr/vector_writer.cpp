#include "core/io/apr/vector_writer.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "core/io/apr/apr_group_write.hpp"
#include "core/io/apr/apr_hdf5.hpp"
#include "core/io/hdf5/hdf5_blosc.hpp"

namespace aprscope {
namespace {

hid_t file_type(int type) {
  const std::array<hid_t, 10> types = {H5T_STD_U8LE,   H5T_STD_U16LE, H5T_STD_U32LE, H5T_STD_U64LE,
                                       H5T_STD_I8LE,   H5T_STD_I16LE, H5T_STD_I32LE, H5T_STD_I64LE,
                                       H5T_IEEE_F32LE, H5T_IEEE_F64LE};
  return types[static_cast<std::size_t>(type)];
}

}  // namespace

Error VectorWriter::failed() const {
  return hdf5_error(where_, "\"" + name_ + "\" cannot be written", kDiskAdvice);
}

VectorWriter::VectorWriter(std::string name, int type, std::uint64_t count,
                           const BloscPacking& packing, std::string where)
    : name_(std::move(name)), where_(std::move(where)), chunks_(type, count, packing) {}

Status VectorWriter::create_dataset(hid_t group) {
  const std::scoped_lock lock(hdf5_mutex());
  const hsize_t extent = chunks_.count;
  const hsize_t chunk = chunks_.chunk;
  const Hdf5Handle space(H5Screate_simple(1, &extent, nullptr));
  const Hdf5Handle creation(H5Pcreate(H5P_DATASET_CREATE));
  // No time stamp in the file, so that the same data give the same bytes.
  if (!space || !creation || H5Pset_obj_track_times(creation.get(), false) < 0 ||
      H5Pset_chunk(creation.get(), 1, &chunk) < 0 ||
      !add_blosc_filter(creation.get(), chunks_.value_bytes, chunk * chunks_.value_bytes,
                        chunks_.packing)) {
    return failed();
  }
  dataset_ = Hdf5Handle(H5Dcreate2(group, name_.c_str(), file_type(chunks_.type), space.get(),
                                   H5P_DEFAULT, creation.get(), H5P_DEFAULT));
  return dataset_ ? Status() : Status(failed());
}

Result<VectorWriter> VectorWriter::create(hid_t group, const std::string& name, int type,
                                          std::uint64_t count, const BloscPacking& packing,
                                          const std::string& where) {
  VectorWriter out(name, type, count, packing, where);
  if (Status made = out.create_dataset(group); !made) return made.error();
  return out;
}

Result<VectorWriter> VectorWriter::spooled(const std::filesystem::path& folder,
                                           const std::string& name, int type, std::uint64_t count,
                                           const BloscPacking& packing, const std::string& where) {
  VectorWriter out(name, type, count, packing, where);
  auto file = NamelessFile::create(folder, kDiskAdvice);
  if (!file) return file.error();
  out.spool_ = std::move(*file);
  return out;
}

Status VectorWriter::write_chunk(std::uint64_t chunk, std::uint32_t skipped,
                                 const std::uint8_t* stored, std::size_t bytes) {
  const hsize_t start = chunk * chunks_.chunk;
  const std::scoped_lock lock(hdf5_mutex());
  if (H5Dwrite_chunk(dataset_.get(), H5P_DEFAULT, skipped, &start, bytes, stored) < 0) {
    return failed();
  }
  return {};
}

Status VectorWriter::put(const VectorPiece& piece) {
  const std::uint64_t chunk = piece.begin / chunks_.chunk;
  if (spool_) {
    waiting_[chunk] = {spool_->size(), piece.bytes.size(), piece.skipped};
    if (Status kept = spool_->append(piece.bytes); !kept) return kept;
  } else if (Status done =
                 write_chunk(chunk, piece.skipped, piece.bytes.data(), piece.bytes.size());
             !done) {
    return done;
  }
  written_ += piece.count;
  return {};
}

Status VectorWriter::take(const VectorPiece& piece) {
  if (piece.packed) return put(piece);
  const std::uint64_t chunk = piece.begin / chunks_.chunk;
  const std::uint64_t values = chunks_.values_in(chunk);
  Pending& pending = pending_[chunk];
  pending.bytes.resize(values * chunks_.value_bytes);
  std::ranges::copy(
      piece.bytes,
      pending.bytes.begin() +
          static_cast<std::ptrdiff_t>((piece.begin - chunk * chunks_.chunk) * chunks_.value_bytes));
  pending.filled += piece.count;
  if (pending.filled < values) return {};
  const Pending whole = std::move(pending);
  pending_.erase(chunk);
  return pack_chunk(chunks_, chunk, whole.bytes,
                    [&](const VectorPiece& packed) { return put(packed); });
}

Status VectorWriter::write(std::uint64_t begin, const void* values, std::uint64_t count,
                           const JobContext& context) {
  return cut_into_pieces(
      chunks_, begin, values, count, [&](const VectorPiece& piece) { return take(piece); },
      context);
}

Status VectorWriter::complete() const {
  if (written_ == chunks_.count && pending_.empty()) return {};
  return Error{"\"" + name_ + "\" got " + std::to_string(written_) + " of " +
                   std::to_string(chunks_.count) + " values",
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
    context.report(static_cast<double>(chunk * chunks_.chunk) / static_cast<double>(chunks_.count),
                   "writing");
    stored.resize(waiting.bytes);
    if (Status read = spool_->read(waiting.offset, stored); !read) return read;
    if (Status done = write_chunk(chunk, waiting.skipped, stored.data(), stored.size()); !done) {
      return done;
    }
  }
  return finish();
}

Status write_vector(hid_t group, const std::string& name, int type, const void* values,
                    std::uint64_t count, const BloscPacking& packing, const std::string& where,
                    const JobContext& context) {
  auto writer = VectorWriter::create(group, name, type, count, packing, where);
  if (!writer) return writer.error();
  if (Status written = writer->write(0, values, count, context); !written) return written;
  return writer->finish();
}

}  // namespace aprscope
