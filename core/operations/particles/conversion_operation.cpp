#include "core/operations/particles/conversion_operation.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "core/apr/convert/conversion_result.hpp"
#include "core/apr/convert/sampling.hpp"
#include "core/apr/convert/slice_conversion.hpp"
#include "core/apr/convert/streamed_memory.hpp"
#include "core/cells/carried_labels.hpp"
#include "core/operations/engine/run_checks.hpp"

namespace aprscope {

ConversionParameters conversion_parameters(const Operation& convert, const VoxelSize& voxel) {
  const auto real = [&](const char* id) {
    return static_cast<float>(parameter<double>(convert, id));
  };
  ConversionParameters p;
  p.rel_error = real("rel_error");
  p.lambda = real("lambda");
  p.auto_thresholds = parameter<bool>(convert, "auto_thresholds");
  p.sigma_th = real("sigma_th");
  p.sigma_th_max = real("sigma_th_max");
  p.grad_th = real("grad_th");
  p.intensity_th = real("intensity_th");
  p.constant_scale = parameter<bool>(convert, "constant_scale");
  p.neighbourhood_optimisation = parameter<bool>(convert, "neighbourhood_optimisation");
  if (parameter<bool>(convert, "use_voxel_size")) {
    const double smallest = std::min({voxel.z, voxel.x, voxel.y});
    p.dz = static_cast<float>(voxel.z / smallest);
    p.dx = static_cast<float>(voxel.x / smallest);
    p.dy = static_cast<float>(voxel.y / smallest);
  }
  // The window of the local scale follows psf / d, and the operation states its PSF in pixels.
  const auto& psf = parameter<std::array<double, 3>>(convert, "psf");
  p.psfz = static_cast<float>(psf[0]) * p.dz;
  p.psfx = static_cast<float>(psf[1]) * p.dx;
  p.psfy = static_cast<float>(psf[2]) * p.dy;
  return p;
}

Result<Apr> convert_source(const Operation& convert, SliceSource& source, const VoxelSize& voxel,
                           const JobContext& context, std::uint64_t memory) {
  const auto whole = complete(convert);
  if (!whole) return whole.error();
  const ConversionParameters parameters = conversion_parameters(*whole, voxel);
  if (Status fits = check_streamed_memory(source, parameters, memory); !fits) return fits.error();
  auto apr = convert_slices(source, parameters, context);
  if (!apr) return apr.error();
  return streamed_facts(*whole, *std::move(apr), voxel);
}

Apr streamed_facts(const Operation& complete, Apr converted, const VoxelSize& voxel) {
  converted.voxel = voxel;
  name_channel(converted);
  converted.history = {describe(complete) + " [cpu]"};
  return converted;
}

Apr conversion_result(const Operation& convert, const Volume& image,
                      std::shared_ptr<const AprAccess> access, FieldValues values,
                      const ConversionParameters& used) {
  Apr apr = converted_apr(std::move(access), std::move(values), image, used);
  name_channel(apr);
  apr.history = {made_by_cpu(convert)};
  return apr;
}

std::optional<std::size_t> shared_conversion(const std::vector<Operation>& steps) {
  for (std::size_t i = steps.size(); i-- > 0;) {
    if (steps[i].id != "convert") continue;
    const auto whole = complete(steps[i]);
    if (whole && parameter<std::string>(*whole, "structure") == "shared") return i;
    return std::nullopt;
  }
  return std::nullopt;
}

std::vector<Operation> with_own_structure(std::vector<Operation> steps) {
  for (Operation& step : steps) {
    const auto structure = step.parameters.find("structure");
    if (step.id == "convert" && structure != step.parameters.end()) {
      structure->second = std::string("own");
    }
  }
  return steps;
}

Result<Data> particles_at(const Apr& own, std::shared_ptr<const AprAccess> access,
                          const Dataset& image, const JobContext& context) {
  auto values = sample_particles(image.volume(), *access, context);
  if (!values) return values.error();
  Apr apr = own;
  apr.access = std::move(access);
  apr.fields = {std::make_shared<const Field>(Field{kParticlesField, std::move(*values)})};
  apr.tree_fields.clear();
  apr.labels.reset();
  return with_labels_of(image.labels(), std::move(apr), context);
}

void name_channel(Apr& apr) {
  if (apr.channel == "0") apr.channel.clear();
}

Result<Data> with_labels_of(const std::shared_ptr<const Labels>& of_pixels, Apr apr,
                            const JobContext& context) {
  if (of_pixels) {
    auto labels = particle_labels(*apr.access, *of_pixels, context);
    if (!labels) return labels.error();
    apr.labels = std::make_shared<const Labels>(*std::move(labels));
  }
  return Data{std::move(apr)};
}

Result<Data> with_labels_of(const Apr& source, Volume image, const JobContext& context) {
  if (source.labels && image.size() == source.access->size()) {
    auto labels = pixel_labels(*source.access, *source.labels, context);
    if (!labels) return labels.error();
    image.labels = std::make_shared<const Labels>(*std::move(labels));
  }
  return Data{std::move(image)};
}

}  // namespace aprscope
