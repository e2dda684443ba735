#include "core/operations/particles/file_conversion.hpp"

#include <new>
#include <optional>
#include <string_view>
#include <utility>

#include "core/apr/convert/slice_conversion.hpp"
#include "core/base/build_id.hpp"
#include "core/base/fingerprint.hpp"
#include "core/io/apr/apr_pieces.hpp"
#include "core/operations/engine/run_checks.hpp"
#include "core/operations/particles/conversion_operation.hpp"
#include "core/operations/particles/file_forecast.hpp"
#include "core/operations/particles/unfinished_conversion.hpp"

namespace aprscope {
namespace {

// Share of the progress until the cells are known.
constexpr double kCellsShare = 0.55;

// … and until it is known whether the disk has room.
constexpr double kForecastShare = 0.01;

// Lists of y, and of the ends of rows with their 0.
std::uint64_t bytes_of_lists(const Size3& size, int level_max, int first, int last,
                             std::uint64_t cells) {
  return cells * sizeof(std::uint16_t) +
         row_entries(size, level_max, first, last) * sizeof(std::uint64_t);
}

// Of all that the cells of an image depend on but its samples.
std::uint64_t key_of(const ConversionParameters& p, const SliceSource& source) {
  Fingerprint key;
  key.add(std::string_view(build_id()));
  const Size3 n = source.size();
  key.add_all(n.z, n.x, n.y, static_cast<int>(source.kind()));
  // Another image begins from the beginning, and is not refused for its samples.
  const Volume& of = source.header();
  key.add(std::string_view(of.name));
  key.add(std::string_view(of.channel));
  key.add_all(of.channel_index, of.time);
  key.add_all(p.rel_error, p.lambda, p.auto_thresholds, p.sigma_th, p.sigma_th_max, p.grad_th,
              p.intensity_th, p.psfz, p.psfx, p.psfy, p.dz, p.dx, p.dy, p.constant_scale,
              p.neighbourhood_optimisation, static_cast<int>(p.rounding));
  return key.value();
}

}  // namespace

Result<FileConversionReport> convert_to_file(const Operation& convert, SliceSource& source,
                                             const VoxelSize& voxel,
                                             const std::filesystem::path& output, bool with_tree,
                                             const JobContext& context, std::int64_t kept_from) {
  const auto whole = complete(convert);
  if (!whole) return whole.error();
  const ConversionParameters parameters = conversion_parameters(*whole, voxel);
  FileConversionReport out;
  UnfinishedConversion unfinished(output, key_of(parameters, source));
  // Of short work nothing is kept, so that nobody asks for the numbers of its slices.
  std::optional<WitnessedSlices> slices;
  std::optional<SliceConversion> made;
  try {
    if (const auto kept = unfinished.load(source.size())) {
      context.report(kCellsShare, "continuing");
      out.continued = true;
      slices.emplace(source, kept->slices);
      made = SliceConversion::of_cells(*slices, parameters, kept->chosen);
    } else {
      const bool long_work = source.size().count() >= kept_from;
      if (long_work) {
        const auto bytes = forecast_bytes(source, parameters, with_tree, output,
                                          context.part(0.0, kForecastShare));
        if (!bytes) return bytes.error();
        if (Status room = check_disk(output, *bytes); !room) return room.error();
        slices.emplace(source);
      }
      SliceSource& read = long_work ? static_cast<SliceSource&>(*slices) : source;
      auto created = SliceConversion::create(
          read, parameters, context.part(long_work ? kForecastShare : 0.0, kCellsShare));
      if (!created) return created.error();
      made = *std::move(created);
      if (long_work) unfinished.save({made->chosen(), slices->numbers()});
    }
  } catch (const std::bad_alloc&) {
    return Error{"not enough memory to convert slice by slice", "conversion", "close other data"};
  }
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
