"""Written by resources/setup/python_stubs.py: a function for each operation."""
from collections.abc import Callable, Sequence
from typing import Any

import numpy

from ._data import Apr, Data, Image
from ._measured import Measurement

__all__ = [
    "convert",
    "reconstruct",
    "crop",
    "gaussian",
    "box",
    "sharpen",
    "laplacian",
    "log",
    "gradient",
    "mean",
    "standard_deviation",
    "median",
    "min",
    "max",
    "threshold",
    "watershed",
    "fill_exterior",
    "label",
    "open_labels",
    "clean_labels",
    "correct",
    "map_sharpen",
    "map_mask",
    "map_flip",
    "map_upsample",
    "local_resolution",
    "deconvolve",
    "backproject",
    "project",
    "statistics",
    "line_profile",
    "topology",
    "compare",
    "cells",
    "closing",
    "projections",
    "fsc",
    "guinier",
    "custom",
]

def convert(
    data: Data | numpy.ndarray,
    *,
    rel_error: float = 0.1,
    lambda_: float = 3.0,
    auto_thresholds: bool = True,
    sigma_th: float = 0.0,
    sigma_th_max: float = 0.0,
    grad_th: float = 0.0,
    intensity_th: float = 0.0,
    psf: float | Sequence[float] = 2.0,
    use_voxel_size: bool = False,
    constant_scale: bool = False,
    neighbourhood_optimisation: bool = True,
    structure: str = 'own',
    voxel: float | Sequence[float] | None = None,
    device: str = 'auto',
    progress: Callable[[float, str], Any] | None = None,
) -> Apr:
    """Turns a pixel image into an Adaptive Particle Representation.

    Parameters
    ----------
    data : Data or numpy.ndarray
        An image or array.
    rel_error : float
        Largest reconstruction error, as a fraction of the local intensity scale (the local
        contrast). Larger values give fewer particles and less detail.
        0.0001 to 10; default 0.1.
    lambda_ : float
        Strength of the smoothing spline with which gradients are estimated: larger for noisier
        images, 0 for images without noise.
        0 to 1000; default 3.0.
    auto_thresholds : bool
        Find the thresholds of scale and gradient from the image itself.
        Default True.
    sigma_th : float
        Lower limit of the local intensity scale. A larger limit keeps noise and weak structure
        from becoming particles; found automatically unless automatic thresholds are off.
        0 to 1000000000 grey values; default 0.0.
    sigma_th_max : float
        Where the local intensity scale is below this, structure is ignored.
        0 to 1000000000 grey values; default 0.0.
    grad_th : float
        Gradients smaller than this are ignored, so that noise does not become particles; found
        automatically unless automatic thresholds are off.
        0 to 1000000000 grey values/px; default 0.0.
    intensity_th : float
        Where the smoothed image is at or below this, structure is ignored.
        -1000000000 to 1000000000 grey values; default 0.0.
    psf : float or Sequence[float]
        Width of the point-spread function in z, x, y. It sets the size of the window in which
        the local intensity scale is measured.
        0.01 to 1000 px; default 2.0.
    use_voxel_size : bool
        Weigh gradients by the voxel size where voxels are not cubes.
        Default False.
    constant_scale : bool
        Use one intensity scale, mean minus minimum, for the whole image.
        Default False.
    neighbourhood_optimisation : bool
        Keep each cell at the boundary of fine regions as one particle. Off splits these cells,
        which gives more particles around structure.
        Default True.
    structure : str
        own: each of several channels that are converted together has the particles that it
        needs; shared: all have those that any of them needs. Alone, a channel always has its
        own.
        One of own, shared; default own.
    voxel : float or Sequence[float], optional
        Voxel size in z, x, y instead of the data's; in µm for an array.
    device : str
        Where it is computed: auto, cpu, cuda:N, cuda:0,1 or cuda:all.
    progress : Callable[[float, str], Any], optional
        progress(fraction, text), while it is computed.

    Returns
    -------
    Apr
    """

def reconstruct(
    data: Apr,
    *,
    mode: str = 'constant',
    at_level: int = 0,
    voxel: float | Sequence[float] | None = None,
    device: str = 'auto',
    progress: Callable[[float, str], Any] | None = None,
) -> Image:
    """Turns particles back into a pixel image.

    Parameters
    ----------
    data : Apr
        Particles.
    mode : str
        constant: one value for each cell; smooth: interpolated; level: the level of each
        particle instead of its value.
        One of constant, smooth, level; default constant.
    at_level : int
        Level of the particles whose smaller image is reconstructed: each level below the finest
        halves the size. 0: full resolution.
        0 to 31; default 0.
    voxel : float or Sequence[float], optional
        Voxel size in z, x, y instead of the data's; in µm for an array.
    device : str
        Where it is computed: auto, cpu, cuda:N, cuda:0,1 or cuda:all.
    progress : Callable[[float, str], Any], optional
        progress(fraction, text), while it is computed.

    Returns
    -------
    Image
    """

def crop(
    data: Data | numpy.ndarray,
    *,
    region: str = '',
    voxel: float | Sequence[float] | None = None,
    device: str = 'auto',
    progress: Callable[[float, str], Any] | None = None,
) -> Data:
    """Cuts out a box. Pixels keep their values; particles whose cells do not fit the grid of the box
    are split into smaller ones of the same value.

    Parameters
    ----------
    data : Data or numpy.ndarray
        An image or array or particles.
    region : str
        Box to cut out, in pixels from 0: Z0:Z1,X0:X1,Y0:Y1, without the pixels Z1, X1 and Y1.
        Particles are split least if Z0, X0 and Y0 are multiples of 16.
    voxel : float or Sequence[float], optional
        Voxel size in z, x, y instead of the data's; in µm for an array.
    device : str
        Where it is computed: auto, cpu, cuda:N, cuda:0,1 or cuda:all.
    progress : Callable[[float, str], Any], optional
        progress(fraction, text), while it is computed.

    Returns
    -------
    Data
    """

def gaussian(
    data: Data | numpy.ndarray,
    *,
    sigma: float | Sequence[float] = 2.0,
    sigma_unit: str = 'pixels',
    size: float | Sequence[float] = 0.0,
    mode: str = 'restricted',
    boundary: str = 'reflect',
    normalize: bool = True,
    voxel: float | Sequence[float] | None = None,
    device: str = 'auto',
    progress: Callable[[float, str], Any] | None = None,
) -> Data:
    """Smooths with a Gaussian.

    Parameters
    ----------
    data : Data or numpy.ndarray
        An image or array or particles.
    sigma : float or Sequence[float]
        Standard deviation of the Gaussian in z, x, y. Larger smooths more; 0 does not smooth
        along that axis.
        0 to 100 px; default 2.0.
    sigma_unit : str
        Whether sigma is in pixels, or in the physical unit of the voxel size, which smooths
        equally in all directions where voxels are not cubes.
        One of pixels, physical; default pixels.
    size : float or Sequence[float]
        Size of the stencil in z, x, y (odd); 0 takes 3 sigma on both sides.
        0 to 255 px; odd; default 0.0.
    mode : str
        How the stencil is applied to coarser particles. same: with the same weights between
        cells of their level; restricted: averaged over their cell, as on pixels; rescaled:
        divided by the cell width, for gradients. Pixel images have one level only.
        One of same, restricted, rescaled; default restricted.
    boundary : str
        Values assumed beyond the border of the image. reflect: its mirror image; zero: zeros.
        One of reflect, zero; default reflect.
    normalize : bool
        Scale the weights of each level to sum 1; stencils whose sum is 0 stay as they are.
        Default True.
    voxel : float or Sequence[float], optional
        Voxel size in z, x, y instead of the data's; in µm for an array.
    device : str
        Where it is computed: auto, cpu, cuda:N, cuda:0,1 or cuda:all.
    progress : Callable[[float, str], Any], optional
        progress(fraction, text), while it is computed.

    Returns
    -------
    Data
    """

def box(
    data: Data | numpy.ndarray,
    *,
    size: float | Sequence[float] = 3.0,
    mode: str = 'restricted',
    boundary: str = 'reflect',
    normalize: bool = True,
    voxel: float | Sequence[float] | None = None,
    device: str = 'auto',
    progress: Callable[[float, str], Any] | None = None,
) -> Data:
    """Smooths with equal weights in a box.

    Parameters
    ----------
    data : Data or numpy.ndarray
        An image or array or particles.
    size : float or Sequence[float]
        Size of the box in z, x, y (odd).
        1 to 255 px; odd; default 3.0.
    mode : str
        How the stencil is applied to coarser particles. same: with the same weights between
        cells of their level; restricted: averaged over their cell, as on pixels; rescaled:
        divided by the cell width, for gradients. Pixel images have one level only.
        One of same, restricted, rescaled; default restricted.
    boundary : str
        Values assumed beyond the border of the image. reflect: its mirror image; zero: zeros.
        One of reflect, zero; default reflect.
    normalize : bool
        Scale the weights of each level to sum 1; stencils whose sum is 0 stay as they are.
        Default True.
    voxel : float or Sequence[float], optional
        Voxel size in z, x, y instead of the data's; in µm for an array.
    device : str
        Where it is computed: auto, cpu, cuda:N, cuda:0,1 or cuda:all.
    progress : Callable[[float, str], Any], optional
        progress(fraction, text), while it is computed.

    Returns
    -------
    Data
    """

