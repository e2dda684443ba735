#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/dataset/dataset.hpp"
#include "core/image/level_set.hpp"
#include "core/operations/schema/operation.hpp"

// How operations say which threshold they mean: method, value, crossing, window, offset.
namespace aprscope {

std::vector<ParameterSpec> threshold_parameters();
/// Implements OperationSchema::counts for these parameters; true for ids of other parameters.
bool threshold_counts(const Operation& operation, const std::string& id);

/// The method needs no look at the data / has no single threshold, but one for each pixel.
bool threshold_is_given(const Operation& operation);
bool threshold_is_local(const Operation& operation);

/// The threshold of a complete operation whose method is not local. Errors: there is none, values
/// that are no numbers, cancelled. Throws std::bad_alloc.
Result<LevelSet> threshold_of(const Operation& operation, LevelSets sets, const Dataset& input,
                              const JobContext& context);
/// The mask of an image (1: kept), with any method. Errors and exceptions as threshold_of().
Result<Pixels<std::uint8_t>> threshold_mask(const Operation& operation, LevelSets sets,
                                            const Dataset& input, const JobContext& context);
/// Bytes that finding the threshold takes.
std::uint64_t threshold_bytes(const Operation& operation, const Dataset& input);

/// The same with method value and this number.
Operation with_threshold(Operation operation, double value);

}  // namespace aprscope
