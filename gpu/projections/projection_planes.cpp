#include "gpu/projections/projection_planes.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

#include "core/base/parallel.hpp"
#include "gpu/device/device_pool.hpp"

namespace aprscope::gpu {
namespace {

constexpr const char* kPlanes = "planes of projections on the GPU";
// More layers are not faster, and uploads of the next ones overlap with their insertion.
constexpr std::int64_t kMostLayers = 1024;
constexpr std::int64_t kLeastLayers = 16;

// Copies to memory that only the device reads: bypasses the caches where the processor can.
void copy_past_caches(const float* from, float* to, std::int64_t count) {
  std::int64_t i = 0;
#if defined(__SSE2__)
  while (i < count && reinterpret_cast<std::uintptr_t>(to + i) % 16 != 0) {
    to[i] = from[i];
    ++i;
  }
  for (; i + 16 <= count; i += 16) {
    for (std::int64_t j = 0; j < 16; j += 4) _mm_stream_ps(to + i + j, _mm_loadu_ps(from + i + j));
  }
  _mm_sfence();
#endif
  std::copy(from + i, from + count, to + i);
}

bool is_pinned(const void* memory) {
  cudaPointerAttributes attributes{};
  if (cudaPointerGetAttributes(&attributes, memory) == cudaSuccess) {
    return attributes.type == cudaMemoryTypeHost;
  }
  (void)cudaGetLastError();
  return false;
}

}  // namespace

PlaneStore::Shape PlaneStore::shape_of(const InsertionPlan& plan, bool exact,
                                       std::int64_t most_layers) {
  Shape shape;
  const bool weighted = plan.ctf != CtfUse::none;
  // The blob kernel sums over pixels, so it cannot use filtered textures.
  exact = exact || plan.kernel == InsertionKernel::blob;
  shape.texels = exact ? (weighted ? Texels::exact_ctf : Texels::exact)
                       : (weighted ? Texels::filtered_ctf : Texels::filtered);
  // A column is read from where it crosses the axis on, so the margin is as far as one can reach.
  shape.margin =
      static_cast<std::int32_t>(std::ceil(2.0 * std::sqrt(2.0) * kMostScale * plan.blob.radius)) +
      2;
  shape.reach = static_cast<std::int32_t>(plan.image_reach);
  shape.width = 2 * (shape.reach + 2) + 1;
  shape.height = shape.margin + shape.reach + 3;
  shape.columns = std::min(plan.image_reach + 3, plan.padded / 2 + 1);
  shape.chunk = plan.padded > 400 ? 64 : 256;
  shape.texel_bytes = (weighted ? 8 : 4) * (exact ? 2 : 1);
  shape.layer_bytes = shape.texel_bytes * static_cast<std::uint64_t>(shape.width) *
                      static_cast<std::uint64_t>(shape.height);
  constexpr std::uint64_t kMostBytes = 4'000'000'000;
  shape.layers = std::clamp<std::int64_t>(static_cast<std::int64_t>(kMostBytes / shape.layer_bytes),
                                          kLeastLayers, most_layers);
  if (shape.layers > shape.chunk) shape.layers -= shape.layers % shape.chunk;
  shape.chunk = std::min(shape.chunk, shape.layers);
  const auto n = static_cast<std::uint64_t>(plan.side);
  const auto p = static_cast<std::uint64_t>(plan.padded);
  const auto columns = static_cast<std::uint64_t>(shape.columns);
  // Padded rows, their spectra and columns of the spectra, twice for the work space of transforms;
  // and the images in their slots.
  const std::uint64_t image = n * p * sizeof(float) +
                              2 * (n * (p / 2 + 1) + columns * p) * sizeof(float2) +
                              kSlots * (n * n * sizeof(float) + sizeof(PlaneTerms));
  shape.bytes = static_cast<std::uint64_t>(shape.layers) * shape.layer_bytes +
                static_cast<std::uint64_t>(shape.chunk) * image;
  return shape;
}

std::uint64_t PlaneStore::bytes(const InsertionPlan& plan, bool exact) {
  return shape_of(plan, exact, kMostLayers).bytes;
}

// Halves the layers until they fit. As few sizes are possible, sums seldom round differently.
PlaneStore::Shape PlaneStore::fitting_shape(const InsertionPlan& plan, bool exact) {
  const std::uint64_t free = device_memory().free;
  Shape shape = shape_of(plan, exact, kMostLayers);
  while (shape.bytes > free && shape.layers > kLeastLayers) {
    shape = shape_of(plan, exact, std::max(shape.layers / 2, kLeastLayers));
  }
  return shape;
}

PlaneStore::PlaneStore(const InsertionPlan& plan, bool exact, cudaStream_t stream)
    : plan_(plan), stream_(stream) {
  const Shape shape = fitting_shape(plan, exact);
  texels_ = shape.texels;
  to_.use = plan.ctf;
  to_.zero_x = shape.margin;
  to_.zero_y = shape.reach + 2;
  to_.width = shape.width;
  to_.height = shape.height;
  columns_ = shape.columns;
  layers_ = shape.layers;
  chunk_ = shape.chunk;

  const std::int64_t n = plan.side;
  const std::int64_t p = plan.padded;
  scales_ = {static_cast<std::uint64_t>(layers_), kPlanes, stream};
  squares_ = {static_cast<std::uint64_t>(chunk_ * kSquareParts), kPlanes, stream};
  rows_ = {static_cast<std::uint64_t>(chunk_ * n * p), kPlanes, stream};
  row_spectra_ = {static_cast<std::uint64_t>(chunk_ * n * (p / 2 + 1)), kPlanes, stream};
  spectra_ = {static_cast<std::uint64_t>(chunk_ * columns_ * p), kPlanes, stream};
  row_plan_ = std::make_unique<LinePlan>(CUFFT_R2C, p, chunk_ * n, stream);
  column_plan_ = std::make_unique<LinePlan>(CUFFT_C2C, p, chunk_ * columns_, stream);
  // Unused images of a chunk are transformed too, so they have to be numbers.
  rows_.zero();
  spectra_.zero();
  for (Slot& slot : slots_) {
    slot.terms = std::make_unique<PinnedBuffer>(term_bytes());
    slot.raw = {image_bytes() + term_bytes(), kPlanes, stream};
  }
  make_texels(shape.texel_bytes);
  upload_optics();
  // Waits, so that the buffers exist for the other stream, too.
  ensure(cudaStreamSynchronize(stream), "making room for planes");
}

PlaneStore::~PlaneStore() {
  (void)cudaStreamSynchronize(copies_);
  (void)cudaStreamSynchronize(stream_);
  if (texture_ != 0) (void)cudaDestroyTextureObject(texture_);
  if (to_.surface != 0) (void)cudaDestroySurfaceObject(to_.surface);
  if (array_ != nullptr) (void)cudaFreeArray(array_);
}

void PlaneStore::make_texels(std::uint64_t texel_bytes) {
  if (texels_ == Texels::exact || texels_ == Texels::exact_ctf) {
    memory_ = {static_cast<std::uint64_t>(layers_) * static_cast<std::uint64_t>(to_.width) *
                   static_cast<std::uint64_t>(to_.height) * texel_bytes / sizeof(float),
               kPlanes, stream_};
    to_.texels = memory_.data();
    return;
  }
  const cudaChannelFormatDesc format =
      texels_ == Texels::filtered
          ? cudaCreateChannelDesc(16, 16, 0, 0, cudaChannelFormatKindFloat)
          : cudaCreateChannelDesc(16, 16, 16, 16, cudaChannelFormatKindFloat);
  const cudaExtent extent{static_cast<std::size_t>(to_.width), static_cast<std::size_t>(to_.height),
                          static_cast<std::size_t>(layers_)};
  constexpr unsigned kFlags = cudaArrayLayered | cudaArraySurfaceLoadStore;
  cudaError_t code = cudaMalloc3DArray(&array_, &format, extent, kFlags);
  if (code == cudaErrorMemoryAllocation) {
    (void)cudaGetLastError();
    release_freed_memory(stream_);
    code = cudaMalloc3DArray(&array_, &format, extent, kFlags);
  }
  ensure(code, "making room for planes");
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array_;
  cudaTextureDesc texture{};
  texture.addressMode[0] = texture.addressMode[1] = cudaAddressModeClamp;
  texture.filterMode = cudaFilterModeLinear;
  ensure(cudaCreateTextureObject(&texture_, &resource, &texture, nullptr), "making a texture");
  ensure(cudaCreateSurfaceObject(&to_.surface, &resource), "making a texture");
  to_.scales = scales_.data();
}

void PlaneStore::upload_optics() {
  if (plan_.optics.empty()) return;
  std::vector<GroupTerms> groups;
  std::vector<float> weights;
  groups.reserve(plan_.optics.size());
  for (const GroupOptics& group : plan_.optics) {
    const float most = group.weights.empty()
                           ? 1.0F
                           : *std::max_element(group.weights.begin(), group.weights.end());
    groups.push_back({group.plane, static_cast<std::int32_t>(weights.size()),
                      static_cast<std::int32_t>(group.weights.size()), most});
    weights.insert(weights.end(), group.weights.begin(), group.weights.end());
  }
  const auto upload = [&](const auto& from, auto& to) {
    to = {from.size(), kPlanes, stream_};
    ensure(cudaMemcpyAsync(to.data(), from.data(), to.bytes(), cudaMemcpyHostToDevice, stream_),
           "copying optics");
  };
  upload(groups, optics_);
  if (!weights.empty()) upload(weights, weights_);
  ensure(cudaStreamSynchronize(stream_), "copying optics");
}

std::uint64_t PlaneStore::image_bytes() const {
  return static_cast<std::uint64_t>(chunk_ * plan_.side * plan_.side) * sizeof(float);
}
std::uint64_t PlaneStore::term_bytes() const {
  return static_cast<std::uint64_t>(chunk_) * sizeof(PlaneTerms);
}

PlaneTerms PlaneStore::terms_of(const ImageTerms& from) {
  PlaneTerms to{};
  to.mean = from.ctf.mean;
  to.cosine = from.ctf.cosine;
  to.sine = from.ctf.sine;
  to.fourth = from.ctf.fourth;
  to.constant = from.ctf.constant;
  to.ctf_scale = static_cast<float>(from.ctf.scale);
  to.b_factor = static_cast<float>(from.ctf.b_factor);
  to.sign = from.sign;
  to.shift_x = from.shift_x;
  to.shift_y = from.shift_y;
  to.weight = from.weight;
  to.magnify = from.scale * from.scale;
  if (from.optics >= 0) {
    const GroupOptics& optics = plan_.optics[static_cast<std::size_t>(from.optics)];
    to.magnify *= static_cast<float>(optics.magnification.area);
  }
  to.step = 1.0 / (static_cast<double>(plan_.padded) * from.pixel_size);
  to.optics = from.optics;
  const WindowKey key = window_key(plan_, from);
  const auto [found, added] = windows_.try_emplace(key, static_cast<std::int32_t>(windows_.size()));
  to.window = found->second;
  if (from.scale > kMostScale) {
    throw Failure{{"an image's pixels are more than 1.5 times those of the map", kPlanes,
                   "use --device cpu"}};
  }
  if (!added) return to;
  const std::vector<float> window = image_window(plan_, key);
  window_values_.insert(window_values_.end(), window.begin(), window.end());
  return to;
}

bool PlaneStore::fill(std::span<const float> images, std::span<const ImageTerms> terms,
                      const JobContext& context) {
  const auto count = static_cast<std::int64_t>(terms.size());
  std::vector<PlaneTerms> all;
  all.reserve(terms.size());
  for (const ImageTerms& t : terms) all.push_back(terms_of(t));
  if (device_windows_.count() != window_values_.size()) {
    device_windows_ = {window_values_.size(), kPlanes, stream_};
    ensure(cudaMemcpyAsync(device_windows_.data(), window_values_.data(), device_windows_.bytes(),
                           cudaMemcpyHostToDevice, stream_),
           "copying windows");
    ensure(cudaStreamSynchronize(stream_), "copying windows");
  }
  const std::int64_t pixels = plan_.side * plan_.side;
  const bool direct = is_pinned(images.data());
  for (std::int64_t first = 0; first < count; first += chunk_) {
    if (context.stop_requested()) return false;
    const std::int64_t some = std::min(chunk_, count - first);
    Slot& slot = slots_[pieces_++ % kSlots];
    ensure(cudaEventSynchronize(slot.copied), "copying projections");
    const float* from = images.data() + first * pixels;
    const std::size_t terms_size = static_cast<std::size_t>(some) * sizeof(PlaneTerms);
    if (!direct) {
      if (slot.images == nullptr) slot.images = std::make_unique<PinnedBuffer>(image_bytes());
      auto* const values = reinterpret_cast<float*>(slot.images->data());
      const auto copy = [&](std::int64_t begin, std::int64_t end, int) {
        copy_past_caches(from + begin, values + begin, end - begin);
      };
      constexpr std::int64_t kGrain = std::int64_t{1} << 18;
      parallel_stretches(some * pixels, threads_for(some * pixels, kGrain), copy);
      from = values;
    }
    std::memcpy(slot.terms->data(), all.data() + first, terms_size);
    ensure(cudaStreamWaitEvent(copies_, slot.consumed), "copying projections");
    const auto upload = [&](std::byte* to, const void* values, std::size_t bytes) {
      ensure(cudaMemcpyAsync(to, values, bytes, cudaMemcpyHostToDevice, copies_),
             "copying projections");
    };
    upload(slot.raw.data(), from, static_cast<std::size_t>(some * pixels) * sizeof(float));
    upload(slot.raw.data() + image_bytes(), slot.terms->data(), terms_size);
    slot.copied.record(copies_);
    ensure(cudaStreamWaitEvent(stream_, slot.copied), "copying projections");
    transform(slot, first, some);
  }
  return true;
}

void PlaneStore::release(std::span<const float> images) const {
  if (is_pinned(images.data())) {
    ensure(cudaStreamSynchronize(copies_), "copying projections");
  }
}

void PlaneStore::transform(const Slot& slot, std::int64_t first_layer, std::int64_t count) {
  PrepareView view{};
  view.images = reinterpret_cast<const float*>(slot.raw.data());
  view.terms = reinterpret_cast<const PlaneTerms*>(slot.raw.data() + image_bytes());
  view.optics = plan_.optics.empty() ? nullptr : optics_.data();
  view.weights = weights_.data();
  view.side = static_cast<std::int32_t>(plan_.side);
  view.padded = static_cast<std::int32_t>(plan_.padded);
  view.columns = static_cast<std::int32_t>(columns_);
  view.count = static_cast<std::int32_t>(count);
  view.windows = device_windows_.data();
  view.squares = squares_.data();
  view.rows = rows_.data();
  view.row_spectra = row_spectra_.data();
  view.spectra = spectra_.data();
  pad_rows(view, stream_);
  row_plan_->forward(rows_.data(), row_spectra_.data());
  turn_columns(view, stream_);
  column_plan_->forward(spectra_.data());
  to_.first_layer = static_cast<std::int32_t>(first_layer);
  write_texels(view, to_, stream_);
  // Recorded here because the terms are read until the last of these kernels ends.
  slot.consumed.record(stream_);
}

void PlaneStore::upload_again(int slot) {
  ensure(cudaMemcpyAsync(slots_[slot].raw.data(), slots_[slot].images->data(), image_bytes(),
                         cudaMemcpyHostToDevice, stream_),
         "copying projections");
}

void PlaneStore::transform_again(int slot, std::int64_t count) {
  transform(slots_[slot], 0, count);
}

void PlaneStore::describe(InsertView& view) const {
  view.scales = to_.scales;
  view.texture = texture_;
  view.texels = to_.texels;
  view.row_texels = to_.width;
  view.layer_texels = std::int64_t{to_.width} * to_.height;
  view.zero_x = static_cast<float>(to_.zero_x) + 0.5F;
  view.zero_y = static_cast<float>(to_.zero_y) + 0.5F;
}

}  // namespace aprscope::gpu
