#pragma once

#include <QDialog>
#include <optional>
#include <vector>

#include "app/gui/document/job_bridge.hpp"
#include "app/gui/window/item_facts.hpp"
#include "core/io/common/source_info.hpp"

class QStackedWidget;

namespace aprscope::gui {

class MetadataView;

/// Lists what is known about one item, and on a tab of its own what its file says of itself; the
/// text of a tab can be copied as a whole. Blocks nothing.
class InformationDialog : public QDialog {
  Q_OBJECT

 public:
  /// `name` is that of the item, `groups` what facts_of() says. `file`, if it comes from one, is
  /// read by `background` when its tab is chosen.
  InformationDialog(const QString& name, const std::vector<ItemFacts>& groups,
                    const std::optional<SourceInfo>& file, JobBridge& background,
                    QWidget* parent = nullptr);

 private:
  void read_metadata();

  std::optional<SourceInfo> file_;
  JobBridge& background_;
  QStackedWidget* pages_ = nullptr;
  // Null where there is no file.
  MetadataView* metadata_ = nullptr;
  bool asked_ = false;
};

}  // namespace aprscope::gui
