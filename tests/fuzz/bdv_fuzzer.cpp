// XML files of BigDataViewer: what they say, the images that they make, and where their pixels are.
#include <cmath>

#include "core/io/bdv/bdv_views.hpp"
#include "tests/fuzz/support/expect.hpp"

namespace {

using namespace aprscope;
using fuzz::expect;

void check(const BdvProject& project) {
  expect(!project.setups.empty(), "there are setups");
  expect(!project.times.empty(), "there are time points");
  for (std::size_t i = 1; i < project.times.size(); ++i) {
    expect(project.times[i - 1] < project.times[i], "time points are in order");
  }
  std::size_t setups = 0;
  for (const BdvImage& image : bdv_images(project)) {
    expect(!image.setups.empty(), "an image has pixels");
    expect(image.setups.size() == image.channels.size(), "each setup is a channel");
    setups += image.setups.size();
    const auto choice = bdv_choice(project, image.name, "a.xml");
    expect(choice.ok() && (image.name.empty() || choice->image.name == image.name),
           "an image is found by its name");
  }
  expect(setups == project.setups.size(), "each setup is of one image");
  for (const BdvSetup& setup : project.setups) {
    const auto found = project.registrations.find({project.times.front(), setup.id});
    const BdvPlace place =
        place_of(setup, found == project.registrations.end() ? nullptr : &found->second);
    expect(place.voxel.z > 0 && place.voxel.x > 0 && place.voxel.y > 0, "a voxel has a size");
    for (const double at : place.origin) expect(std::isfinite(at), "an image is somewhere");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  static_cast<void>(is_bdv_xml(text));
  const auto project = parse_bdv(text);
  if (project) {
    check(*project);
  } else {
    Error error = project.error();
    if (error.where.empty()) error.where = "a.xml";
    fuzz::expect_sentence(error);
  }
  return 0;
}
