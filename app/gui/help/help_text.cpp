#include "app/gui/help/help_text.hpp"

#include <QCoreApplication>

namespace aprscope::gui {
namespace {

QString text(const char* source) { return QCoreApplication::translate("help", source); }

HelpSection about() {
  return {QStringLiteral("about"), text("What this program is for"),
          text("<p>Microscopes make images of gigabytes that are mostly empty. aprscope turns such "
               "an image into <b>particles</b>, few where nothing happens and many where there is "
               "structure, filters and deconvolves these particles directly, and shows how the "
               "outcome compares with the same work on pixels. The particles are an <b>Adaptive "
               "Particle Representation</b>, an APR.</p>"
               "<p>The usual way goes through the tabs on the right: look at an image "
               "(<a href=\"#display\">Display</a>), make particles of it "
               "(<a href=\"#convert\">Convert</a>), work on them (<a href=\"#filter\">Filter</a>, "
               "<a href=\"#deconvolve\">Deconvolve</a>), check the result "
               "(<a href=\"#compare\">Compare</a>), and <a href=\"#keeping\">keep it</a>. The "
               "<b>?</b> beside the tabs leads from each of them to its place on this page. New "
               "here? <a href=\"aprscope:tour\">Take the tour</a>: six steps on the demo "
               "image.</p>")};
}

HelpSection particles() {
  return {
      QStringLiteral("particles"), text("Pixels and particles"),
      text("<p>A pixel image has the same resolution everywhere. An APR divides the image into "
           "cubic <b>cells</b> instead, of 1, 2, 4, 8 … pixels side, and keeps one value for "
           "each: a <b>particle</b>. Where the image changes quickly the cells are small, where "
           "it hardly changes one cell does the work of thousands of pixels. The value of a "
           "particle is the mean of the pixels in its cell.</p>{picture:particles}"
           "<p class=\"note\">An image of 64 × 64 pixels, converted by this program. In a "
           "volume the cells are cubes, and far more is saved.</p>")};
}

HelpSection levels() {
  return {QStringLiteral("levels"), text("Levels"),
          text("<p>The <b>level</b> of a particle says how fine it is. The highest number is the "
               "finest level, whose cells are single pixels; each level below it has cells of "
               "twice the side. The <b>level map</b> shows this in colours: choose <i>Levels</i> "
               "in Display, or <i>level map</i> in Convert before there are any particles. It is "
               "the quickest way to see what a conversion takes for structure.</p>"
               "{picture:levels}")};
}

HelpSection ratio() {
  return {QStringLiteral("ratio"), text("CR, the computational ratio"),
          text("<p><b>CR = pixels ÷ particles.</b> A CR of 20 means that there is one particle for "
               "every twenty pixels; a filter then has that many fewer values to compute. The CR "
               "depends on how much of the image is structure and on the error bound, not on the "
               "number of pixels alone. A CR near 1 says that particles gain nothing here: the "
               "bound may be tighter than the noise, or the image may be full.</p>")};
}

HelpSection bound() {
  return {
      QStringLiteral("bound"), text("The error bound"),
      text("<p>What may be lost is up to you. With the <b>relative error E</b> of the Convert "
           "tab, the image Î that is made back from the particles stays near the signal I at "
           "every place y:</p><p class=\"formula\">&nbsp;&nbsp;| I(y) − Î(y) | ≤ E · σ(y)</p>"
           "<p>σ is the <a href=\"#scale\">local intensity scale</a>. E = 0.1 allows a tenth of "
           "what the image varies by around that place.</p>{picture:bound}"
           "<p>Two things to keep in mind. The bound is about the <b>smoothed signal</b>, not "
           "about the noise of single pixels, which may be off by more; the box above the "
           "parameters of Convert says how many pixels are within it, and its tool tip where the "
           "largest error is. And the <b>thresholds</b> say where "
           "nothing is promised: gradients below the gradient threshold, and places at or below "
           "the intensity threshold, do not count as structure. The thresholds of gradient and "
           "scale are found from the image unless you switch that off. Where they decide alone, a "
           "smaller E changes nothing: the box says so, and offers to promise E everywhere, which "
           "takes more particles.</p>")};
}

HelpSection scale() {
  return {
      QStringLiteral("scale"), text("Local intensity scale"),
      text("<p>σ(y) says by how much the image varies around y. Next to an edge it is about the "
           "height of that edge. As the error is measured relative to σ, a dim cell is "
           "represented as carefully as a bright one beside it.</p>{picture:scale}"
           "<p>Where there is only background σ would be as small as the noise, and noise would "
           "be taken for structure. So it counts as at least the <b>scale threshold</b>. How "
           "far around y it looks follows from <i>PSF width</i>. With <i>Constant scale</i> "
           "there is one σ for the whole image.</p>")};
}

HelpSection display() {
  return {QStringLiteral("display"), text("Display: how data is shown"),
          text("<p>Three slices and the projection of the whole volume (the maximum along each "
               "ray) show the same place: click into a slice and the others follow, the wheel "
               "steps through slices, Ctrl + wheel zooms, a double click gives a view all the "
               "room. Particles are shown in one of four ways:</p>{picture:display}"
               "<p><i>Constant</i> fills each cell with its particle's value, <i>smooth</i> "
               "interpolates between particles, <i>levels</i> shows how fine they are, <i>dots</i> "
               "where they lie. Where the image that they were made from is known, <i>Pixels</i> "
               "shows it. Contrast, colours and gamma change the picture, never the data.</p>"
               "<p>Of a file of several channels, <i>All channels over each other</i> shows each "
               "in a colour of its own; where they meet, colours add up as light does: green and "
               "magenta give white. The eye hides a channel, a click on its name chooses it: "
               "filters, conversion and the histogram are about that one.</p>")};
}

HelpSection convert() {
  return {
      QStringLiteral("convert"), text("Convert: from pixels to particles"),
      text("<p>The slices show at once what the particles would look like, and the box on top "
           "says what you would get: <a href=\"#ratio\">CR</a>, bytes, number of particles, "
           "error. Change a parameter and both follow; <i>Convert</i> does it for the whole "
           "image. The two that matter most:</p>"
           "<ul><li><b>Relative error</b>, E in <a href=\"#bound\">the bound</a>. Larger: fewer "
           "particles.</li>"
           "<li><b>Smoothing</b> of the gradient. More for noisy images; 0 for images without "
           "noise.</li></ul>"
           "<p>The particles get their values from the pixels themselves: smoothing only helps "
           "to find out where they are needed.</p>")};
}

HelpSection filter() {
  return {QStringLiteral("filter"), text("Filter: working on particles"),
          text("<p>Filters work on the particles themselves and compute one value for each; the "
               "cells stay as they are. While you edit, the slices show what the filter would give "
               "(a badge says <i>preview</i>); <i>Apply</i> computes it for the whole data in the "
               "background, and the result joins the data list.</p>"
               "<p>Most filters are a <b>stencil</b>: weights for a particle and its neighbours on "
               "a grid as fine as its own cell. Where the neighbourhood is finer, the mean of the "
               "finer particles is taken, where it is coarser, the value of the coarser one. "
               "What becomes of a stencil on coarser levels is the choice <i>Coarser "
               "levels</i>, see <a href=\"#stencils\">below</a>. <i>Edit this stencil by "
               "hand</i> turns any of them into a grid of numbers.</p>")};
}

HelpSection stencils() {
  return {
      QStringLiteral("stencils"), text("Restricted and rescaled stencils"),
      text("<p>A stencil is made for pixels. On a coarser level its neighbours are 2, 4, 8 … "
           "pixels away. <i>Coarser levels</i> offers three answers:</p>"
           "<ul><li><b>same</b>: the same weights on every level, which therefore reach "
           "further where particles are larger.</li>"
           "<li><b>restricted</b>: the weights averaged over all pixels of a coarse cell. The "
           "stencil gets smaller with each level, and the result agrees with what the filter "
           "would give on pixels. For smoothing and sharpening.</li>"
           "<li><b>rescaled</b>: the same shape, the weights divided by the side of the cell in "
           "pixels (level-rescaled). For gradients, whose differences grow with the "
           "distance.</li></ul>{picture:stencils}"
           "<p class=\"note\">Red weights are positive, blue ones negative; the dashed square "
           "is what the stencil of the finest level covers. The Filter tab shows those of your "
           "own filter on each level. On pixel images all three are the same.</p>"
           "<p>Median, minimum, maximum and the local statistics have no weights. Of them "
           "<b>same</b> takes as many cells of each level, <b>restricted</b> a neighbourhood as "
           "wide in pixels, to the nearest odd number of cells: where cells are wider than half of "
           "it, the particle alone.</p>")};
}

HelpSection deconvolve() {
  return {QStringLiteral("deconvolve"), text("Deconvolve: undoing the blur"),
          text("<p>A microscope shows a point of light as a small cloud, its <b>point-spread "
               "function</b> (PSF), and an image as the sum of such clouds. <b>Richardson–Lucy "
               "deconvolution</b> looks for the sample that gives this image: it blurs its "
               "estimate with the PSF, compares with the image, corrects, and repeats.</p>"
               "{picture:deconvolution}"
               "<p>So there are two things to choose. The <b>PSF</b>: a Gaussian, the model of a "
               "lens, a measured one, or the mean of beads that you click in a slice. And the "
               "number of <b>iterations</b>: too few leave blur, too many turn noise into "
               "structure; watch the slices and keep the iterate that you like. Regularisation "
               "holds the noise back. A camera's offset is not light and should be subtracted, as "
               "<i>Camera and background</i> does.</p>"
               "<p>All of this runs on pixels or on particles, which takes less time and memory "
               "where the CR is high.</p>")};
}

HelpSection measure() {
  return {
      QStringLiteral("measure"), text("Measure: curves and tables"),
      text(
          "<p>What an image holds can be said in numbers. While <i>Measure</i> is open, the curve "
          "and the table below the views are those of the data that you look at, and follow every "
          "edit. <b>Keep</b> puts them into the data list, below what was measured: there they "
          "are exported (as .csv, for spreadsheets and scripts), saved in a workspace, and part "
          "of a recipe.</p>"
          "<p>The <b>histogram</b> counts the grey values; <i>log</i> shows small counts beside "
          "large ones, the wheel zooms, a double click shows all. The table has mean, deviation, "
          "and <b>quantiles</b>: 25 % of the pixels are no brighter than the value under "
          "<i>25 %</i>. Of particles each counts as the pixels that it stands for, so these are "
          "the numbers of the image that they make; a row for each level tells what is kept "
          "where.</p>"
          "<p><b>Topology curves</b> tell for every threshold at once what is above it (or below): "
          "the <b>Euler characteristic</b>, which is pieces − tunnels + voids, the volume, the "
          "surface and the mean breadth. Where the curve runs level over many thresholds, the "
          "number of objects does not depend on the threshold: choose one there. Noise makes "
          "thousands of pieces near the background. On particles the curves are those of the "
          "image that they make, to the bit.</p>"
          "<p><b>The threshold</b> is a line in the plot. Drag it, click where it shall go, or use "
          "the arrow keys (with Shift: to the next suggestion). Slices mark what it keeps, the 3-D "
          "view shows its <i>Surface</i>, or darkens the rest, and its figures stand below. "
          "<i>Pick</i> takes the value where you click in a slice; <i>Make mask</i> makes an image "
          "of 1 and 0. <i>Beside</i> draws other data in the same plot and tells how much the "
          "curves differ: choose the pixels of your particles to see what the conversion "
          "changed.</p>"
          "<p><b>A line</b> (Ctrl + L) is drawn in a slice and measured at once: its length, "
          "the values along it, and how wide its highest peak is at half maximum. Drag its ends, "
          "or all of it; Shift holds it in one of eight directions. It goes with you from slice to "
          "slice.</p>"
          "<p>In a table, click a head to sort and press Ctrl + C to copy the selected rows; the "
          "menu of a curve (right button) saves it as a picture. <i>Comparison with a "
          "reference</i> tells how near an image is to the one in a file. The same numbers come "
          "from <i>aprscope-cli statistics</i> and <i>topology</i>, and of many files at once from "
          "<i>aprscope-cli run</i> with a recipe that measures.</p>")};
}

HelpSection cells() {
  return {
      QStringLiteral("cells"), text("Cells: volumes that can be trusted"),
      text(
          "<p>While <i>Cells</i> is open, the cells that are found lie over the slices, and follow "
          "every edit. <b>Watershed</b> tells cells of a tissue apart whose walls are bright: "
          "water rises in all of them at once. <i>Depth</i> is how much deeper than its wall a "
          "cell must be, <i>Merge</i> joins cells with weak walls; both are chosen from noise and "
          "contrast unless you say otherwise. <b>Fill exterior</b> is for single cells with a "
          "stained membrane: what water from outside does not reach is cell. A hole in the "
          "membrane lets it in: the table says where, and how wide, and <i>Close</i> repairs it. "
          "<b>Label components</b> numbers the pieces of a mask.</p>"
          "<p><b>Find cells</b> keeps them. Below the views their table appears: volume, surface, "
          "shape, grey values, neighbours. The <b>flags</b> beside the volume say why not to trust "
          "it: the cell is cut by the border, leaks, or is open. Click a cell to find its row "
          "(Shift adds), a row to go to its cell; <i>Next suspicious</i> walks through those that "
          "look wrong.</p>"
          "<p><b>Corrections</b>: press one and click in a slice. <i>Merge</i> takes two clicks, "
          "<i>Split</i> one in each part. They can be undone, and a recipe replays them: they are "
          "kept as places, not as numbers of cells. <i>aprscope-cli cells</i> does the same for "
          "many files.</p>")};
}

HelpSection reconstruct() {
  return {
      QStringLiteral("reconstruct"), text("Reconstruct: a map from projections"),
      text("<p>An electron microscope sees each molecule once, from a direction that nobody chose, "
           "in an image full of noise. Programs like RELION and Xmipp find the orientations; from "
           "these and the images <i>Reconstruct</i> makes the map. Open their <b>.star</b> or "
           "<b>.xmd</b> file, or the <b>.cs</b> file of cryoSPARC: the slices show its images, the "
           "table below has a row for each, the "
           "picture in the tab <b>from where</b> they were seen. Regions that stay dark are views "
           "that are missing; the map is worse along them.</p>"
           "<p>Rows have a <b>tick</b>: those without are left out. Click it, or press Space for "
           "the rows that are selected. Once there is a map, each image stands beside its "
           "<b>reprojection</b>, what the map says that it should be, and their correlation.</p>"
           "<p>Set the <b>symmetry</b> of the molecule and press <i>Reconstruct</i>. The map grows "
           "while you watch, with the <b>Fourier shell correlation</b> of its two halves: maps of "
           "half of the images each, which agree where there is signal and not where there is "
           "noise. Where the curve falls below .143 is the resolution. <i>Keep what there is</i> "
           "ends early with the map so far.</p>"
           "<p><b>Division</b> is for noisy images, <b>least squares</b> where noise is low. The "
           "contrast transfer function is corrected for where the table has a defocus for each "
           "image. Maps are images like others: filter them, turn them into particles, measure "
           "them, look at their surface. They are written as .mrc.</p>"
           "<p class=\"note\">A mask with a sharp edge, or images that are in both halves, make "
           "every correlation look better than it is. Projections cannot tell whether the "
           "handedness of the map is right.</p>")};
}

HelpSection compare() {
  return {
      QStringLiteral("compare"), text("Compare: with pixels, or anything else"),
      text("<p>Are particles good enough? <i>Compare with pixels</i> runs the same steps on the "
           "pixel image and puts both side by side, with their time and memory. Any two "
           "entries of the data list can be compared: A is the reference, B is what you "
           "choose.</p>{picture:compare}"
           "<p><b>PSNR</b>, <b>SSIM</b> and <b>NRMSE</b> put numbers to it: a higher PSNR, an "
           "SSIM nearer to 1, a lower NRMSE mean that B is more like A. Remember that a noisy "
           "A is no truth; where B has less noise than A, that counts as a difference, too. A "
           "<b>line profile</b> plots both along a line that you draw.</p>")};
}

HelpSection keeping() {
  return {
      QStringLiteral("keeping"), text("Data, history, and where results are kept"),
      text("<p>The <b>data list</b> holds the images that you opened, with the results made "
           "from each below it. A result never changes: another filter makes another entry. "
           "The <b>history</b> lists what you did; click an older line to go back to it. All of "
           "this is in memory until you save.</p>{picture:keeping}"
           "<ul><li>A <b>workspace</b> (Ctrl + S) is a small file with paths, steps, contrast, "
           "views and the comparison, not the data. Opening it reads the images again and "
           "repeats the steps.</li>"
           "<li><b>Export</b> (Ctrl + E) writes one entry: particles as <b>.apr</b>, which the "
           "reference library and pyapr read; pixels, or particles made into pixels, as "
           "<b>TIFF</b>; a picture of the views as <b>PNG</b>.</li>"
           "<li>A <b>recipe</b>, also under Export, holds the steps of one result as text. Drop "
           "it on the window to repeat them on other data, or give it to <i>aprscope-cli "
           "run</i>.</li></ul>"
           "<p>When you quit, the program lists what is not saved in a file yet.</p>")};
}

HelpSection papers() {
  return {QStringLiteral("papers"), text("Papers"),
          text("<ul><li>The APR: B. L. Cheeseman, U. Günther, K. Gonciarz, M. Susik, I. F. "
               "Sbalzarini, <i>Adaptive particle representation of fluorescence microscopy "
               "images</i>, Nature Communications 9, 5160 (2018). "
               "<a href=\"https://doi.org/10.1038/s41467-018-07390-9\">"
               "doi:10.1038/s41467-018-07390-9</a></li>"
               "<li>Filters and deconvolution on particles: J. Jonsson, B. L. Cheeseman, S. Maddu, "
               "K. Gonciarz, I. F. Sbalzarini, <i>Parallel discrete convolutions on adaptive "
               "particle representations of images</i>, IEEE Transactions on Image Processing 31 "
               "(2022). <a href=\"https://doi.org/10.1109/TIP.2022.3181487\">"
               "doi:10.1109/TIP.2022.3181487</a>, "
               "<a href=\"https://arxiv.org/abs/2112.03592\">arXiv:2112.03592</a></li>"
               "<li>Richardson–Lucy: W. H. Richardson, <i>Bayesian-based iterative method of image "
               "restoration</i>, Journal of the Optical Society of America 62, 55–59 (1972), "
               "<a href=\"https://doi.org/10.1364/JOSA.62.000055\">doi:10.1364/JOSA.62.000055</a>; "
               "L. B. Lucy, <i>An iterative technique for the rectification of observed "
               "distributions</i>, The Astronomical Journal 79, 745 (1974), "
               "<a href=\"https://doi.org/10.1086/111605\">doi:10.1086/111605</a></li></ul>")};
}

}  // namespace

std::vector<HelpSection> help_sections() {
  return {about(),   particles(),   levels(),  ratio(),    bound(),      scale(),
          display(), convert(),     filter(),  stencils(), deconvolve(), measure(),
          cells(),   reconstruct(), compare(), keeping(),  papers()};
}

QString help_title(const QString& id) {
  for (const HelpSection& section : help_sections()) {
    if (section.id == id) return section.title;
  }
  return {};
}

}  // namespace aprscope::gui
