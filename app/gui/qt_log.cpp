#include "app/gui/qt_log.hpp"

#include <QString>
#include <QtGlobal>

#include "core/base/log.hpp"

namespace aprscope::gui {
namespace {

void handle(QtMsgType type, const QMessageLogContext& /*context*/, const QString& text) {
  // Notes about the session (such as a missing runtime folder) need no action by the user.
  LogLevel level = LogLevel::info;
  if (type == QtDebugMsg) level = LogLevel::debug;
  if (type == QtCriticalMsg || type == QtFatalMsg) level = LogLevel::error;
  log(level, "Qt: " + text.toStdString());
}

}  // namespace

void install_qt_log() { qInstallMessageHandler(handle); }

}  // namespace aprscope::gui
