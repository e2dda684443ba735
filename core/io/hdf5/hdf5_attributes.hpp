#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/io/hdf5/hdf5_reader.hpp"

// Private to core/io: attributes of HDF5 objects. Attributes that cannot be read, or numbers of an
// unusual kind, are reported to Hdf5Reader::fail(), so that none is missing silently: ask
// Hdf5Reader::status() in the end.

namespace aprscope {

bool has_attribute(const Hdf5Object& object, const char* name);

/// A number attribute of one element, in any integer or floating-point type; nothing when it is
/// missing or something else. Integers below 0 become 0.
std::optional<std::uint64_t> read_integer_attribute(const Hdf5Object& object, const char* name);
std::optional<double> read_number_attribute(const Hdf5Object& object, const char* name);
/// A number attribute of any number of elements; `single`, if not null, receives whether they have
/// 4 bytes each.
std::optional<std::vector<double>> read_number_list(const Hdf5Object& object, const char* name,
                                                    bool* single = nullptr);
/// A string attribute (fixed or variable length) up to its first NUL.
std::optional<std::string> read_text_attribute(const Hdf5Object& object, const char* name);
/// An attribute as text, from any type: a text, a list of texts that are joined (Imaris keeps one
/// character in each), or numbers, which are written with blanks between them. None when it is
/// missing, something else or longer than 60000 characters.
std::optional<std::string> read_spelled_attribute(const Hdf5Object& object, const char* name);

}  // namespace aprscope