def sharpen(
    data: Data | numpy.ndarray,
    *,
    sigma: float | Sequence[float] = 1.0,
    sigma_unit: str = 'pixels',
    amount: float = 1.0,
    mode: str = 'restricted',
    boundary: str = 'reflect',
    normalize: bool = True,
    voxel: float | Sequence[float] | None = None,
    device: str = 'auto',
    progress: Callable[[float, str], Any] | None = None,
) -> Data:
    """Sharpens by adding the difference between the image and its Gaussian-smoothed copy (unsharp
    masking).

    Parameters
    ----------
    data : Data or numpy.ndarray
        An image or array or particles.
    sigma : float or Sequence[float]
        Standard deviation of the Gaussian in z, x, y. Larger smooths more; 0 does not smooth
        along that axis.
        0 to 100 px; default 1.0.
    sigma_unit : str
        Whether sigma is in pixels, or in the physical unit of the voxel size, which smooths
        equally in all directions where voxels are not cubes.
        One of pixels, physical; default pixels.
    amount : float
        Factor of the difference between image and smoothed image that is added. Larger sharpens
        more and amplifies noise.
        0 to 100; default 1.0.
    mode : str
        How the stencil is applied to coarser particles. same: with the same weights between
        cells of their level; restricted: averaged over their cell, as on pixels; rescaled:
        divided by the cell width, for gradients. Pixel images have one level only.
        One of same, restricted, rescaled; default restricted.
    boundary : str
        Values assumed beyond the border of the image. reflect: its mirror image; zero: zeros.
        One of reflect, zero; default reflect.
    normalize : bool
        Scale the weights of each level to sum 1; stencils whose sum is 0 stay as they are.
        Default True.
    voxel : float or Sequence[float], optional
        Voxel size in z, x, y instead of the data's; in µm for an array.
    device : str
        Where it is computed: auto, cpu, cuda:N, cuda:0,1 or cuda:all.
    progress : Callable[[float, str], Any], optional
        progress(fraction, text), while it is computed.

    Returns
    -------
    Data
    """

def laplacian(
    data: Data | numpy.ndarray,
    *,
    distance_unit: str = 'pixels',
    mode: str = 'rescaled',
    boundary: str = 'reflect',
    normalize: bool = False,
    voxel: float | Sequence[float] | None = None,
    device: str = 'auto',
    progress: Callable[[float, str], Any] | None = None,
) -> Data:
    """Sum of the second derivatives.

    Parameters
    ----------
    data : Data or numpy.ndarray
        An image or array or particles.
    distance_unit : str
        Whether derivatives are per pixel or per physical unit of the image.
        One of pixels, physical; default pixels.
    mode : str
        How the stencil is applied to coarser particles. same: with the same weights between
        cells of their level; restricted: averaged over their cell, as on pixels; rescaled:
        divided by the cell width, for gradients. Pixel images have one level only.
        One of same, restricted, rescaled; default rescaled.
    boundary : str
        Values assumed beyond the border of the image. reflect: its mirror image; zero: zeros.
        One of reflect, zero; default reflect.
    normalize : bool
        Scale the weights of each level to sum 1; stencils whose sum is 0 stay as they are.
        Default False.
    voxel : float or Sequence[float], optional
        Voxel size in z, x, y instead of the data's; in µm for an array.
    device : str
        Where it is computed: auto, cpu, cuda:N, cuda:0,1 or cuda:all.
    progress : Callable[[float, str], Any], optional
        progress(fraction, text), while it is computed.

    Returns
    -------
    Data
    """

def log(
    data: Data | numpy.ndarray,
    *,
    sigma: float | Sequence[float] = 2.0,
    sigma_unit: str = 'pixels',
    size: float | Sequence[float] = 0.0,
    mode: str = 'rescaled',
    boundary: str = 'reflect',
    normalize: bool = False,
    voxel: float | Sequence[float] | None = None,
    device: str = 'auto',
    progress: Callable[[float, str], Any] | None = None,
) -> Data:
    """Second derivatives of the smoothed image; finds blobs and edges.

    Parameters
    ----------
    data : Data or numpy.ndarray
        An image or array or particles.
    sigma : float or Sequence[float]
        Standard deviation of the Gaussian in z, x, y. Larger smooths more; 0 does not smooth
        along that axis.
        0 to 100 px; default 2.0.
    sigma_unit : str
        Whether sigma is in pixels, or in the physical unit of the voxel size, which smooths
        equally in all directions where voxels are not cubes.
        One of pixels, physical; default pixels.
    size : float or Sequence[float]
        Size of the stencil in z, x, y (odd); 0 takes 3 sigma on both sides.
        0 to 255 px; odd; default 0.0.
    mode : str
        How the stencil is applied to coarser particles. same: with the same weights between
        cells of their level; restricted: averaged over their cell, as on pixels; rescaled:
        divided by the cell width, for gradients. Pixel images have one level only.
        One of same, restricted, rescaled; default rescaled.
    boundary : str
        Values assumed beyond the border of the image. reflect: its mirror image; zero: zeros.
        One of reflect, zero; default reflect.
    normalize : bool
        Scale the weights of each level to sum 1; stencils whose sum is 0 stay as they are.
        Default False.
    voxel : float or Sequence[float], optional
        Voxel size in z, x, y instead of the data's; in µm for an array.
    device : str
        Where it is computed: auto, cpu, cuda:N, cuda:0,1 or cuda:all.
    progress : Callable[[float, str], Any], optional
        progress(fraction, text), while it is computed.

    Returns
    -------
    Data
    """

def gradient(
    data: Data | numpy.ndarray,
    *,
    kind: str = 'central',
    component: str = 'magnitude',
    distance_unit: str = 'pixels',
    mode: str = 'rescaled',
    boundary: str = 'reflect',
    normalize: bool = False,
    voxel: float | Sequence[float] | None = None,
    device: str = 'auto',
    progress: Callable[[float, str], Any] | None = None,
) -> Data:
    """First derivatives: one component, or their magnitude.

    Parameters
    ----------
    data : Data or numpy.ndarray
        An image or array or particles.
    kind : str
        central: central differences; sobel: also smooths across the direction of the
        derivative, so noise matters less.
        One of central, sobel; default central.
    component : str
        magnitude: the length of the gradient; z, x, y: its component along that axis.
        One of magnitude, z, x, y; default magnitude.
    distance_unit : str
        Whether derivatives are per pixel or per physical unit of the image.
        One of pixels, physical; default pixels.
    mode : str
        How the stencil is applied to coarser particles. same: with the same weights between
        cells of their level; restricted: averaged over their cell, as on pixels; rescaled:
        divided by the cell width, for gradients. Pixel images have one level only.
        One of same, restricted, rescaled; default rescaled.
    boundary : str
        Values assumed beyond the border of the image. reflect: its mirror image; zero: zeros.
        One of reflect, zero; default reflect.
    normalize : bool
        Scale the weights of each level to sum 1; stencils whose sum is 0 stay as they are.
        Default False.
    voxel : float or Sequence[float], optional
        Voxel size in z, x, y instead of the data's; in µm for an array.
    device : str
        Where it is computed: auto, cpu, cuda:N, cuda:0,1 or cuda:all.
    progress : Callable[[float, str], Any], optional
        progress(fraction, text), while it is computed.

    Returns
    -------
    Data
    """

def mean(
    data: Data | numpy.ndarray,
    *,
    size: float | Sequence[float] = 3.0,
    mode: str = 'same',
    boundary: str = 'reflect',
    voxel: float | Sequence[float] | None = None,
    device: str = 'auto',
    progress: Callable[[float, str], Any] | None = None,
) -> Data:
    """Mean of the neighbourhood. On particles the size counts cells of each level, so the
    neighbourhood is wider where particles are coarse, unless coarser levels are restricted.

    Parameters
    ----------
    data : Data or numpy.ndarray
        An image or array or particles.
    size : float or Sequence[float]
        Size of the neighbourhood in z, x, y (odd).
        1 to 63 px; odd; default 3.0.
    mode : str
        Neighbourhood of coarser particles. same: as many cells of their own level; restricted:
        as wide in pixels, to the nearest odd number of cells. Pixel images have one level only.
        One of same, restricted; default same.
    boundary : str
        Values assumed beyond the border of the image. reflect: its mirror image; zero: zeros.
        One of reflect, zero; default reflect.
    voxel : float or Sequence[float], optional
        Voxel size in z, x, y instead of the data's; in µm for an array.
    device : str
        Where it is computed: auto, cpu, cuda:N, cuda:0,1 or cuda:all.
    progress : Callable[[float, str], Any], optional
        progress(fraction, text), while it is computed.

    Returns
    -------
    Data
    """

def standard_deviation(
    data: Data | numpy.ndarray,
    *,
    size: float | Sequence[float] = 3.0,
    mode: str = 'same',
    boundary: str = 'reflect',
    voxel: float | Sequence[float] | None = None,
    device: str = 'auto',
    progress: Callable[[float, str], Any] | None = None,
) -> Data:
    """Standard deviation in the neighbourhood. On particles the size counts cells of each level, so
    the neighbourhood is wider where particles are coarse, unless coarser levels are restricted.

    Parameters
    ----------
    data : Data or numpy.ndarray
        An image or array or particles.
    size : float or Sequence[float]
        Size of the neighbourhood in z, x, y (odd).
        1 to 63 px; odd; default 3.0.
    mode : str
        Neighbourhood of coarser particles. same: as many cells of their own level; restricted:
        as wide in pixels, to the nearest odd number of cells. Pixel images have one level only.
        One of same, restricted; default same.
    boundary : str
        Values assumed beyond the border of the image. reflect: its mirror image; zero: zeros.
        One of reflect, zero; default reflect.
    voxel : float or Sequence[float], optional
        Voxel size in z, x, y instead of the data's; in µm for an array.
    device : str
        Where it is computed: auto, cpu, cuda:N, cuda:0,1 or cuda:all.
    progress : Callable[[float, str], Any], optional
        progress(fraction, text), while it is computed.

    Returns
    -------
    Data
    """

