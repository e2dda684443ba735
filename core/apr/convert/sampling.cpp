#include "core/apr/convert/sampling.hpp"

#include <algorithm>
#include <new>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "core/apr/convert/conversion_check.hpp"
#include "core/apr/convert/sampler.hpp"
#include "core/base/parallel.hpp"
#include "core/base/scratch.hpp"

namespace aprscope {
namespace {

template <class T>
Result<FieldValues> sample(RawSlices& slices, const AprAccess& access, SamplingRounding rounding,
                           const JobContext& context) {
  const Size3 n = slices.size();
  const bool truncate = std::is_integral_v<T> && rounding == SamplingRounding::truncate_each_level;
  const int threads = threads_for(n.count());
  const LinearAccess& particles = access.particles();
  detail::Sampler<T> sampler(n, access.level_max(), truncate, threads);
  std::vector<T> values;
  reserve_huge(values, static_cast<std::int64_t>(access.count()));
  // Makes room for the values of all slices before z. A vector clears what it grows by: hence bit
  // by bit, while the values before are written.
  const auto grow = [&](std::int64_t z) {
    values.resize(particles.row(access.level_max(), std::min(z, n.z) - 1, n.x - 1).end);
  };
  grow(detail::kSampledSide);
  std::vector<const void*> raw;
  const auto all = static_cast<double>(n.z);
  for (std::int64_t z = 0; z < n.z; z += detail::kSampledSide) {
    const std::int64_t end = std::min(z + detail::kSampledSide, n.z);
    const JobContext part =
        context.part(static_cast<double>(z) / all, static_cast<double>(end) / all);
    if (Status got = slices.get(z, end, raw, part); !got) return got.error();
    if (!sampler.slab(particles, values.data(), z, raw, threads, part,
                      [&] { grow(end + detail::kSampledSide); })) {
      return cancelled_error();
    }
  }
  if (!sampler.finish(particles, access.level_min_used(), values.data(), context)) {
    return cancelled_error();
  }
  return FieldValues(std::move(values));
}

}  // namespace

Result<FieldValues> sample_slices(RawSlices& slices, const AprAccess& access,
                                  SamplingRounding rounding, const JobContext& context) {
  switch (slices.kind()) {
    case SampleKind::u8:
      return sample<std::uint8_t>(slices, access, rounding, context);
    case SampleKind::u16:
      return sample<std::uint16_t>(slices, access, rounding, context);
    case SampleKind::f32:
      break;
  }
  return sample<float>(slices, access, rounding, context);
}

Result<FieldValues> sample_particles(const Volume& volume, const AprAccess& access,
                                     const JobContext& context, SamplingRounding rounding) {
  if (!(volume.size() == access.size())) {
    return Error{"the image and the APR differ in size", "particle values",
                 "sample the image that the APR was made from"};
  }
  try {
    RawSlices slices(volume);
    return sample_slices(slices, access, rounding, context);
  } catch (const std::bad_alloc&) {
    return not_enough_memory(volume.size());
  }
}

}  // namespace aprscope
