// From coefficients to the half grid: gradient, means, local scale, levels.
// Compiled once for each instruction set; only own static code in here (see aprscope_kernels()).
#include <cstdint>
#include <cstring>

#include "core/apr/convert/conversion_kernels.hpp"
#include "core/apr/structure/wide.inl.hpp"

namespace aprscope::APRSCOPE_ISA_NAMESPACE {
namespace {

// Largest squared gradient and sum of 2 × 2 rows at kWidth pixels.
inline void block_column(const BlockRows& in, std::int64_t y, V& largest, V& sum) {
  largest = V{};
  sum = V{};
  for (int z = 1; z < 3; ++z) {
    for (int x = 1; x < 3; ++x) {
      const float* const centre = in.rows[z][x] + y;
      const V gz = (load(in.rows[z + 1][x] + y) - load(in.rows[z - 1][x] + y)) * in.scale_z;
      const V gx = (load(in.rows[z][x + 1] + y) - load(in.rows[z][x - 1] + y)) * in.scale_x;
      const V gy = (load(centre + 1) - load(centre - 1)) * in.scale_y;
      const V square = fused(gz, gz, fused(gy, gy, gx * gx));
      largest = larger(square, largest);
      sum += load(centre);
    }
  }
}

void blocks(const BlockRows& in) {
  for (std::int64_t k = 0; k < in.count; k += kWidth) {
    V largest[2];
    V sum[2];
    if (in.gradient != nullptr) {
      for (int i = 0; i < 2; ++i) block_column(in, 2 * k + i * kWidth, largest[i], sum[i]);
      const V square = larger(evens(largest[0], largest[1]), odds(largest[0], largest[1]));
      V root;
      for (int i = 0; i < kWidth; ++i) root[i] = __builtin_sqrtf(square[i]);
      if (k + kWidth <= in.count) {
        store(in.gradient + k, root);
      } else {
        std::memcpy(in.gradient + k, &root, static_cast<std::size_t>(in.count - k) * sizeof(float));
      }
    } else {
      for (int i = 0; i < 2; ++i) {
        sum[i] = V{};
        for (int z = 1; z < 3; ++z) {
          for (int x = 1; x < 3; ++x) sum[i] += load(in.rows[z][x] + 2 * k + i * kWidth);
        }
      }
    }
    store(in.mean + k, (evens(sum[0], sum[1]) + odds(sum[0], sum[1])) * in.share);
  }
}

// The local levels of kWidth voxels.
inline I level_vector(const LevelRow& in, V gradient, V scale) {
  const V zero = {};
  const V smallest = scale < in.sigma_th_max ? zero + in.infinite : zero + in.sigma_th;
  const V sigma = scale < in.sigma_th ? smallest : scale;
  V ratio = gradient / sigma * in.factor;
  ratio = gradient > in.above ? ratio : zero;
  ratio = gradient >= in.least ? ratio : zero;
  // The exponent of a float ≥ 1 is the floor of its logarithm; NaN and infinity have 128.
  I level = (reinterpret_cast<I>(ratio) >> 23) - 127;
  level = level > 1 ? level : level * 0 + 1;
  return level < in.highest ? level : level * 0 + in.highest;
}

void levels(const LevelRow& in) {
  typedef std::uint8_t Bytes __attribute__((vector_size(kWidth), aligned(1), may_alias));
  std::int64_t i = 0;
  for (; i + kWidth <= in.count; i += kWidth) {
    const I level = level_vector(in, load(in.gradient + i), load(in.scale + i));
    *reinterpret_cast<Bytes*>(in.levels + i) = __builtin_convertvector(level, Bytes);
  }
  for (; i < in.count; ++i) {
    const I level = level_vector(in, V{} + in.gradient[i], V{} + in.scale[i]);
    in.levels[i] = static_cast<std::uint8_t>(level[0]);
  }
}

template <class T, int rows>
inline void pair_sums(const PairRows& in) {
  const T* row[rows];
  for (int r = 0; r < rows; ++r) row[r] = static_cast<const T*>(in.rows[r]);
  std::int64_t k = 0;
  for (; k + kWidth <= in.count; k += kWidth) {
    V a = widen(row[0] + 2 * k);
    V b = widen(row[0] + 2 * k + kWidth);
    for (int r = 1; r < rows; ++r) {
      a += widen(row[r] + 2 * k);
      b += widen(row[r] + 2 * k + kWidth);
    }
    store(in.out + k, (evens(a, b) + odds(a, b)) * in.share);
  }
  for (; k < in.count; ++k) {
    float a = static_cast<float>(row[0][2 * k]);
    float b = static_cast<float>(row[0][2 * k + 1]);
    for (int r = 1; r < rows; ++r) {
      a += static_cast<float>(row[r][2 * k]);
      b += static_cast<float>(row[r][2 * k + 1]);
    }
    in.out[k] = (a + b) * in.share;
  }
}

template <class T>
void pair_means(const PairRows& in) {
  if (in.row_count == 4) return pair_sums<T, 4>(in);
  if (in.row_count == 2) return pair_sums<T, 2>(in);
  pair_sums<T, 1>(in);
}

void weigh(const float* a, const float* b, const float* c, float* __restrict out, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) {
    out[i] = __builtin_fmaf(b[i], 4.0F / 6.0F, (a[i] + c[i]) * (1.0F / 6.0F));
  }
}

inline float cut_mean(const float* in, std::int64_t i, std::int64_t n, int half) {
  const std::int64_t b = i - half > 0 ? i - half : 0;
  const std::int64_t e = i + half + 1 < n ? i + half + 1 : n;
  float sum = 0.0F;
  for (std::int64_t k = b; k < e; ++k) sum += in[k];
  return sum / static_cast<float>(e - b);
}

template <int half>
inline void box_inside(const float* in, float* __restrict out, std::int64_t begin,
                       std::int64_t end) {
  constexpr float kShare = 1.0F / static_cast<float>(2 * half + 1);
  for (std::int64_t i = begin; i < end; ++i) {
    float sum = in[i - half];
    for (int k = 1 - half; k <= half; ++k) sum += in[i + k];
    out[i] = sum * kShare;
  }
}

void box(const float* in, float* out, std::int64_t n, int half) {
  const std::int64_t begin = half < n ? half : n;
  const std::int64_t end = n - half > begin ? n - half : begin;
  for (std::int64_t i = 0; i < begin; ++i) out[i] = cut_mean(in, i, n, half);
  switch (half) {
    case 0:
      box_inside<0>(in, out, begin, end);
      break;
    case 1:
      box_inside<1>(in, out, begin, end);
      break;
    case 2:
      box_inside<2>(in, out, begin, end);
      break;
    case 3:
      box_inside<3>(in, out, begin, end);
      break;
    case 4:
      box_inside<4>(in, out, begin, end);
      break;
    case 5:
      box_inside<5>(in, out, begin, end);
      break;
    default:
      box_inside<6>(in, out, begin, end);
      break;
  }
  for (std::int64_t i = end; i < n; ++i) out[i] = cut_mean(in, i, n, half);
}

// Calls emit(i, sum of the rows at i) for vectors of all n values, the last one cut.
inline V column_sum(const float* const* rows, std::int64_t count, std::int64_t i) {
  V sum = load(rows[0] + i);
  for (std::int64_t k = 1; k < count; ++k) sum += load(rows[k] + i);
  return sum;
}

inline float value_sum(const float* const* rows, std::int64_t count, std::int64_t i) {
  float sum = rows[0][i];
  for (std::int64_t k = 1; k < count; ++k) sum += rows[k][i];
  return sum;
}

void sum_rows(const float* const* rows, std::int64_t count, float share, float* out,
              std::int64_t n) {
  std::int64_t i = 0;
  for (; i + kWidth <= n; i += kWidth) store(out + i, column_sum(rows, count, i) * share);
  for (; i < n; ++i) out[i] = value_sum(rows, count, i) * share;
}

void deviation(const float* value, const float* const* rows, std::int64_t count, float share,
               float* out, std::int64_t n) {
  std::int64_t i = 0;
  for (; i + kWidth <= n; i += kWidth) {
    store(out + i, absolute(fused(-share, column_sum(rows, count, i), load(value + i))));
  }
  for (; i < n; ++i) {
    const float d = __builtin_fmaf(-share, value_sum(rows, count, i), value[i]);
    out[i] = d < 0.0F ? -d : d;
  }
}

}  // namespace

extern const decltype(ConversionKernels::blocks) blocks_loop;
extern const decltype(ConversionKernels::levels) levels_loop;
extern const decltype(ConversionKernels::pair_means) pair_means_loop;
extern const decltype(ConversionKernels::weigh) weigh_loop;
extern const decltype(ConversionKernels::box) box_loop;
extern const decltype(ConversionKernels::sum_rows) sum_rows_loop;
extern const decltype(ConversionKernels::deviation) deviation_loop;
const decltype(ConversionKernels::blocks) blocks_loop = blocks;
const decltype(ConversionKernels::levels) levels_loop = levels;
const decltype(ConversionKernels::pair_means) pair_means_loop = {
    pair_means<std::uint8_t>, pair_means<std::uint16_t>, pair_means<float>};
const decltype(ConversionKernels::weigh) weigh_loop = weigh;
const decltype(ConversionKernels::box) box_loop = box;
const decltype(ConversionKernels::sum_rows) sum_rows_loop = sum_rows;
const decltype(ConversionKernels::deviation) deviation_loop = deviation;

}  // namespace aprscope::APRSCOPE_ISA_NAMESPACE
