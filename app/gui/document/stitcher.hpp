#pragma once

#include <QObject>
#include <QString>

#include "app/gui/document/services.hpp"
#include "core/io/common/source_info.hpp"

namespace aprscope::gui {

/// Lists and registers tiles, in the background. UI thread only.
class Stitcher : public QObject {
  Q_OBJECT

 public:
  explicit Stitcher(Services& services) : services_(services) {}

  /// Finds where the tiles of a list lie, by a channel and time point, and writes them as another
  /// list; `stitched` follows. What came of it is told.
  void stitch(const SourceInfo& list, const SourceSelection& selection, const QString& path);
  /// Lists the images of a file as tiles that lie where it says; `stitched` follows.
  void list(const SourceInfo& file, const QString& path);

 signals:
  /// The list was written.
  void stitched(const QString& path);

 private:
  Services& services_;
};

}  // namespace aprscope::gui
