#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/result.hpp"

namespace aprscope {

/// One of several processes that share a batch: `number` from 1 to `of`.
struct BatchPart {
  int number = 1;
  int of = 1;
  friend bool operator==(const BatchPart&, const BatchPart&) = default;
};

/// Parts beyond that no cluster takes as one job.
inline constexpr int kMostParts = 100'000;

/// A part from text such as "3/8". Errors: the text is something else, or there is no such part.
Result<BatchPart> part_from(const std::string& text);

/// Bytes of the file, or of all files in the folder, that each input is read from, without opening
/// any: "file.h5:/group/volume" is its file, and what is not there has none.
std::vector<std::uint64_t> input_bytes(const std::vector<std::string>& inputs);

/// The inputs of each of `parts` parts, by their place in `bytes`, in its order. Every input is in
/// one of them, and the same bytes give the same shares: the largest input goes first, each to the
/// part that has least so far, to the one of fewest files where several have, then to the first.
/// That is at most 4/3 of the best there is (Graham, SIAM J. Appl. Math. 17, 416, 1969).
std::vector<std::vector<std::size_t>> shares(const std::vector<std::uint64_t>& bytes, int parts);

/// The name of a part's table: "table.part3.csv" for "table.csv".
std::string name_of_part(const std::string& path, const BatchPart& part);

}  // namespace aprscope
