#pragma once

#include <QDialog>
#include <cstdint>

class QRadioButton;

namespace aprscope::gui {

class RealField;

/// Asks how much memory files may take: what is free, or a number.
class MemoryDialog : public QDialog {
  Q_OBJECT

 public:
  /// `chosen`: bytes, 0: what is free; `free`: bytes that are free now, 0: nobody knows.
  MemoryDialog(std::uint64_t chosen, std::uint64_t free, QWidget* parent = nullptr);

  /// The choice, in bytes; 0: what is free.
  [[nodiscard]] std::uint64_t bytes() const;
  /// Whether anything else was chosen than at first, which the field may show rounded.
  [[nodiscard]] bool changed() const { return bytes() != first_; }

 private:
  QRadioButton* most_ = nullptr;
  RealField* gigabytes_ = nullptr;
  std::uint64_t first_ = 0;
};

}  // namespace aprscope::gui