def median(
    data: Data | numpy.ndarray,
    *,
    size: float | Sequence[float] = 3.0,
    mode: str = 'same',
    boundary: str = 'reflect',
    voxel: float | Sequence[float] | None = None,
    device: str = 'auto',
    progress: Callable[[float, str], Any] | None = None,
) -> Data:
    """Median of the neighbourhood; removes outliers. On particles the size counts cells of each level,
    so the neighbourhood is wider where particles are coarse, unless coarser levels are restricted.

    Parameters
    ----------
    data : Data or numpy.ndarray
        An image or array or particles.
    size : float or Sequence[float]
        Size of the neighbourhood in z, x, y (odd).
        1 to 63 px; odd; default 3.0.
    mode : str
        Neighbourhood of coarser particles. same: as many cells of their own level; restricted:
        as wide in pixels, to the nearest odd number of cells. Pixel images have one level only.
        One of same, restricted; default same.
    boundary : str
        Values assumed beyond the border of the image. reflect: its mirror image; zero: zeros.
        One of reflect, zero; default reflect.
    voxel : float or Sequence[float], optional
        Voxel size in z, x, y instead of the data's; in µm for an array.
    device : str
        Where it is computed: auto, cpu, cuda:N, cuda:0,1 or cuda:all.
    progress : Callable[[float, str], Any], optional
        progress(fraction, text), while it is computed.

    Returns
    -------
    Data
    """

def min(
    data: Data | numpy.ndarray,
    *,
    size: float | Sequence[float] = 3.0,
    mode: str = 'same',
    boundary: str = 'reflect',
    voxel: float | Sequence[float] | None = None,
    device: str = 'auto',
    progress: Callable[[float, str], Any] | None = None,
) -> Data:
    """Smallest value of the neighbourhood (erosion). On particles the size counts cells of each level,
    so the neighbourhood is wider where particles are coarse, unless coarser levels are restricted.

    Parameters
    ----------
    data : Data or numpy.ndarray
        An image or array or particles.
    size : float or Sequence[float]
        Size of the neighbourhood in z, x, y (odd).
        1 to 63 px; odd; default 3.0.
    mode : str
        Neighbourhood of coarser particles. same: as many cells of their own level; restricted:
        as wide in pixels, to the nearest odd number of cells. Pixel images have one level only.
        One of same, restricted; default same.
    boundary : str
        Values assumed beyond the border of the image. reflect: its mirror image; zero: zeros.
        One of reflect, zero; default reflect.
    voxel : float or Sequence[float], optional
        Voxel size in z, x, y instead of the data's; in µm for an array.
    device : str
        Where it is computed: auto, cpu, cuda:N, cuda:0,1 or cuda:all.
    progress : Callable[[float, str], Any], optional
        progress(fraction, text), while it is computed.

    Returns
    -------
    Data
    """

def max(
    data: Data | numpy.ndarray,
    *,
    size: float | Sequence[float] = 3.0,
    mode: str = 'same',
    boundary: str = 'reflect',
    voxel: float | Sequence[float] | None = None,
    device: str = 'auto',
    progress: Callable[[float, str], Any] | None = None,
) -> Data:
    """Largest value of the neighbourhood (dilation). On particles the size counts cells of each level,
    so the neighbourhood is wider where particles are coarse, unless coarser levels are restricted.

    Parameters
    ----------
    data : Data or numpy.ndarray
        An image or array or particles.
    size : float or Sequence[float]
        Size of the neighbourhood in z, x, y (odd).
        1 to 63 px; odd; default 3.0.
    mode : str
        Neighbourhood of coarser particles. same: as many cells of their own level; restricted:
        as wide in pixels, to the nearest odd number of cells. Pixel images have one level only.
        One of same, restricted; default same.
    boundary : str
        Values assumed beyond the border of the image. reflect: its mirror image; zero: zeros.
        One of reflect, zero; default reflect.
    voxel : float or Sequence[float], optional
        Voxel size in z, x, y instead of the data's; in µm for an array.
    device : str
        Where it is computed: auto, cpu, cuda:N, cuda:0,1 or cuda:all.
    progress : Callable[[float, str], Any], optional
        progress(fraction, text), while it is computed.

    Returns
    -------
    Data
    """

def threshold(
    data: Data | numpy.ndarray,
    *,
    method: str = 'otsu',
    value: float = 0.0,
    crossing: int = 1,
    window: float = 3.0,
    offset: float = 0.0,
    sets: str = 'superlevel',
    voxel: float | Sequence[float] | None = None,
    device: str = 'auto',
    progress: Callable[[float, str], Any] | None = None,
) -> Data:
    """Makes a mask: 1 where the value is at least the threshold (or at most), 0 elsewhere.

    Parameters
    ----------
    data : Data or numpy.ndarray
        An image or array or particles.
    method : str
        How the threshold is chosen. value: a number that you give; otsu: the value that
        separates bright from dark best; crossing: where the Euler characteristic changes sign;
        local: the mean around each pixel, for uneven staining. A threshold that is found is
        written into the result's history.
        One of otsu, value, crossing, local; default otsu.
    value : float
        Threshold, used with method value.
        -3.4e+38 to 3.4e+38 grey values; default 0.0.
    crossing : int
        Which change of sign of the Euler characteristic is the threshold, with method crossing;
        counted from the values that are kept first (superlevel: from the brightest).
        1 to 65536; default 1.
    window : float
        Side of the box around each pixel whose mean is its threshold, with method local; in the
        unit of the voxel size (µm; px where the file has none).
        0 to 1000000000 units of the voxel size; default 3.0.
    offset : float
        How far a pixel must be above the mean around it (sublevel: below) to be kept, with
        method local.
        -3.4e+38 to 3.4e+38 grey values; default 0.0.
    sets : str
        Which values the mask keeps. superlevel: the threshold and above (bright objects);
        sublevel: the threshold and below (dark objects).
        One of superlevel, sublevel; default superlevel.
    voxel : float or Sequence[float], optional
        Voxel size in z, x, y instead of the data's; in µm for an array.
    device : str
        Where it is computed: auto, cpu, cuda:N, cuda:0,1 or cuda:all.
    progress : Callable[[float, str], Any], optional
        progress(fraction, text), while it is computed.

    Returns
    -------
    Data
    """

def watershed(
    data: Data | numpy.ndarray,
    *,
    signal: str = 'membrane',
    dark: bool = False,
    method: str = 'otsu',
    value: float = 0.0,
    crossing: int = 1,
    window: float = 3.0,
    offset: float = 0.0,
    connectivity: str = '6',
    smooth: float = -1.0,
    depth: float = 0.0,
    merge: float = -1.0,
    seeds: str = '',
    seed_file: str = '',
    min_volume: float = 0.0,
    drop_border: bool = False,
    voxel: float | Sequence[float] | None = None,
    device: str = 'auto',
    progress: Callable[[float, str], Any] | None = None,
) -> Data:
    """Separates cells between bright walls (or dark ones), or bright blobs that touch: water rises in
    all of them at once and stops where it meets.

    Parameters
    ----------
    data : Data or numpy.ndarray
        An image or array or particles.
    signal : str
        membrane: water rises in the image, so that every pixel belongs to a cell between walls;
        distance: in objects brighter than a threshold, from where they are thickest, so that
        they part at their necks (pixel images only).
        One of membrane, distance; default membrane.
    dark : bool
        Walls are darker than cells; with signal distance: objects are darker than their
        surroundings.
        Default False.
    method : str
        How the threshold is chosen. value: a number that you give; otsu: the value that
        separates bright from dark best; crossing: where the Euler characteristic changes sign;
        local: the mean around each pixel, for uneven staining. A threshold that is found is
        written into the result's history.
        One of otsu, value, crossing, local; default otsu.
    value : float
        Threshold, used with method value.
        -3.4e+38 to 3.4e+38 grey values; default 0.0.
    crossing : int
        Which change of sign of the Euler characteristic is the threshold, with method crossing;
        counted from the values that are kept first (superlevel: from the brightest).
        1 to 65536; default 1.
    window : float
        Side of the box around each pixel whose mean is its threshold, with method local; in the
        unit of the voxel size (µm; px where the file has none).
        0 to 1000000000 units of the voxel size; default 3.0.
    offset : float
        How far a pixel must be above the mean around it (sublevel: below) to be kept, with
        method local.
        -3.4e+38 to 3.4e+38 grey values; default 0.0.
    connectivity : str
        Through which neighbours water flows. 6: those that share a face; 18: also an edge; 26:
        also a corner (in one slice 4, 8 and 8).
        One of 6, 18, 26; default 6.
    smooth : float
        Standard deviation of the Gaussian that smooths the image first, in the unit of the
        voxel size (µm; px where the file has none). 0: none; below 0: as little as brings noise
        down to a thirtieth of the contrast. Particles are not smoothed.
        -1 to 1000000000 units of the voxel size; -1 is automatic; default -1.0.
    depth : float
        How far a cell must lie below the lowest gap in its walls (h-minima). Larger values give
        fewer cells; 0: the noise of the image. With signal distance: by how much the radius of
        an object must exceed that of its neck, in the unit of the voxel size (µm; px where the
        file has none); 0: a voxel of the coarsest axis.
        0 to 3.4e+38 grey values; 0 is automatic; default 0.0.
    merge : float
        Walls weaker than this are removed, the weakest first. Strength is the geometric mean of
        the wall's lowest height above the shallower cell and its median height above the deeper
        one. 0: none; below 0: a fifth of the contrast or four times the noise, whichever is
        larger (none with signal distance).
        -1 to 3.4e+38 grey values; -1 is automatic; default -1.0.
    seeds : str
        Points from which one cell each grows, whatever the depth and the walls: z,x,y; z,x,y;
        and so on, in whole pixels from 0.
    seed_file : str
        File of seeds from which one cell each grows: a label image of the same size (TIFF or
        HDF5; cells keep its numbers), or a table of points (.csv, .tsv, .txt), a point per
        line: z,x,y in pixels from 0, or with a header of names and units, as z (µm).
        Name of a file.
    min_volume : float
        A cell smaller than this volume becomes part of the one behind the lowest gap in its
        walls; in the cube of the unit of the voxel size (µm³; px³ where the file has none; for
        one slice its square).
        0 to 1e+18 cubic units of the voxel size; default 0.0.
    drop_border : bool
        Cells that touch the border of the image get no label.
        Default False.
    voxel : float or Sequence[float], optional
        Voxel size in z, x, y instead of the data's; in µm for an array.
    device : str
        Where it is computed: auto, cpu, cuda:N, cuda:0,1 or cuda:all.
    progress : Callable[[float, str], Any], optional
        progress(fraction, text), while it is computed.

    Returns
    -------
    Data
        The same data with labels.
    """

