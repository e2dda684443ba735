#pragma once

#include <cstddef>
#include <cstdint>

#include "core/io/hdf5/hdf5_description.hpp"

// Private to core/io: values of HDF5 files as values in memory.

namespace aprscope {

/// Types of values in memory, as the alternatives of FieldValues count them.
enum class NumberType : std::uint8_t { u8, u16, u32, u64, i8, i16, i32, i64, f32, f64 };
std::size_t bytes_of(NumberType type);

/// The type in memory that holds all values of a sound type; f32 for 16-bit reals.
NumberType own_type(const Hdf5Type& type);

/// Converts `count` values: bytes as in the file to values of one type in memory. `in` and `out`
/// need not be aligned.
using Converter = void (*)(const Hdf5Type& type, const std::uint8_t* in, std::size_t count,
                           std::uint8_t* out);

/// How values of a sound type become own_type(type), f32 or f64, rounded to the nearest; null for
/// other targets.
Converter converter(const Hdf5Type& type, NumberType target);

/// True when the bytes in the file are those in memory.
bool same_bytes(const Hdf5Type& type, NumberType target);

}  // namespace aprscope
