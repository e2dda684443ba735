#include "app/cli/shared/commands.hpp"
#include "app/cli/shared/data_io.hpp"
#include "app/cli/shared/options.hpp"
#include "core/image/synthetic.hpp"

namespace aprscope::cli {
namespace {

struct SynthOptions {
  std::string kind;
  std::string output;
  std::string size;
  std::string voxel;
  SyntheticOptions image;
};

Status synth(const SynthOptions& options, Session& session) {
  if (Status ok = check_output(options.output, {}, session); !ok) return ok;
  auto volume = session.timed(
      "synthesize", [&] { return make_synthetic(options.kind, options.image, session.context()); });
  if (!volume) return volume.error();
  const Data data = *std::move(volume);
  describe_data(data, session.report());
  return save_output(data, options.output, session);
}

}  // namespace

void add_synth(CLI::App& app, Chosen& chosen) {
  auto* command = app.add_subcommand("synth", "Make a synthetic image");
  auto options = std::make_shared<SynthOptions>();
  SyntheticOptions& image = options->image;
  command->add_option("KIND", options->kind, "What the image shows")
      ->required()
      ->check(CLI::IsMember(synthetic_kinds()));
  add_output(*command, options->output, "The image to write: .tif, .mrc, .zarr or .png");
  command->add_option("--size", options->size, "Size in pixels (default 64,256,256)")
      ->type_name("Z,X,Y");
  command->add_option("--voxel-size", options->voxel, "Voxel size in µm (default 1,0.25,0.25)")
      ->type_name("Z,X,Y");
  command->add_option("--seed", image.seed, "Seed of the random numbers (default 1)");
  command
      ->add_option("--objects", image.objects,
                   "Number of objects; 0 chooses it by the size (default)")
      ->check(CLI::Range(0, 1'000'000));
  command->add_option("--background", image.background, "Grey value of the background")
      ->check(number_from_to(0.0, 65535.0));
  command->add_option("--signal", image.signal, "Brightness of the objects above the background")
      ->check(number_from_to(0.0, 65535.0));
  command->add_option("--blur", image.blur, "Sigma of the blur in pixels")
      ->check(number_from_to(0.0, 50.0));
  command->add_option("--noise", image.noise, "Standard deviation of the camera noise")
      ->check(number_from_to(0.0, 65535.0));
  command->add_flag("--shot-noise,!--no-shot-noise", image.shot_noise,
                    "Add shot noise (default yes)");
  command->callback([options, &chosen] {
    output_kind(options->output, {OutputKind::tiff, OutputKind::png});
    if (!options->size.empty()) options->image.size = size_from("--size", options->size);
    if (!options->voxel.empty()) {
      const auto v = voxel_steps_from("--voxel-size", options->voxel);
      options->image.voxel = {v[0], v[1], v[2], "µm"};
    }
    chosen.run = [options](Session& session) { return synth(*options, session); };
  });
}

}  // namespace aprscope::cli