def fill_exterior(
    data: Data | numpy.ndarray,
    *,
    method: str = 'otsu',
    value: float = 0.0,
    crossing: int = 1,
    window: float = 3.0,
    offset: float = 0.0,
    dark: bool = False,
    connectivity: str = '26',
    close: float = 0.0,
    membrane: str = 'inside',
    per_slice: bool = False,
    lumens: bool = False,
    min_volume: float = 0.0,
    voxel: float | Sequence[float] | None = None,
    device: str = 'auto',
    progress: Callable[[float, str], Any] | None = None,
) -> Data:
    """Finds cells from a membrane channel: fills what is connected to the outside of the image, labels
    the rest, and reports for each cell whether it leaks.

    Parameters
    ----------
    data : Data or numpy.ndarray
        An image or array or particles.
    method : str
        How the threshold is chosen. value: a number that you give; otsu: the value that
        separates bright from dark best; crossing: where the Euler characteristic changes sign;
        local: the mean around each pixel, for uneven staining. A threshold that is found is
        written into the result's history.
        One of otsu, value, crossing, local; default otsu.
    value : float
        Threshold, used with method value.
        -3.4e+38 to 3.4e+38 grey values; default 0.0.
    crossing : int
        Which change of sign of the Euler characteristic is the threshold, with method crossing;
        counted from the values that are kept first (superlevel: from the brightest).
        1 to 65536; default 1.
    window : float
        Side of the box around each pixel whose mean is its threshold, with method local; in the
        unit of the voxel size (µm; px where the file has none).
        0 to 1000000000 units of the voxel size; default 3.0.
    offset : float
        How far a pixel must be above the mean around it (sublevel: below) to be kept, with
        method local.
        -3.4e+38 to 3.4e+38 grey values; default 0.0.
    dark : bool
        Membranes are darker than what they enclose.
        Default False.
    connectivity : str
        Which neighbouring pixels of membranes are connected. 6: those that share a face; 18:
        also an edge; 26: also a corner (in one slice 4, 8 and 8).
        One of 26, 18, 6; default 26.
    close : float
        Holes in membranes are closed up to this radius, without thickening the membranes; in
        the unit of the voxel size (µm; px where the file has none). 0: none.
        0 to 1000000 units of the voxel size; default 0.0.
    membrane : str
        Whether pixels of a membrane belong to cells. inside: all of them; outside: none; half:
        each goes to the interior of a cell (lumen) or to the exterior, whichever is nearer.
        One of inside, outside, half; default inside.
    per_slice : bool
        Fill each z slice by itself. This closes handles and cups, but hides holes that open in
        other slices; leaks are reported all the same.
        Default False.
    lumens : bool
        Give each enclosed space (lumen) a label of its own, instead of one label for each group
        of cells that touch.
        Default False.
    min_volume : float
        Objects smaller than this volume are left out; in the cube of the unit of the voxel size
        (µm³; px³ where the file has none; for one slice its square).
        0 to 1e+18 cubic units of the voxel size; default 0.0.
    voxel : float or Sequence[float], optional
        Voxel size in z, x, y instead of the data's; in µm for an array.
    device : str
        Where it is computed: auto, cpu, cuda:N, cuda:0,1 or cuda:all.
    progress : Callable[[float, str], Any], optional
        progress(fraction, text), while it is computed.

    Returns
    -------
    Data
        The same data with labels.
    """

def label(
    data: Data | numpy.ndarray,
    *,
    connectivity: str = '6',
    min_volume: float = 0.0,
    voxel: float | Sequence[float] | None = None,
    device: str = 'auto',
    progress: Callable[[float, str], Any] | None = None,
) -> Data:
    """Labels the connected objects of a mask: each pixel that is not zero gets the number of its
    object.

    Parameters
    ----------
    data : Data or numpy.ndarray
        An image or array or particles.
    connectivity : str
        Which neighbouring pixels of objects are connected. 6: those that share a face; 18: also
        an edge; 26: also a corner (in one slice 4, 8 and 8).
        One of 6, 18, 26; default 6.
    min_volume : float
        Objects smaller than this volume are left out; in the cube of the unit of the voxel size
        (µm³; px³ where the file has none; for one slice its square).
        0 to 1e+18 cubic units of the voxel size; default 0.0.
    voxel : float or Sequence[float], optional
        Voxel size in z, x, y instead of the data's; in µm for an array.
    device : str
        Where it is computed: auto, cpu, cuda:N, cuda:0,1 or cuda:all.
    progress : Callable[[float, str], Any], optional
        progress(fraction, text), while it is computed.

    Returns
    -------
    Data
        The same data with labels.
    """

def open_labels(
    data: Data | numpy.ndarray,
    *,
    file: str = '',
    channel: int = 0,
    time: int = 0,
    voxel: float | Sequence[float] | None = None,
    device: str = 'auto',
    progress: Callable[[float, str], Any] | None = None,
) -> Data:
    """Reads labels that another program made: an image of the same size, with a whole number for each
    object and 0 for the background.

    Parameters
    ----------
    data : Data or numpy.ndarray
        An image or array or particles.
    file : str
        TIFF or HDF5 file with the labels; FILE.h5:/path picks a volume of an HDF5 file.
        Name of a file.
    channel : int
        Channel to read from the label file, counted from 0.
        0 to 1000000; default 0.
    time : int
        Time point to read from the label file, counted from 0.
        0 to 1000000; default 0.
    voxel : float or Sequence[float], optional
        Voxel size in z, x, y instead of the data's; in µm for an array.
    device : str
        Where it is computed: auto, cpu, cuda:N, cuda:0,1 or cuda:all.
    progress : Callable[[float, str], Any], optional
        progress(fraction, text), while it is computed.

    Returns
    -------
    Data
        The same data with labels.
    """

def clean_labels(
    data: Data | numpy.ndarray,
    *,
    smooth: int = 0,
    min_volume: float = 0.0,
    drop_border: bool = False,
    fill_holes: bool = False,
    relabel: bool = True,
    voxel: float | Sequence[float] | None = None,
    device: str = 'auto',
    progress: Callable[[float, str], Any] | None = None,
) -> Data:
    """Cleans up labels: smooths their outlines, drops small cells and those at the border, fills
    holes, and numbers the cells from 1 on.

    Takes data that has labels.

    Parameters
    ----------
    data : Data or numpy.ndarray
        An image or array or particles.
    smooth : int
        Number of smoothing passes: in each, every pixel takes the label that most pixels around
        it have. More passes smooth more; 0: none.
        0 to 100; default 0.
    min_volume : float
        Cells smaller than this volume are dropped; in the cube of the unit of the voxel size
        (µm³; px³ where the file has none; for one slice its square).
        0 to 1e+18 cubic units of the voxel size; default 0.0.
    drop_border : bool
        Cells that touch the border of the image are dropped.
        Default False.
    fill_holes : bool
        Background that a cell encloses becomes part of the cell.
        Default False.
    relabel : bool
        Number the cells from 1 on without gaps, in the order of their first pixels.
        Default True.
    voxel : float or Sequence[float], optional
        Voxel size in z, x, y instead of the data's; in µm for an array.
    device : str
        Where it is computed: auto, cpu, cuda:N, cuda:0,1 or cuda:all.
    progress : Callable[[float, str], Any], optional
        progress(fraction, text), while it is computed.

    Returns
    -------
    Data
        The same data with labels.
    """

def correct(
    data: Data | numpy.ndarray,
    *,
    action: str = 'merge',
    points: str = '',
    radius: float = 0.0,
    slices: int = -1,
    dark_walls: bool = False,
    voxel: float | Sequence[float] | None = None,
    device: str = 'auto',
    progress: Callable[[float, str], Any] | None = None,
) -> Data:
    """Corrects labels by hand: merges, splits, deletes, makes, fills, grows, shrinks, paints or erases
    cells at given points.

    Takes data that has labels.

    Parameters
    ----------
    data : Data or numpy.ndarray
        An image or array or particles.
    action : str
        What to do with the cells at the points. relabel numbers all cells from 1 on.
        One of merge, split, delete, new, fill_holes, grow, shrink, paint, erase, relabel;
        default merge.
    points : str
        Places in the cells to correct, as z,x,y; z,x,y; and so on, in whole pixels from 0.
    radius : float
        Radius of the brush, or how far cells grow or shrink, or how far a new cell reaches from
        its point (0: all of the background there); in the unit of the voxel size (µm; px where
        the file has none).
        0 to 1000000 units of the voxel size; default 0.0.
    slices : int
        Number of slices on either side of the point that the brush reaches, as a disc; -1: the
        brush is a ball.
        -1 to 100000; default -1.
    dark_walls : bool
        Split cells along dark walls instead of bright ones.
        Default False.
    voxel : float or Sequence[float], optional
        Voxel size in z, x, y instead of the data's; in µm for an array.
    device : str
        Where it is computed: auto, cpu, cuda:N, cuda:0,1 or cuda:all.
    progress : Callable[[float, str], Any], optional
        progress(fraction, text), while it is computed.

    Returns
    -------
    Data
        The same data with labels.
    """

