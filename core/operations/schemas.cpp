// The table of all operations: what dialogs, the command line and recipes offer.
#include <utility>

#include "core/operations/deconvolve/deconvolution_operation.hpp"
#include "core/operations/schema/operation.hpp"

namespace aprscope {
namespace {

using Vector = std::array<double, 3>;

constexpr double kGreyLimit = 1e9;

ParameterSpec boolean(std::string id, std::string label, bool value, std::string help) {
  return {std::move(id),  std::move(label), ParameterType::boolean, value, 0.0, 1.0, "", {},
          std::move(help)};
}

ParameterSpec real(std::string id, std::string label, double value, double minimum, double maximum,
                   std::string unit, std::string help) {
  return {std::move(id),  std::move(label), ParameterType::real, value,
          minimum,        maximum,          std::move(unit),     {},
          std::move(help)};
}

ParameterSpec choice(std::string id, std::string label, std::vector<std::string> choices,
                     std::string help) {
  std::string first = choices.front();
  return {
      std::move(id),      std::move(label), ParameterType::choice, std::move(first), 0.0, 0.0, "",
      std::move(choices), std::move(help)};
}

ParameterSpec vector3(std::string id, std::string label, Vector value, double minimum,
                      double maximum, std::string unit, std::string help) {
  return {std::move(id),  std::move(label), ParameterType::vector3, value,
          minimum,        maximum,          std::move(unit),        {},
          std::move(help)};
}

ParameterSpec stencil_size(Vector value, double minimum, double maximum, std::string help) {
  ParameterSpec spec = vector3("size", "Size", value, minimum, maximum, "px", std::move(help));
  spec.odd = true;
  return spec;
}

ParameterSpec sigma(double value) {
  return vector3("sigma", "Sigma", {value, value, value}, 0.0, 100.0, "px",
                 "Standard deviation of the Gaussian in z, x, y; 0 leaves a dimension alone.");
}

ParameterSpec sigma_unit() {
  return choice("sigma_unit", "Unit of sigma", {"pixels", "physical"},
                "Whether sigma counts pixels, or the physical unit of the image, so that voxels "
                "that are not cubes are respected.");
}

ParameterSpec distance_unit() {
  return choice("distance_unit", "Unit of distance", {"pixels", "physical"},
                "Whether derivatives are per pixel or per physical unit of the image.");
}

ParameterSpec automatic_size() {
  return stencil_size({0, 0, 0}, 0.0, 255.0,
                      "Size of the stencil in z, x, y (odd); 0 takes 3 sigma on both sides.");
}

ParameterSpec boundary() {
  return choice("boundary", "Boundary", {"reflect", "zero"},
                "What lies outside the image: its mirror image, or zero.");
}

// Mode, boundary and normalisation, which every convolution has.
void add_convolution_parameters(OperationSchema& schema, const char* mode, bool normalize) {
  ParameterSpec modes = choice("mode", "Coarser levels", {"same", "restricted", "rescaled"},
                               "What coarser particles see: the same stencil, the stencil averaged "
                               "over their cell (agrees with pixels), or weights scaled by the "
                               "cell size (gradients). Pixel images have one level only.");
  modes.default_value = std::string(mode);
  schema.parameters.push_back(std::move(modes));
  schema.parameters.push_back(boundary());
  schema.parameters.push_back(boolean(
      "normalize", "Normalize", normalize,
      "Scale the weights of each level to sum 1; stencils whose sum is 0 stay as they are."));
}

const std::vector<DataKind> kBoth{DataKind::pixels, DataKind::apr};

OperationSchema convert_schema() {
  return {"convert",
          "Convert to particles",
          "Convert",
          "Turns a pixel image into an Adaptive Particle Representation.",
          {DataKind::pixels},
          {real("rel_error", "Relative error", 0.1, 0.0001, 10.0, "",
                "Bound on the reconstruction error as a fraction of the local intensity scale."),
           real("lambda", "Smoothing", 3.0, 0.0, 1000.0, "",
                "Strength of the smoothing spline that estimates the gradient; 0 for images "
                "without noise."),
           boolean("auto_thresholds", "Automatic thresholds", true,
                   "Find the thresholds of scale and gradient from the image itself."),
           real("sigma_th", "Scale threshold", 0.0, 0.0, kGreyLimit, "grey values",
                "The local intensity scale counts as at least this; found automatically unless "
                "automatic thresholds are off."),
           real("sigma_th_max", "Scale cut-off", 0.0, 0.0, kGreyLimit, "grey values",
                "Where the local intensity scale is below this, structure is ignored."),
           real("grad_th", "Gradient threshold", 0.0, 0.0, kGreyLimit, "grey values/px",
                "Smaller gradients are ignored; found automatically unless automatic thresholds "
                "are off."),
           real("intensity_th", "Intensity threshold", 0.0, -kGreyLimit, kGreyLimit, "grey values",
                "Where the smoothed image is at or below this, structure is ignored."),
           vector3("psf", "PSF width", {2, 2, 2}, 0.01, 1000.0, "px",
                   "Width of the point-spread function in z, x, y; sets the window of the local "
                   "intensity scale."),
           boolean("use_voxel_size", "Use voxel size", false,
                   "Weigh gradients by the voxel size where voxels are not cubes."),
           boolean("constant_scale", "Constant scale", false,
                   "Use one intensity scale, mean minus minimum, for the whole image."),
           boolean("neighbourhood_optimisation", "Neighbourhood optimisation", true,
                   "Keep boundary cells as one particle each; off gives more particles around "
                   "structure.")}};
}

OperationSchema reconstruct_schema() {
  return {"reconstruct",
          "Reconstruct pixels",
          "Convert",
          "Turns particles back into a pixel image.",
          {DataKind::apr},
          {choice("mode", "Mode", {"constant", "smooth", "level"},
                  "Constant: each cell has its particle's value; smooth: interpolated; level: the "
                  "level of the particle instead of its value."),
           {"at_level",
            "Resolution level",
            ParameterType::integer,
            std::int64_t{0},
            0.0,
            31.0,
            "",
            {},
            "Reconstruct the smaller image of this level; 0 is full resolution."}}};
}

OperationSchema convolution(std::string id, std::string label, std::string group, std::string help,
                            std::vector<ParameterSpec> own, const char* mode, bool normalize) {
  OperationSchema schema{std::move(id), std::move(label), std::move(group), std::move(help),
                         kBoth,         std::move(own)};
  add_convolution_parameters(schema, mode, normalize);
  return schema;
}

OperationSchema statistic(std::string id, std::string label, const std::string& help) {
  return {std::move(id),
          std::move(label),
          "Statistics",
          help +
              " On particles the size counts cells of each level, so that it reaches further "
              "where particles are coarse, unless coarser levels are restricted.",
          kBoth,
          {stencil_size({3, 3, 3}, 1.0, 63.0, "Size of the neighbourhood in z, x, y (odd)."),
           choice("mode", "Coarser levels", {"same", "restricted"},
                  "What coarser particles see: as many cells of their own level, or a "
                  "neighbourhood as wide in pixels, to the nearest odd number of cells. Pixel "
                  "images have one level only."),
           boundary()}};
}

std::vector<OperationSchema> make_schemas() {
  std::vector<OperationSchema> all;
  all.push_back(convert_schema());
  all.push_back(reconstruct_schema());
  all.push_back(convolution("gaussian", "Gaussian", "Smooth", "Smooths with a Gaussian.",
                            {sigma(2.0), sigma_unit(), automatic_size()}, "restricted", true));
  all.push_back(
      convolution("box", "Box mean", "Smooth", "Smooths with equal weights in a box.",
                  {stencil_size({3, 3, 3}, 1.0, 255.0, "Size of the box in z, x, y (odd).")},
                  "restricted", true));
  all.push_back(convolution("sharpen", "Sharpen", "Edges",
                            "Adds back what a Gaussian would take away (unsharp masking).",
                            {sigma(1.0), sigma_unit(),
                             real("amount", "Amount", 1.0, 0.0, 100.0, "",
                                  "How much of the difference to the Gaussian is added.")},
                            "restricted", true));
  all.push_back(convolution("laplacian", "Laplacian", "Edges", "Sum of the second derivatives.",
                            {distance_unit()}, "rescaled", false));
  all.push_back(convolution("log", "Laplacian of Gaussian", "Edges",
                            "Second derivatives of the smoothed image; finds blobs and edges.",
                            {sigma(2.0), sigma_unit(), automatic_size()}, "rescaled", false));
  all.push_back(convolution("gradient", "Gradient", "Edges",
                            "First derivatives: one component, or their magnitude.",
                            {choice("kind", "Kind", {"central", "sobel"},
                                    "Central differences, or Sobel, which also smooths across."),
                             choice("component", "Component", {"magnitude", "z", "x", "y"},
                                    "The length of the gradient, or its part along one axis."),
                             distance_unit()},
                            "rescaled", false));
  all.push_back(statistic("mean", "Local mean", "Mean of the neighbourhood."));
  all.push_back(statistic("standard_deviation", "Local standard deviation",
                          "Standard deviation in the neighbourhood."));
  all.push_back(statistic("median", "Median", "Median of the neighbourhood; removes outliers."));
  all.push_back(statistic("min", "Minimum", "Smallest value of the neighbourhood (erosion)."));
  all.push_back(statistic("max", "Maximum", "Largest value of the neighbourhood (dilation)."));
  all.push_back(deconvolution_schema());
  ParameterSpec weights{"stencil",
                        "Stencil",
                        ParameterType::stencil,
                        Stencil{{1, 1, 1}, {1.0}, "identity"},
                        0.0,
                        0.0,
                        "",
                        {},
                        "The weights, applied as a correlation."};
  all.push_back(convolution("custom", "Custom stencil", "Stencil",
                            "Convolves with a stencil given by hand or by a file.",
                            {std::move(weights)}, "restricted", false));
  return all;
}

}  // namespace

const ParameterSpec* OperationSchema::parameter(const std::string& wanted) const {
  for (const ParameterSpec& spec : parameters) {
    if (spec.id == wanted) return &spec;
  }
  return nullptr;
}

const std::vector<OperationSchema>& operation_schemas() {
  static const std::vector<OperationSchema> schemas = make_schemas();
  return schemas;
}

const OperationSchema* find_schema(const std::string& id) {
  for (const OperationSchema& schema : operation_schemas()) {
    if (schema.id == id) return &schema;
  }
  return nullptr;
}

}  // namespace aprscope
