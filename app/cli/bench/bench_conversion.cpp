#include "app/cli/bench/bench.hpp"
#include "core/apr/convert/conversion.hpp"
#include "core/apr/convert/gradient_scale.hpp"
#include "core/apr/convert/sampling.hpp"
#include "core/operations/particles/conversion_operation.hpp"

namespace aprscope::cli {

Status bench_conversion(const BenchCase& item, BenchTable& table, Session& session) {
  const auto image = Dataset::create(item.data);
  const Volume& volume = image->volume();
  const auto operation = complete({"convert", {}});
  if (!operation) return operation.error();
  const ConversionParameters parameters = conversion_parameters(*operation, volume.voxel);
  const auto count = static_cast<std::uint64_t>(volume.size().count());

  std::vector<GradientScale> scale;
  const auto scale_times = table.measure([&]() -> Status {
    scale.clear();
    auto made = compute_gradient_scale(volume, parameters, session.context());
    if (!made) return made.error();
    scale.push_back(*std::move(made));
    return {};
  });
  if (!scale_times) return scale_times.error();
  Row row{item.name, "gradient_scale", "-", "-", 0, count, volume.bytes(), volume.bytes(), 0.0};
  table.add(row, *scale_times);

  std::shared_ptr<const AprAccess> access;
  const auto access_times = table.measure([&]() -> Status {
    auto made = build_access(scale.front(), parameters, session.context());
    if (!made) return made.error();
    access = *std::move(made);
    return {};
  });
  if (!access_times) return access_times.error();
  row.op = "structure";
  row.particles = access->count();
  row.bytes = access->bytes();
  row.moved = count / 8 * 12 + access->bytes();
  table.add(row, *access_times);

  const auto sample_times = table.measure([&]() -> Status {
    const auto values = sample_particles(volume, *access, session.context());
    return values ? Status() : values.error();
  });
  if (!sample_times) return sample_times.error();
  row.op = "sampling";
  row.bytes = access->count() * 2;
  row.moved = volume.bytes() + row.bytes;
  table.add(row, *sample_times);

  std::uint64_t bytes = 0;
  const auto times = table.measure([&]() -> Status {
    const auto apr = convert(volume, parameters, session.context());
    if (!apr) return apr.error();
    bytes = apr->bytes();
    return {};
  });
  if (!times) return times.error();
  row.op = "convert";
  row.bytes = bytes;
  row.moved = volume.bytes() + bytes;
  table.add(row, *times);
  return {};
}

}  // namespace aprscope::cli
