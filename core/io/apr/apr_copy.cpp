#include "core/io/apr/apr_copy.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/io/apr/apr_group_write.hpp"
#include "core/io/apr/vector_writer.hpp"

namespace aprscope {
namespace {

// Values that are copied at once: some chunks for each thread.
constexpr std::uint64_t kCopied = 2'000'000;

}  // namespace

Status copy_vector(const Hdf5Vector& from, Copied copied, hid_t to, const std::string& name,
                   int type, const BloscPacking& packing, const std::string& where,
                   const JobContext& context) {
  auto writer = VectorWriter::create(to, name, type, from.count(), packing, where);
  if (!writer) return writer.error();
  if (copied == Copied::as_stored && from.is_stored_as({type, from.count(), packing})) {
    const auto take = [&](const VectorPiece& piece) { return writer->take(piece); };
    if (Status done = from.read_pieces(take, context); !done) return done;
    return writer->finish();
  }
  const JobContext quiet(context.stop_token());
  std::vector<std::uint8_t> values;
  for (std::uint64_t at = 0; at < from.count(); at += kCopied) {
    const std::uint64_t count = std::min(kCopied, from.count() - at);
    values.resize(count * from.type_size());
    context.report(static_cast<double>(at) / static_cast<double>(from.count()), "writing");
    if (Status read = from.read(at, count, values.data(), quiet); !read) return read;
    if (Status done = writer->write(at, values.data(), count, quiet); !done) {
      return done;
    }
  }
  return writer->finish();
}

Status copy_structure(const AprCells& cells, Copied copied, hid_t to, const BloscPacking& packing,
                      const std::string& where, const JobContext& context) {
  if (Status done =
          copy_vector(cells.y(), copied, to, "y_vec", kU16, packing, where, context.part(0.0, 0.8));
      !done) {
    return done;
  }
  return copy_vector(cells.ends(), copied, to, "xz_end_vec", kU64, packing, where,
                     context.part(0.8, 1.0));
}

}  // namespace aprscope
