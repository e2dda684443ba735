#pragma once

#include <memory>
#include <span>
#include <string>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/dataset/dataset.hpp"
#include "core/filter/stencil.hpp"
#include "core/image/region.hpp"

namespace aprscope::gui {

/// A part of data as data of its own, to preview what takes long on the whole: an image stays one,
/// particles stay particles.
struct DataPiece {
  std::shared_ptr<const Dataset> data;
  /// Where it lies in the whole.
  Region box;
};

/// Of particles, the smallest box round the region that they can be cut at. Errors: no memory,
/// cancelled.
Result<DataPiece> cut_piece(const Dataset& data, const Region& region, const std::string& name,
                            const JobContext& context);
/// That box.
Region piece_box(const Region& region, const AprAccess& access);

/// The pixels of `region` (of the whole) from values on a piece.
Result<Pixels<float>> piece_pixels(const DataPiece& piece, std::span<const float> values,
                                   const Region& region, const JobContext& context);

/// The pixels of a part of the data, those of particles constant in each cell.
Result<Volume> crop_pixels(const Dataset& data, const Region& region, const JobContext& context);

/// The region with what the PSF reaches from outside, within the image.
Region reached_region(const Region& region, const Stencil& psf, const Size3& size);

}  // namespace aprscope::gui
