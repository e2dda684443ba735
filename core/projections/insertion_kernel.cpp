// Compiled once for each instruction set; only own static code in here (see aprscope_kernels()).
#include "core/projections/insertion_kernels.hpp"
#include "core/projections/insertion_lanes.inl.hpp"

namespace aprscope::APRSCOPE_ISA_NAMESPACE {
namespace {

std::int64_t cull(const SampleNormals& normals, std::int64_t count, const float* centre,
                  std::int32_t* list) {
  const Floats cx = spread(centre[0]);
  const Floats cy = spread(centre[1]);
  const Floats cz = spread(centre[2]);
  std::int32_t* out = list;
  // The arrays are padded to whole vectors with negative bounds, which never match.
  for (std::int64_t i = 0; i < count; i += kLanes) {
    const Floats d =
        fused(load(normals.x + i), cx, fused(load(normals.y + i), cy, load(normals.z + i) * cz));
    unsigned bits = less_equal(absolute(d), load(normals.bound + i));
    for (; bits != 0; bits &= bits - 1) {
      *out++ = static_cast<std::int32_t>(i) + __builtin_ctz(bits);
    }
  }
  return out - list;
}

// Voxels that a plane reaches: what is read where, and where it goes.
struct Hits {
  static constexpr std::int64_t kFull = 512;
  static constexpr std::int64_t kRoom = kFull + 16 * kLanes;
  alignas(64) float fx[kRoom];
  alignas(64) float fy[kRoom];
  alignas(64) float k[kRoom];  // negative: the conjugate is read
  alignas(64) std::int32_t texel[kRoom];
  alignas(64) std::int32_t voxel[kRoom];
  std::int64_t count = 0;
};

// Adds k times the bilinear reading.
void add_hits(Hits& hits, const float* texels, std::int64_t row, float* sums) {
  const __m128 keep = _mm_castsi128_ps(_mm_setr_epi32(0x7fffffff, -1, 0x7fffffff, 0x7fffffff));
  for (std::int64_t i = 0; i < hits.count; ++i) {
    const float* const at = texels + 4 * static_cast<std::int64_t>(hits.texel[i]);
    const __m256 a = _mm256_loadu_ps(at);
    const __m256 b = _mm256_loadu_ps(at + row);
    const __m256 c = _mm256_fmadd_ps(_mm256_broadcast_ss(hits.fy + i), _mm256_sub_ps(b, a), a);
    const __m128 low = _mm256_castps256_ps128(c);
    const __m128 high = _mm256_extractf128_ps(c, 1);
    const __m128 value = _mm_fmadd_ps(_mm_broadcast_ss(hits.fx + i), _mm_sub_ps(high, low), low);
    const __m128 k = _mm_and_ps(_mm_broadcast_ss(hits.k + i), keep);
    float* const sum = sums + 4 * static_cast<std::int64_t>(hits.voxel[i]);
    _mm_store_ps(sum, _mm_fmadd_ps(k, value, _mm_load_ps(sum)));
  }
  hits.count = 0;
}

void slab(const TileTask& task) {
  Hits hits;
  const auto row = static_cast<std::int32_t>(task.plane->width);
  const Floats centre = spread(static_cast<float>(task.plane->centre));
  const Floats last = spread(static_cast<float>(task.side - 1));
  const Floats inverse_square = spread(task.inverse_square);
  const std::int64_t columns = static_cast<std::int64_t>(task.side) * task.side;
  for (std::int64_t s = 0; s < task.count; ++s) {
    const PlaneSample& sample = task.samples[task.list[s]];
    const float* const m = sample.rows;
    // Columns run along the axis that the plane crosses most steeply.
    const float nx = __builtin_fabsf(m[6]);
    const float ny = __builtin_fabsf(m[7]);
    const float nz = __builtin_fabsf(m[8]);
    const int w = nx >= ny && nx >= nz ? 0 : ny >= nz ? 1 : 2;
    const int u = w == 0 ? 1 : 0;
    const int v = w == 2 ? 1 : 2;
    const std::int32_t stride = w == 0 ? 1 : w == 1 ? task.side : task.side * task.side;
    const auto ow = static_cast<float>(task.origin[w]);
    const auto ou = static_cast<float>(task.origin[u]);
    const auto ov = static_cast<float>(task.origin[v]);
    const float inverse = 1.0F / m[6 + w];
    const Floats half = spread(task.radius * __builtin_fabsf(inverse));
    const Floats minus_inverse = spread(-inverse);
    const Floats radius_square = spread(sample.radius_square);
    // (x, y, z) of the plane at voxel 0 of column (0, 0).
    const Floats x0 = spread(m[u] * ou + m[v] * ov + m[w] * ow);
    const Floats y0 = spread(m[3 + u] * ou + m[3 + v] * ov + m[3 + w] * ow);
    const Floats z0 = spread(m[6 + u] * ou + m[6 + v] * ov + m[6 + w] * ow);
    const Floats xw = spread(m[w]);
    const Floats yw = spread(m[3 + w]);
    const Floats zw = spread(m[6 + w]);
    for (std::int64_t i = 0; i < columns; i += kLanes) {
      const Floats cu = load(task.columns->u + i);
      const Floats cv = load(task.columns->v + i);
      const Floats bz = fused(spread(m[6 + u]), cu, fused(spread(m[6 + v]), cv, z0));
      const Floats middle = bz * minus_inverse;
      Floats step = most(up(middle - half), spread(0.0F));
      const Floats end = least(down(middle + half), last);
      if (less_equal(step, end) == 0) continue;
      const Floats bx = fused(spread(m[u]), cu, fused(spread(m[v]), cv, x0));
      const Floats by = fused(spread(m[3 + u]), cu, fused(spread(m[3 + v]), cv, y0));
      const Ints at = load(task.columns->at[w] + i);
      while (true) {
        const unsigned inside = less_equal(step, end);
        if (inside == 0) break;
        Floats qx = fused(xw, step, bx);
        Floats qy = fused(yw, step, by);
        const Floats qz = fused(zw, step, bz);
        const unsigned mask = inside & less_equal(fused(qx, qx, qy * qy), radius_square);
        if (mask != 0) {
          const Floats sign = sign_of(qx);
          qx = flip(qx, sign);
          qy = flip(qy, sign) + centre;
          const Ints ix = whole(qx);
          const Ints iy = whole(qy);
          const Floats t = most(minus_fused(qz * qz, inverse_square, spread(1.0F)), spread(0.0F));
          Floats k = spread(task.c[7]);
          for (int j = 7; j-- > 0;) k = fused(k, t, spread(task.c[j]));
          k = flip(k * t, sign);
          const std::int64_t n = hits.count;
          store_some(hits.fx + n, mask, qx - number(ix));
          store_some(hits.fy + n, mask, qy - number(iy));
          store_some(hits.k + n, mask, k);
          store_some(hits.texel + n, mask, iy * spread(row) + ix);
          store_some(hits.voxel + n, mask, whole(step) * spread(stride) + at);
          hits.count += __builtin_popcount(mask);
        }
        step = step + spread(1.0F);
      }
      if (hits.count > Hits::kFull) add_hits(hits, sample.texels, 4 * row, task.sums);
    }
    add_hits(hits, sample.texels, 4 * row, task.sums);
  }
}

// Sums of four floats a voxel to three planes.
void spread_sums(const float* sums, std::int64_t voxels, float* total) {
  for (std::int64_t i = 0; i < voxels; i += 4) {
    __m128 re = _mm_load_ps(sums + 4 * i);
    __m128 im = _mm_load_ps(sums + 4 * i + 4);
    __m128 w = _mm_load_ps(sums + 4 * i + 8);
    __m128 rest = _mm_load_ps(sums + 4 * i + 12);
    _MM_TRANSPOSE4_PS(re, im, w, rest);
    const __m128 channels[3] = {re, im, w};
    for (int channel = 0; channel < 3; ++channel) {
      float* const to = total + channel * voxels + i;
      _mm_storeu_ps(to, _mm_add_ps(_mm_loadu_ps(to), channels[channel]));
    }
  }
}

// sin 2πt for any t, to 1e-6.
inline float sine_of_turns(double t) {
  constexpr double kRound = 6755399441055744.0;  // 1.5 · 2^52: adding it rounds to whole numbers
  float r = static_cast<float>(t - ((t + kRound) - kRound));
  const float mirrored = (r < 0.0F ? -0.5F : 0.5F) - r;
  r = __builtin_fabsf(r) > 0.25F ? mirrored : r;
  const float x = 6.283185307F * r;
  const float x2 = x * x;
  float sum = -2.5052108e-8F;
  sum = sum * x2 + 2.7557319e-6F;
  sum = sum * x2 - 1.9841270e-4F;
  sum = sum * x2 + 8.3333333e-3F;
  sum = sum * x2 - 1.6666667e-1F;
  return x + x * x2 * sum;
}

// Four complex factors: the real parts and the imaginary parts, each value twice.
struct Factors {
  __m256 re, im;
};
inline Factors factors_of(const float* re, const float* im) {
  const __m256i twice = _mm256_setr_epi32(0, 0, 1, 1, 2, 2, 3, 3);
  return {_mm256_permutevar8x32_ps(_mm256_castps128_ps256(_mm_loadu_ps(re)), twice),
          _mm256_permutevar8x32_ps(_mm256_castps128_ps256(_mm_loadu_ps(im)), twice)};
}

// Four complex numbers, their parts one after the other, times factors.
inline __m256 times(__m256 a, const Factors& b) {
  const __m256 swapped = _mm256_permute_ps(a, 0xb1);
  return _mm256_fmaddsub_ps(a, b.re, _mm256_mul_ps(swapped, b.im));
}

// Writes four texels: g times the complex value, w, 0.
inline void put_texels(__m256 value, const float* g, const float* w, float* out) {
  const __m256i twice = _mm256_setr_epi32(0, 0, 1, 1, 2, 2, 3, 3);
  const __m256 gs = _mm256_permutevar8x32_ps(_mm256_castps128_ps256(_mm_loadu_ps(g)), twice);
  const __m256 ws = _mm256_permutevar8x32_ps(_mm256_castps128_ps256(_mm_loadu_ps(w)), twice);
  const __m256d numbers = _mm256_castps_pd(_mm256_mul_ps(value, gs));
  const __m256d weights = _mm256_castps_pd(_mm256_blend_ps(ws, _mm256_setzero_ps(), 0xaa));
  const __m256 even = _mm256_castpd_ps(_mm256_unpacklo_pd(numbers, weights));
  const __m256 odd = _mm256_castpd_ps(_mm256_unpackhi_pd(numbers, weights));
  _mm_storeu_ps(out, _mm256_castps256_ps128(even));
  _mm_storeu_ps(out + 4, _mm256_castps256_ps128(odd));
  _mm_storeu_ps(out + 8, _mm256_extractf128_ps(even, 1));
  _mm_storeu_ps(out + 12, _mm256_extractf128_ps(odd, 1));
}

// Eight values of a polynomial, added.
inline void add_turns(const PhasePolynomial& polynomial, const double* x, const double* y,
                      double* turns) {
  double sum[8] = {};
  for (int a = polynomial.degree; a >= 0; --a) {
    double inner[8] = {};
    for (int b = polynomial.degree - a; b >= 0; --b) {
      const double c = polynomial.c[PhasePolynomial::kSide * a + b];
      for (int j = 0; j < 8; ++j) inner[j] = inner[j] * y[j] + c;
    }
    for (int j = 0; j < 8; ++j) sum[j] = sum[j] * x[j] + inner[j];
  }
  for (int j = 0; j < 8; ++j) turns[j] += sum[j];
}

// `aberrated`: the task has optics.
template <int mode, bool aberrated>
void texels_of(const TexelTask& task) {
  const std::int64_t rows = 2 * task.plane->centre + 1;
  const std::int64_t half = task.padded / 2;
  const Factors ramp[2] = {factors_of(task.ramp_x_re, task.ramp_x_im),
                           factors_of(task.ramp_x_re + 4, task.ramp_x_im + 4)};
  for (std::int64_t row = 0; row < rows; ++row) {
    std::int64_t y = row - task.plane->centre;
    if (y > half) y -= task.padded;
    if (y < -half) y += task.padded;
    const float* const in = task.columns + 16 * (y < 0 ? y + task.padded : y);
    const float ry = task.ramp_y_re[row];
    const float iy = task.ramp_y_im[row];
    const double fy = static_cast<double>(y) * task.step;
    float g[8];
    float w[8];
    // Frequencies of the specimen, the CTF's turns that aberrations add, and the factor that takes
    // the odd ones away.
    double u[8] = {};
    double v[8] = {};
    double even[8] = {};
    float cosine[8] = {};
    float sine[8] = {};
    float cross[8] = {};
    if constexpr (aberrated) {
      const double* const m = task.optics->magnification;
      double odd[8] = {};
      for (int j = 0; j < 8; ++j) {
        const double fx = static_cast<double>(task.first + j) * task.step;
        u[j] = m[0] * fx + m[1] * fy;
        v[j] = m[2] * fx + m[3] * fy;
        cross[j] = task.cross != nullptr ? task.cross[8 * row + j] : 1.0F;
      }
      add_turns(task.optics->odd, u, v, odd);
      add_turns(task.optics->even, u, v, even);
      for (int j = 0; j < 8; ++j) {
        cosine[j] = sine_of_turns(odd[j] + 0.25);
        sine[j] = -sine_of_turns(odd[j]);
      }
    }
    for (int j = 0; j < 8; ++j) {
      if constexpr (mode == 1) {
        g[j] = task.weight;
        w[j] = task.weight;
      } else {
        const double fx = aberrated ? u[j] : static_cast<double>(task.first + j) * task.step;
        const double gy = aberrated ? v[j] : fy;
        const double x2 = fx * fx;
        const double y2 = gy * gy;
        const double k2 = x2 + y2;
        const float c =
            (aberrated ? cross[j] : 1.0F) * task.envelope_x[j] * task.envelope_y[row] *
            sine_of_turns(task.mean * k2 + task.cosine * (x2 - y2) + 2.0 * task.sine * fx * gy +
                          task.fourth * k2 * k2 + task.constant + (aberrated ? even[j] : 0.0));
        const float size = __builtin_fabsf(c);
        if constexpr (mode == 5) {
          w[j] = task.weight * size;
          g[j] = size >= 0.01F ? (c < 0.0F ? -task.weight : task.weight) : 0.0F;
        } else {
          w[j] = task.weight * c * c;
          g[j] = task.weight * (mode == 2 ? c : mode == 3 ? size : 1.0F);
        }
      }
    }
    float* const out = task.texels + 4 * (row * task.plane->width + task.first);
    if (task.count == 8) {
      for (int part = 0; part < 2; ++part) {
        __m256 value = times(times(_mm256_loadu_ps(in + 8 * part), ramp[part]),
                             {_mm256_set1_ps(ry), _mm256_set1_ps(iy)});
        if constexpr (aberrated) {
          value = times(value, factors_of(cosine + 4 * part, sine + 4 * part));
        }
        put_texels(value, g + 4 * part, w + 4 * part, out + 16 * part);
      }
      continue;
    }
    for (std::int64_t j = 0; j < task.count; ++j) {
      float re = task.ramp_x_re[j] * ry - task.ramp_x_im[j] * iy;
      float im = task.ramp_x_re[j] * iy + task.ramp_x_im[j] * ry;
      if constexpr (aberrated) {
        const float turned = re * cosine[j] - im * sine[j];
        im = re * sine[j] + im * cosine[j];
        re = turned;
      }
      const float a = in[2 * j];
      const float b = in[2 * j + 1];
      out[4 * j] = g[j] * (a * re - b * im);
      out[4 * j + 1] = g[j] * (a * im + b * re);
      out[4 * j + 2] = w[j];
      out[4 * j + 3] = 0.0F;
    }
  }
}

template <int mode>
void texels_in(const TexelTask& task) {
  return task.optics != nullptr ? texels_of<mode, true>(task) : texels_of<mode, false>(task);
}

void texels(const TexelTask& task) {
  switch (task.mode) {
    case 2:
      return texels_in<2>(task);
    case 3:
      return texels_in<3>(task);
    case 4:
      return texels_in<4>(task);
    case 5:
      return texels_in<5>(task);
    default:
      return texels_of<1, false>(task);
  }
}

}  // namespace

extern const InsertionKernels kernels_of_insertion;
const InsertionKernels kernels_of_insertion{&cull, &slab, &spread_sums, &texels};

}  // namespace aprscope::APRSCOPE_ISA_NAMESPACE
