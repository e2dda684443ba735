// How well the data agrees with a reference in a file.
#include <filesystem>
#include <string>
#include <utility>

#include "core/io/common/read_limits.hpp"
#include "core/io/image_source.hpp"
#include "core/operations/engine/run_checks.hpp"
#include "core/operations/measure/comparison.hpp"
#include "core/operations/measure/measures.hpp"
#include "core/operations/particles/particle_words.hpp"
#include "core/operations/schema/schema_builder.hpp"

namespace aprscope {
namespace {

using namespace schema;  // NOLINT: its words are what this file is written in

OperationSchema compare_schema() {
  return operation_schema("compare", "Comparison with a reference", "Measure",
                          {DataKind::pixels, DataKind::apr},
                          "How well an image, or the pixels of particles, agrees with a reference "
                          "of the same size: PSNR, SSIM, NRMSE, largest, root mean square and mean "
                          "difference.")
      .with(text("reference", "Reference")
                .names_file()
                .main()
                .help("File of the reference that the data should equal: an image or particles of "
                      "the same size."))
      .with(choice("mode", "Particles as", {"constant", "smooth"})
                .help("How particles (of the data and of the reference) are turned into pixels. "
                      "constant: one value for each cell; smooth: interpolated."));
}

Status takes_compare(const Operation& operation, const Dataset& input) {
  if (!parameter<std::string>(operation, "reference").empty()) return {};
  return Error{"is to be compared with a reference, and none is named", input.name(),
               "choose the file of the reference"};
}

std::uint64_t bytes_of_compare(const Operation&, const Dataset& input) {
  // Both images as pixels (the reference perhaps also as it was read), and the window of the
  // structural similarity: eleven planes of five products.
  constexpr std::uint64_t kWindow = 11 * 5;
  const Size3& n = input.size();
  return static_cast<std::uint64_t>(n.count()) * 3 * sizeof(float) +
         static_cast<std::uint64_t>(n.x * n.y) * kWindow * sizeof(double);
}

// The reference, found to be of the data's size before its values are read.
Result<std::shared_ptr<const Dataset>> reference_for(const std::string& file, const Dataset& input,
                                                     const JobContext& context) {
  const auto info = inspect(file, context);
  if (!info) return info.error();
  if (info->size != input.size()) {
    return Error{"has " + size_text(info->size) + " pixels (z, x, y), and " + input.name() +
                     " has " + size_text(input.size()),
                 file, "choose a reference of the same size"};
  }
  auto data = load_file(file, context);
  if (!data) return data.error();
  return Dataset::create(*std::move(data));
}

Result<Measurement> measure_compare(const Operation& operation, const Dataset& input,
                                    const JobContext& context) {
  if (Status ok = check_memory(bytes_of_compare(operation, input), input); !ok) return ok.error();
  const auto& file = parameter<std::string>(operation, "reference");
  const auto reference = reference_for(file, input, context.part(0.0, 0.2));
  if (!reference) return reference.error();
  const auto mode = value_of(kReconstructionModes, parameter<std::string>(operation, "mode"));
  const auto metrics = compare_data(**reference, mode, input, mode, context.part(0.2, 1.0));
  if (!metrics) {
    Error error = metrics.error();
    if (!error.cancelled()) error.where = file + " and " + input.name();
    return error;
  }
  Measurement found;
  found.tables.push_back(comparison_table(*metrics));
  if ((*reference)->is_apr() || input.is_apr()) {
    found.notes.push_back("particles as pixels: " + parameter<std::string>(operation, "mode") +
                          " reconstruction");
  }
  return found;
}

}  // namespace

OperationType compare_operation() {
  OperationType type;
  type.schema = compare_schema();
  type.traits.gives = Gives::measurement;
  type.traits.family = "compare";
  type.traits.panel = "measure";
  type.takes = takes_compare;
  type.cpu.bytes = bytes_of_compare;
  type.cpu.measure = measure_compare;
  return type;
}

}  // namespace aprscope
