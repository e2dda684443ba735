// Agreement of cells with true labels, with labels of another file, and with cells of the pixels.
#include "app/cli/commands/cell_agreement.hpp"

#include <algorithm>
#include <memory>

#include "app/cli/commands/cell_report.hpp"
#include "core/cells/carried_labels.hpp"
#include "core/io/label_read.hpp"
#include "core/pipeline/cell_check.hpp"

namespace aprscope::cli {
namespace {

// Labels of a file as pixels, those of particles too.
Result<Labels> labels_in(const std::string& path, const Size3& size, Session& session) {
  const auto info = inspect(path, session.context());
  if (!info) return info.error();
  if (!info->is_apr) return read_labels(path, size, {}, session.context());
  const auto data = load(*info, {}, session.context());
  if (!data) return data.error();
  const Apr& apr = std::get<Apr>(*data);
  if (!apr.labels) return Error{"has no labels", path, "choose a file with labels"};
  return pixel_labels(*apr.access, *apr.labels, session.context());
}

// Compares labels with the truth and reports how well they agree.
Status compare(const std::string& truth_file, const Size3& size, const Labels& found,
               Session& session) {
  const auto truth = session.timed("read", [&] { return labels_in(truth_file, size, session); });
  if (!truth) return truth.error();
  const auto agreement = session.timed(
      "compare", [&] { return compare_labels(*truth, found, 500, session.context()); });
  if (!agreement) return agreement.error();
  session.report()["truth"] = truth_file;
  const Json numbers = agreement_json(*agreement);
  for (const auto& [key, value] : numbers.items()) session.report()[key] = value;
  return {};
}

// The image of --check, at the channel and the time point that the particles' names state.
Result<InputOptions> image_of(const CellsOptions& options, const Apr& particles, Session& session) {
  InputOptions image = options.input;
  image.path = options.check;
  const auto info = inspect(image.path, session.context());
  if (!info) return info.error();
  const auto& names = info->channels;
  const auto at = std::find(names.begin(), names.end(), particles.channel);
  if (at != names.end() || names.size() == 1) {
    image.channel = at == names.end() ? 0 : static_cast<int>(at - names.begin());
  }
  image.time = info->times == 1 ? 0 : particles.time;
  return image;
}

}  // namespace

Status compare_files(const CellsOptions& options, Session& session) {
  const auto info = inspect(options.truth, session.context());
  if (!info) return info.error();
  const auto found =
      session.timed("read", [&] { return labels_in(options.inputs.front(), info->size, session); });
  if (!found) return found.error();
  session.report()["labels"] = options.inputs.front();
  return compare(options.truth, info->size, *found, session);
}

Status compare_result(const CellsOptions& options, const Dataset& data, Session& session) {
  if (!data.is_apr()) return compare(options.truth, data.size(), *data.labels(), session);
  const auto pixels = pixel_labels(*data.apr().access, *data.labels(), session.context());
  if (!pixels) return pixels.error();
  return compare(options.truth, data.size(), *pixels, session);
}

Status check_against_pixels(const CellsOptions& options, const Dataset& found, Session& session) {
  const auto image = image_of(options, found.apr(), session);
  if (!image) return image.error();
  auto loaded = load_input(*image, session);
  if (!loaded) return loaded.error();
  const auto pixels = Dataset::create(*std::move(loaded));
  std::vector<Operation> steps;
  for (const Operation& step : options.find.steps(found.voxel(), found.size().z == 1)) {
    auto whole = complete(step);
    if (!whole) return whole.error();
    steps.push_back(*std::move(whole));
  }
  const auto checked = session.timed("check", [&] {
    return check_cells(found, steps, pixels, session.backend(), session.context());
  });
  if (!checked) return checked.error();
  session.report()["check"] =
      session.options().json ? check_json(*checked) : Json(check_text(*checked));
  return {};
}

}  // namespace aprscope::cli
