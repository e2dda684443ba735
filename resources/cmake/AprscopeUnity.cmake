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

# aprscope_unite(TARGET): for the sources that one target has so far. Groups are of one folder, so that
# a new source moves no other folder's.
function(aprscope_unite target)
  if(NOT APRSCOPE_UNITY)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  # A source that is included is taken for a header, whose private types should not be members.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  # At the end of the folder's list it is known which sources have options of their own.
  cmake_language(EVAL CODE "cmake_language(DEFER CALL aprscope_join [[${target}]] [[${sources}]])")
endfunction()

# What CMake's own unity builds do, with names from the root of the project in place of whole paths:
# so the same text, and the same __FILE__, is compiled in every checkout, and the compiler cache of one
# serves the others.
function(aprscope_join target sources)
  set(folders "")
  foreach(source IN LISTS sources)
    file(RELATIVE_PATH name "${CMAKE_SOURCE_DIR}" "${source}")
    get_filename_component(folder "${name}" DIRECTORY)
    set(own FALSE)
    foreach(property IN ITEMS COMPILE_OPTIONS COMPILE_DEFINITIONS COMPILE_FLAGS INCLUDE_DIRECTORIES)
      get_source_file_property(value "${source}" ${property})
      if(value)
        set(own TRUE)
      endif()
    endforeach()
    if(NOT own AND NOT name IN_LIST APRSCOPE_ALONE AND NOT "${folder}/" IN_LIST APRSCOPE_ALONE)
      string(MAKE_C_IDENTIFIER "${folder}" folder)
      list(APPEND folders ${folder})
      list(APPEND names_of_${folder} "${name}")
    endif()
  endforeach()
  list(REMOVE_DUPLICATES folders)
  foreach(folder IN LISTS folders)
    # As many in each group, so that none is left with a single source.
    list(LENGTH names_of_${folder} count)
    math(EXPR groups "(${count} + ${APRSCOPE_UNITY_GROUP} - 1) / ${APRSCOPE_UNITY_GROUP}")
    set(at 0)
    foreach(name IN LISTS names_of_${folder})
      math(EXPR group "${at} * ${groups} / ${count}")
      math(EXPR at "${at} + 1")
      string(APPEND text_of_${group} "#include \"${name}\"\n")
      set_source_files_properties("${CMAKE_SOURCE_DIR}/${name}" PROPERTIES HEADER_FILE_ONLY ON)
    endforeach()
    foreach(group RANGE ${group})
      set(joined "${CMAKE_CURRENT_BINARY_DIR}/joined/${target}/${folder}_${group}.cpp")
      file(CONFIGURE OUTPUT "${joined}" CONTENT "${text_of_${group}}" @ONLY)
      target_sources(${target} PRIVATE "${joined}")
      set(text_of_${group} "")
    endforeach()
  endforeach()
endfunction()
