#include "app/gui/tasks.hpp"

#include <QCoreApplication>
#include <QDeadlineTimer>
#include <QElapsedTimer>
#include <QFileInfo>
#include <chrono>

#include "app/gui/compare/compare_area.hpp"
#include "app/gui/document/deconvolution_run.hpp"
#include "app/gui/panels/deconvolve_panel.hpp"
#include "app/gui/panels/psf_builder.hpp"
#include "app/gui/panels/reconstruct_panel.hpp"
#include "app/gui/views/views_area.hpp"
#include "app/gui/widgets/operation_form.hpp"
#include "app/gui/window/message_bar.hpp"
#include "core/io/common/same_file.hpp"
#include "core/operations/deconvolve/psf_parameters.hpp"
#include "core/operations/filter/stencil_spec.hpp"
#include "render/screenshot.hpp"

namespace aprscope::gui {
namespace {

// Enough for the largest images, but not for ever: a display may never draw.
constexpr auto kPatience = std::chrono::minutes(30);
constexpr int kRounds = 150;  // milliseconds

}  // namespace

Tasks::Tasks(Document& document, MainWindow& window, const Options& options)
    : document_(document), window_(window), options_(options) {}

void Tasks::open() {
  if (options_.has_tasks()) {
    QObject::connect(&document_.messages(), &Messages::said, &window_,
                     [this](MessageKind kind, const QString& text) {
                       if (kind == MessageKind::error && !failure_) failure_ = text.toStdString();
                     });
    // In a script nobody can be asked, so the largest volume of a file is opened.
    QObject::disconnect(&document_.opener(), &Opener::dataset_choice_needed, &window_, nullptr);
    QObject::connect(&document_.opener(), &Opener::dataset_choice_needed, &window_,
                     [this](const SourceInfo& info) { document_.opener().open(info); });
    QObject::disconnect(&document_.opener(), &Opener::conversion_needed, &window_, nullptr);
    QObject::connect(&document_.opener(), &Opener::conversion_needed, &window_,
                     [this](const SourceInfo& info) {
                       document_.messages().say(
                           {"does not fit into memory", info.path.string(),
                            "convert it to particles first: aprscope-cli convert --stream"});
                     });
  }
  if (options_.files.empty()) {
    // Without tasks the start page offers the demo image; a script gets it at once.
    if (options_.demo || options_.has_tasks()) document_.opener().open_demo();
    return;
  }
  QStringList paths;
  for (const std::string& file : options_.files) paths << QString::fromStdString(file);
  document_.opener().open(paths);
}

Status Tasks::settle() {
  const bool shown = window_.views().wait_until_shown(kPatience);
  if (failure_) return Error{*failure_, "", ""};
  if (!shown || !window_.compare_area().wait_until_shown(kPatience))
    return Error{"the views were not drawn", "window", "check the display"};
  return {};
}

// Checks outputs beforehand, as nobody can be asked whether to replace files.
Status Tasks::check_outputs() const {
  for (const std::string& output :
       {options_.export_converted, options_.export_result, options_.screenshot}) {
    for (const std::string& input : options_.files) {
      if (output.empty() || !is_same_file(output, input)) continue;
      return Error{"would be replaced by what is made from it", output, "choose another name"};
    }
  }
  return {};
}

Status Tasks::run() {
  if (Status ok = check_outputs(); !ok) return ok;
  if (Status ok = settle(); !ok) return ok;
  if (options_.channels) {
    if (Status ok = show_channels(); !ok) return ok;
  }
  if (options_.convert) {
    if (Status ok = convert(); !ok) return ok;
  }
  if (!options_.export_converted.empty()) {
    if (Status ok = export_current(options_.export_converted); !ok) return ok;
  }
  if (!options_.filter.empty()) {
    if (Status ok = filter(); !ok) return ok;
  }
  if (!options_.deconvolve.empty()) {
    if (Status ok = deconvolve(); !ok) return ok;
  }
  if (!options_.cells.empty()) {
    window_.show_panel(QStringLiteral("cells"));
    document_.runner().apply(Operation{options_.cells, {}});
    if (Status ok = settle(); !ok) return ok;
  }
  if (!options_.reconstruct.empty()) {
    if (Status ok = reconstruct(); !ok) return ok;
  }
  if (!options_.compare.empty()) {
    if (Status ok = compare(); !ok) return ok;
  }
  if (!options_.export_result.empty()) {
    if (Status ok = export_current(options_.export_result); !ok) return ok;
  }
  return {};
}

Status Tasks::show_channels() {
  const Item* item = document_.items().current();
  if (item == nullptr) return {};
  if (!Channels::offered(*item)) {
    return Error{"has one channel only", item->name.toStdString(), "leave --channels out"};
  }
  document_.edits().set_display(item->id, Channels::display_of(*item, true));
  return settle();
}

Status Tasks::convert() {
  const Item* item = document_.items().current();
  // Particles are not converted, so that a script can be used for both kinds of files.
  if (item != nullptr && item->is_apr()) return {};
  document_.runner().apply(Operation{"convert", {}});
  return settle();
}

Status Tasks::filter() {
  const auto operation = parse_stencil_spec(options_.filter);
  if (!operation) return operation.error();
  document_.runner().apply(*operation);
  return settle();
}

Status Tasks::deconvolve() {
  auto values = parse_psf_spec(options_.deconvolve);
  if (!values) return values.error();
  (*values)["iterations"] = static_cast<std::int64_t>(options_.iterations);
  const auto operation = complete({"deconvolve", *std::move(values)});
  if (!operation) return operation.error();
  window_.show_panel(QStringLiteral("deconvolve"));
  DeconvolvePanel& panel = *window_.findChild<DeconvolvePanel*>();
  panel.set_operation(*operation);
  if (Status ok = settle(); !ok) return ok;
  const QDeadlineTimer patience(kPatience);
  while (!panel.psf_builder()->psf() && panel.psf_builder()->error().isEmpty()) {
    QCoreApplication::processEvents(QEventLoop::AllEvents, 50);
    if (patience.hasExpired()) return Error{"was not made in time", "PSF", "use a smaller one"};
  }
  if (!panel.psf_builder()->psf()) {
    return Error{panel.psf_builder()->error().toStdString(), "", ""};
  }
  if (panel.start() == 0) return Error{failure_.value_or("cannot be deconvolved"), "", ""};
  if (options_.watch == 0) return settle();
  while (panel.run().running() && static_cast<int>(panel.run().reports().size()) < options_.watch) {
    QCoreApplication::processEvents(QEventLoop::AllEvents, 50);
  }
  // The slices show an iteration with a little delay, so wait for that.
  const QDeadlineTimer moment(std::chrono::milliseconds(600));
  while (!moment.hasExpired()) QCoreApplication::processEvents(QEventLoop::AllEvents, 50);
  if (failure_) return Error{*failure_, "", ""};
  return {};
}

Status Tasks::reconstruct() {
  window_.show_panel(QStringLiteral("reconstruct"));
  ReconstructPanel& panel = *window_.findChild<ReconstructPanel*>();
  if (Status ok = settle(); !ok) return ok;
  Operation operation = panel.form()->operation();
  operation.parameters["symmetry"] = options_.reconstruct;
  panel.set_operation(operation);
  if (panel.start() == 0) return Error{failure_.value_or("cannot be reconstructed"), "", ""};
  return settle();
}

Status Tasks::compare() {
  Comparison& comparison = window_.comparison();
  CompareSettings settings = comparison.settings();
  settings.mode = options_.compare == "reveal"       ? CompareMode::reveal
                  : options_.compare == "difference" ? CompareMode::difference
                  : options_.compare == "three"      ? CompareMode::all_three
                                                     : CompareMode::side_by_side;
  settings.place = options_.view == "3d"   ? ComparePlace::volume
                   : options_.view == "yz" ? ComparePlace::yz
                   : options_.view == "xz" ? ComparePlace::xz
                                           : ComparePlace::xy;
  const Item* item = document_.items().current();
  const bool two_files = options_.files.size() > 1 && document_.items().all().size() > 1;
  // Deconvolution changes the brightness, so only results of it may share one contrast.
  const bool with_pixels = !two_files && item != nullptr && item->is_apr();
  settings.same_contrast = options_.deconvolve.empty() || with_pixels;
  comparison.set_settings(settings);
  if (two_files) {
    const std::vector<Item>& items = document_.items().all();
    if (Status ok = comparison.compare(items[0].id, items[1].id); !ok) return ok;
  } else if (with_pixels) {
    comparison.compare_with_pixels();
  } else if (Status ok = comparison.set_active(true); !ok) {
    return ok;
  }
  return settle();
}

Status Tasks::export_current(const std::string& path) {
  window_.export_to(QString::fromStdString(path), {});
  return settle();
}

Status Tasks::picture() {
  if (options_.screenshot.empty()) return {};
  // A message of success would hide the figures about the views.
  window_.message_bar().hide();
  if (options_.watch == 0) {
    if (Status ok = settle(); !ok) return ok;
  }
  // Layouts and the heads-up panel need several rounds of events to find their sizes.
  QElapsedTimer rounds;
  rounds.start();
  while (rounds.elapsed() < kRounds) QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
  return save_png(screenshot(window_), options_.screenshot);
}

}  // namespace aprscope::gui
