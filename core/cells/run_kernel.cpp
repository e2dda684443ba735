// Compiled once for each instruction set; only own static code in here (see aprscope_kernels()).
#include <immintrin.h>

#include "core/cells/run_kernels.hpp"

namespace aprscope::APRSCOPE_ISA_NAMESPACE {
namespace {

#if defined(__AVX512BW__)
std::uint64_t bits_of_64(const std::uint8_t* from) {
  const __m512i v = _mm512_loadu_si512(from);
  return _mm512_test_epi8_mask(v, v);
}
constexpr std::uint32_t kLanes = 16;
void put(std::uint32_t* out, std::uint32_t label, std::uint64_t lanes) {
  _mm512_mask_storeu_epi32(out, static_cast<__mmask16>(lanes),
                           _mm512_set1_epi32(static_cast<int>(label)));
}
#else
std::uint64_t bits_of_64(const std::uint8_t* from) {
  std::uint64_t bits = 0;
  for (int half = 0; half < 2; ++half) {
    const __m256i v = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from + 32 * half));
    const auto zero = static_cast<std::uint32_t>(
        _mm256_movemask_epi8(_mm256_cmpeq_epi8(v, _mm256_setzero_si256())));
    bits |= static_cast<std::uint64_t>(~zero) << (32 * half);
  }
  return bits;
}
constexpr std::uint32_t kLanes = 8;
void put(std::uint32_t* out, std::uint32_t label, std::uint64_t lanes) {
  const __m256i bit = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
  const __m256i mask = _mm256_cmpeq_epi32(
      _mm256_and_si256(_mm256_set1_epi32(static_cast<int>(lanes & 0xFFU)), bit), bit);
  _mm256_maskstore_epi32(reinterpret_cast<int*>(out), mask,
                         _mm256_set1_epi32(static_cast<int>(label)));
}
#endif

void pack(const std::uint8_t* mask, std::int64_t count, std::uint64_t* words) {
  std::int64_t y = 0;
  for (; y + 64 <= count; y += 64) *words++ = bits_of_64(mask + y);
  if (y == count) return;
  std::uint64_t bits = 0;
  for (std::int64_t i = y; i < count; ++i) {
    bits |= static_cast<std::uint64_t>(mask[i] != 0 ? 1 : 0) << (i - y);
  }
  *words = bits;
}

// `bits` of the 64 pixels from `out` on.
void put_word(std::uint32_t* out, std::uint32_t label, std::uint64_t bits) {
  constexpr std::uint64_t kAll = (std::uint64_t{1} << kLanes) - 1;
  while (bits != 0) {
    const auto first = static_cast<std::uint32_t>(_tzcnt_u64(bits)) / kLanes * kLanes;
    const std::uint64_t lanes = bits >> first & kAll;
    put(out + first, label, lanes);
    bits &= ~(kAll << first);
  }
}

void paint(const RowOfRuns& row) {
  // Label and carry of the run that goes on from the word before.
  std::uint32_t label = 0;
  std::uint64_t carry = 0;
  const std::uint32_t* next = row.labels;
  for (std::int64_t w = 0; w < row.words; ++w) {
    std::uint64_t runs = row.runs[w];
    const std::uint64_t own = row.row[w];
    std::uint32_t* out = row.out + 64 * w;
    const std::uint64_t goes_on = carry & runs;
    carry = runs >> 63U;
    while (runs != 0) {
      const std::uint64_t first = runs & (~runs + 1);
      // The lowest run of ones: adding its first bit carries through it.
      const std::uint64_t run = runs & ~(runs + first);
      if (!(first == 1 && goes_on != 0)) label = *next++;
      put_word(out, label, own & run);
      runs &= ~run;
    }
  }
}

}  // namespace

extern const RunKernels kernels_of_runs;
const RunKernels kernels_of_runs{pack, paint};

}  // namespace aprscope::APRSCOPE_ISA_NAMESPACE
