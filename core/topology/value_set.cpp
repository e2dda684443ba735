#include "core/topology/value_set.hpp"

#include <algorithm>
#include <atomic>

#include "core/base/parallel.hpp"

namespace aprscope {

void ValueSet::add(std::span<const float> values) {
  const auto count = static_cast<std::int64_t>(values.size());
  const int threads = threads_for(count);
  // Makes the chunks first, then sets bits: threads share the chunks.
  std::vector<std::vector<std::uint8_t>> wanted(static_cast<std::size_t>(threads));
  parallel_stretches(count, threads, [&](std::int64_t begin, std::int64_t end, int thread) {
    auto& mine = wanted[static_cast<std::size_t>(thread)];
    mine.resize(kChunks);
    for (std::int64_t i = begin; i < end; ++i) {
      mine[key_of(values[static_cast<std::size_t>(i)]) >> 16U] = 1;
    }
  });
  for (const auto& some : wanted) {
    for (std::size_t i = 0; i < some.size(); ++i) {
      if (some[i] != 0 && !chunks_[i]) chunks_[i] = std::make_unique<Chunk>();
    }
  }
  std::vector<std::uint64_t> fresh(static_cast<std::size_t>(threads));
  parallel_stretches(count, threads, [&](std::int64_t begin, std::int64_t end, int thread) {
    std::uint64_t found = 0;
    for (std::int64_t i = begin; i < end; ++i) {
      const std::uint32_t key = key_of(values[static_cast<std::size_t>(i)]);
      const std::atomic_ref word(chunks_[key >> 16U]->bits[(key & 0xFFFFU) >> 6U]);
      const std::uint64_t bit = std::uint64_t{1} << (key & 63U);
      // Most values are in the set already, and reading is faster than writing.
      if ((word.load(std::memory_order_relaxed) & bit) != 0) continue;
      if ((word.fetch_or(bit, std::memory_order_relaxed) & bit) == 0) ++found;
    }
    fresh[static_cast<std::size_t>(thread)] = found;
  });
  for (const std::uint64_t found : fresh) count_ += found;
}

void ValueSet::number() {
  std::uint32_t first = 0;
  for (const auto& chunk : chunks_) {
    if (!chunk) continue;
    chunk->first = first;
    std::uint32_t before = 0;
    for (std::size_t w = 0; w < kWords; ++w) {
      chunk->before[w] = static_cast<std::uint16_t>(before);
      before += static_cast<std::uint32_t>(std::popcount(chunk->bits[w]));
    }
    first += before;
  }
}

std::vector<double> ValueSet::values() const {
  std::vector<double> out;
  out.reserve(count_);
  for (std::uint32_t c = 0; c < kChunks; ++c) {
    if (!chunks_[c]) continue;
    for (std::uint32_t w = 0; w < kWords; ++w) {
      for (std::uint64_t bits = chunks_[c]->bits[w]; bits != 0; bits &= bits - 1) {
        const auto bit = static_cast<std::uint32_t>(std::countr_zero(bits));
        out.push_back(static_cast<double>(value_of(c << 16U | w << 6U | bit)));
      }
    }
  }
  return out;
}

}  // namespace aprscope
