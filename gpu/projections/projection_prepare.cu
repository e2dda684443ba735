#include <cuda_fp16.h>

#include "gpu/device/cuda_check.hpp"
#include "gpu/projections/projection_prepare.hpp"

namespace aprscope::gpu {
namespace {

constexpr int kThreads = 256;

unsigned blocks(std::int64_t count) {
  return static_cast<unsigned>((count + kThreads - 1) / kThreads);
}

// Sums of squares over parts of an image, always in the same order.
__global__ void __launch_bounds__(kThreads) square_sums(const __grid_constant__ PrepareView v) {
  const std::int64_t pixels = std::int64_t{v.side} * v.side;
  const float* const image = v.images + blockIdx.y * pixels;
  float sum = 0.0F;
  for (std::int64_t i = blockIdx.x * kThreads + threadIdx.x; i < pixels;
       i += kSquareParts * kThreads) {
    sum = fmaf(image[i], image[i], sum);
  }
  __shared__ float sums[kThreads];
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned half = kThreads / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) v.squares[blockIdx.y * kSquareParts + blockIdx.x] = sums[0];
}

__global__ void __launch_bounds__(kThreads) pad(const __grid_constant__ PrepareView v) {
  const int x = static_cast<int>(blockIdx.x * kThreads + threadIdx.x);
  if (x >= v.padded) return;
  const int y = static_cast<int>(blockIdx.y);
  const int image = static_cast<int>(blockIdx.z);
  const PlaneTerms& terms = v.terms[image];
  const int centre = v.side / 2;
  // Distance from the centre; the upper end of the padded row is the negative side.
  const int last = v.side - 1 - centre;
  const int d = x <= last ? x : x - v.padded;
  const int from = centre + d;
  float value = 0.0F;
  if (from >= 0 && from < v.side) {
    const std::int64_t pixels = std::int64_t{v.side} * v.side;
    const std::int64_t at = std::int64_t{y} * v.side + from;
    value = terms.sign * v.images[image * pixels + at] * v.windows[terms.window * pixels + at];
  }
  v.rows[(static_cast<std::int64_t>(image) * v.side + y) * v.padded + x] = value;
}

constexpr int kTurned = 32;
constexpr int kTurnedRows = 8;

__global__ void __launch_bounds__(kTurned* kTurnedRows)
    turn(const __grid_constant__ PrepareView v) {
  __shared__ float2 square[kTurned][kTurned + 1];
  const std::int64_t image = blockIdx.z;
  const int first_y = static_cast<int>(blockIdx.x) * kTurned;
  const int first_x = static_cast<int>(blockIdx.y) * kTurned;
  const int lane = static_cast<int>(threadIdx.x);
  const int centre = v.side / 2;
  const int row_length = v.padded / 2 + 1;
  for (int i = static_cast<int>(threadIdx.y); i < kTurned; i += kTurnedRows) {
    const int place = first_y + i;
    const int y = (place <= v.side - 1 - centre ? place : place - v.padded) + centre;
    const int x = first_x + lane;
    float2 value = {0.0F, 0.0F};
    if (y >= 0 && y < v.side && place < v.padded && x < v.columns) {
      value = v.row_spectra[(image * v.side + y) * row_length + x];
    }
    square[i][lane] = value;
  }
  __syncthreads();
  for (int i = static_cast<int>(threadIdx.y); i < kTurned; i += kTurnedRows) {
    const int x = first_x + i;
    const int place = first_y + lane;
    if (x < v.columns && place < v.padded) {
      v.spectra[(image * v.columns + x) * v.padded + place] = square[lane][i];
    }
  }
}

__device__ double turns_of(const PhasePolynomial& polynomial, double x, double y) {
  double sum = 0.0;
  for (int a = polynomial.degree; a >= 0; --a) {
    double inner = 0.0;
    for (int b = polynomial.degree - a; b >= 0; --b) {
      inner = inner * y + polynomial.c[PhasePolynomial::kSide * a + b];
    }
    sum = sum * x + inner;
  }
  return sum;
}

struct Factors {
  float value, weight;
  float turns;  // a phase to take off F, in turns
};

// The factors of F and of the weight, see CtfUse. `optics`: those of the image, or null.
template <CtfUse kUse>
__device__ Factors factors(const PlaneTerms& t, const PlaneOptics* optics, int kx, int ky) {
  if constexpr (kUse == CtfUse::none) return {t.weight, t.weight, 0.0F};
  double x = static_cast<double>(kx) * t.step;
  double y = static_cast<double>(ky) * t.step;
  double even = 0.0;
  float odd = 0.0F;
  if (optics != nullptr) {
    const double* const m = optics->magnification;
    const double u = m[0] * x + m[1] * y;
    y = m[2] * x + m[3] * y;
    x = u;
    even = turns_of(optics->even, x, y);
    const double more = turns_of(optics->odd, x, y);
    odd = static_cast<float>(more - rint(more));
  }
  const double k2 = x * x + y * y;
  const double turns = t.mean * k2 + t.cosine * (x * x - y * y) + 2.0 * t.sine * x * y +
                       t.fourth * k2 * k2 + t.constant + even;
  float ctf = t.ctf_scale * sinpif(static_cast<float>(2.0 * (turns - rint(turns))));
  if (t.b_factor != 0.0F) ctf *= expf(-0.25F * t.b_factor * static_cast<float>(k2));
  if constexpr (kUse == CtfUse::ctf) return {t.weight * ctf, t.weight * ctf * ctf, odd};
  if constexpr (kUse == CtfUse::phase_flipped) {
    return {t.weight * fabsf(ctf), t.weight * ctf * ctf, odd};
  }
  if constexpr (kUse == CtfUse::premultiplied) return {t.weight, t.weight * ctf * ctf, odd};
  // As Xmipp does it: divides only where the CTF is not near 0.
  const float size = fabsf(ctf);
  return {size >= 0.01F ? t.weight * size / ctf : 0.0F, t.weight * size, odd};
}

// The weight of a frequency, see GroupOptics::weights.
__device__ float weight_at(const PrepareView& v, const GroupTerms& group, int kx, int ky) {
  if (group.weight_count == 0) return 1.0F;
  const float* const weights = v.weights + group.first_weight;
  const float shells = static_cast<float>(v.side) / static_cast<float>(v.padded);
  const float x = static_cast<float>(kx);
  const float y = static_cast<float>(ky);
  const float k = fminf(shells * sqrtf(x * x + y * y), static_cast<float>(group.weight_count - 1));
  const int shell = min(static_cast<int>(k), group.weight_count - 2);
  return weights[shell] + (k - static_cast<float>(shell)) * (weights[shell + 1] - weights[shell]);
}

// kOptics: whether images may have optics groups.
template <CtfUse kUse, bool kHalves, bool kOptics>
__global__ void __launch_bounds__(kThreads)
    texels(const __grid_constant__ PrepareView v, const __grid_constant__ TexelView to) {
  const int column = static_cast<int>(blockIdx.x * kThreads + threadIdx.x);  // y
  const int row = static_cast<int>(blockIdx.y);                              // x
  const int image = static_cast<int>(blockIdx.z);
  if (column >= to.width) return;
  const int layer = to.first_layer + image;
  const PlaneTerms t = v.terms[image];
  // Beyond the frequencies of the padded image the spectrum continues periodically.
  const int most = v.padded / 2;
  int kx = row - to.zero_x;
  int ky = column - to.zero_y;
  if (kx > most) kx -= v.padded;
  if (kx < -most) kx += v.padded;
  if (ky > most) ky -= v.padded;
  if (ky < -most) ky += v.padded;
  const bool conjugate = kx < 0;
  // Columns farther beyond the axis than those transformed are never read, so any will do.
  const int sx = min(conjugate ? -kx : kx, v.columns - 1);
  int sy = conjugate ? -ky : ky;
  if (sy < 0) sy += v.padded;
  const float2 f = v.spectra[(static_cast<std::int64_t>(image) * v.columns + sx) * v.padded + sy];
  const GroupTerms* const group = kOptics && t.optics >= 0 ? v.optics + t.optics : nullptr;
  Factors by = factors<kUse>(t, group != nullptr ? &group->plane : nullptr, kx, ky);
  [[maybe_unused]] float heaviest = t.weight;
  if constexpr (kOptics) {
    if (group != nullptr) {
      const float weight = weight_at(v, *group, kx, ky);
      by.value *= weight;
      by.weight *= weight;
      heaviest *= group->most_weight;
    }
  }
  float turns = (static_cast<float>(kx) * t.shift_x + static_cast<float>(ky) * t.shift_y) /
                static_cast<float>(v.padded);
  if constexpr (kOptics) turns += by.turns;
  float sine = 0.0F;
  float cosine = 0.0F;
  sincospif(-2.0F * (turns - rintf(turns)), &sine, &cosine);
  float scale = by.value * t.magnify;
  if constexpr (kHalves) {
    // |F| ≤ side · √(sum of squares) (Cauchy and Schwarz); scaled, |F| is at most about side.
    float squares = 0.0F;
    for (int i = 0; i < kSquareParts; ++i) squares += v.squares[image * kSquareParts + i];
    const float size = fmaxf(sqrtf(squares) * t.magnify * heaviest, 1e-30F);
    scale /= size;
    if (column == 0 && row == 0) to.scales[layer] = size;
  }
  const float im = conjugate ? -f.y : f.y;
  const float2 g = {scale * (f.x * cosine - im * sine), scale * (f.x * sine + im * cosine)};
  if constexpr (kHalves) {
    const auto bits = [](float a, float b) {
      const __half2 pair = __floats2half2_rn(a, b);
      return *reinterpret_cast<const std::uint32_t*>(&pair);
    };
    if constexpr (kUse == CtfUse::none) {
      surf2DLayeredwrite(bits(g.x, g.y), to.surface, column * 4, row, layer);
    } else {
      surf2DLayeredwrite(make_uint2(bits(g.x, g.y), bits(by.weight, 0.0F)), to.surface, column * 8,
                         row, layer);
    }
  } else {
    const std::int64_t at =
        (static_cast<std::int64_t>(layer) * to.height + row) * to.width + column;
    if constexpr (kUse == CtfUse::none) {
      reinterpret_cast<float2*>(to.texels)[at] = g;
    } else {
      reinterpret_cast<float4*>(to.texels)[at] = {g.x, g.y, by.weight, 0.0F};
    }
  }
}

template <CtfUse kUse, bool kOptics>
void launch_on(const PrepareView& view, const TexelView& to, cudaStream_t stream) {
  const dim3 grid(blocks(to.width), static_cast<unsigned>(to.height),
                  static_cast<unsigned>(view.count));
  if (to.texels != nullptr) {
    texels<kUse, false, kOptics><<<grid, kThreads, 0, stream>>>(view, to);
  } else {
    texels<kUse, true, kOptics><<<grid, kThreads, 0, stream>>>(view, to);
  }
  ensure_launched("correcting the transforms of images");
}

template <CtfUse kUse>
void launch(const PrepareView& view, const TexelView& to, cudaStream_t stream) {
  if constexpr (kUse != CtfUse::none) {
    if (view.optics != nullptr) return launch_on<kUse, true>(view, to, stream);
  }
  launch_on<kUse, false>(view, to, stream);
}

}  // namespace

