# Headers of libraries that are read once for many sources: two thirds of the time that a source of
# the window or a test takes to compile goes into them. Never headers of our own, so that every
# source still names what it uses of this project; that each names what it uses of the libraries,
# too, is seen by clang-tidy, which reads none of this.
# APRSCOPE_PRECOMPILE=OFF compiles without.
option(APRSCOPE_PRECOMPILE "Read the headers of libraries once for many sources" ON)

set(APRSCOPE_STANDARD_HEADERS <algorithm> <array> <chrono> <cmath> <filesystem> <functional>
    <limits> <map> <memory> <mutex> <optional> <span> <string> <thread> <utility> <variant> <vector>)
set(APRSCOPE_WINDOW_HEADERS
    <QAction> <QApplication> <QBoxLayout> <QCheckBox> <QComboBox> <QDialog> <QDockWidget>
    <QDoubleSpinBox> <QDropEvent> <QElapsedTimer> <QEvent> <QFileDialog> <QFileInfo> <QFormLayout>
    <QHash> <QHeaderView> <QIcon> <QImage> <QKeyEvent> <QLabel> <QLineEdit> <QList> <QMainWindow>
    <QMap> <QMenu> <QMessageBox> <QMouseEvent> <QObject> <QOpenGLWidget> <QPainter> <QPixmap>
    <QPointer> <QPushButton> <QScrollArea> <QSet> <QSettings> <QSignalBlocker> <QSplitter>
    <QStackedWidget> <QStatusBar> <QString> <QStringList> <QStyle> <QTabWidget> <QTableWidget>
    <QTimer> <QToolBar> <QToolButton> <QTreeWidget> <QUrl> <QVariant> <QWheelEvent> <QWidget>)

# With precompiled headers GCC 12 takes std::string for our own code and warns falsely about more of
# it (GCC bug 105651).
function(aprscope_quiet_strings target)
  target_compile_options(${target} PRIVATE
    $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-stringop-overflow;-Wno-array-bounds>)
endfunction()

# aprscope_precompile(TARGET header…): for the sources of one target.
function(aprscope_precompile target)
  if(APRSCOPE_PRECOMPILE)
    aprscope_quiet_strings(${target})
    target_precompile_headers(${target} PRIVATE ${ARGN})
  endif()
endfunction()

# aprscope_precompiled(NAME LINK library… HEADERS header…): for many targets that are compiled alike.
function(aprscope_precompiled name)
  cmake_parse_arguments(ARG "" "" "LINK;HEADERS" ${ARGN})
  if(APRSCOPE_PRECOMPILE)
    set(source "${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp")
    file(CONFIGURE OUTPUT "${source}" CONTENT "// The headers of this target are what it is for.\n")
    add_library(${name} OBJECT "${source}")
    # They are for programs, whose code is -fPIE where a library's is -fPIC: GCC tells them apart.
    if(CMAKE_POSITION_INDEPENDENT_CODE)
      set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
      target_compile_options(${name} PRIVATE -fPIE)
    endif()
    target_link_libraries(${name} PRIVATE aprscope_options ${ARG_LINK})
    aprscope_quiet_strings(${name})
    target_precompile_headers(${name} PRIVATE ${ARG_HEADERS})
  endif()
endfunction()

# aprscope_use_precompiled(TARGET NAME)
function(aprscope_use_precompiled target name)
  if(APRSCOPE_PRECOMPILE)
    aprscope_quiet_strings(${target})
    target_precompile_headers(${target} REUSE_FROM ${name})
  endif()
endfunction()
