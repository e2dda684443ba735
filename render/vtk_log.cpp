#include "render/vtk_log.hpp"

#include <atomic>
#include <string>

#include <vtkObjectFactory.h>
#include <vtkOutputWindow.h>

#include "core/base/log.hpp"

namespace aprscope {
namespace {

std::atomic<std::uint64_t> errors{0};
std::atomic<std::uint64_t> warnings{0};

class LogWindow : public vtkOutputWindow {
 public:
  static LogWindow* New();
  vtkTypeMacro(LogWindow, vtkOutputWindow)

      void DisplayText(const char* text) override {
    log(LogLevel::info, text);
  }
  void DisplayErrorText(const char* text) override {
    ++errors;
    log(LogLevel::error, std::string("VTK: ") + text);
  }
  void DisplayWarningText(const char* text) override {
    ++warnings;
    log(LogLevel::warning, std::string("VTK: ") + text);
  }
  void DisplayGenericWarningText(const char* text) override { DisplayWarningText(text); }
  void DisplayDebugText(const char* text) override { log(LogLevel::debug, text); }
};

vtkStandardNewMacro(LogWindow)

}  // namespace

void install_vtk_log() {
  static const bool installed = [] {
    vtkOutputWindow* window = LogWindow::New();
    vtkOutputWindow::SetInstance(window);
    window->Delete();
    return true;
  }();
  (void)installed;
}

std::uint64_t vtk_error_count() { return errors.load(); }
std::uint64_t vtk_warning_count() { return warnings.load(); }

}  // namespace aprscope