void pad_rows(const PrepareView& view, cudaStream_t stream) {
  const auto count = static_cast<unsigned>(view.count);
  square_sums<<<dim3(kSquareParts, count), kThreads, 0, stream>>>(view);
  ensure_launched("summing up images");
  pad<<<dim3(blocks(view.padded), static_cast<unsigned>(view.side), count), kThreads, 0, stream>>>(
      view);
  ensure_launched("padding images");
}

void turn_columns(const PrepareView& view, cudaStream_t stream) {
  const auto squares = [](std::int32_t n) {
    return static_cast<unsigned>((n + kTurned - 1) / kTurned);
  };
  turn<<<dim3(squares(view.padded), squares(view.columns), static_cast<unsigned>(view.count)),
         dim3(kTurned, kTurnedRows), 0, stream>>>(view);
  ensure_launched("turning the spectra of rows");
}

void write_texels(const PrepareView& view, const TexelView& to, cudaStream_t stream) {
  switch (to.use) {
    case CtfUse::ctf:
      return launch<CtfUse::ctf>(view, to, stream);
    case CtfUse::phase_flipped:
      return launch<CtfUse::phase_flipped>(view, to, stream);
    case CtfUse::premultiplied:
      return launch<CtfUse::premultiplied>(view, to, stream);
    case CtfUse::xmipp:
      return launch<CtfUse::xmipp>(view, to, stream);
    default:
      return launch<CtfUse::none>(view, to, stream);
  }
}

}  // namespace aprscope::gpu
