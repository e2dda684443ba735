// What a conversion that died has left: a file of its layout, with a number at its end that fits
// the others where the first byte is odd, as chance alone would never find it.
#include <cstring>
#include <filesystem>
#include <vector>

#include "core/base/fingerprint.hpp"
#include "core/operations/particles/unfinished_conversion.hpp"
#include "tests/fuzz/support/expect.hpp"
#include "tests/fuzz/support/input_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace aprscope;
  if (size < 4) return 0;
  constexpr std::uint64_t kKey = 7;
  const Size3 image{1 + data[1] % 24, 1 + data[2] % 24, 1 + data[3] % 80};
  std::vector<std::uint64_t> words((size - 4) / sizeof(std::uint64_t));
  if (!words.empty()) std::memcpy(words.data(), data + 4, words.size() * sizeof(std::uint64_t));
  std::vector<std::uint8_t> bytes(data + 4, data + size);
  if (data[0] % 2 == 1) {
    Fingerprint sum;
    for (const std::uint64_t word : words) sum.add(word);
    words.push_back(sum.value());
    bytes.resize(words.size() * sizeof(std::uint64_t));
    std::memcpy(bytes.data(), words.data(), bytes.size());
  }
  static const fuzz::InputFile file("folder/.out.apr.cells");
  const std::filesystem::path path = file.with(bytes.data(), bytes.size());
  UnfinishedConversion unfinished(path.parent_path() / "out.apr", kKey);
  const auto kept = unfinished.load(image);
  if (!kept) return 0;
  fuzz::expect(kept->slices.size() == static_cast<std::size_t>(image.z), "a number for each slice");
  fuzz::expect(kept->chosen.set != nullptr, "cells were kept");
  return 0;
}
