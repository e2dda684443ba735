#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/io/common/byte_reader.hpp"
#include "core/io/hdf5/hdf5_description.hpp"

// Private to core/io: the protocol between the program and its helper that runs the HDF5 library.

namespace aprscope {

/// Advice of errors about files that are damaged.
inline constexpr const char* kGetAgain = "get the file again from its source";

/// A request is one of these words and its arguments; an answer is kDone and the data, or kRefused
/// and a text. Both are preceded by their length (4 bytes).
enum class Hdf5Word : std::uint8_t { kind = 1, children, dataset, attributes, places };
inline constexpr std::uint8_t kDone = 0;
inline constexpr std::uint8_t kRefused = 1;
/// Longest request and answer.
inline constexpr std::size_t kLongestMessage = 64U << 20U;
/// Most chunks that one request may ask for.
inline constexpr std::uint64_t kMostPlaces = 1U << 14U;

void put(ByteWriter& out, const std::vector<Hdf5Child>& children);
void put(ByteWriter& out, const Hdf5Dataset& dataset);
void put(ByteWriter& out, const std::vector<Hdf5Attribute>& attributes);
void put(ByteWriter& out, const std::vector<Hdf5Place>& places);
void put(ByteWriter& out, const std::vector<std::uint64_t>& numbers);

/// The inverse of put(): `in` becomes invalid where the bytes are not what put() writes.
void get(ByteReader& in, std::vector<Hdf5Child>& children);
void get(ByteReader& in, Hdf5Dataset& dataset);
void get(ByteReader& in, std::vector<Hdf5Attribute>& attributes);
void get(ByteReader& in, std::vector<Hdf5Place>& places);
void get(ByteReader& in, std::vector<std::uint64_t>& numbers);

}  // namespace aprscope