def map_sharpen(
    data: Data | numpy.ndarray,
    *,
    half1: str = '',
    half2: str = '',
    mask: str = '',
    b_factor: float = -10000.0,
    low_pass: float = 0.0,
    fit_from: float = 10.0,
    fit_to: float = 0.0,
    mtf: str = '',
    mtf_pixel_size: float = 0.0,
    voxel: float | Sequence[float] | None = None,
    device: str = 'auto',
    progress: Callable[[float, str], Any] | None = None,
) -> Image:
    """Sharpens a map: a B-factor amplifies fine detail, and what is finer than the resolution is
    removed. Half maps weight each frequency by how well they agree; an MTF file corrects for the
    detector.

    Parameters
    ----------
    data : Data or numpy.ndarray
        An image or array.
    half1 : str
        File of one half map. Empty: the half maps of a map that was reconstructed in this
        program; without any, frequencies are not weighted and Low-pass sets the resolution.
        Name of a file.
    half2 : str
        File of the other half map.
        Name of a file.
    mask : str
        File of a soft mask in which the half maps are compared; the map itself is not masked.
        Empty: none.
        Name of a file.
    b_factor : float
        Amplitudes are multiplied by exp(-B k²/4), with k the spatial frequency: below 0
        sharpens, above 0 blurs. -10000: fitted to the map (Guinier plot).
        -10000 to 10000 Å²; -10000 is automatic; default -10000.0.
    low_pass : float
        Detail finer than this is removed. 0: the resolution at which the correlation of the
        half maps falls below 0.143, or two voxels without half maps.
        0 to 1000000 Å; 0 is automatic; default 0.0.
    fit_from : float
        Coarsest resolution that the B-factor is fitted to.
        0.1 to 1000000 Å; default 10.0.
    fit_to : float
        Finest resolution that the B-factor is fitted to; 0: the low-pass limit.
        0 to 1000000 Å; 0 is automatic; default 0.0.
    mtf : str
        STAR file with the columns rlnResolutionInversePixel and rlnMtfValue, as
        relion_postprocess takes it: amplitudes are divided by the MTF before the B-factor is
        fitted. Empty: none.
        Name of a file.
    mtf_pixel_size : float
        Pixel size of the images that the detector recorded, which the frequencies of the MTF
        refer to; 0: that of the map.
        0 to 1000000 Å; 0 is that of the map; default 0.0.
    voxel : float or Sequence[float], optional
        Voxel size in z, x, y instead of the data's; in µm for an array.
    device : str
        Where it is computed: auto, cpu, cuda:N, cuda:0,1 or cuda:all.
    progress : Callable[[float, str], Any], optional
        progress(fraction, text), while it is computed.

    Returns
    -------
    Image
    """

def map_mask(
    data: Data | numpy.ndarray,
    *,
    method: str = 'otsu',
    value: float = 0.0,
    low_pass: float = 15.0,
    largest: bool = True,
    extend: float = 3.0,
    edge: float = 6.0,
    gives: str = 'mask',
    voxel: float | Sequence[float] | None = None,
    device: str = 'auto',
    progress: Callable[[float, str], Any] | None = None,
) -> Image:
    """Makes a soft mask around the molecule, 1 inside and 0 outside: the map is smoothed, thresholded,
    extended and given a soft edge.

    Parameters
    ----------
    data : Data or numpy.ndarray
        An image or array.
    method : str
        How the threshold is chosen. otsu: the value that separates bright from dark best in the
        smoothed map; value: a number that you give. The threshold is written into the result's
        history.
        One of otsu, value; default otsu.
    value : float
        Threshold, used with method value: what is brighter is inside the mask.
        -3.4e+38 to 3.4e+38 grey values; default 0.0.
    low_pass : float
        Resolution that the map is smoothed to before the threshold. Larger values smooth more;
        0: no smoothing.
        0 to 1000000 Å; default 15.0.
    largest : bool
        Keep only the largest connected piece above the threshold.
        Default True.
    extend : float
        Distance by which the mask reaches beyond what is above the threshold.
        0 to 1000 px; default 3.0.
    edge : float
        Width over which the mask falls from 1 to 0. Below 3 the edge itself makes half maps
        correlate.
        0 to 1000 px; default 6.0.
    gives : str
        mask: the mask itself; masked: the map times the mask.
        One of mask, masked; default mask.
    voxel : float or Sequence[float], optional
        Voxel size in z, x, y instead of the data's; in µm for an array.
    device : str
        Where it is computed: auto, cpu, cuda:N, cuda:0,1 or cuda:all.
    progress : Callable[[float, str], Any], optional
        progress(fraction, text), while it is computed.

    Returns
    -------
    Image
    """

def map_flip(
    data: Data | numpy.ndarray,
    *,
    voxel: float | Sequence[float] | None = None,
    device: str = 'auto',
    progress: Callable[[float, str], Any] | None = None,
) -> Image:
    """Mirrors a map along z about its centre, for maps of the wrong hand: projections cannot tell the
    two hands of a molecule apart, helices and known structures can.

    Parameters
    ----------
    data : Data or numpy.ndarray
        An image or array.
    voxel : float or Sequence[float], optional
        Voxel size in z, x, y instead of the data's; in µm for an array.
    device : str
        Where it is computed: auto, cpu, cuda:N, cuda:0,1 or cuda:all.
    progress : Callable[[float, str], Any], optional
        progress(fraction, text), while it is computed.

    Returns
    -------
    Image
    """

def map_upsample(
    data: Data | numpy.ndarray,
    *,
    times: int = 3,
    voxel: float | Sequence[float] | None = None,
    device: str = 'auto',
    progress: Callable[[float, str], Any] | None = None,
) -> Image:
    """Puts a map on a grid that is a whole number of times finer, interpolated in Fourier space.
    Existing voxels keep their values. It adds no detail, but surfaces and particles become
    smoother.

    Parameters
    ----------
    data : Data or numpy.ndarray
        An image or array.
    times : int
        Number of voxels of the result along each side of a voxel of the map.
        2 to 4; default 3.
    voxel : float or Sequence[float], optional
        Voxel size in z, x, y instead of the data's; in µm for an array.
    device : str
        Where it is computed: auto, cpu, cuda:N, cuda:0,1 or cuda:all.
    progress : Callable[[float, str], Any], optional
        progress(fraction, text), while it is computed.

    Returns
    -------
    Image
    """

def local_resolution(
    data: Data | numpy.ndarray,
    *,
    other: str = '',
    mask: str = '',
    radius: float = 0.0,
    threshold: float = 0.5,
    voxel: float | Sequence[float] | None = None,
    device: str = 'auto',
    progress: Callable[[float, str], Any] | None = None,
) -> Image:
    """Resolution in Å at each voxel, from the correlation of two half maps inside a soft ball around
    the voxel.

    Parameters
    ----------
    data : Data or numpy.ndarray
        An image or array.
    other : str
        File of the second half map; the input is the first one.
        Name of a file.
    mask : str
        File of a mask: where it is below 0.5 the result is 0. Empty: no mask.
        Name of a file.
    radius : float
        Radius of the ball in which the half maps are compared. A larger ball is more reliable
        but less local; 0: four times the resolution of the whole map, a quarter of the box at
        most.
        0 to 1000000 Å; 0 is automatic; default 0.0.
    threshold : float
        The resolution is read off where the correlation of the half maps falls below this.
        Higher values give coarser resolutions.
        0.01 to 0.99; default 0.5.
    voxel : float or Sequence[float], optional
        Voxel size in z, x, y instead of the data's; in µm for an array.
    device : str
        Where it is computed: auto, cpu, cuda:N, cuda:0,1 or cuda:all.
    progress : Callable[[float, str], Any], optional
        progress(fraction, text), while it is computed.

    Returns
    -------
    Image
    """

