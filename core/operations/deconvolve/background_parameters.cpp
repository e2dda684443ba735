#include "core/operations/deconvolve/background_parameters.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/apr/convert/conversion.hpp"
#include "core/apr/convert/sampling.hpp"
#include "core/apr/sample/reconstruction.hpp"
#include "core/deconvolution/iterate/camera_offset.hpp"
#include "core/deconvolution/psf/psf.hpp"
#include "core/operations/deconvolve/photon_parameters.hpp"
#include "core/operations/schema/schema_builder.hpp"

namespace aprscope {
namespace {

using Values = std::shared_ptr<const std::vector<float>>;

constexpr double kLargest = 1e9;
constexpr double kVoxelTolerance = 0.01;

schema::ParameterBuilder grey(const char* id, const char* label) {
  return schema::real(id, label).range(0, kLargest).unit("grey values");
}

std::string size_words(const Size3& n) {
  return std::to_string(n.z) + " × " + std::to_string(n.x) + " × " + std::to_string(n.y);
}

std::string size_words(const VoxelSize& v) {
  return to_text(v.z) + " × " + to_text(v.x) + " × " + to_text(v.y) + " " + v.unit;
}

bool same_voxels(const VoxelSize& a, const VoxelSize& b) {
  const auto one = psf_micrometres(a.unit);
  const auto other = psf_micrometres(b.unit);
  if (!one || !other) return true;  // who knows
  const auto close = [&](double p, double q) {
    return std::abs(p * *one - q * *other) <= kVoxelTolerance * p * *one;
  };
  return close(a.z, b.z) && close(a.x, b.x) && close(a.y, b.y);
}

Status check_values(const Dataset& background, std::span<const float> values) {
  const NonFinite bad = background.values().non_finite();
  if (bad.count != 0) {
    return Error{"holds " + std::to_string(bad.count) + " values that are not finite",
                 background.name(), "replace them before it is used as a background"};
  }
  const auto negative = std::count_if(values.begin(), values.end(), [](float v) { return v < 0; });
  if (negative == 0) return {};
  return Error{"holds " + std::to_string(negative) + " negative values", background.name(),
               "a background is light above the offset, from 0"};
}

Result<Volume> pixels_of(const Dataset& background, const JobContext& context) {
  auto made = reconstruct(*background.apr().access, background.values().particles(),
                          ReconstructionMode::constant, whole(background.size()), context);
  if (!made) return made.error();
  Volume volume;
  volume.pixels = *std::move(made);
  return volume;
}

Values floats(FieldValues sampled) {
  auto* const own = std::get_if<std::vector<float>>(&sampled);
  if (own != nullptr) return std::make_shared<const std::vector<float>>(std::move(*own));
  return std::visit(
      [](const auto& v) -> Values {
        std::vector<float> out(v.size());
        std::transform(v.begin(), v.end(), out.begin(),
                       [](auto each) { return static_cast<float>(each); });
        return std::make_shared<const std::vector<float>>(std::move(out));
      },
      sampled);
}

Result<Values> sampled(const Volume& volume, const Dataset& input, const JobContext& context) {
  // Sampled as f32, since means of whole numbers need not be whole.
  Volume real;
  real.pixels = volume.to_float();
  auto values = sample_particles(real, *input.apr().access, context);
  if (!values) return values.error();
  return floats(*std::move(values));
}

bool same_structure(const Dataset& a, const Dataset& b) {
  return a.is_apr() && b.is_apr() &&
         (a.apr().access == b.apr().access ||
          a.apr().access->particles() == b.apr().access->particles());
}

}  // namespace

std::vector<ParameterSpec> background_parameters() {
  std::vector<ParameterSpec> all;
  all.push_back(grey("offset", "Camera offset")
                    .help("Grey value that the camera records without light, as seen in a dark "
                          "frame. It is subtracted first."));
  all.push_back(schema::boolean("offset_auto", "Guess the offset")
                    .help("Take the offset from the image: the median of the darkest 1 % of its "
                          "pixels. The value found is written into the history of the result."));
  all.push_back(grey("background", "Background")
                    .help("Uniform light above the offset that does not come from the specimen. It "
                          "is added to the model of the image, so that it is not deconvolved."));
  all.push_back(
      schema::text("background_file", "Background image")
          .names_file()
          .help("Image of a background that varies, in the place of one number: of the same size "
                "as the data, without the camera offset; .apr or any readable image."));
  return all;
}

double guess_offset(const Dataset& input) {
  if (input.is_apr()) {
    return guess_offset(input.values().particles(), cell_volumes(*input.apr().access));
  }
  return std::visit(
      [](const auto& pixels) { return guess_offset(std::span(std::as_const(pixels.values))); },
      input.volume().pixels);
}

Operation with_offset(Operation complete, double guess) {
  complete.parameters["offset"] = std::min(guess, kLargest);
  complete.parameters["offset_auto"] = false;
  return complete;
}

Operation with_guesses(Operation complete, const Dataset& input) {
  if (parameter<bool>(complete, "offset_auto")) {
    complete = with_offset(std::move(complete), guess_offset(input));
  }
  if (!parameter<std::string>(complete, "background_file").empty()) {
    complete.parameters["background"] = 0.0;
  }
  return with_photon_gain(std::move(complete), input);
}

Result<Values> background_values(const std::shared_ptr<const Dataset>& background,
                                 const Dataset& input, const JobContext& context) {
  if (background->size() != input.size()) {
    return Error{"is no background of this image: it has " + size_words(background->size()) +
                     " pixels instead of " + size_words(input.size()),
                 background->name(), "use an image of the same size"};
  }
  if (!same_voxels(background->voxel(), input.voxel())) {
    return Error{"is no background of this image: its voxels are " +
                     size_words(background->voxel()) + " instead of " + size_words(input.voxel()),
                 background->name(), "use an image of the same voxels, or set its voxel size"};
  }
  if (background->is_apr() && background->values().particles().empty()) {
    return Error{"has no particle values", background->name(), "use a file with a particle field"};
  }
  const std::vector<float>& own = background->is_apr() ? background->values().particles()
                                                       : background->values().pixels().values;
  if (Status ok = check_values(*background, own); !ok) return ok.error();
  if (same_structure(*background, input) || (!background->is_apr() && !input.is_apr())) {
    return Values(background, &own);
  }
  if (!background->is_apr()) return sampled(background->volume(), input, context);
  auto volume = pixels_of(*background, context);
  if (!volume) return volume.error();
  if (input.is_apr()) return sampled(*volume, input, context);
  return std::make_shared<const std::vector<float>>(
      std::move(std::get<Pixels<float>>(volume->pixels).values));
}

}  // namespace aprscope
