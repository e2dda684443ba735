#include "gpu/device/line_plan.hpp"

#include <algorithm>
#include <string>

#include "gpu/device/device_pool.hpp"

namespace aprscope::gpu {
namespace {

constexpr const char* kLineTransforms = "transforms of projections and maps on the GPU";

void ensure_lines(cufftResult code) {
  if (code == CUFFT_SUCCESS) return;
  (void)cudaGetLastError();
  throw Failure{{"cuFFT reports error " + std::to_string(static_cast<int>(code)), kLineTransforms,
                 "try again with --device cpu"}};
}

}  // namespace

PinnedBuffer::PinnedBuffer(std::uint64_t bytes) {
  void* memory = nullptr;
  ensure(cudaMallocHost(&memory, bytes), "pinning memory");
  data_ = static_cast<std::byte*>(memory);
}
PinnedBuffer::~PinnedBuffer() { (void)cudaFreeHost(data_); }

LinePlan::LinePlan(cufftType type, std::int64_t length, std::int64_t count, cudaStream_t stream) {
  ensure_lines(library_->create(&handle_));
  ensure_lines(library_->set_auto_allocation(handle_, 0));
  long long n = length;
  long long in = type == CUFFT_C2R ? length / 2 + 1 : length;
  long long out = type == CUFFT_R2C ? length / 2 + 1 : length;
  std::size_t bytes = 0;
  cufftResult code =
      library_->make_plan_many(handle_, 1, &n, &in, 1, in, &out, 1, out, type, count, &bytes);
  if (code == CUFFT_ALLOC_FAILED) {
    // cuFFT allocates its tables outside of the pool: free what the pool keeps and try once more.
    (void)cudaGetLastError();
    release_freed_memory(stream);
    ensure_lines(library_->destroy(handle_));
    ensure_lines(library_->create(&handle_));
    ensure_lines(library_->set_auto_allocation(handle_, 0));
    code = library_->make_plan_many(handle_, 1, &n, &in, 1, in, &out, 1, out, type, count, &bytes);
  }
  ensure_lines(code);
  ensure_lines(library_->set_stream(handle_, stream));
  work_ = {std::max<std::uint64_t>(bytes, 1), kLineTransforms, stream};
  ensure_lines(library_->set_work_area(handle_, work_.data()));
}
LinePlan::~LinePlan() { (void)library_->destroy(handle_); }

void LinePlan::forward(float* from, float2* to) const {
  ensure_lines(library_->exec_r2c(handle_, from, to));
}
void LinePlan::forward(float2* lines) const {
  ensure_lines(library_->exec_c2c(handle_, lines, lines, CUFFT_FORWARD));
}
void LinePlan::inverse(float2* lines) const {
  ensure_lines(library_->exec_c2c(handle_, lines, lines, CUFFT_INVERSE));
}
void LinePlan::inverse(float2* from, float* to) const {
  ensure_lines(library_->exec_c2r(handle_, from, to));
}

}  // namespace aprscope::gpu