def deconvolve(
    data: Data | numpy.ndarray,
    *,
    iterations: int = 50,
    stop_change: float = 0.0,
    stop: str = 'auto',
    resolution: bool = False,
    photon_gain: float = 0.0,
    seed: int = 1,
    regularisation: str = 'none',
    strength: float = 0.002,
    accelerate: bool = False,
    back_projector: str = 'matched',
    wb_iterations: int = 3,
    wb_alpha: float = 0.01,
    wb_beta: float = 0.01,
    wb_order: int = 10,
    start: str = 'image',
    start_file: str = '',
    boundary: str = 'reflect',
    scheme: str = 'full',
    near: int = 0,
    offset: float = 0.0,
    offset_auto: bool = False,
    background: float = 0.0,
    background_file: str = '',
    psf: str = 'gaussian',
    psf_sigma: float | Sequence[float] = 2.0,
    psf_sigma_unit: str = 'pixels',
    wavelength: float = 520.0,
    na: float = 1.4,
    n_immersion: float = 1.518,
    n_sample: float = 1.33,
    depth: float = 5.0,
    cover_glass: float = 170.0,
    psf_voxel: float | Sequence[float] = 0.0,
    psf_file: str = '',
    psf_beads: str = '',
    psf_background: bool = True,
    psf_center: bool = True,
    psf_resample: bool = True,
    psf_weights: numpy.ndarray | dict | None = None,
    psf_size: float | Sequence[float] = 0.0,
    on_iteration: Callable[[dict], Any] | None = None,
    truth: Data | None = None,
    start_from: Data | None = None,
    voxel: float | Sequence[float] | None = None,
    device: str = 'auto',
    progress: Callable[[float, str], Any] | None = None,
) -> Data:
    """Undoes the blur of a point-spread function (Richardson–Lucy).

    Parameters
    ----------
    data : Data or numpy.ndarray
        An image or array or particles.
    iterations : int
        Number of iterations. More of them sharpen more, but also amplify noise.
        1 to 100000; default 50.
    stop_change : float
        Stop early once an iteration changes the estimate by less than this fraction (0.001 is
        0.1 %); 0 never stops early.
        0 to 1; default 0.0.
    stop : str
        How a run ends before the number of iterations. change: when iterations change little;
        held_out: when photons held out of the image show that noise is being fitted; auto:
        held_out if the photon gain is known, unless an earlier result is continued.
        One of auto, change, held_out; default auto.
    resolution : bool
        Also deconvolve two random halves of the photons separately and report down to which
        detail the results agree (Fourier shell correlation, 1/7). Takes three times as long.
        Default False.
    photon_gain : float
        Grey values per photon, needed for held-out photons and for the resolution. 0 estimates
        it from the noise of the pixels, which is unreliable on images that were smoothed or
        resampled.
        0 to 1000000000 grey values; default 0.0.
    seed : int
        Seed of the random numbers that choose the photons to hold out, or divide them into
        halves. Another seed chooses others; the same seed gives the same result.
        0 to 1000000000; default 1.
    regularisation : str
        Penalty that suppresses noise. total_variation: smooths but keeps edges;
        tikhonov_miller: smooths evenly; none: no penalty.
        One of none, total_variation, tikhonov_miller; default none.
    strength : float
        Weight of the regularisation, for an image whose largest value is 1. Larger values
        suppress more noise, and more fine detail.
        0 to 10; default 0.002.
    accelerate : bool
        Extrapolate each step (Biggs and Andrews): fewer iterations for the same sharpness.
        Default False.
    back_projector : str
        Filter that spreads the correction of each iteration over the image. matched: the
        flipped PSF (plain Richardson–Lucy); wiener_butterworth: a Wiener–Butterworth filter,
        done after a few iterations; wiener_butterworth_start: that filter first, then the
        flipped PSF.
        One of matched, wiener_butterworth, wiener_butterworth_start; default matched.
    wb_iterations : int
        Number of iterations with the Wiener–Butterworth back projector, usually 1 to 5. They do
        not converge: more of them only amplify noise.
        1 to 100; default 3.
    wb_alpha : float
        Damping of the Wiener filter at frequencies that the PSF hardly transmits. Larger values
        amplify noise less; use them for noisier images.
        1e-06 to 1; default 0.01.
    wb_beta : float
        Gain of the filter at the cut-off frequency, one cycle per full width at half maximum of
        the PSF. Smaller values suppress fine detail and noise more; 0 takes the gain of the PSF
        there.
        0 to 1; default 0.01.
    wb_order : int
        Steepness with which the Butterworth filter falls at the cut-off frequency; larger
        values are steeper.
        1 to 100; default 10.
    start : str
        First estimate. image: the image itself; constant: its mean everywhere; previous: the
        result of the previous deconvolution of the same image, which is continued; file: an
        earlier result in a file.
        One of image, constant, previous, file; default image.
    start_file : str
        Earlier result on the same data, .apr or any readable image; used with start file.
        Name of a file.
    boundary : str
        Values assumed beyond the border of the image. reflect: its mirror image; zero: zeros.
        One of reflect, zero; default reflect.
    scheme : str
        How the PSF is applied to particles. full: all of it, its centre as a stencil and the
        rest by Fourier transform on coarser levels; lean: the same in less memory; truncated: a
        stencil cut to the PSF size. Small and separable PSFs are always stencils.
        One of full, lean, truncated; default full.
    near : int
        Width (odd) of the centre of the PSF that the schemes full and lean apply as a stencil.
        Larger is more exact and slower; 0 chooses the width by its error.
        0 to 63 px; odd; default 0.
    offset : float
        Grey value that the camera records without light, as seen in a dark frame. It is
        subtracted first.
        0 to 1000000000 grey values; default 0.0.
    offset_auto : bool
        Take the offset from the image: the median of the darkest 1 % of its pixels. The value
        found is written into the history of the result.
        Default False.
    background : float
        Uniform light above the offset that does not come from the specimen. It is added to the
        model of the image, so that it is not deconvolved.
        0 to 1000000000 grey values; default 0.0.
    background_file : str
        Image of a background that varies, in the place of one number: of the same size as the
        data, without the camera offset; .apr or any readable image.
        Name of a file.
    psf : str
        Where the point-spread function (PSF) comes from. gaussian, born_wolf, gibson_lanni:
        computed; file: an image of it; beads: the mean of beads in an image; given: its
        weights.
        One of gaussian, born_wolf, gibson_lanni, file, beads, given; default gaussian.
    psf_sigma : float or Sequence[float]
        Standard deviation of the Gaussian in z, x, y.
        0 to 1000 px; default 2.0.
    psf_sigma_unit : str
        Whether sigma is in pixels, or in the physical unit of the voxel size.
        One of pixels, physical; default pixels.
    wavelength : float
        Wavelength of the emitted light, in vacuum.
        100 to 5000 nm; default 520.0.
    na : float
        Numerical aperture of the objective; it must be below the index of the immersion medium.
        0.01 to 1.7; default 1.4.
    n_immersion : float
        Refractive index between objective and cover glass: air 1.0, water 1.33, glycerol 1.47,
        oil 1.518.
        1 to 2.5; default 1.518.
    n_sample : float
        Refractive index of the sample: water 1.33, cells 1.36 to 1.38, mounting media up to
        1.52.
        1 to 2.5; default 1.33.
    depth : float
        Distance of the imaged structure below the cover glass.
        0 to 2000 µm; default 5.0.
    cover_glass : float
        Thickness of the cover glass; most objectives are made for 170 µm.
        0 to 2000 µm; default 170.0.
    psf_voxel : float or Sequence[float]
        Voxel size in z, x, y that the PSF is computed for; 0 takes that of the image.
        0 to 1000000 nm; default 0.0.
    psf_file : str
        An image of the PSF, or of beads: any readable image, or FILE.h5:/path.
        Name of a file.
    psf_beads : str
        Positions of the beads in the file as z/x/y;z/x/y, in pixels.
    psf_background : bool
        Subtract the grey level around the spot, and set to 0 what is only noise.
        Default True.
    psf_center : bool
        Move the bright spot into the middle of the PSF, to a fraction of a pixel.
        Default True.
    psf_resample : bool
        Resample the PSF to the voxel size of the image where its own differs.
        Default True.
    psf_weights : numpy.ndarray or dict
        Weights of the PSF, used with PSF given.
    psf_size : float or Sequence[float]
        Size in z, x, y (odd) that the PSF is cut to. Larger keeps more of its light; 0 chooses
        the size.
        0 to 1023 px; odd; default 0.0.
    on_iteration : Callable[[dict], Any], optional
        on_iteration(figures) after each iteration; where it returns False, the iterate is the
        result.
    truth : Data, optional
        What the result should be: figures then have PSNR and SSIM against it.
    start_from : Data, optional
        An earlier result on the same data, to begin with.
    voxel : float or Sequence[float], optional
        Voxel size in z, x, y instead of the data's; in µm for an array.
    device : str
        Where it is computed: auto, cpu, cuda:N, cuda:0,1 or cuda:all.
    progress : Callable[[float, str], Any], optional
        progress(fraction, text), while it is computed.

    Returns
    -------
    Data
    """

def backproject(
    data: Data | numpy.ndarray,
    *,
    symmetry: str = 'C1',
    ctf: str = 'auto',
    noise_power: str = 'white',
    noise_images: int = 1000,
    halves: str = 'auto',
    images: int = 0,
    leave_out: str = '',
    skip_unusable: bool = False,
    solve: str = 'division',
    iterations: int = 5,
    max_resolution: float = 0.0,
    mask_diameter: float = 0.0,
    invert: bool = False,
    kernel: str = 'slab',
    radius: float = 1.5,
    alpha: float = 10.0,
    order: int = 0,
    padding: float = 2.0,
    tau: float = 0.001,
    voxel: float | Sequence[float] | None = None,
    device: str = 'auto',
    progress: Callable[[float, str], Any] | None = None,
) -> Image:
    """Reconstructs a 3-D map from projection images whose orientations are known, in Fourier space.

    Takes images of projections with their table (.star, .xmd, .cs).

    Parameters
    ----------
    data : Data or numpy.ndarray
        An image or array.
    symmetry : str
        Point group of the molecule: C1 for none, C2 …, D2 …, T, O, I1 to I4.
    ctf : str
        How the contrast transfer function (CTF) of the microscope is corrected. auto: as the
        table describes the images; none: not; ctf: fully; phase_flipped, premultiplied: the
        images are partly corrected already; xmipp: divided by the CTF, as Xmipp does.
        One of auto, none, ctf, phase_flipped, premultiplied, xmipp; default auto.
    noise_power : str
        How noise weights the images. white: all images and frequencies alike; corners: by the
        noise at each frequency, measured in the corners of the images of each optics group. Use
        corners if groups differ.
        One of white, corners; default white.
    noise_images : int
        Number of images of each optics group in which the noise is measured; 0: all.
        0 to 1000000000; 0 is all; default 1000.
    halves : str
        Also make two maps of half of the images each, whose correlation gives the resolution.
        auto: the halves of the table, else odd and even rows; rows: always odd and even rows;
        none: no half maps.
        One of auto, rows, none; default auto.
    images : int
        Number of images to use, the first ones of the table, from both halves in proportion; 0:
        all.
        0 to 1000000000; 0 is all; default 0.
    leave_out : str
        Rows of the table to leave out, counted from 1, as 3,17-20. The word unusable stands for
        all rows that cannot be used.
    skip_unusable : bool
        Leave out rows whose angles or defocus are not numbers, or whose images are missing or
        have pixels that are not numbers. Otherwise such rows are an error, and nothing is
        reconstructed.
        Default False.
    solve : str
        How the map is computed. division: each frequency is divided by its weight, damped by
        its noise, for noisy images; least_squares: several times more exact where noise is low;
        weights: iterated weights, the default of RELION, for comparison.
        One of division, least_squares, weights; default division.
    iterations : int
        Number of iterations of least_squares (5 for many images, 10 for few) or of weights
        (RELION takes 10).
        1 to 100; default 5.
    max_resolution : float
        Finest resolution to use; finer detail is left out. 0: the limit set by the pixel size
        (Nyquist).
        0 to 1000000 Å; 0 is Nyquist; default 0.0.
    mask_diameter : float
        Diameter of a ball with a soft edge outside which the maps are set to 0, after the half
        maps were correlated; 0: none.
        0 to 1000000 Å; 0 is none; default 0.0.
    invert : bool
        Invert the contrast, for images whose molecules are darker than their surroundings.
        Default False.
    kernel : str
        How an image is inserted into Fourier space. slab: fast; blob: the sum over all pixels
        within the radius, exact and several times slower.
        One of slab, blob; default slab.
    radius : float
        Distance to either side of its plane in Fourier space to which an image contributes: the
        radius of the Kaiser–Bessel function.
        0.5 to 4 padded voxels; default 1.5.
    alpha : float
        Shape of the Kaiser–Bessel function: the larger, the faster it falls with the distance
        from the plane.
        0 to 40; default 10.0.
    order : int
        Order of the Kaiser–Bessel function: 0 ends with a small step at the radius, 1 with a
        kink, 2 and more ever more smoothly.
        0 to 4; default 0.
    padding : float
        Width of the padded images, and so of the box in Fourier space, in widths of the images.
        Larger is more exact and needs more memory.
        1 to 4; default 2.0.
    tau : float
        Least damping, added to the weights as a fraction of their mean at the same frequency;
        the noise that half maps show may ask for more. Larger values damp poorly sampled
        frequencies more.
        0 to 10; default 0.001.
    voxel : float or Sequence[float], optional
        Voxel size in z, x, y instead of the data's; in µm for an array.
    device : str
        Where it is computed: auto, cpu, cuda:N, cuda:0,1 or cuda:all.
    progress : Callable[[float, str], Any], optional
        progress(fraction, text), while it is computed.

    Returns
    -------
    Image
    """

