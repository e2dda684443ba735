#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/apr/structure/apr.hpp"
#include "core/base/result.hpp"
#include "core/io/hdf5/hdf5_reader.hpp"

// Private to core/io: labels of particles are a u32 field in the file, as other tools know them.

namespace aprscope {

/// The field that labels are written into, and its type as an index of FieldValues: u32.
inline constexpr const char* kLabelsField = "labels";
inline constexpr int kLabelsType = 2;

/// Moves the field that holds labels, if there is one among the fields of a group, behind all
/// others, so that it is not the field shown. Errors: it cannot be opened.
Status put_labels_last(const Hdf5Object& group, std::vector<std::string>& fields);

/// Turns a u32 field of that name into the labels of the APR; its numbers may have gaps and be
/// larger than there are particles.
void take_labels(Apr& apr);

/// All fields of the APR and its labels.
std::vector<std::shared_ptr<const Field>> fields_with_labels(const Apr& apr);

}  // namespace aprscope
