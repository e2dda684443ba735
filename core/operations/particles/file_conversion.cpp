#include "core/operations/particles/file_conversion.hpp"

#include <utility>

#include "core/apr/convert/slice_conversion.hpp"
#include "core/io/apr/apr_pieces.hpp"
#include "core/operations/engine/run_checks.hpp"
#include "core/operations/particles/conversion_operation.hpp"

namespace aprscope {
namespace {

// Share of the progress until the cells are known.
constexpr double kCellsShare = 0.55;

// Lists of y, and of the ends of rows with their 0.
std::uint64_t bytes_of_lists(const Size3& size, int level_max, int first, int last,
                             std::uint64_t cells) {
  return cells * sizeof(std::uint16_t) +
         row_entries(size, level_max, first, last) * sizeof(std::uint64_t);
}

}  // namespace

Result<FileConversionReport> convert_to_file(const Operation& convert, SliceSource& source,
                                             const VoxelSize& voxel,
                                             const std::filesystem::path& output, bool with_tree,
                                             const JobContext& context) {
  const auto whole = complete(convert);
  if (!whole) return whole.error();
  const auto made = SliceConversion::create(source, conversion_parameters(*whole, voxel),
                                            context.part(0.0, kCellsShare));
  if (!made) return made.error();
  FileConversionReport out;
  out.facts = streamed_facts(*whole, made->facts(), voxel);
  const CellSlabs& particles = made->particles();
  out.size = particles.size();
  out.kind = source.kind();
  out.particles = particles.count();
  const int level_max = particles.level_max();
  out.particles_per_level.push_back(0);
  for (int l = 1; l <= level_max; ++l) out.particles_per_level.push_back(particles.count(l));
  out.bytes = bytes_of_lists(out.size, level_max, 1, level_max, out.particles) +
              bytes_of_lists(out.size, level_max, 0, level_max - 1, made->tree_cells()) +
              out.particles * sample_bytes(out.kind);
  const PutApr put = [&](AprSink& sink, const JobContext& share) {
    return made->write(out.facts, with_tree, sink, share);
  };
  if (Status written = write_apr_pieces(output, put, context.part(kCellsShare, 1.0)); !written) {
    return written.error();
  }
  return out;
}

bool converts_to_file(const Size3& size) { return finest_level(size) > 1; }

}  // namespace aprscope