def project(
    data: Data | numpy.ndarray,
    *,
    angles: str = '',
    images: int = 1000,
    preferred: float = 0.0,
    shift: float = 0.0,
    ctf: bool = False,
    least_defocus: float = 8000.0,
    most_defocus: float = 24000.0,
    noise: float = 0.0,
    seed: int = 1,
    voxel: float | Sequence[float] | None = None,
    device: str = 'auto',
    progress: Callable[[float, str], Any] | None = None,
) -> Image:
    """Makes projection images of a map in many directions, to simulate a data set whose reconstruction
    can be compared with the map.

    Parameters
    ----------
    data : Data or numpy.ndarray
        An image or array.
    angles : str
        Table (.star, .xmd or .cs) whose orientations, shifts and defocus are used. Empty:
        random directions.
        Name of a file.
    images : int
        Number of images to make, where no table of angles is given.
        1 to 10000000; default 1000.
    preferred : float
        Fraction of the images that look roughly along z, to simulate preferred orientations; 0:
        all directions alike. Used without a table of angles.
        0 to 1; default 0.0.
    shift : float
        Standard deviation of random shifts of the images; used without a table of angles.
        0 to 1000 px; default 0.0.
    ctf : bool
        Apply the contrast transfer function of the microscope: with the defocus of the table,
        or without one at a random defocus from least to most defocus.
        Default False.
    least_defocus : float
        Smallest underfocus of the images; used without a table of angles.
        0 to 1000000 Å; default 8000.0.
    most_defocus : float
        Largest underfocus of the images; used without a table of angles.
        0 to 1000000 Å; default 24000.0.
    noise : float
        Standard deviation of the Gaussian noise that is added to the images; 0: none.
        0 to 1e+30 grey values; default 0.0.
    seed : int
        Seed of the random directions, shifts, defocus and noise. Another seed gives other ones;
        the same seed gives the same images.
        0 to 1000000000; default 1.
    voxel : float or Sequence[float], optional
        Voxel size in z, x, y instead of the data's; in µm for an array.
    device : str
        Where it is computed: auto, cpu, cuda:N, cuda:0,1 or cuda:all.
    progress : Callable[[float, str], Any], optional
        progress(fraction, text), while it is computed.

    Returns
    -------
    Image
    """

def statistics(
    data: Data | numpy.ndarray,
    *,
    bins: int = 256,
    region: str = '',
    voxel: float | Sequence[float] | None = None,
    device: str = 'auto',
    progress: Callable[[float, str], Any] | None = None,
) -> Measurement:
    """Makes a histogram of the grey values with their mean, standard deviation and quantiles.
    Particles count as the pixels that they stand for; each of their levels is listed, too.

    Parameters
    ----------
    data : Data or numpy.ndarray
        An image or array or particles.
    bins : int
        Largest number of bins of the histogram. For whole grey values there may be fewer, so
        that each bin covers equally many possible values.
        2 to 65536; default 256.
    region : str
        Box to measure, in pixels from 0: Z0:Z1,X0:X1,Y0:Y1, without the pixels Z1, X1 and Y1.
        Empty: all.
    voxel : float or Sequence[float], optional
        Voxel size in z, x, y instead of the data's; in µm for an array.
    device : str
        Where it is computed: auto, cpu, cuda:N, cuda:0,1 or cuda:all.
    progress : Callable[[float, str], Any], optional
        progress(fraction, text), while it is computed.

    Returns
    -------
    Measurement
    """

def line_profile(
    data: Data | numpy.ndarray,
    *,
    start: float | Sequence[float] = 0.0,
    end: float | Sequence[float] = 0.0,
    width: int = 1,
    plane: str = 'xy',
    mode: str = 'constant',
    voxel: float | Sequence[float] | None = None,
    device: str = 'auto',
    progress: Callable[[float, str], Any] | None = None,
) -> Measurement:
    """Grey values along a line in a slice, with its length and the width of its highest peak at half
    maximum. In the window the line is drawn in a slice.

    Parameters
    ----------
    data : Data or numpy.ndarray
        An image or array or particles.
    start : float or Sequence[float]
        Where the line begins: z, x, y in pixels, whole numbers in the middle of pixels, the
        first of which is 0.
        -1000000000 to 1000000000 px; default 0.0.
    end : float or Sequence[float]
        Where the line ends, in the same slice.
        -1000000000 to 1000000000 px; default 0.0.
    width : int
        Number of lines side by side in the slice, one pixel apart, whose mean is taken. More of
        them mean less noise.
        1 to 1000 px; default 1.
    plane : str
        The slices in one of which the line lies. Both ends have the same z for xy, the same x
        for yz and the same y for xz.
        One of xy, yz, xz; default xy.
    mode : str
        How particles are turned into pixels. constant: one value for each cell; smooth:
        interpolated.
        One of constant, smooth; default constant.
    voxel : float or Sequence[float], optional
        Voxel size in z, x, y instead of the data's; in µm for an array.
    device : str
        Where it is computed: auto, cpu, cuda:N, cuda:0,1 or cuda:all.
    progress : Callable[[float, str], Any], optional
        progress(fraction, text), while it is computed.

    Returns
    -------
    Measurement
    """

def topology(
    data: Data | numpy.ndarray,
    *,
    sets: str = 'superlevel',
    construction: str = 't',
    levels: int = 0,
    thresholds: str = '',
    exact: bool = False,
    betti: bool = False,
    densities: bool = False,
    summary: bool = False,
    persistence: int = 0,
    voxel: float | Sequence[float] | None = None,
    device: str = 'auto',
    progress: Callable[[float, str], Any] | None = None,
) -> Measurement:
    """For every threshold at once: the Euler characteristic (pieces − tunnels + voids), volume,
    surface and mean breadth of the objects above it (or below).

    Parameters
    ----------
    data : Data or numpy.ndarray
        An image or array or particles.
    sets : str
        Which values are object. superlevel: the threshold and above (bright objects); sublevel:
        the threshold and below (dark objects).
        One of superlevel, sublevel; default superlevel.
    construction : str
        Which voxels of an object are connected. t: also those that share only a corner (26
        neighbours); v: only those that share a face (6 neighbours).
        One of t, v; default t.
    levels : int
        Number of thresholds, evenly spaced. 0: every value that occurs, or 4096 for an image
        with more than 65536 different real numbers.
        0 to 65535; default 0.
    thresholds : str
        Thresholds to measure at instead of levels, a row for each: from:to:N, a list
        (10,20,35), or a file with one per line (of a table, its first column).
        Name of a file.
    exact : bool
        Table with a row for every value that occurs, however many there are. Curves are drawn
        with at most 65536 of them.
        Default False.
    betti : bool
        Also count pieces, tunnels and voids at each threshold (Betti numbers); pieces − tunnels
        + voids is the Euler characteristic.
        Default False.
    densities : bool
        Also give the curves per volume: counts per mm³ (per px³ where the file has no unit),
        the volume fraction of the objects, and their surface per volume (per area for an image
        of one slice).
        Default False.
    summary : bool
        Also make a table of one row: extremes of the curve, changes of sign and suggested
        thresholds. A recipe that is run on many files joins these rows.
        Default False.
    persistence : int
        Number of pieces to list: those that stay separate over the widest range of thresholds,
        and where they begin. Bright (or dark) objects come first, noise last; 0: none.
        0 to 100000; default 0.
    voxel : float or Sequence[float], optional
        Voxel size in z, x, y instead of the data's; in µm for an array.
    device : str
        Where it is computed: auto, cpu, cuda:N, cuda:0,1 or cuda:all.
    progress : Callable[[float, str], Any], optional
        progress(fraction, text), while it is computed.

    Returns
    -------
    Measurement
    """

def compare(
    data: Data | numpy.ndarray,
    *,
    reference: str = '',
    mode: str = 'constant',
    voxel: float | Sequence[float] | None = None,
    device: str = 'auto',
    progress: Callable[[float, str], Any] | None = None,
) -> Measurement:
    """How well an image, or the pixels of particles, agrees with a reference of the same size: PSNR,
    SSIM, NRMSE, largest, root mean square and mean difference.

    Parameters
    ----------
    data : Data or numpy.ndarray
        An image or array or particles.
    reference : str
        File of the reference that the data should equal: an image or particles of the same
        size.
        Name of a file.
    mode : str
        How particles (of the data and of the reference) are turned into pixels. constant: one
        value for each cell; smooth: interpolated.
        One of constant, smooth; default constant.
    voxel : float or Sequence[float], optional
        Voxel size in z, x, y instead of the data's; in µm for an array.
    device : str
        Where it is computed: auto, cpu, cuda:N, cuda:0,1 or cuda:all.
    progress : Callable[[float, str], Any], optional
        progress(fraction, text), while it is computed.

    Returns
    -------
    Measurement
    """

