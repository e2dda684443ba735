#include "core/io/projections/mtf_file.hpp"

#include <cstdint>

#include "core/base/csv.hpp"
#include "core/io/projections/projection_row_reader.hpp"
#include "core/io/projections/star_table.hpp"

namespace aprscope {
namespace {

constexpr const char* kMtfFrequency = "rlnResolutionInversePixel";
constexpr const char* kMtfValue = "rlnMtfValue";
// A curve has some hundred points.
constexpr std::uint64_t kMostMtfBytes = std::uint64_t{16} << 20U;

const StarTable* table_of_mtf(const StarFile& file) {
  for (const StarTable& table : file.tables) {
    if (table.column(kMtfFrequency) && table.column(kMtfValue)) return &table;
  }
  return nullptr;
}

}  // namespace

Result<MtfPoints> read_mtf(const std::string& path, const JobContext& context) {
  StarLimits limits;
  limits.bytes = kMostMtfBytes;
  const auto file = read_star(path, limits, context);
  if (!file) return file.error();
  const StarTable* table = table_of_mtf(*file);
  if (table == nullptr) {
    return Error{
        std::string("has no table with the columns ") + kMtfFrequency + " and " + kMtfValue, path,
        "choose the MTF of the detector as relion_postprocess takes it"};
  }
  if (table->row_count() < 2) {
    return Error{"has fewer than two points of an MTF", path, "choose a whole curve"};
  }
  const StarColumn at = find_column(*table, {kMtfFrequency});
  const StarColumn value = find_column(*table, {kMtfValue});
  MtfPoints points;
  StarRowReader reader(*file, *table);
  for (std::size_t i = 0; i < table->row_count(); ++i) {
    reader.move_to(i);
    const double k = reader.number(at, 0.0);
    const double mtf = reader.number(value, 1.0);
    if (k < 0.0) reader.complain("its frequency, " + csv_number(k) + " 1/px, is below 0");
    if (i > 0 && k <= points.frequency.back()) {
      reader.complain("its frequency, " + csv_number(k) + " 1/px, is not above that of the row " +
                      "before, " + csv_number(points.frequency.back()) + " 1/px");
    }
    if (mtf <= 0.0) {
      reader.complain("its MTF is " + csv_number(mtf) +
                      ", and amplitudes cannot be divided by what is not above 0");
    }
    if (!reader.why().empty()) {
      return Error{
          "cannot be used as an MTF: in line " + std::to_string(reader.line()) + " " + reader.why(),
          path, "correct that line, or choose another file"};
    }
    points.frequency.push_back(k);
    points.value.push_back(mtf);
  }
  return points;
}

}  // namespace aprscope
