#pragma once

#include <QObject>
#include <QTimer>
#include <memory>
#include <optional>
#include <vector>

#include "app/gui/document/document.hpp"

namespace aprscope::gui {

/// Reconstructions of the window: on the whole current item, watched while the map grows as an item
/// of its own (see GrowingItem::show()), kept or cancelled.
class MapGrowth : public QObject {
  Q_OBJECT

 public:
  explicit MapGrowth(Document& document, QObject* parent = nullptr);
  ~MapGrowth() override;

  /// What is known of the map so far.
  struct State {
    std::int64_t done = 0;
    std::int64_t total = 0;
    /// Side of its pixels in Å.
    double pixel_size = 0.0;
    std::int64_t side = 0;
    /// Of the half maps, by shell; empty without.
    std::vector<double> fsc;
    /// Three standard deviations above its mean, where its surface is looked for.
    double contour = 0.0;
    /// Of a map that is done: see Reconstruction::thin_share.
    std::optional<double> thin_share{};
  };

  /// Starts on all images of an item; the result becomes a new item. Returns the job's id, 0 if
  /// refused (a message says why).
  std::uint64_t start(const Item& item, const Operation& operation);
  /// "End now": what there is becomes the result, marked partial.
  void keep();
  /// Discards the run.
  void cancel();
  [[nodiscard]] bool running() const { return run_ != nullptr; }
  /// Of the run that goes on, else of the last one.
  [[nodiscard]] const State& state() const { return state_; }
  /// Images of a set that runs were refused for, as far as those named them.
  struct RefusedImages {
    /// The item of the set.
    std::uint64_t item = 0;
    /// One a row of its table: whether the image has pixels that are not numbers.
    std::vector<bool> rows;
  };
  /// Of the last set that had some.
  [[nodiscard]] const RefusedImages& refused() const { return refused_; }

 signals:
  /// A run started, the map grew, or a run ended.
  void changed();
  /// refused() changed.
  void images_refused();

 private:
  struct Shared;
  struct Frame;
  void poll();
  void finish(const Item& from, const Operation& operation, const Result<MadeData>& result,
              std::uint64_t choice);
  void note_refused(std::uint64_t item, const std::vector<bool>& rows);

  Document& document_;
  QTimer timer_;
  std::shared_ptr<Shared> run_;
  /// What grows, and whether a picture of it is being made.
  Item from_;
  bool drawing_ = false;
  State state_;
  RefusedImages refused_;
};

}  // namespace aprscope::gui
