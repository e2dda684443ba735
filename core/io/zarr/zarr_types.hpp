#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/io/common/samples.hpp"

// Private to core/io: types of samples as Zarr and N5 write them, and values of those.

namespace aprscope {

/// "u" and 2 bytes, as in "<u2"; nothing for what is not read.
std::optional<SampleType> zarr_type_of_letters(char letter, int bytes);

/// "bool", "uint16", "float32", …; nothing for what is not read.
std::optional<SampleType> zarr_type_of_name(const std::string& name);

/// A fill value as one sample in the byte order of this machine; nothing for what is no value of
/// the type.
std::optional<std::vector<std::uint8_t>> zarr_fill(const nlohmann::ordered_json& json,
                                                   const SampleType& type);

}  // namespace aprscope
