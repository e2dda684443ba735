#pragma once

#include <cstdint>
#include <string>

#include "core/dataset/dataset.hpp"
#include "core/operations/schema/operation.hpp"

// Checks and errors that all engines share.

namespace aprscope {

Error too_little_memory(const Dataset& input, std::uint64_t needed);
/// Checks the memory of a job. Errors: the system has less memory left.
Status check_memory(std::uint64_t needed, const Dataset& input);
/// Checks values. Errors: values that are no numbers, with the place of the first.
Status check_finite(const Dataset& input);
/// "gaussian sigma=2,2,2 px … [cpu]". The device belongs to the provenance; the number of threads
/// does not, since it changes nothing in the result.
std::string made_by_cpu(const Operation& complete);

}  // namespace aprscope
