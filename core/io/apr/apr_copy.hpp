#pragma once

#include <string>

#include "core/base/job_context.hpp"
#include "core/io/apr/apr_cells.hpp"
#include "core/io/apr/apr_hdf5.hpp"
#include "core/io/common/blosc_packing.hpp"

// Private to core/io: datasets of one .apr in another.

namespace aprscope {

/// How a dataset is copied. What is read by whoever makes the values, who finds what is damaged,
/// need not be unpacked here.
enum class Copied { unpacked, as_stored };

/// Copies a dataset to a new one of `name` and FieldValues type `type`, a few chunks at a time.
/// Errors: damaged data, the disk is full, cancelled.
Status copy_vector(const Hdf5Vector& from, Copied copied, hid_t to, const std::string& name,
                   int type, const BloscPacking& packing, const std::string& where,
                   const JobContext& context);

/// The same of the lists of a structure.
Status copy_structure(const AprCells& cells, Copied copied, hid_t to, const BloscPacking& packing,
                      const std::string& where, const JobContext& context);

}  // namespace aprscope
