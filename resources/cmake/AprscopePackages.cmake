# What is installed beside the programs, and the packages that CPack makes of it:
# resources/setup/package.sh builds and checks them.
include(GNUInstallDirs)
set(files "${CMAKE_SOURCE_DIR}/resources/packages")
set(APRSCOPE_MAINTAINER "aprscope authors <aprscope@example.org>" CACHE STRING
  "Who made the packages: NAME <ADDRESS>")

# Manual pages, of what the programs say of themselves. Built by the target "manual".
find_package(Python3 COMPONENTS Interpreter)
set(programs aprscope-cli)
if(APRSCOPE_GUI)
  list(APPEND programs aprscope)
endif()
set(pages "")
foreach(program IN LISTS programs)
  set(page "${CMAKE_BINARY_DIR}/manual/${program}.1.gz")
  add_custom_command(OUTPUT "${page}"
    COMMAND "${CMAKE_COMMAND}" -E make_directory "${CMAKE_BINARY_DIR}/manual"
    COMMAND "${Python3_EXECUTABLE}" "${files}/man_page.py" $<TARGET_FILE:${program}> "${page}"
    DEPENDS ${program} "${files}/man_page.py" VERBATIM)
  list(APPEND pages "${page}")
  set(component window)
  if(program STREQUAL "aprscope-cli")
    set(component cli)
  endif()
  install(FILES "${page}" DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT ${component} OPTIONAL)
endforeach()
add_custom_target(manual DEPENDS ${pages})

# The date of the source, so that packages of one commit are the same.
execute_process(COMMAND git -C "${CMAKE_SOURCE_DIR}" log -1 --format=%cD
  OUTPUT_VARIABLE APRSCOPE_DATE OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT APRSCOPE_DATE)
  set(APRSCOPE_DATE "Thu, 01 Jan 1970 00:00:00 +0000")
endif()
set(changelog "${CMAKE_BINARY_DIR}/packages/changelog")
configure_file("${files}/changelog.in" "${changelog}" @ONLY)
execute_process(COMMAND gzip -9 --no-name --force --keep "${changelog}")
set(parts cli:aprscope-cli mpi:aprscope-mpi window:aprscope)
# A wheel is of this component, too, and holds the module alone.
if(NOT SKBUILD)
  list(APPEND parts python:python3-aprscope)
endif()
foreach(part IN LISTS parts)
  string(REPLACE ":" ";" part "${part}")
  list(GET part 0 component)
  list(GET part 1 package)
  install(FILES "${files}/copyright" "${changelog}.gz" DESTINATION share/doc/${package}
    COMPONENT ${component})
endforeach()

if(APRSCOPE_GUI)
  set(desktop "${CMAKE_SOURCE_DIR}/resources/desktop")
  install(FILES "${desktop}/aprscope.desktop" DESTINATION share/applications COMPONENT window)
  install(FILES "${desktop}/aprscope.metainfo.xml" DESTINATION share/metainfo
    RENAME io.github.aprscope.metainfo.xml COMPONENT window)
  install(FILES "${files}/aprscope.mime.xml" DESTINATION share/mime/packages RENAME aprscope.xml
    COMPONENT window)
  install(FILES "${CMAKE_SOURCE_DIR}/resources/icons/aprscope.svg"
    DESTINATION share/icons/hicolor/scalable/apps COMPONENT window)
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME aprscope)
set(CPACK_PACKAGE_CONTACT "${APRSCOPE_MAINTAINER}")
set(CPACK_PACKAGE_DIRECTORY "${CMAKE_BINARY_DIR}/packages")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE
  GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_COMPONENTS_ALL cli)
if(TARGET aprscope-mpi)
  list(APPEND CPACK_COMPONENTS_ALL mpi)
endif()
if(TARGET aprscope-python AND NOT SKBUILD)
  list(APPEND CPACK_COMPONENTS_ALL python)
endif()
if(APRSCOPE_GUI)
  list(APPEND CPACK_COMPONENTS_ALL window)
endif()
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_CLI_PACKAGE_NAME aprscope-cli)
set(CPACK_DEBIAN_CLI_DESCRIPTION "adaptive particle images of microscopy, command line
 Converts microscopy images into the Adaptive Particle Representation, which
 keeps fine resolution only where an image has content, and filters,
 deconvolves, measures and compares images and particles, finds cells and
 reconstructs maps from projection images, on CPUs and NVIDIA GPUs.")
set(CPACK_DEBIAN_CLI_PACKAGE_SUGGESTS "aprscope, aprscope-mpi, ffmpeg")
# A module for one version of Python; dist-packages belongs to all of them.
math(EXPR next_python "${Python3_VERSION_MINOR} + 1")
set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-aprscope)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_DESCRIPTION "adaptive particle images of microscopy, Python module
 Opens, converts, filters, deconvolves and measures images and their Adaptive
 Particle Representation from Python, with NumPy arrays in and out, on CPUs
 and NVIDIA GPUs.")
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
  "python3 (>= 3.${Python3_VERSION_MINOR}), python3 (<< 3.${next_python}), python3-numpy")
set(CPACK_DEBIAN_MPI_PACKAGE_NAME aprscope-mpi)
set(CPACK_DEBIAN_MPI_DESCRIPTION "adaptive particle images of microscopy, several processes
 Lets aprscope-cli share a reconstruction, a filter or a deconvolution between
 processes that Open MPI's mpirun has started, on one host or several.")
set(CPACK_DEBIAN_MPI_PACKAGE_DEPENDS "aprscope-cli (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_MPI_PACKAGE_RECOMMENDS openmpi-bin)
set(CPACK_DEBIAN_WINDOW_PACKAGE_NAME aprscope)
set(CPACK_DEBIAN_WINDOW_DESCRIPTION "adaptive particle images of microscopy, viewer and workbench
 Shows slices and projections of microscopy images and of their Adaptive
 Particle Representation, and filters, deconvolves, measures and compares
 them with live previews, on CPUs and NVIDIA GPUs.")
set(CPACK_DEBIAN_WINDOW_PACKAGE_DEPENDS
  "aprscope-cli (= ${PROJECT_VERSION}), qt6-qpa-plugins, libqt6svg6, libgl1-mesa-dri | libgl1-nvidia-glvnd-glx")
set(CPACK_DEBIAN_WINDOW_PACKAGE_SUGGESTS ffmpeg)
include(CPack)
