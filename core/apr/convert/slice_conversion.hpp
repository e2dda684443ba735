#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "core/apr/convert/cell_slabs.hpp"
#include "core/apr/convert/conversion_parameters.hpp"
#include "core/apr/convert/slice_source.hpp"
#include "core/apr/structure/apr.hpp"
#include "core/apr/structure/apr_sink.hpp"
#include "core/base/job_context.hpp"

namespace aprscope {

/// The same APR as convert() makes, from an image that need not fit in memory: reads it two to four
/// times (statistics, levels, particle values; once where reading is costly and a disk has room for
/// the slices), and holds the slices that the smoothing reaches over, a few planes of the half
/// grid, two bits for each 2×2×2 pixels, and the APR. Errors: also those of reading.
Result<Apr> convert_slices(SliceSource& source, const ConversionParameters& parameters,
                           const JobContext& context = {});

/// The cells of an image, and the parameters with the thresholds that they were chosen by.
struct ChosenCells {
  ConversionParameters used;
  std::shared_ptr<const CellSet> set;
};

/// The same of an APR that need not fit in memory either: its cells stay two bits for each 2×2×2
/// pixels, and its particles exist 16 slices at a time.
class SliceConversion {
 public:
  /// Reads the image one to three times for thresholds and cells. `source` must outlive this.
  /// Errors: those of convert_slices(); an image whose dimensions are all at most 2 pixels, which
  /// has no cells to choose from.
  static Result<SliceConversion> create(SliceSource& source, const ConversionParameters& parameters,
                                        const JobContext& context = {});

  /// The same with cells that were chosen before, of the same image and by the same `parameters`,
  /// whose thresholds are those of `found`: reads nothing. Throws std::bad_alloc.
  static SliceConversion of_cells(SliceSource& source, const ConversionParameters& parameters,
                                  const ChosenCells& found);

  /// What of_cells() takes to come to this.
  [[nodiscard]] const ChosenCells& chosen() const { return chosen_; }
  /// Size, parameters and names of the APR, without structure and values.
  [[nodiscard]] const Apr& facts() const { return facts_; }
  [[nodiscard]] const CellSlabs& particles() const { return particles_; }
  /// Number of interior cells.
  [[nodiscard]] std::uint64_t tree_cells() const { return tree_.count(); }

  /// Reads the image once more and gives it to `sink`, called as `facts` say, with the tree and the
  /// means of the values on it if wanted. `same_cells`: as AprOutline says. Errors: those of the
  /// source and of `sink`, too little memory, cancelled.
  Status write(const Apr& facts, bool with_tree, AprSink& sink, const JobContext& context = {},
               bool same_cells = false) const;

 private:
  SliceConversion(SliceSource& source, ChosenCells found, Apr facts, CellSlabs particles,
                  CellSlabs tree);
  Status put_structure(bool with_tree, AprSink& sink, const JobContext& context) const;

  SliceSource* source_;
  // What source_ is, where slices of a first pass wait for the next.
  std::shared_ptr<SliceSource> kept_;
  ChosenCells chosen_;
  Apr facts_;
  CellSlabs particles_;
  CellSlabs tree_;
};

}  // namespace aprscope
