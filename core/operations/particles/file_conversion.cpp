#include "core/operations/particles/file_conversion.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <string_view>
#include <utility>

#include "core/apr/convert/slice_conversion.hpp"
#include "core/apr/convert/streamed_memory.hpp"
#include "core/apr/convert/structure_union.hpp"
#include "core/base/build_id.hpp"
#include "core/base/fingerprint.hpp"
#include "core/io/apr/apr_pieces.hpp"
#include "core/io/apr/apr_write.hpp"
#include "core/io/common/part_error.hpp"
#include "core/operations/engine/run_checks.hpp"
#include "core/operations/particles/conversion_operation.hpp"
#include "core/operations/particles/file_forecast.hpp"
#include "core/operations/particles/unfinished_conversion.hpp"

namespace aprscope {
namespace {

// Share of the progress until the cells are known.
constexpr double kCellsShare = 0.55;
// The same where they are those of several channels.
constexpr double kAllCellsShare = 0.75;

// Share of that until it is known whether the disk has room, by so many parts.
constexpr double kForecastShare = 0.02;
constexpr std::int64_t kForecastParts = 8;
// A part more for each so many pixels of all: fifty times what a forecast converts.
constexpr std::int64_t kPixelsPerForecast = 50 * (std::int64_t{1} << 25);

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

ConversionParameters parameters_of(const FileConversion& how, const SliceSource& source) {
  return conversion_parameters(how.convert, how.voxel.value_or(source.header().voxel));
}

// What is converted, and to what.
struct Series {
  FileConversion how;
  std::span<const SourceSelection> parts;
  const OpenPart& open;
  std::filesystem::path output;
};

// Refuses what the disk has no room for, by the first parts: as many as take a small share of all
// the work, as each has its montage of pixels.
Status check_room(const Series& series, const Size3& size, const JobContext& context) {
  const std::int64_t parts = std::ssize(series.parts);
  const std::int64_t looked_at = std::clamp<std::int64_t>(parts * size.count() / kPixelsPerForecast,
                                                          1, std::min(parts, kForecastParts));
  const double n = static_cast<double>(looked_at);
  std::uint64_t bytes = 0;
  for (std::int64_t i = 0; i < looked_at; ++i) {
    const auto source = series.open(series.parts[static_cast<std::size_t>(i)]);
    if (!source) return source.error();
    const FileConversion& how = series.how;
    const auto part =
        forecast_bytes(**source, parameters_of(how, **source), how.file, series.output,
                       context.part(static_cast<double>(i) / n, static_cast<double>(i + 1) / n));
    if (!part) return part.error();
    bytes += *part;
  }
  return check_disk(series.output, bytes / static_cast<std::uint64_t>(looked_at) *
                                       static_cast<std::uint64_t>(parts));
}

// Converts one part after the other.
class PartConversions {
 public:
  explicit PartConversions(const Series& series) : series_(series) {}
  // Of parts that this run has not come to, an earlier one may have left cells.
  ~PartConversions() {
    if (unfinished_.empty()) return;
    UnfinishedConversion::remove_left(series_.output, unfinished_.size(), series_.parts.size());
  }
  PartConversions(const PartConversions&) = delete;
  PartConversions& operator=(const PartConversions&) = delete;

  // From its source to its sink. Errors of one of several parts tell which.
  Status put(std::size_t part, AprSink& sink, const JobContext& context) {
    Status done = shared_conversion({series_.how.convert}) ? put_shared(part, sink, context)
                                                           : convert_part(part, sink, context);
    if (done || series_.parts.size() == 1) return done;
    return in_part(done.error(), series_.parts[part]);
  }

  std::vector<FileConversionReport> reports() { return std::move(reports_); }

 private:
  Status convert_part(std::size_t part, AprSink& sink, const JobContext& context) {
    auto opened = series_.open(series_.parts[part]);
    if (!opened) return opened.error();
    const std::shared_ptr<SliceSource> source = *std::move(opened);
    bool continued = false;
    std::optional<WitnessedSlices> slices;
    const auto made =
        choose_cells(part, *source, slices, continued, context.part(0.0, kCellsShare));
    if (!made) return made.error();
    return write_part(*made, *source, {continued, false}, sink, context.part(kCellsShare, 1.0));
  }

