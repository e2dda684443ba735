#pragma once

#include <QObject>
#include <QTimer>
#include <memory>
#include <vector>

#include "app/gui/document.hpp"

namespace aprscope::gui {

/// Deconvolutions of the window: on the whole current item, watched live, kept or cancelled; and
/// previews of the part that is on screen. The slices follow through Document::live().
class DeconvolutionRun : public QObject {
  Q_OBJECT

 public:
  explicit DeconvolutionRun(Document& document, QObject* parent = nullptr);
  ~DeconvolutionRun() override;

  /// Starts on the whole current item; `truth`: the item that the result should be like (0: none).
  /// The result becomes a new item. Returns the job's id, 0 if refused (a message says why).
  std::uint64_t start(const Operation& operation, std::uint64_t truth);
  /// "End after this iteration": the iterate becomes the result, marked partial.
  void keep();
  /// Discards the run.
  void cancel();
  [[nodiscard]] bool running() const { return run_ != nullptr; }

  /// Deconvolves the pixels of `region` of the current item with this PSF and shows that part in
  /// the slices; the newest wins. Not while a run goes on.
  void preview(const Operation& operation, const Stencil& psf, const Region& region);
  void clear_preview();

  /// Of the run (or preview) that goes on, else of the last one.
  [[nodiscard]] const std::vector<IterationReport>& reports() const { return reports_; }
  [[nodiscard]] int iterations() const { return iterations_; }
  [[nodiscard]] bool previewing() const { return preview_ != nullptr; }

 signals:
  /// A run started, an iteration is done, or a run ended.
  void changed();
  /// A preview failed.
  void preview_failed(const QString& why);

 private:
  struct Shared;
  void poll();
  void finish(const Item& from, const Operation& operation, const Result<MadeData>& result);

  Document& document_;
  QTimer timer_;
  std::shared_ptr<Shared> run_;
  std::shared_ptr<Shared> preview_;
  std::vector<IterationReport> reports_;
  int iterations_ = 0;
};

}  // namespace aprscope::gui
