// The window knows what data is and how it looks, operations by their schemas, and nothing of how
// anything is computed: an algorithm is reached through operations, datasets and back ends, on
// whichever device.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/architecture/includes.hpp"

namespace aprscope {
namespace {

using test::all_includes;
using test::Include;

// Where algorithms are: mathematics, and of the operations each family.
bool is_of_algorithms(const std::string& header) {
  static const std::vector<std::string> folders{
      "core/apr/",  "core/cells/",       "core/deconvolution/", "core/filter/",   "core/image/",
      "core/maps/", "core/projections/", "core/ranks/",         "core/topology/", "gpu/"};
  const auto begins = [&](const std::string& with) { return header.rfind(with, 0) == 0; };
  if (std::any_of(folders.begin(), folders.end(), begins)) return true;
  // core/operations/engine/registry.hpp is no family's.
  const std::string families = "core/operations/";
  return begins(families) && header.find('/', families.size()) != std::string::npos &&
         !begins("core/operations/schema/") && !begins("core/operations/engine/");
}

// Headers there that hold no algorithm: what data is and how it is drawn.
const std::map<std::string, std::string>& harmless() {
  static const std::map<std::string, std::string> all{
      {"core/apr/structure/access.hpp", "a data type: the structure of particles"},
      {"core/apr/structure/apr.hpp", "a data type: particles"},
      {"core/apr/convert/report.hpp",
       "a data type: how large particles are and how far from the image"},
      {"core/apr/raycast/ray_camera.hpp",
       "a data type: where a view in three dimensions looks from"},
      {"core/apr/raycast/translucency.hpp",
       "a data type: how deep a view in three dimensions looks into matter"},
      {"core/apr/sample/slice.hpp", "data types: a slice's dots"},
      {"core/apr/sample/reconstruction.hpp", "data types: a region, and how particles are shown"},
      {"core/cells/correction.hpp", "a data type: one correction, as text of a step"},
      {"core/cells/label_colours.hpp", "a look: colours of labels"},
      {"core/cells/label_scene.hpp",
       "a data type: what a view in three dimensions shows of labels"},
      {"core/deconvolution/psf/psf.hpp", "a data type: a PSF with what is to be said of it"},
      {"core/filter/stencil.hpp", "a data type: the value of a parameter"},
      {"core/image/channel_blend.hpp", "data types: how a channel looks"},
      {"core/image/colormap.hpp", "a look: contrast and colours"},
      {"core/image/difference.hpp", "a look: the picture of B - A and its contrast"},
      {"core/image/extent.hpp", "a fact about data: whether they cover the same box"},
      {"core/image/figure.hpp", "a look: a figure with captions"},
      {"core/image/histogram.hpp", "a data type, and the contrast that follows from it"},
      {"core/image/level_set.hpp", "a data type: which side of a threshold"},
      {"core/image/region.hpp", "a data type: a box of pixels"},
      {"core/image/plane_axes.hpp", "a fact about slices: which dimensions are rows and columns"},
      {"core/image/profile.hpp", "a data type: a line in a slice, and the values along it"},
      {"core/image/scale_bar.hpp", "a look: a round length"},
      {"core/image/volume.hpp", "a data type: pixels"},
      {"core/operations/measure/line_in_slice.hpp",
       "a data type: the line of an operation, as it is drawn in a slice"},
      {"core/projections/projections.hpp", "a data type: projections and their table"},
      {"gpu/engines/devices.hpp", "the table of devices"},
  };
  return all;
}

// Files of the window that know an algorithm, and why they still do.
using Known = std::map<std::pair<std::string, std::string>, std::string>;
const Known& exceptions() {
  static const std::string panel = "the panel of this operation writes and reads its parameters";
  static const std::string preview = "goes when all previews go through one door";
  static const Known all{
      {{"app/gui/panels/background_box.cpp",
        "core/operations/deconvolve/background_parameters.hpp"},
       panel},
      {{"app/gui/panels/deconvolution_form.cpp",
        "core/operations/deconvolve/background_parameters.hpp"},
       panel},
      {{"app/gui/document/deconvolution_run.cpp",
        "core/operations/deconvolve/background_parameters.hpp"},
       preview},
      {{"app/gui/document/deconvolution_run.cpp",
        "core/operations/deconvolve/back_projector_parameters.hpp"},
       "a run that ends early is written down as one of so many iterations"},
      {{"app/gui/panels/deconvolution_form.cpp",
        "core/operations/deconvolve/back_projector_parameters.hpp"},
       panel},
      {{"app/gui/panels/deconvolution_text.cpp", "core/operations/deconvolve/resolution.hpp"},
       panel},
      {{"app/gui/panels/deconvolution_form.cpp", "core/operations/deconvolve/psf_parameters.hpp"},
       panel},
      {{"app/gui/panels/psf_builder.cpp", "core/operations/deconvolve/psf_parameters.hpp"}, panel},
      {{"app/gui/tasks.cpp", "core/operations/deconvolve/psf_parameters.hpp"},
       "the switch --psf is read as the command line reads it"},
      {{"app/gui/tasks.cpp", "core/operations/filter/stencil_spec.hpp"},
       "the switch --stencil is read as the command line reads it"},
      {{"app/gui/panels/filter_controls.cpp", "core/operations/filter/filter_plan.hpp"},
       "the weights that a filter turns into are edited by hand"},
      {{"app/gui/panels/filter_controls.cpp", "core/operations/filter/level_stencils.hpp"},
       "shows what a filter does on each level"},
      {{"app/gui/panels/psf_builder.cpp", "core/operations/filter/level_stencils.hpp"},
       "shows what a PSF becomes on each level"},
      {{"app/gui/help/help_drawings_stencils.cpp", "core/operations/filter/level_stencils.hpp"},
       "the help draws what the program does"},
      {{"app/gui/help/help_sample.cpp", "core/apr/convert/conversion.hpp"},
       "the help draws what the program does"},
      {{"app/gui/compare/compare_feed.hpp", "core/operations/measure/comparison.hpp"},
       "the panel of this measurement: figures of what is on screen"},
      {{"app/gui/document/conversion_preview.hpp", "core/apr/convert/conversion.hpp"}, preview},
      {{"app/gui/document/conversion_preview.cpp",
        "core/operations/particles/conversion_operation.hpp"},
       preview},
      {{"app/gui/document/conversion_preview.cpp", "core/apr/convert/gradient_scale.hpp"}, preview},
      {{"app/gui/document/conversion_preview.cpp", "core/apr/convert/sampling.hpp"}, preview},
      {{"app/gui/document/runner.cpp", "core/operations/particles/conversion_operation.hpp"},
       "a conversion takes over what its estimate has found"},
      {{"app/gui/document/data_piece.cpp", "core/apr/structure/part.hpp"},
       "cuts out what is on screen for a preview"},
      {{"app/gui/views/slice_picture.cpp", "core/apr/structure/tree.hpp"}, preview},
      {{"app/gui/document/label_preview.cpp", "core/operations/measure/background_note.hpp"},
       preview},
      {{"app/gui/panels/cell_table_options.cpp", "core/operations/measure/wall_tables.hpp"}, panel},
      {{"app/gui/panels/bead_picker.cpp", "core/deconvolution/psf/psf_measured.hpp"},
       "a click finds the bead that it meant, at once"},
      {{"app/gui/panels/psf_builder.hpp", "core/deconvolution/psf/psf_measured.hpp"},
       "what is told of beads has no data type of its own yet"},
      {{"app/gui/document/corrections.hpp", "core/cells/amended_labels.hpp"},
       "corrections one after another are made in place, not as runs of an operation"},
      {{"app/gui/panels/cells_panel.cpp", "core/operations/segment/segments.hpp"}, panel},
      {{"app/gui/document/corrections.cpp", "core/operations/segment/segments.hpp"},
       "corrections one after another are made in place, not as runs of an operation"},
      {{"app/gui/window/main_window.cpp", "core/operations/segment/segments.hpp"},
       "a click in a slice becomes a correction"},
      {{"app/gui/document/opener.cpp", "core/image/synthetic.hpp"},
       "the example images of the start page, until making an image is an operation"},
      {{"app/gui/document/workspace_restorer.cpp", "core/image/synthetic.hpp"},
       "the example images of the start page, until making an image is an operation"},
  };
  return all;
}

// Projections and maps of molecules: what their panel shows has no data types of its own yet, so
// that its files know those of the subject, and no other.
bool is_of_projections(const Include& i) {
  const auto begins = [](const std::string& text, const std::vector<std::string>& with) {
    return std::any_of(with.begin(), with.end(),
                       [&](const std::string& one) { return text.rfind(one, 0) == 0; });
  };
  static const std::vector<std::string> files{
      "app/gui/panels/reconstruct_",  "app/gui/views/projection_",
      "app/gui/panels/reprojection_", "app/gui/panels/direction_feed",
      "app/gui/panels/left_out_box",  "app/gui/widgets/direction_map",
      "app/gui/widgets/ctf_view",     "app/gui/document/map_growth",
      "app/gui/window/export_dialog", "app/gui/document/exporter"};
  static const std::vector<std::string> headers{
      "core/projections/", "core/maps/", "core/operations/project/", "core/operations/maps/"};
  return begins(i.file, files) && begins(i.target, headers);
}

std::vector<Include> of_the_window() {
  std::vector<Include> found;
  for (const Include& i : all_includes()) {
    if (i.quoted && i.file.rfind("app/gui/", 0) == 0 && is_of_algorithms(i.target)) {
      found.push_back(i);
    }
  }
  return found;
}

TEST(WindowArrows, TheWindowKnowsNoAlgorithm) {
  const auto includes = of_the_window();
  ASSERT_GT(includes.size(), 20U);
  for (const Include& i : includes) {
    if (harmless().count(i.target) > 0 || exceptions().count({i.file, i.target}) > 0) continue;
    if (is_of_projections(i)) continue;
    EXPECT_TRUE(false) << i.file << " includes " << i.target
                       << ": reach it through an operation, a dataset or a back end";
  }
}

// What is no longer needed leaves the lists: they only get shorter unless a reason is found.
TEST(WindowArrows, TheListsHoldNothingThatIsGone) {
  std::set<std::string> headers;
  std::set<std::pair<std::string, std::string>> pairs;
  for (const Include& i : of_the_window()) {
    headers.insert(i.target);
    pairs.insert({i.file, i.target});
  }
  for (const auto& [header, reason] : harmless()) {
    EXPECT_EQ(headers.count(header), 1U) << header;
    EXPECT_GT(reason.size(), 5U) << header;
  }
  for (const auto& [pair, reason] : exceptions()) {
    EXPECT_EQ(pairs.count(pair), 1U) << pair.first << ", " << pair.second;
    EXPECT_EQ(harmless().count(pair.second), 0U) << pair.second << " is harmless";
    EXPECT_GT(reason.size(), 5U) << pair.first;
  }
}

TEST(WindowArrows, AlgorithmsWouldBeFound) {
  for (const char* header : {"core/deconvolution/iterate/richardson_lucy.hpp",
                             "core/cells/basins.hpp", "core/operations/segment/segments.hpp"}) {
    EXPECT_TRUE(is_of_algorithms(header)) << header;
    EXPECT_EQ(harmless().count(header), 0U) << header;
  }
  EXPECT_FALSE(
      is_of_projections({"app/gui/views/slice_feed.cpp", "app/gui", "core/maps/x.hpp", true}));
  for (const char* header : {"core/operations/engine/registry.hpp", "core/pipeline/backend.hpp",
                             "core/operations/engine/iteration_report.hpp", "core/data/curve.hpp",
                             "app/gui/document/document.hpp"}) {
    EXPECT_FALSE(is_of_algorithms(header)) << header;
  }
}

}  // namespace
}  // namespace aprscope