  struct CellFacts {
    // They are those of a run that did not end.
    bool continued = false;
    // They are those of the part before.
    bool same = false;
  };

  // Writes the particles of a part, whose cells are known.
  Status write_part(const SliceConversion& made, const SliceSource& source, const CellFacts& cells,
                    AprSink& sink, const JobContext& context) {
    const FileConversion& how = series_.how;
    FileConversionReport out;
    out.continued = cells.continued;
    const VoxelSize voxel = how.voxel.value_or(source.header().voxel);
    out.facts = streamed_facts(how.convert, made.facts(), voxel);
    const CellSlabs& particles = made.particles();
    out.size = particles.size();
    out.kind = source.kind();
    out.particles = particles.count();
    const int level_max = particles.level_max();
    out.particles_per_level.push_back(0);
    for (int l = 1; l <= level_max; ++l) out.particles_per_level.push_back(particles.count(l));
    out.bytes = bytes_of_lists(out.size, level_max, 1, level_max, out.particles) +
                bytes_of_lists(out.size, level_max, 0, level_max - 1, made.tree_cells()) +
                out.particles * sample_bytes(out.kind);
    const bool with_tree = how.file.with_tree.value_or(has_tree_by_default(out.size));
    Status written = made.write(out.facts, with_tree, sink, context, cells.same);
    reports_.push_back(std::move(out));
    return written;
  }

  // The cells of a time point are those that any of its channels needs: chosen for all of them
  // before the first is written.
  Status put_shared(std::size_t part, AprSink& sink, const JobContext& context) {
    double from = 0.0;
    const bool first = shared_.find(part) == shared_.end();
    if (first) {
      from = kAllCellsShare;
      if (Status chosen = choose_shared_cells(part, context.part(0.0, from)); !chosen) {
        return chosen;
      }
    }
    const Shared cells = std::move(shared_.at(part));
    shared_.erase(part);
    auto opened = series_.open(series_.parts[part]);
    if (!opened) return opened.error();
    const std::shared_ptr<SliceSource> source = *std::move(opened);
    // The image must still be what it was when its cells were chosen.
    std::optional<WitnessedSlices> slices;
    if (!cells.numbers.empty()) slices.emplace(*source, cells.numbers);
    const SliceConversion made =
        SliceConversion::of_cells(slices ? static_cast<SliceSource&>(*slices) : *source,
                                  parameters_of(series_.how, *source), cells.chosen);
    return write_part(made, *source, {cells.continued, !first}, sink, context.part(from, 1.0));
  }

  // Of all parts from `first` on that are of its time point.
  Status choose_shared_cells(std::size_t first, const JobContext& context) {
    std::size_t end = first;
    while (end < series_.parts.size() && series_.parts[end].time == series_.parts[first].time) {
      ++end;
    }
    std::optional<StructureUnion> all;
    const double n = static_cast<double>(end - first);
    for (std::size_t part = first; part < end; ++part) {
      const double done = static_cast<double>(part - first);
      Status added = add_shared_cells(part, all, context.part(done / n, (done + 1.0) / n));
      if (!added) {
        // The part that is written may be another.
        return series_.parts.size() == 1 ? added : in_part(added.error(), series_.parts[part]);
      }
    }
    const auto set = std::make_shared<const CellSet>(all->cells());
    for (std::size_t part = first; part < end; ++part) shared_.at(part).chosen.set = set;
    return {};
  }

  Status add_shared_cells(std::size_t part, std::optional<StructureUnion>& all,
                          const JobContext& context) {
    auto opened = series_.open(series_.parts[part]);
    if (!opened) return opened.error();
    const std::shared_ptr<SliceSource> source = *std::move(opened);
    if (!all) all.emplace(source->size());
    if (!(all->size() == source->size())) {
      return Error{"channels that differ in size cannot share a structure", "conversion",
                   "convert them with structures of their own"};
    }
    Shared out;
    std::optional<WitnessedSlices> slices;
    const auto made = choose_cells(part, *source, slices, out.continued, context);
    if (!made) return made.error();
    all->add(*made->chosen().set);
    out.chosen.used = made->chosen().used;
    if (slices) out.numbers = slices->numbers();
    shared_.emplace(part, std::move(out));
    return {};
  }

