#include "gpu/device/fft_plan.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "gpu/device/device_pool.hpp"

namespace aprscope::gpu {
namespace {

constexpr const char* kTransform = "Fourier transform on the GPU";

const char* name_of(cufftResult code) {
  switch (code) {
    case CUFFT_INVALID_PLAN:
      return "CUFFT_INVALID_PLAN";
    case CUFFT_ALLOC_FAILED:
      return "CUFFT_ALLOC_FAILED, too little GPU memory";
    case CUFFT_INVALID_TYPE:
      return "CUFFT_INVALID_TYPE";
    case CUFFT_INVALID_VALUE:
      return "CUFFT_INVALID_VALUE";
    case CUFFT_INTERNAL_ERROR:
      return "CUFFT_INTERNAL_ERROR";
    case CUFFT_EXEC_FAILED:
      return "CUFFT_EXEC_FAILED";
    case CUFFT_SETUP_FAILED:
      return "CUFFT_SETUP_FAILED";
    case CUFFT_INVALID_SIZE:
      return "CUFFT_INVALID_SIZE";
    default:
      return "an error";
  }
}

void ensure_fft(cufftResult code) {
  if (code == CUFFT_SUCCESS) return;
  (void)cudaGetLastError();
  throw Failure{{std::string("cuFFT reports ") + name_of(code) + " (" +
                     std::to_string(static_cast<int>(code)) + ")",
                 kTransform, "try again with --device cpu"}};
}

bool has_small_factors(std::int64_t n) {
  for (const std::int64_t f : {2, 3, 5, 7}) {
    while (n % f == 0) n /= f;
  }
  return n == 1;
}

std::int64_t good_length(std::int64_t n) {
  if (n <= 1) return 1;
  n += n % 2;
  while (!has_small_factors(n)) n += 2;
  return n;
}

// The layouts of pixels and of spectra in a buffer; dimensions of size 1 are left out.
struct Layout {
  int rank = 0;
  std::array<long long, 3> n{}, pixels{}, spectrum{};
  long long pixel_count = 1;
  long long spectrum_count = 1;

  explicit Layout(const Size3& size) {
    for (const std::int64_t d : {size.z, size.x}) {
      if (d != 1) add(d, d, d);
    }
    add(size.y, FftPlan::row_of(size), size.y / 2 + 1);
  }
  void add(long long length, long long in, long long out) {
    const auto i = static_cast<std::size_t>(rank++);
    n[i] = length;
    pixels[i] = in;
    spectrum[i] = out;
    pixel_count *= in;
    spectrum_count *= out;
  }
};

}  // namespace

Size3 FftPlan::good_size(const Size3& at_least) {
  return {good_length(at_least.z), good_length(at_least.x), good_length(at_least.y)};
}

FftPlan::Handle::Handle() { ensure_fft(library_->create(&handle_)); }
// Destroying fails only where the device is lost, and then the next call reports that.
FftPlan::Handle::~Handle() { (void)library_->destroy(handle_); }

void FftPlan::Handle::renew() {
  ensure_fft(library_->destroy(handle_));
  handle_ = 0;
  ensure_fft(library_->create(&handle_));
}

FftPlan::FftPlan(const Size3& size, cudaStream_t stream) : size_(size) {
  const std::uint64_t bytes =
      std::max(make(forward_, CUFFT_R2C, stream), make(inverse_, CUFFT_C2R, stream));
  work_ = {bytes, kTransform, stream};
  for (const Handle* const handle : {&forward_, &inverse_}) {
    ensure_fft(library_->set_stream(handle->get(), stream));
    if (bytes != 0) ensure_fft(library_->set_work_area(handle->get(), work_.data()));
  }
}

// Makes a plan; returns how many bytes of work space it needs.
std::uint64_t FftPlan::make(Handle& handle, cufftType type, cudaStream_t stream) const {
  Layout l(size_);
  const bool to_spectrum = type == CUFFT_R2C;
  auto& in = to_spectrum ? l.pixels : l.spectrum;
  auto& out = to_spectrum ? l.spectrum : l.pixels;
  const long long in_count = to_spectrum ? l.pixel_count : l.spectrum_count;
  const long long out_count = to_spectrum ? l.spectrum_count : l.pixel_count;
  std::size_t bytes = 0;
  const auto plan = [&] {
    ensure_fft(library_->set_auto_allocation(handle.get(), 0));
    return library_->make_plan_many(handle.get(), l.rank, l.n.data(), in.data(), 1, in_count,
                                    out.data(), 1, out_count, type, 1, &bytes);
  };
  cufftResult code = plan();
  if (code == CUFFT_ALLOC_FAILED) {
    // cuFFT allocates its tables outside of the pool: free what the pool keeps and try once more.
    (void)cudaGetLastError();
    release_freed_memory(stream);
    handle.renew();
    code = plan();
  }
  ensure_fft(code);
  return bytes;
}

void FftPlan::forward(float* buffer) const {
  ensure_fft(library_->exec_r2c(forward_.get(), buffer, reinterpret_cast<cufftComplex*>(buffer)));
}

void FftPlan::inverse(float* buffer) const {
  ensure_fft(library_->exec_c2r(inverse_.get(), reinterpret_cast<cufftComplex*>(buffer), buffer));
}

std::uint64_t FftPlan::estimate_bytes(const Size3& size) {
  // Other lengths, with large prime factors, are done by longer transforms.
  const bool small =
      has_small_factors(size.z) && has_small_factors(size.x) && has_small_factors(size.y);
  constexpr std::uint64_t kTables = std::uint64_t{4} << 20U;
  return buffer_count(size) * sizeof(float) * (small ? 1 : 4) + kTables;
}

}  // namespace aprscope::gpu
