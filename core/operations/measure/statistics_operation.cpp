// Histogram and statistics of an image, of particles and of each of their levels.
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "core/image/summary.hpp"
#include "core/operations/measure/file_values.hpp"
#include "core/operations/measure/measures.hpp"
#include "core/operations/measure/slice_values.hpp"
#include "core/operations/measure/value_sources.hpp"
#include "core/operations/schema/region_text.hpp"
#include "core/operations/schema/schema_builder.hpp"

namespace aprscope {
namespace {

using namespace schema;  // NOLINT: its words are what this file is written in

constexpr std::array kFractions{0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99, 0.999};

OperationSchema statistics_schema() {
  return operation_schema("statistics", "Histogram and statistics", "Measure",
                          {DataKind::pixels, DataKind::apr},
                          "Makes a histogram of the grey values with their mean, standard "
                          "deviation and quantiles. Particles count as the pixels that they stand "
                          "for; each of their levels is listed, too.")
      .with(integer("bins", "Bins", 256)
                .range(2, 65536)
                .main()
                .help("Largest number of bins of the histogram. For whole grey values there may be "
                      "fewer, so that each bin covers equally many possible values."))
      .with(text("region", "Region")
                .help("Box to measure, in pixels from 0: Z0:Z1,X0:X1,Y0:Y1, without the pixels Z1, "
                      "X1 and Y1. Empty: all."));
}

// One row of the table.
struct Row {
  std::string part;
  Summary summary;
  /// Side of the cells of a level; not a number for all levels together.
  double side = std::nan("");
  std::int64_t particles = 0;
};

// The columns of all rows, with those of particles where there are any.
class Rows {
 public:
  Rows(const std::vector<Row>& rows, const VoxelSize& voxel, bool particles)
      : rows_(rows), voxel_(voxel) {
    table_.id = "statistics";
    table_.label = "Statistics";
    column<std::string>("part", "Part", "", [](const Row& r) { return r.part; });
    if (particles) of_particles();
    of_pixels();
    of_values();
  }
  Table take() { return std::move(table_); }

 private:
  template <class T, class Cell>
  void column(std::string id, std::string label, std::string unit, const Cell& cell) {
    std::vector<T> cells;
    for (const Row& row : rows_) cells.push_back(cell(row));
    table_.columns.push_back({std::move(id), std::move(label), std::move(unit), std::move(cells)});
  }
  template <class Cell>
  void whole_numbers(std::string id, std::string label, const Cell& cell) {
    column<std::int64_t>(std::move(id), std::move(label), "",
                         [&](const Row& r) { return static_cast<std::int64_t>(cell(r)); });
  }
  void of_particles() {
    whole_numbers("particles", "Particles", [](const Row& r) { return r.particles; });
    column<double>("cell_side", "Cell side", "px", [](const Row& r) { return r.side; });
  }
  void of_pixels() {
    whole_numbers("pixels", "Pixels",
                  [](const Row& r) { return r.summary.count + r.summary.not_finite; });
    const auto all =
        static_cast<double>(rows_.front().summary.count + rows_.front().summary.not_finite);
    column<double>("share", "Share", "%", [&](const Row& r) {
      return 100.0 * static_cast<double>(r.summary.count + r.summary.not_finite) / all;
    });
    if (voxel_.unit != "px") {
      const double each = voxel_.z * voxel_.x * voxel_.y;
      column<double>("volume", "Volume", voxel_.unit + "³", [&](const Row& r) {
        return each * static_cast<double>(r.summary.count + r.summary.not_finite);
      });
    }
    whole_numbers("not_finite", "Not finite", [](const Row& r) { return r.summary.not_finite; });
  }
  void of_values() {
    const auto value = [&](const char* id, const char* label, double Summary::*member) {
      column<double>(id, label, "", [&](const Row& r) { return r.summary.*member; });
    };
    value("mean", "Mean", &Summary::mean);
    value("deviation", "Deviation", &Summary::deviation);
    value("minimum", "Minimum", &Summary::minimum);
    for (std::size_t i = 0; i < kFractions.size(); ++i) {
      // "1 %" is q1, "99.9 %" is q99_9.
      const auto tenths = static_cast<int>(std::lround(kFractions[i] * 1000.0));
      const std::string whole = std::to_string(tenths / 10);
      const std::string rest = tenths % 10 != 0 ? std::to_string(tenths % 10) : "";
      const bool median = kFractions[i] == 0.5;
      column<double>(median ? "median" : "q" + whole + (rest.empty() ? "" : "_" + rest),
                     median ? "Median" : whole + (rest.empty() ? "" : "." + rest) + " %", "",
                     [&](const Row& r) { return r.summary.quantiles[i]; });
    }
    value("maximum", "Maximum", &Summary::maximum);
    value("sum", "Sum", &Summary::sum);
  }

