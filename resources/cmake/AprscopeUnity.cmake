# Several sources of a folder compiled as one: what their headers bring is read and made once. Command
# line sources gain most, each of which would hold a whole parser of its own.
# It is off unless asked for: only without it, and without precompiled headers, does each source show
# by itself that it includes what it uses. CI and run.sh ask for it; clang-tidy in CI looks at each changed source by itself.
option(APRSCOPE_UNITY "Compile several sources of a folder as one" OFF)
set(APRSCOPE_UNITY_GROUP 24 CACHE STRING "How many sources of a folder at most are compiled as one")

# Sources whose private names exist in another of their folder, too. A new source that clashes gets a
# better name, or stands here.
set(APRSCOPE_ALONE)
if(APRSCOPE_UNITY)
  file(STRINGS "${CMAKE_SOURCE_DIR}/resources/cmake/alone.txt" APRSCOPE_ALONE REGEX "^[^#]")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
    "${CMAKE_SOURCE_DIR}/resources/cmake/alone.txt")
endif()

# aprscope_unite(TARGET): for the sources of one target. Groups are of one folder, so that a new
# source moves no other folder's.
function(aprscope_unite target)
  if(NOT APRSCOPE_UNITY)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  # A source that is included is taken for a header, whose private types should not be members.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  set(folders "")
  foreach(source IN LISTS sources)
    file(RELATIVE_PATH name "${CMAKE_SOURCE_DIR}" "${source}")
    get_filename_component(folder "${name}" DIRECTORY)
    if(NOT name IN_LIST APRSCOPE_ALONE AND NOT "${folder}/" IN_LIST APRSCOPE_ALONE)
      string(MAKE_C_IDENTIFIER "${folder}" folder)
      list(APPEND folders ${folder})
      list(APPEND sources_of_${folder} "${source}")
    endif()
  endforeach()
  list(REMOVE_DUPLICATES folders)
  foreach(folder IN LISTS folders)
    # As many in each group, so that none is left with a single source.
    list(LENGTH sources_of_${folder} count)
    math(EXPR groups "(${count} + ${APRSCOPE_UNITY_GROUP} - 1) / ${APRSCOPE_UNITY_GROUP}")
    set(at 0)
    foreach(source IN LISTS sources_of_${folder})
      math(EXPR group "${at} * ${groups} / ${count}")
      math(EXPR at "${at} + 1")
      set_source_files_properties("${source}" PROPERTIES UNITY_GROUP ${folder}_${group})
    endforeach()
  endforeach()
endfunction()