def cells(
    data: Data | numpy.ndarray,
    *,
    per_slice: bool = False,
    channels: str = '',
    time: int = 0,
    walls: bool = False,
    dark_walls: bool = False,
    bins: int = 64,
    voxel: float | Sequence[float] | None = None,
    device: str = 'auto',
    progress: Callable[[float, str], Any] | None = None,
) -> Measurement:
    """Makes a table with a row for each label: volume, surface, shape, position, grey values,
    neighbours, and flags for numbers that are not to be trusted.

    Takes data that has labels.

    Parameters
    ----------
    data : Data or numpy.ndarray
        An image or array or particles.
    per_slice : bool
        Also the area and perimeter of each label in each z slice.
        Default False.
    channels : str
        Files of the same size (TIFF or HDF5) whose grey values are measured, too, in all
        channels except the image itself. Separate files by semicolons (names that have one go
        in double quotes). FILE.h5:/path picks a volume of an HDF5 file; input stands for the
        file of the image.
        Names of files with semicolons between them.
    time : int
        Time point to read from the files of other channels, counted from 0.
        0 to 1000000; default 0.
    walls : bool
        Also the grey values of the image on the walls of each label and between each two
        labels: median, deviation, and where walls are weakest.
        Default False.
    dark_walls : bool
        Walls are darker than the cells, so that they are weakest where they are brightest.
        Default False.
    bins : int
        Number of bins of the histogram of volumes.
        2 to 4096; default 64.
    voxel : float or Sequence[float], optional
        Voxel size in z, x, y instead of the data's; in µm for an array.
    device : str
        Where it is computed: auto, cpu, cuda:N, cuda:0,1 or cuda:all.
    progress : Callable[[float, str], Any], optional
        progress(fraction, text), while it is computed.

    Returns
    -------
    Measurement
    """

def closing(
    data: Data | numpy.ndarray,
    *,
    method: str = 'otsu',
    value: float = 0.0,
    crossing: int = 1,
    window: float = 3.0,
    offset: float = 0.0,
    dark: bool = False,
    connectivity: str = '26',
    largest: float = 0.0,
    steps: int = 12,
    voxel: float | Sequence[float] | None = None,
    device: str = 'auto',
    progress: Callable[[float, str], Any] | None = None,
) -> Measurement:
    """Volume that membranes enclose when their holes are closed up to a radius, for many radii. Where
    the curve levels off, holes are closed and cells stop changing.

    Parameters
    ----------
    data : Data or numpy.ndarray
        An image or array.
    method : str
        How the threshold is chosen. value: a number that you give; otsu: the value that
        separates bright from dark best; crossing: where the Euler characteristic changes sign;
        local: the mean around each pixel, for uneven staining. A threshold that is found is
        written into the result's history.
        One of otsu, value, crossing, local; default otsu.
    value : float
        Threshold, used with method value.
        -3.4e+38 to 3.4e+38 grey values; default 0.0.
    crossing : int
        Which change of sign of the Euler characteristic is the threshold, with method crossing;
        counted from the values that are kept first (superlevel: from the brightest).
        1 to 65536; default 1.
    window : float
        Side of the box around each pixel whose mean is its threshold, with method local; in the
        unit of the voxel size (µm; px where the file has none).
        0 to 1000000000 units of the voxel size; default 3.0.
    offset : float
        How far a pixel must be above the mean around it (sublevel: below) to be kept, with
        method local.
        -3.4e+38 to 3.4e+38 grey values; default 0.0.
    dark : bool
        Membranes are darker than what they enclose.
        Default False.
    connectivity : str
        Which neighbouring pixels of membranes are connected. 6: those that share a face; 18:
        also an edge; 26: also a corner (in one slice 4, 8 and 8).
        One of 26, 18, 6; default 26.
    largest : float
        Largest radius of the curve, in the unit of the voxel size (µm; px where the file has
        none). 0: twelve times the shortest side of a voxel.
        0 to 1000000 units of the voxel size; 0 is automatic; default 0.0.
    steps : int
        Number of radii, evenly spaced from 0 to the largest; each takes as long.
        2 to 256; default 12.
    voxel : float or Sequence[float], optional
        Voxel size in z, x, y instead of the data's; in µm for an array.
    device : str
        Where it is computed: auto, cpu, cuda:N, cuda:0,1 or cuda:all.
    progress : Callable[[float, str], Any], optional
        progress(fraction, text), while it is computed.

    Returns
    -------
    Measurement
    """

def projections(
    data: Data | numpy.ndarray,
    *,
    against: str = '',
    voxel: float | Sequence[float] | None = None,
    device: str = 'auto',
    progress: Callable[[float, str], Any] | None = None,
) -> Measurement:
    """Lists the images of a set of projections with their orientations, shifts and defocus, and shows
    how their views are spread.

    Takes images of projections with their table (.star, .xmd, .cs).

    Parameters
    ----------
    data : Data or numpy.ndarray
        An image or array.
    against : str
        Map of the same side to compare with: each image is correlated with the projection of
        the map along the image's orientation, inside a disc as wide as the image. Images that
        are dark on bright give negative numbers.
        Name of a file.
    voxel : float or Sequence[float], optional
        Voxel size in z, x, y instead of the data's; in µm for an array.
    device : str
        Where it is computed: auto, cpu, cuda:N, cuda:0,1 or cuda:all.
    progress : Callable[[float, str], Any], optional
        progress(fraction, text), while it is computed.

    Returns
    -------
    Measurement
    """

def fsc(
    data: Data | numpy.ndarray,
    *,
    other: str = '',
    mask: str = '',
    randomise_below: float = 0.8,
    directional: bool = False,
    voxel: float | Sequence[float] | None = None,
    device: str = 'auto',
    progress: Callable[[float, str], Any] | None = None,
) -> Measurement:
    """How well two maps agree at each spatial frequency (FSC), such as the two half maps of a
    reconstruction. With a mask also inside the mask, and corrected for the agreement that the mask
    itself causes.

    Parameters
    ----------
    data : Data or numpy.ndarray
        An image or array.
    other : str
        File of the map to compare with: the other half map, or a model of the same size on the
        same grid. Empty: the half maps of a map that was reconstructed in this program.
        Name of a file.
    mask : str
        File of a soft mask of the same size, 0 to 1; empty: none.
        Name of a file.
    randomise_below : float
        With a mask: phases are randomised from the frequency on at which the unmasked curve
        first falls below this value, to measure what the mask adds.
        0.01 to 0.999; default 0.8.
    directional : bool
        Also the lowest and the highest curve over all directions, each computed within 20° of a
        direction. They lie far apart where views are missing.
        Default False.
    voxel : float or Sequence[float], optional
        Voxel size in z, x, y instead of the data's; in µm for an array.
    device : str
        Where it is computed: auto, cpu, cuda:N, cuda:0,1 or cuda:all.
    progress : Callable[[float, str], Any], optional
        progress(fraction, text), while it is computed.

    Returns
    -------
    Measurement
    """

def guinier(
    data: Data | numpy.ndarray,
    *,
    fit_from: float = 10.0,
    fit_to: float = 0.0,
    mtf: str = '',
    mtf_pixel_size: float = 0.0,
    voxel: float | Sequence[float] | None = None,
    device: str = 'auto',
    progress: Callable[[float, str], Any] | None = None,
) -> Measurement:
    """How the amplitudes of a map fall with spatial frequency, and the B-factor from the slope of the
    straight line fitted to them.

    Parameters
    ----------
    data : Data or numpy.ndarray
        An image or array.
    fit_from : float
        Coarsest resolution that the B-factor is fitted to.
        0.1 to 1000000 Å; default 10.0.
    fit_to : float
        Finest resolution that the B-factor is fitted to; 0: two voxels.
        0 to 1000000 Å; 0 is automatic; default 0.0.
    mtf : str
        STAR file with the columns rlnResolutionInversePixel and rlnMtfValue, as
        relion_postprocess takes it: amplitudes are divided by the MTF before the B-factor is
        fitted. Empty: none.
        Name of a file.
    mtf_pixel_size : float
        Pixel size of the images that the detector recorded, which the frequencies of the MTF
        refer to; 0: that of the map.
        0 to 1000000 Å; 0 is that of the map; default 0.0.
    voxel : float or Sequence[float], optional
        Voxel size in z, x, y instead of the data's; in µm for an array.
    device : str
        Where it is computed: auto, cpu, cuda:N, cuda:0,1 or cuda:all.
    progress : Callable[[float, str], Any], optional
        progress(fraction, text), while it is computed.

    Returns
    -------
    Measurement
    """

def custom(
    data: Data | numpy.ndarray,
    *,
    stencil: numpy.ndarray | dict | None = None,
    mode: str = 'restricted',
    boundary: str = 'reflect',
    normalize: bool = False,
    voxel: float | Sequence[float] | None = None,
    device: str = 'auto',
    progress: Callable[[float, str], Any] | None = None,
) -> Data:
    """Convolves with a stencil given by hand or by a file.

    Parameters
    ----------
    data : Data or numpy.ndarray
        An image or array or particles.
    stencil : numpy.ndarray or dict
        The weights that the values around each pixel are multiplied with, not flipped
        (correlation).
    mode : str
        How the stencil is applied to coarser particles. same: with the same weights between
        cells of their level; restricted: averaged over their cell, as on pixels; rescaled:
        divided by the cell width, for gradients. Pixel images have one level only.
        One of same, restricted, rescaled; default restricted.
    boundary : str
        Values assumed beyond the border of the image. reflect: its mirror image; zero: zeros.
        One of reflect, zero; default reflect.
    normalize : bool
        Scale the weights of each level to sum 1; stencils whose sum is 0 stay as they are.
        Default False.
    voxel : float or Sequence[float], optional
        Voxel size in z, x, y instead of the data's; in µm for an array.
    device : str
        Where it is computed: auto, cpu, cuda:N, cuda:0,1 or cuda:all.
    progress : Callable[[float, str], Any], optional
        progress(fraction, text), while it is computed.

    Returns
    -------
    Data
    """