  const std::vector<Row>& rows_;
  const VoxelSize& voxel_;
  Table table_;
};

Curve histogram_curve(const BinCounts& bars, const Summary& all) {
  Curve curve;
  curve.id = "histogram";
  curve.label = "Histogram";
  curve.shape = CurveShape::steps;
  curve.scale = CurveScale::logarithmic;
  curve.x = {"value", "Grey value", "", {}};
  curve.threshold = CurveThreshold{};
  CurveLine counts{"pixels", "Pixels", "", {}};
  for (std::size_t i = 0; i < bars.counts.size(); ++i) {
    curve.x.values.push_back(bars.begin + static_cast<double>(i) * bars.width);
    counts.values.push_back(static_cast<double>(bars.counts[i]));
  }
  curve.ys.push_back(std::move(counts));
  if (all.count > 0) {
    curve.marks.push_back({all.mean, "mean"});
    curve.marks.push_back({all.quantiles[3], "median"});
  }
  return curve;
}

std::uint64_t bytes_of_statistics(const Operation& operation, const Dataset& input) {
  // Counts of halves of 32 bits, for each thread.
  const auto threads = static_cast<std::uint64_t>(thread_count());
  const auto bins = static_cast<std::uint64_t>(parameter<std::int64_t>(operation, "bins"));
  const std::uint64_t tables = (kFractions.size() + 1) * summary::kHalf + bins;
  const std::uint64_t values = input.is_apr() ? input.apr().access->count() * sizeof(float) : 0;
  return (threads + 1) * tables * sizeof(std::uint64_t) + values;
}

Status of_image(const Volume& volume, const Region& region, int bins, std::vector<Row>& rows,
                BinCounts& bars, const JobContext& context) {
  return std::visit(
      [&]<class T>(const Pixels<T>& pixels) -> Status {
        PixelValues<T> values(pixels, region);
        auto found = summarize(values, kFractions, std::is_integral_v<T>, bins, &bars, context);
        if (!found) return found.error();
        rows.push_back({"all", *std::move(found)});
        return {};
      },
      volume.pixels);
}

// The particles of all levels together, and of each; make(first, last) gives the source of levels.
template <class MakeSource>
Status of_levels(int first, int last, int level_max, bool whole, int bins, const MakeSource& make,
                 std::vector<Row>& rows, BinCounts& bars, const JobContext& context) {
  const double steps = last - first + 2;
  const auto add = [&](std::string part, int from, int to, BinCounts* histogram, double done,
                       double then) -> Status {
    const auto source = make(from, to);
    if (histogram == nullptr && source->blocks() == 0) return {};
    auto found = summarize(*source, kFractions, whole, bins, histogram, context.part(done, then));
    if (Status read = source->status(); !read) return read;
    if (!found) return found.error();
    if (histogram == nullptr && found->count + found->not_finite == 0) return {};
    const bool one = from == to;
    rows.push_back({std::move(part), *std::move(found),
                    one ? std::exp2(level_max - from) : std::nan(""),
                    static_cast<std::int64_t>(source->particles())});
    return {};
  };
  if (Status ok = add("all", first, last, &bars, 0.0, 2.0 / (steps + 1.0)); !ok) return ok;
  for (int level = last; level >= first; --level) {
    const double done = (2.0 + last - level) / (steps + 1.0);
    if (Status ok = add("level " + std::to_string(level), level, level, nullptr, done,
                        done + 1.0 / (steps + 1.0));
        !ok) {
      return ok;
    }
  }
  return {};
}

Status of_particles(const Dataset& input, const Region& region, int bins, std::vector<Row>& rows,
                    BinCounts& bars, const JobContext& context) {
  const LinearAccess& cells = input.apr().access->particles();
  const std::vector<float>& values = input.values().particles();
  const bool whole = input.apr().main_field()->dtype()[0] != 'f';
  return of_levels(
      cells.level_first(), cells.level_last(), cells.level_max(), whole, bins,
      [&](int first, int last) {
        return std::make_unique<ParticleValues>(cells, values, region, first, last);
      },
      rows, bars, context);
}

// The region that is asked for; errors name the data.
Result<Region> asked_region(const Operation& operation, const Size3& size,
                            const std::string& name) {
  auto region = region_in(parameter<std::string>(operation, "region"), size);
  if (!region) {
    Error error = region.error();
    error.where = name;
    return error;
  }
  return region;
}

int asked_bins(const Operation& operation) {
  return static_cast<int>(parameter<std::int64_t>(operation, "bins"));
}

Measurement measurement_of(const std::vector<Row>& rows, const BinCounts& bars,
                           const VoxelSize& voxel, bool particles) {
  Measurement out;
  out.curves.push_back(histogram_curve(bars, rows.front().summary));
  out.tables.push_back(Rows(rows, voxel, particles).take());
  return out;
}

Result<Measurement> measure_statistics(const Operation& operation, const Dataset& input,
                                       const JobContext& context) {
  const auto region = asked_region(operation, input.size(), input.name());
  if (!region) return region.error();
  const int bins = asked_bins(operation);
  std::vector<Row> rows;
  BinCounts bars;
  const Status done = input.is_apr() ? of_particles(input, *region, bins, rows, bars, context)
                                     : of_image(input.volume(), *region, bins, rows, bars, context);
  if (!done) return done.error();
  return measurement_of(rows, bars, input.voxel(), input.is_apr());
}

// Of an image that is read slice by slice, twice.
Result<Measurement> measure_statistics_of_slices(const Operation& operation, SliceSource& source,
                                                 const VoxelSize& voxel, std::uint64_t memory,
                                                 const JobContext& context) {
  const auto region = asked_region(operation, source.size(), source.header().name);
  if (!region) return region.error();
  const int bins = asked_bins(operation);
  std::vector<Row> rows;
  BinCounts bars;
  const auto find = [&]<class T>(T) -> Status {
    SliceValues<T> values(source, *region, memory, context);
    auto found = summarize(values, kFractions, std::is_integral_v<T>, bins, &bars, context);
    if (!values.status()) return values.status();
    if (!found) return found.error();
    rows.push_back({"all", *std::move(found)});
    return {};
  };
  const SampleKind kind = source.kind();
  const Status done = kind == SampleKind::u8    ? find(std::uint8_t{})
                      : kind == SampleKind::u16 ? find(std::uint16_t{})
                                                : find(0.0F);
  if (!done) return done.error();
  return measurement_of(rows, bars, voxel, false);
}

// More planes at a time are slower: they leave the caches before they are counted.
constexpr std::uint64_t kMostPlanes = std::uint64_t{64} << 20U;

// Of a file that is read some planes at a time, each level twice.
Result<Measurement> measure_statistics_of_file(const Operation& operation, AprFileSlabs& file,
                                               const PartMemory& memory,
                                               const JobContext& context) {
  const Apr& facts = file.facts();
  const auto region = asked_region(operation, file.size(), facts.name);
  if (!region) return region.error();
  std::vector<Row> rows;
  BinCounts bars;
  const Status done = of_levels(
      1, file.level_max(), file.level_max(), file.whole_numbers(), asked_bins(operation),
      [&](int first, int last) {
        return std::make_unique<FileValues>(file, *region, first, last,
                                            std::min(memory.wanted, kMostPlanes), context);
      },
      rows, bars, context);
  if (!done) return done.error();
  return measurement_of(rows, bars, facts.voxel, true);
}

}  // namespace

OperationType statistics_operation() {
  OperationType type;
  type.schema = statistics_schema();
  type.traits.gives = Gives::measurement;
  type.traits.family = "statistics";
  type.traits.panel = "measure";
  type.cpu.bytes = bytes_of_statistics;
  type.cpu.measure = measure_statistics;
  type.cpu.measure_slices = measure_statistics_of_slices;
  type.cpu.measure_file = measure_statistics_of_file;
  return type;
}

}  // namespace aprscope