  // The cells of a part, chosen now or by a run that has died.
  Result<SliceConversion> choose_cells(std::size_t part, SliceSource& source,
                                       std::optional<WitnessedSlices>& slices, bool& continued,
                                       const JobContext& context) {
    const ConversionParameters parameters = parameters_of(series_.how, source);
    unfinished_.push_back(
        std::make_unique<UnfinishedConversion>(series_.output, key_of(parameters, source), part));
    UnfinishedConversion& unfinished = *unfinished_.back();
    if (const auto kept = unfinished.load(source.size())) {
      context.report(1.0, "continuing");
      continued = true;
      slices.emplace(source, kept->slices);
      return SliceConversion::of_cells(*slices, parameters, kept->chosen);
    }
    // From chosen cells on, it takes less.
    if (Status fits = check_streamed_memory(source, parameters, series_.how.memory); !fits) {
      return fits.error();
    }
    const bool long_work =
        source.size().count() >= series_.how.kept_from / std::ssize(series_.parts);
    const double looked_up = long_work && part == 0 ? kForecastShare : 0.0;
    if (looked_up > 0.0) {
      Status room = check_room(series_, source.size(), context.part(0.0, looked_up));
      if (!room) return room.error();
    }
    // Of short work nothing is kept, so that nobody asks for the numbers of its slices.
    if (long_work) slices.emplace(source);
    auto created = SliceConversion::create(long_work ? static_cast<SliceSource&>(*slices) : source,
                                           parameters, context.part(looked_up, 1.0));
    if (created && long_work) unfinished.save({created->chosen(), slices->numbers()});
    return created;
  }

  // What is known of a part that is not written yet: its thresholds, the cells of all, and numbers
  // of its slices where they are kept.
  struct Shared {
    ChosenCells chosen;
    std::vector<std::uint64_t> numbers;
    bool continued = false;
  };

  const Series& series_;
  std::map<std::size_t, Shared> shared_;
  // Until all parts are written: a file that is not closed counts for nothing.
  std::vector<std::unique_ptr<UnfinishedConversion>> unfinished_;
  std::vector<FileConversionReport> reports_;
};

}  // namespace

Result<std::vector<FileConversionReport>> convert_series_to_file(
    const FileConversion& how, std::span<const SourceSelection> parts, const OpenPart& open,
    const std::filesystem::path& output, const JobContext& context) {
  const auto whole = complete(how.convert);
  if (!whole) return whole.error();
  Series series{how, parts, open, output};
  series.how.convert = *whole;
  PartConversions conversions(series);
  const PutAprPart put = [&](std::size_t part, AprSink& sink, const JobContext& share) -> Status {
    try {
      return conversions.put(part, sink, share);
    } catch (const std::bad_alloc&) {
      return Error{"not enough memory to convert slice by slice", "conversion", "close other data"};
    }
  };
  if (Status written = write_apr_series_pieces(output, parts.size(), put, how.file, context);
      !written) {
    return written.error();
  }
  return conversions.reports();
}

Result<FileConversionReport> convert_to_file(const FileConversion& how, SliceSource& source,
                                             const std::filesystem::path& output,
                                             const JobContext& context) {
  // Somebody else owns it.
  const std::shared_ptr<SliceSource> borrowed(std::shared_ptr<void>(), &source);
  const OpenPart open = [&](const SourceSelection&) -> Result<std::shared_ptr<SliceSource>> {
    return borrowed;
  };
  const SourceSelection only;
  auto made = convert_series_to_file(how, std::span(&only, 1), open, output, context);
  if (!made) return made.error();
  return std::move(made->front());
}

bool converts_to_file(const Size3& size) { return finest_level(size) > 1; }

}  // namespace aprscope
