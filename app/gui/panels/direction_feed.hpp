#pragma once

#include <QObject>
#include <cstdint>
#include <memory>
#include <string>

namespace aprscope {
class Dataset;
}  // namespace aprscope

namespace aprscope::gui {

class DirectionMap;
class Document;

/// Fills a map of viewing directions: those of the current set of projections (counted in the
/// background, without rows that are left out), or those that a map was made of.
class DirectionFeed : public QObject {
  Q_OBJECT

 public:
  DirectionFeed(Document& document, DirectionMap& map, QObject* parent = nullptr);

  /// Follows the current item. `symmetry`: for a set, the group by which directions are copied (see
  /// symmetry_group(); an unknown name means C1). A map has its own symmetry.
  void renew(const std::string& symmetry);

 private:
  Document& document_;
  DirectionMap& map_;
  /// The data whose directions were counted, or are being counted.
  std::weak_ptr<const Dataset> counted_;
  std::uint64_t counted_item_ = 0;
  std::string counted_symmetry_;
  std::string counted_left_out_;
  std::uint64_t newest_count_ = 0;
};

}  // namespace aprscope::gui
