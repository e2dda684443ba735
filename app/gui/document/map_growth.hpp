#pragma once

#include <QObject>
#include <QTimer>
#include <memory>
#include <optional>
#include <vector>

#include "app/gui/document/document.hpp"

namespace aprscope::gui {

/// Reconstructs the current set of projections. The growing map is shown as an item of its own (see
/// GrowingItem::show()); the user can end the run and keep the map, or cancel it.
class MapGrowth : public QObject {
  Q_OBJECT

 public:
  explicit MapGrowth(Document& document, QObject* parent = nullptr);
  ~MapGrowth() override;

  /// The state of the map so far.
  struct State {
    std::int64_t done = 0;
    std::int64_t total = 0;
    /// The side of its pixels in Å.
    double pixel_size = 0.0;
    std::int64_t side = 0;
    /// The correlation of the half maps by shell; empty without half maps.
    std::vector<double> fsc;
    /// The value at which its surface is shown: three standard deviations above its mean.
    double contour = 0.0;
    /// For a finished map: see Reconstruction::thin_share.
    std::optional<double> thin_share{};
  };

  /// Starts a reconstruction from all images of an item; the result becomes a new item. Returns the
  /// job's id, 0 if refused (a message says why).
  std::uint64_t start(const Item& item, const Operation& operation);
  /// "End now": the map so far becomes the result, marked as partial.
  void keep();
  /// Discards the run.
  void cancel();
  [[nodiscard]] bool running() const { return run_ != nullptr; }
  /// The state of the running reconstruction, else of the last one.
  [[nodiscard]] const State& state() const { return state_; }
  /// The images of a set that made runs fail, as far as their errors named images.
  struct RefusedImages {
    /// The item with the set.
    std::uint64_t item = 0;
    /// For each row of the set's table, whether its image has pixels that are not finite numbers.
    std::vector<bool> rows;
  };
  /// The refused images of the last set that had some.
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
  /// The item that the map is made from, and whether a picture of the map is being made.
  Item from_;
  bool drawing_ = false;
  State state_;
  RefusedImages refused_;
};

}  // namespace aprscope::gui
