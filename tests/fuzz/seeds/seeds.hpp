#pragma once

#include <filesystem>
#include <string>

// Small sound files of every kind that the targets begin from. What they hold is of no matter;
// which branches of the readers they reach is.

namespace aprscope::fuzz {

/// One file a compression, layout, sample type and byte order, and the metadata of ImageJ and OME.
void write_tiff_seeds(const std::filesystem::path& folder);
/// Images of a spot and of beads, of odd sizes.
void write_psf_seeds(const std::filesystem::path& folder);
/// One file a storage layout, filter, sample type and version of the file format.
void write_hdf5_seeds(const std::filesystem::path& folder);
/// Both layouts, fields of all types, channels and time points, with and without a tree.
void write_apr_seeds(const std::filesystem::path& folder);
/// Maps and stacks of MRC and SPIDER, of every mode and both byte orders.
void write_em_seeds(const std::filesystem::path& folder);
/// Metadata and a chunk of Zarr 2, Zarr 3 and N5, as the target takes them apart.
void write_zarr_seeds(const std::filesystem::path& folder);
/// XML files of BigDataViewer.
void write_bdv_seeds(const std::filesystem::path& folder);
/// Imaris files of one and of several channels, time points and levels, and texts of attributes.
void write_ims_seeds(const std::filesystem::path& folder);
/// Tables of RELION and Xmipp, each with the stack that it is about.
void write_star_seeds(const std::filesystem::path& folder);
void write_cs_seeds(const std::filesystem::path& folder);
/// Recipes, workspaces, stencils, specifications, image descriptions: below `root`, a folder each.
void write_text_seeds(const std::filesystem::path& root);

/// Names of slices, texts as they are shown, and what a conversion that died has left: a folder
/// each.
void write_name_seeds(const std::filesystem::path& root);

/// Ends the program with a sentence where a seed cannot be made.
void must(bool made, const std::string& what);
void write_seed(const std::filesystem::path& path, const std::string& bytes);

}  // namespace aprscope::fuzz
