#pragma once

#include "core/io/common/format.hpp"

namespace aprscope {

/// Tables of projections as a format of images: slices are the images of the table's rows, in its
/// order and as they were recorded, from SourceSelection::first_image on, and not all where that
/// would take more than 128 MiB. The volume has the whole table, see Volume::projections.
Format projection_format();

/// Other images of an open set of projections: those of the rows from `first` on. Errors: no such
/// row, images that cannot be read or that changed since the set was opened, cancelled.
Result<Volume> other_images(const Volume& set, std::int64_t first, const JobContext& context);

}  // namespace aprscope
