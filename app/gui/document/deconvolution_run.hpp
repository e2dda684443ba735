#pragma once

#include <QObject>
#include <QTimer>
#include <memory>
#include <vector>

#include "app/gui/document/document.hpp"

namespace aprscope::gui {

/// What a run on the whole current item needs.
struct DeconvolutionRequest {
  Operation operation;
  /// The item that the result should be like; 0: none.
  std::uint64_t truth = 0;
  /// The item whose data is the first estimate, where the operation starts from "previous" (which
  /// must be the current item, or deconvolved from it) or from "file"; 0: none.
  std::uint64_t start = 0;
  /// The operation's PSF, where it is known already.
  std::shared_ptr<const Stencil> psf;
};

/// Deconvolutions of the window: on the whole current item, watched live, kept or cancelled; and
/// previews of the part that is on screen. The slices follow through PreviewState::live().
class DeconvolutionRun : public QObject {
  Q_OBJECT

 public:
  explicit DeconvolutionRun(Document& document, QObject* parent = nullptr);
  ~DeconvolutionRun() override;

  /// Starts on the whole current item; a run that goes on from an earlier result deconvolves what
  /// that was deconvolved from, and its steps follow that result's. The result becomes a new item.
  /// Returns the job's id, 0 if refused (a message says why).
  std::uint64_t start(const DeconvolutionRequest& request);
  /// "End after this iteration": the iterate becomes the result, marked partial.
  void keep();
  /// Discards the run.
  void cancel();
  [[nodiscard]] bool running() const { return run_ != nullptr; }

  /// Does the same with the pixels of `region` of the current item, some iterations only, and shows
  /// that part in the slices; the newest wins. The request's PSF is needed. Not while a run goes
  /// on.
  void preview(const DeconvolutionRequest& request, const Region& region);
  void clear_preview();

  /// Of the run (or preview) that goes on, else of the last one.
  [[nodiscard]] const std::vector<IterationReport>& reports() const { return reports_; }
  /// What was measured of the result of the last run, where that was asked for.
  [[nodiscard]] const std::vector<NamedFigure>& measured() const { return measured_; }
  /// How many there are to be at most, those of a search by held-out photons included.
  [[nodiscard]] int iterations() const {
    return reports_.empty() ? iterations_ : reports_.back().of;
  }
  [[nodiscard]] bool previewing() const { return preview_ != nullptr; }
  /// Why the last preview shows nothing; empty where it does not.
  [[nodiscard]] const QString& preview_error() const { return preview_error_; }

 signals:
  /// A run started, an iteration is done, or a run ended.
  void changed();

 private:
  struct Shared;
  struct BackgroundFile;
  void poll();
  void finish(const Item& from, const Operation& operation, const Result<MadeData>& result,
              std::uint64_t choice);

  Document& document_;
  QTimer timer_;
  std::shared_ptr<Shared> run_;
  std::shared_ptr<Shared> preview_;
  QString preview_error_;
  /// What previews read of a background, kept between edits.
  std::shared_ptr<BackgroundFile> background_;
  std::vector<IterationReport> reports_;
  std::vector<NamedFigure> measured_;
  int iterations_ = 0;
};

}  // namespace aprscope::gui
