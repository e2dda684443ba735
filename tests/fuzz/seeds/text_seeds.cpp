#include "app/gui/document/workspace/window_workspace.hpp"
#include "core/io/colours/colour_table_file.hpp"
#include "core/operations/filter/stencil_file.hpp"
#include "core/pipeline/recipe.hpp"
#include "tests/fuzz/seeds/seeds.hpp"

namespace aprscope::fuzz {
namespace {

Recipe every_step() {
  Recipe recipe{"image.tif", 1, 2, {}};
  for (const OperationSchema* each : operation_schemas()) {
    const OperationSchema& schema = *each;
    recipe.steps.push_back(*complete({schema.id, {}}));
  }
  return recipe;
}

gui::WindowWorkspace everything() {
  gui::WindowWorkspace workspace;
  gui::ShownItem image;
  image.id = 1;
  image.name = "image";
  image.recipe = {"image.h5:/raw", 1, 2, {}};
  image.display = {"pixel", {10.5, 900.25, 0.5}, "magma", false, true};
  gui::ShownItem result = image;
  result.id = 2;
  result.parent = 1;
  result.recipe.steps = {*complete({"convert", {}}), *complete({"box", {}})};
  result.file = "result.apr";
  result.file_stamp = {12345, 0xF0E1D2C3U};
  result.costs = {{"convert", 1.25, 1000, 5000, "CPU"}, {"box", 0.125, 2000, {}, "cuda:0"}};
  workspace.items = {image, result};
  workspace.current = 2;
  workspace.views.slices[1] = {false, 3.25, 4.5, 2.0};
  workspace.views.camera = RayCamera{};
  workspace.comparison = {
      true, 1, 2, "reveal", "yz", false, 0.25, 1.0, true, PlaneLine{{1, 2}, {3, 4.5}}, 3};
  return workspace;
}

void write_recipes(const std::filesystem::path& folder) {
  write_seed(folder / "every_step", to_json(every_step()));
  int number = 0;
  for (const OperationSchema* each : operation_schemas()) {
    const OperationSchema& schema = *each;
    const Recipe recipe{"", 0, 0, {*complete({schema.id, {}})}};
    write_seed(folder / std::to_string(number++), to_json(recipe));
  }
  write_seed(
      folder / "short",
      R"({"aprscope": 1, "steps": [{"operation": "gaussian", "parameters": {"sigma": 2}}]})");
}

void write_stencils(const std::filesystem::path& folder) {
  int number = 0;
  for (const Stencil& stencil :
       {Stencil{{1, 1, 1}, {1.0}, "identity"}, box_stencil({3, 3, 3}), gaussian_stencil({1, 1, 0}),
        sobel_stencil(Axis::x), Stencil{{1, 1, 3}, {0.1, -2e-9, 1e7}, "ö \"w\""}}) {
    write_seed(folder / std::to_string(number++), stencil_to_json(stencil));
  }
}

void write_specs(const std::filesystem::path& folder) {
  int number = 0;
  for (const char* text :
       {"gaussian:sigma=2,size=13", "gaussian:sigma=1,2,2,sigma_unit=physical", "sobel:axis=x",
        "box:size=5", "laplacian", "log:sigma=2", "gradient:kind=central,component=magnitude",
        "sharpen:sigma=1,amount=0.5", "median:size=3", "std:size=3", "min", "max", "mean:size=5",
        "gaussian:sigma=1x2x2,mode=restricted,boundary=zero,normalize=yes",
        "born-wolf:na=1.4,wavelength=500,n=1.518",
        "gibson-lanni:na=1.2,depth=10,ns=1.33,cover_glass=170", "file:psf.tif,background=off",
        "beads:img.tif,at=1/2/3;4/5/6,center=off", "gaussian:sigma=2,unit=physical,size=3,5,7"}) {
    write_seed(folder / std::to_string(number++), text);
  }
}

void write_tile_lists(const std::filesystem::path& folder) {
  write_seed(folder / "three",
             "# Define the number of dimensions we are working on\ndim = 3\n\n"
             "a.tif; ; (0.0, 0.0, 0.0)\nset.xml:/tile1; ; (-10.5, 1e2, 3)\n");
  write_seed(folder / "two", "dim=2\r\nmultiseries = true\r\na b.tif;0;(1,2)\r\n");
}

void write_descriptions(const std::filesystem::path& folder) {
  const std::string counts("\x07\x00", 2);
  write_seed(folder / "imagej", counts +
                                    "ImageJ=1.53t\nimages=8\nchannels=2\nslices=2\nframes=2\n"
                                    "hyperstack=true\nunit=\\u00B5m\nspacing=0.5\nxorigin=1\n"
                                    "aprscope_channel=red\n");
  const std::string head =
      R"(<?xml version="1.0" encoding="UTF-8"?><OME UUID="urn:uuid:1"><Image ID="Image:0"><Pixels )"
      R"(DimensionOrder="XYZCT" Type="uint16" SizeX="9" SizeY="5" SizeZ="2" SizeC="2" SizeT="2" )"
      R"(PhysicalSizeX="0.5" PhysicalSizeXUnit="nm" PhysicalSizeY="1e-3" PhysicalSizeZ="2">)"
      R"(<Channel ID="Channel:0" Name="one" SamplesPerPixel="1"/><Channel ID="Channel:1"/>)";
  const std::string tail = "</Pixels></Image></OME>";
  write_seed(folder / "plain", counts + head + R"(<TiffData/>)" + tail);
  write_seed(folder / "planes", counts + head +
                                    R"(<TiffData IFD="0" FirstZ="1" FirstC="0" FirstT="1" )"
                                    R"(PlaneCount="1"><UUID FileName="a.tif">urn:uuid:1</UUID>)"
                                    R"(</TiffData><TiffData IFD="3" PlaneCount="4"/>)" +
                                    tail);
  write_seed(folder / "none", counts + head + tail);
}

void write_colours(const std::filesystem::path& folder) {
  const std::string bytes = colour_table_bytes(colormap("magma"));
  write_seed(folder / "bytes", bytes);
  write_seed(folder / "headed", "ICOL" + std::string(28, '\0') + bytes);
  write_seed(folder / "lines", "Index Red Green Blue\n0 0 0 0\n1 255 128 0\n2 255 255 255\n");
  write_seed(folder / "fractions", "# mine\n0,0,0.5\n1,0.25,1e-3\n");
}

}  // namespace

void write_text_seeds(const std::filesystem::path& root) {
  write_recipes(root / "recipe");
  write_seed(root / "workspace" / "everything", to_json(everything()));
  write_seed(root / "workspace" / "empty", to_json(gui::WindowWorkspace{}));
  write_stencils(root / "stencil");
  write_specs(root / "spec");
  write_tile_lists(root / "tiles");
  write_descriptions(root / "ome");
  write_colours(root / "colours");
}

}  // namespace aprscope::fuzz
