// A box of an image or of particles.
#include <utility>

#include "core/apr/structure/crop.hpp"
#include "core/image/crop.hpp"
#include "core/io/apr/apr_file_crop.hpp"
#include "core/operations/engine/run_checks.hpp"
#include "core/operations/particles/particles.hpp"
#include "core/operations/schema/region_text.hpp"
#include "core/operations/schema/schema_builder.hpp"

namespace aprscope {
namespace {

using namespace schema;  // NOLINT: its words are what this file is written in

OperationSchema crop_schema() {
  return operation_schema("crop", "Crop", "Cut", {DataKind::pixels, DataKind::apr},
                          "Cuts out a box. Pixels keep their values; particles whose cells do not "
                          "fit the grid of the box are split into smaller ones of the same value.")
      .with(
          text("region", "Region")
              .main()
              .help("Box to cut out, in pixels from 0: Z0:Z1,X0:X1,Y0:Y1, without the pixels Z1, "
                    "X1 and Y1. Particles are split least if Z0, X0 and Y0 are multiples of 16."));
}

const std::string& text_of(const Operation& operation) {
  return parameter<std::string>(operation, "region");
}

Result<Region> asked(const Operation& operation) {
  if (!text_of(operation).empty()) return region_from_text(text_of(operation));
  return Error{"no region is given", "crop", "say which, as 0:64,100:300,50:250"};
}

Status takes_crop(const Operation& operation, const Dataset& input) {
  if (const auto box = asked(operation); !box) return box.error();
  if (const auto box = region_in(text_of(operation), input.size()); !box) return box.error();
  if (!input.is_apr() && input.volume().projections) {
    return Error{"is a set of projections with its table", input.name(),
                 "crop the map that is reconstructed from them"};
  }
  return {};
}

std::uint64_t bytes_of_crop(const Operation& operation, const Dataset& input) {
  const auto box = region_in(text_of(operation), input.size());
  const auto pixels = static_cast<std::uint64_t>(box ? box->size().count() : input.size().count());
  if (!input.is_apr()) return pixels * sizeof(float);
  // Lists, values and where they come from, of as many particles a pixel as everywhere.
  const double share = static_cast<double>(pixels) / static_cast<double>(input.size().count());
  const Apr& apr = input.apr();
  return static_cast<std::uint64_t>(share *
                                    static_cast<double>(apr.bytes() + apr.access->count() * 10));
}

Result<Data> run_crop(const Operation& operation, const Dataset& input, const IterationHooks&,
                      const JobContext& context) {
  if (Status ok = check_memory(bytes_of_crop(operation, input), input); !ok) return ok.error();
  if (context.stop_requested()) return cancelled_error();
  const auto box = region_in(text_of(operation), input.size());
  if (!box) return box.error();
  if (!input.is_apr()) return Data{crop(input.volume(), *box)};
  auto apr = crop(input.apr(), *box, context);
  if (!apr) return apr.error();
  apr->history.push_back(made_by_cpu(operation));
  return Data{*std::move(apr)};
}

Result<std::optional<Data>> crop_of_file(const Operation& operation, const SourceInfo& info,
                                         const SourceSelection& selection,
                                         const JobContext& context) {
  if (!info.is_apr) return std::optional<Data>();
  const auto box = asked(operation);
  if (!box) return box.error();
  auto apr = load_apr_crop(info, selection, *box, context);
  if (!apr) return apr.error();
  if (!*apr) return std::optional<Data>();
  (*apr)->history.push_back(made_by_cpu(operation));
  return std::optional<Data>(*std::move(*apr));
}

}  // namespace

OperationType crop_operation() {
  OperationType type;
  type.schema = crop_schema();
  type.traits.family = "crop";
  type.traits.has_command = true;
  type.cpu.bytes = bytes_of_crop;
  type.cpu.run = run_crop;
  type.takes = takes_crop;
  type.of_file = crop_of_file;
  type.structure_only = [](const Operation&) { return true; };
  return type;
}

}  // namespace aprscope
