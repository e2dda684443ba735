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
        Bound on the reconstruction error as a fraction of the local intensity scale.
        0.0001 to 10; default 0.1.
    lambda_ : float
        Strength of the smoothing spline that estimates the gradient; 0 for images without
        noise.
        0 to 1000; default 3.0.
    auto_thresholds : bool
        Find the thresholds of scale and gradient from the image itself.
        Default True.
    sigma_th : float
        The local intensity scale counts as at least this; found automatically unless automatic
        thresholds are off.
        0 to 1000000000 grey values; default 0.0.
    sigma_th_max : float
        Where the local intensity scale is below this, structure is ignored.
        0 to 1000000000 grey values; default 0.0.
    grad_th : float
        Smaller gradients are ignored; found automatically unless automatic thresholds are off.
        0 to 1000000000 grey values/px; default 0.0.
    intensity_th : float
        Where the smoothed image is at or below this, structure is ignored.
        -1000000000 to 1000000000 grey values; default 0.0.
    psf : float or Sequence[float]
        Width of the point-spread function in z, x, y; sets the window of the local intensity
        scale.
        0.01 to 1000 px; default 2.0.
    use_voxel_size : bool
        Weigh gradients by the voxel size where voxels are not cubes.
        Default False.
    constant_scale : bool
        Use one intensity scale, mean minus minimum, for the whole image.
        Default False.
    neighbourhood_optimisation : bool
        Keep boundary cells as one particle each; off gives more particles around structure.
        Default True.
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
        Constant: each cell has its particle's value; smooth: interpolated; level: the level of
        the particle instead of its value.
        One of constant, smooth, level; default constant.
    at_level : int
        Reconstruct the smaller image of this level; 0 is full resolution.
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
    """Cuts out a box. Pixels keep their values; of particles those stay whole whose cells begin at a
    multiple of their side in the box.

    Parameters
    ----------
    data : Data or numpy.ndarray
        An image or array or particles.
    region : str
        The box in pixels: Z0:Z1,X0:X1,Y0:Y1, each from the first to before the second; of
        particles most stay whole where the first ones are multiples of 16.
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
        Standard deviation of the Gaussian in z, x, y; 0 leaves a dimension alone.
        0 to 100 px; default 2.0.
    sigma_unit : str
        Whether sigma counts pixels, or the physical unit of the image, so that voxels that are
        not cubes are respected.
        One of pixels, physical; default pixels.
    size : float or Sequence[float]
        Size of the stencil in z, x, y (odd); 0 takes 3 sigma on both sides.
        0 to 255 px; odd; default 0.0.
    mode : str
        What coarser particles see: the same stencil, the stencil averaged over their cell
        (agrees with pixels), or weights scaled by the cell size (gradients). Pixel images have
        one level only.
        One of same, restricted, rescaled; default restricted.
    boundary : str
        What lies outside the image: its mirror image, or zero.
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
        What coarser particles see: the same stencil, the stencil averaged over their cell
        (agrees with pixels), or weights scaled by the cell size (gradients). Pixel images have
        one level only.
        One of same, restricted, rescaled; default restricted.
    boundary : str
        What lies outside the image: its mirror image, or zero.
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
    """Adds back what a Gaussian would take away (unsharp masking).

    Parameters
    ----------
    data : Data or numpy.ndarray
        An image or array or particles.
    sigma : float or Sequence[float]
        Standard deviation of the Gaussian in z, x, y; 0 leaves a dimension alone.
        0 to 100 px; default 1.0.
    sigma_unit : str
        Whether sigma counts pixels, or the physical unit of the image, so that voxels that are
        not cubes are respected.
        One of pixels, physical; default pixels.
    amount : float
        How much of the difference to the Gaussian is added.
        0 to 100; default 1.0.
    mode : str
        What coarser particles see: the same stencil, the stencil averaged over their cell
        (agrees with pixels), or weights scaled by the cell size (gradients). Pixel images have
        one level only.
        One of same, restricted, rescaled; default restricted.
    boundary : str
        What lies outside the image: its mirror image, or zero.
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
        What coarser particles see: the same stencil, the stencil averaged over their cell
        (agrees with pixels), or weights scaled by the cell size (gradients). Pixel images have
        one level only.
        One of same, restricted, rescaled; default rescaled.
    boundary : str
        What lies outside the image: its mirror image, or zero.
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
        Standard deviation of the Gaussian in z, x, y; 0 leaves a dimension alone.
        0 to 100 px; default 2.0.
    sigma_unit : str
        Whether sigma counts pixels, or the physical unit of the image, so that voxels that are
        not cubes are respected.
        One of pixels, physical; default pixels.
    size : float or Sequence[float]
        Size of the stencil in z, x, y (odd); 0 takes 3 sigma on both sides.
        0 to 255 px; odd; default 0.0.
    mode : str
        What coarser particles see: the same stencil, the stencil averaged over their cell
        (agrees with pixels), or weights scaled by the cell size (gradients). Pixel images have
        one level only.
        One of same, restricted, rescaled; default rescaled.
    boundary : str
        What lies outside the image: its mirror image, or zero.
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
        Central differences, or Sobel, which also smooths across.
        One of central, sobel; default central.
    component : str
        The length of the gradient, or its part along one axis.
        One of magnitude, z, x, y; default magnitude.
    distance_unit : str
        Whether derivatives are per pixel or per physical unit of the image.
        One of pixels, physical; default pixels.
    mode : str
        What coarser particles see: the same stencil, the stencil averaged over their cell
        (agrees with pixels), or weights scaled by the cell size (gradients). Pixel images have
        one level only.
        One of same, restricted, rescaled; default rescaled.
    boundary : str
        What lies outside the image: its mirror image, or zero.
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
    """Mean of the neighbourhood. On particles the size counts cells of each level, so that it reaches
    further where particles are coarse, unless coarser levels are restricted.

    Parameters
    ----------
    data : Data or numpy.ndarray
        An image or array or particles.
    size : float or Sequence[float]
        Size of the neighbourhood in z, x, y (odd).
        1 to 63 px; odd; default 3.0.
    mode : str
        What coarser particles see: as many cells of their own level, or a neighbourhood as wide
        in pixels, to the nearest odd number of cells. Pixel images have one level only.
        One of same, restricted; default same.
    boundary : str
        What lies outside the image: its mirror image, or zero.
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
    that it reaches further where particles are coarse, unless coarser levels are restricted.

    Parameters
    ----------
    data : Data or numpy.ndarray
        An image or array or particles.
    size : float or Sequence[float]
        Size of the neighbourhood in z, x, y (odd).
        1 to 63 px; odd; default 3.0.
    mode : str
        What coarser particles see: as many cells of their own level, or a neighbourhood as wide
        in pixels, to the nearest odd number of cells. Pixel images have one level only.
        One of same, restricted; default same.
    boundary : str
        What lies outside the image: its mirror image, or zero.
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
    so that it reaches further where particles are coarse, unless coarser levels are restricted.

    Parameters
    ----------
    data : Data or numpy.ndarray
        An image or array or particles.
    size : float or Sequence[float]
        Size of the neighbourhood in z, x, y (odd).
        1 to 63 px; odd; default 3.0.
    mode : str
        What coarser particles see: as many cells of their own level, or a neighbourhood as wide
        in pixels, to the nearest odd number of cells. Pixel images have one level only.
        One of same, restricted; default same.
    boundary : str
        What lies outside the image: its mirror image, or zero.
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
    so that it reaches further where particles are coarse, unless coarser levels are restricted.

    Parameters
    ----------
    data : Data or numpy.ndarray
        An image or array or particles.
    size : float or Sequence[float]
        Size of the neighbourhood in z, x, y (odd).
        1 to 63 px; odd; default 3.0.
    mode : str
        What coarser particles see: as many cells of their own level, or a neighbourhood as wide
        in pixels, to the nearest odd number of cells. Pixel images have one level only.
        One of same, restricted; default same.
    boundary : str
        What lies outside the image: its mirror image, or zero.
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
    so that it reaches further where particles are coarse, unless coarser levels are restricted.

    Parameters
    ----------
    data : Data or numpy.ndarray
        An image or array or particles.
    size : float or Sequence[float]
        Size of the neighbourhood in z, x, y (odd).
        1 to 63 px; odd; default 3.0.
    mode : str
        What coarser particles see: as many cells of their own level, or a neighbourhood as wide
        in pixels, to the nearest odd number of cells. Pixel images have one level only.
        One of same, restricted; default same.
    boundary : str
        What lies outside the image: its mirror image, or zero.
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
    """A mask: 1 where the value is at least the threshold (or at most), 0 elsewhere.

    Parameters
    ----------
    data : Data or numpy.ndarray
        An image or array or particles.
    method : str
        A value; otsu: what separates bright from dark best; crossing: where the Euler
        characteristic changes its sign; local: the mean of the pixels round each one, for
        uneven staining. What is found is written into the result's history.
        One of otsu, value, crossing, local; default otsu.
    value : float
        The threshold, with method value.
        -3.4e+38 to 3.4e+38 grey values; default 0.0.
    crossing : int
        Which change of sign, with method crossing, counted from the values that are kept first
        (superlevel: from the brightest).
        1 to 65536; default 1.
    window : float
        Side of the box of which the mean is taken, with method local, in the unit of the voxel
        size (µm; px where the file has none).
        0 to 1000000000 units of the voxel size; default 3.0.
    offset : float
        How far from the mean a pixel must be to be kept, with method local.
        -3.4e+38 to 3.4e+38 grey values; default 0.0.
    sets : str
        superlevel: values from the threshold on (bright objects); sublevel: values up to it
        (dark ones).
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
    """Cells between bright walls (or dark ones), or bright blobs that touch: water rises in all of
    them at once and stops where it meets.

    Parameters
    ----------
    data : Data or numpy.ndarray
        An image or array or particles.
    signal : str
        membrane: the image, so that every pixel belongs to a cell between walls; distance:
        objects brighter than a threshold, from where they are thickest, so that they part at
        their necks (of pixels only).
        One of membrane, distance; default membrane.
    dark : bool
        Walls are darker than what they enclose; with signal distance: objects are darker than
        what is round them.
        Default False.
    method : str
        A value; otsu: what separates bright from dark best; crossing: where the Euler
        characteristic changes its sign; local: the mean of the pixels round each one, for
        uneven staining. What is found is written into the result's history.
        One of otsu, value, crossing, local; default otsu.
    value : float
        The threshold, with method value.
        -3.4e+38 to 3.4e+38 grey values; default 0.0.
    crossing : int
        Which change of sign, with method crossing, counted from the values that are kept first
        (superlevel: from the brightest).
        1 to 65536; default 1.
    window : float
        Side of the box of which the mean is taken, with method local, in the unit of the voxel
        size (µm; px where the file has none).
        0 to 1000000000 units of the voxel size; default 3.0.
    offset : float
        How far from the mean a pixel must be to be kept, with method local.
        -3.4e+38 to 3.4e+38 grey values; default 0.0.
    connectivity : str
        Through how many neighbours water flows: 6 share a face, 18 also an edge, 26 also a
        corner (in one slice 4, 8, 8).
        One of 6, 18, 26; default 6.
    smooth : float
        Standard deviation of a Gaussian that the image is smoothed with first, in the unit of
        the voxel size (µm; px where the file has none); 0: none; below 0: as little as leaves
        noise of a thirtieth of the contrast. Particles are taken as they are.
        -1 to 1000000000 units of the voxel size; -1 is automatic; default -1.0.
    depth : float
        How deep a cell must be below the lowest gap in its walls (h-minima); 0: as deep as the
        noise of the image. With signal distance: by how much the radius of an object must be
        larger than that of its neck, in the unit of the voxel size (µm; px where the file has
        none); 0: by a voxel of the coarsest axis.
        0 to 3.4e+38 grey values; 0 is automatic; default 0.0.
    merge : float
        Walls that are weaker than this are taken away, the weakest first: the geometric mean of
        how high the lowest place of the wall is above the shallower cell, and the median of the
        wall above the deeper one. 0: none; below 0: a fifth of the contrast of the image, or
        four times its noise where that is more; with signal distance, none.
        -1 to 3.4e+38 grey values; -1 is automatic; default -1.0.
    seeds : str
        One cell for each of these points, whatever the depth and the walls: z,x,y; z,x,y; and
        so on, in whole pixels from 0 on.
    seed_file : str
        One cell for each seed of this file: a label image of the same size (TIFF or HDF5; cells
        get the numbers of its labels), or a table of points (.csv, .tsv, .txt), a point a line:
        z,x,y in pixels from 0 on, or under a head that names them with their unit, as in z
        (µm).
        Name of a file.
    min_volume : float
        A smaller cell becomes part of the one behind the lowest gap in its walls; in the cube
        of the unit of the voxel size (µm³; px³ where the file has none; of one slice: its
        square).
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
    """Cells from a membrane channel: fills what is connected to the outside of the image, and labels
    the rest. Says of each cell whether it leaks.

    Parameters
    ----------
    data : Data or numpy.ndarray
        An image or array or particles.
    method : str
        A value; otsu: what separates bright from dark best; crossing: where the Euler
        characteristic changes its sign; local: the mean of the pixels round each one, for
        uneven staining. What is found is written into the result's history.
        One of otsu, value, crossing, local; default otsu.
    value : float
        The threshold, with method value.
        -3.4e+38 to 3.4e+38 grey values; default 0.0.
    crossing : int
        Which change of sign, with method crossing, counted from the values that are kept first
        (superlevel: from the brightest).
        1 to 65536; default 1.
    window : float
        Side of the box of which the mean is taken, with method local, in the unit of the voxel
        size (µm; px where the file has none).
        0 to 1000000000 units of the voxel size; default 3.0.
    offset : float
        How far from the mean a pixel must be to be kept, with method local.
        -3.4e+38 to 3.4e+38 grey values; default 0.0.
    dark : bool
        Membranes are darker than what they enclose.
        Default False.
    connectivity : str
        Which pixels of membranes hang together: 6, those that share a face; 18, also an edge;
        26, also a corner (in one slice 4, 8 and 8).
        One of 26, 18, 6; default 26.
    close : float
        Holes of a smaller radius are closed, and nothing gets thicker; in the unit of the voxel
        size (µm; px where the file has none). 0: none.
        0 to 1000000 units of the voxel size; default 0.0.
    membrane : str
        inside: as cell; outside: not at all; half: each pixel of it goes to the nearest lumen
        or to the exterior.
        One of inside, outside, half; default inside.
    per_slice : bool
        Fills each z slice by itself, which closes handles and cups, and hides holes that are
        open elsewhere; leaks are told all the same.
        Default False.
    lumens : bool
        Each room of an island of cells gets a label of its own.
        Default False.
    min_volume : float
        Objects that are smaller are left out; in the cube of the unit of the voxel size (µm³;
        px³ where the file has none; of one slice: its square).
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
    """Numbers what hangs together of a mask: each pixel that is not zero gets the label of its object.

    Parameters
    ----------
    data : Data or numpy.ndarray
        An image or array or particles.
    connectivity : str
        Which pixels of objects hang together: 6, those that share a face; 18, also an edge; 26,
        also a corner (in one slice 4, 8 and 8).
        One of 6, 18, 26; default 6.
    min_volume : float
        Objects that are smaller are left out; in the cube of the unit of the voxel size (µm³;
        px³ where the file has none; of one slice: its square).
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
    """Puts labels that were made elsewhere over the image: an image of the same size, with a whole
    number for each object and 0 elsewhere.

    Parameters
    ----------
    data : Data or numpy.ndarray
        An image or array or particles.
    file : str
        TIFF or HDF5 file with the labels; FILE.h5:/path picks a volume of an HDF5 file.
        Name of a file.
    channel : int
        Channel of that file, from 0.
        0 to 1000000; default 0.
    time : int
        Time point of that file, from 0.
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
    """Smooths labels by majority, drops small ones and those at the border, fills their holes and
    numbers them from 1 on.

    Takes data that has labels.

    Parameters
    ----------
    data : Data or numpy.ndarray
        An image or array or particles.
    smooth : int
        So many times each pixel gets the label that most pixels round it have.
        0 to 100; default 0.
    min_volume : float
        Cells that are smaller are dropped; in the cube of the unit of the voxel size (µm³; px³
        where the file has none; of one slice: its square).
        0 to 1e+18 cubic units of the voxel size; default 0.0.
    drop_border : bool
        Cells that touch the border of the image are dropped.
        Default False.
    fill_holes : bool
        Background that a cell encloses becomes part of it.
        Default False.
    relabel : bool
        Cells get numbers without gaps, in the order of their first pixels.
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
    """Changes labels by hand: what is at some points is merged, divided, deleted, made, filled, grown,
    shrunk, painted or erased.

    Takes data that has labels.

    Parameters
    ----------
    data : Data or numpy.ndarray
        An image or array or particles.
    action : str
        What is done to the cells at the points; relabel numbers all cells from 1 on.
        One of merge, split, delete, new, fill_holes, grow, shrink, paint, erase, relabel;
        default merge.
    points : str
        Which cells are meant, by places in them and not by numbers: z,x,y; z,x,y; and so on, in
        whole pixels from 0 on.
    radius : float
        How far to grow or shrink, or of the brush; of a new cell: how far it goes, 0 for all of
        its background; in the unit of the voxel size (µm; px where the file has none).
        0 to 1000000 units of the voxel size; default 0.0.
    slices : int
        The brush is a disc in so many slices on either side of a point's; -1: a ball.
        -1 to 100000; default -1.
    dark_walls : bool
        Cells are divided along dark walls, not bright ones.
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
    """Raises the fine amplitudes of a map of molecules by a B-factor and cuts what is finer than its
    resolution; half maps weigh each frequency by how well they agree, and the MTF of the detector
    is undone where it is named.

    Parameters
    ----------
    data : Data or numpy.ndarray
        An image or array.
    half1 : str
        File of one half map; empty: those that the map was reconstructed with here, else no
        weights, and the resolution is what low pass says.
        Name of a file.
    half2 : str
        File of the other half map.
        Name of a file.
    mask : str
        File of a soft mask in which the half maps are compared; the map itself is not masked.
        Empty: none.
        Name of a file.
    b_factor : float
        Amplitudes are multiplied by exp(-B k²/4): below 0 sharpens, above 0 blurs. -10000:
        fitted to the map (Guinier plot).
        -10000 to 10000 Å²; -10000 is automatic; default -10000.0.
    low_pass : float
        Resolution behind which nothing is kept; 0: where the correlation of the half maps falls
        below 0.143, or two voxels without half maps.
        0 to 1000000 Å; 0 is automatic; default 0.0.
    fit_from : float
        Coarse end of the range that the B-factor is fitted to.
        0.1 to 1000000 Å; default 10.0.
    fit_to : float
        Fine end of that range; 0: the low-pass limit.
        0 to 1000000 Å; 0 is automatic; default 0.0.
    mtf : str
        STAR file with the columns rlnResolutionInversePixel and rlnMtfValue, as
        relion_postprocess takes it: amplitudes are divided by the MTF before the B-factor is
        fitted. Empty: none.
        Name of a file.
    mtf_pixel_size : float
        Of the images that the detector took, which the frequencies of the MTF are of; 0: that
        of the map.
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
    """A soft mask round the molecule, 1 inside and 0 outside: smooths the map, takes what is brighter
    than a threshold, extends it and lets it fall off over some voxels.

    Parameters
    ----------
    data : Data or numpy.ndarray
        An image or array.
    method : str
        otsu: what separates bright from dark best in the smoothed map; value: a value of it.
        What is found is written into the result's history.
        One of otsu, value; default otsu.
    value : float
        The threshold, with method value.
        -3.4e+38 to 3.4e+38 grey values; default 0.0.
    low_pass : float
        The map is smoothed to this resolution before the threshold; 0: it is not.
        0 to 1000000 Å; default 15.0.
    largest : bool
        Drops what is bright but hangs together with less than the rest.
        Default True.
    extend : float
        Voxels by which the mask reaches beyond the threshold.
        0 to 1000 px; default 3.0.
    edge : float
        Voxels over which it falls from 1 to 0; below 3 it makes half maps agree that do not.
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
    """The mirror image, z to -z about the centre: projections cannot tell the two hands of a molecule
    apart, helices and known structures can.

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
    """Puts a map on a grid that is a whole number of times finer: voxels keep their values, and those
    between them follow from its spectrum. It adds no detail; particles and surfaces of it are
    smoother.

    Parameters
    ----------
    data : Data or numpy.ndarray
        An image or array.
    times : int
        Voxels of the result along each side of a voxel.
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
    """The resolution of two half maps at each voxel, in Å: the correlation of both inside a soft ball
    round it.

    Parameters
    ----------
    data : Data or numpy.ndarray
        An image or array.
    other : str
        File of the other half map; the data is the first one.
        Name of a file.
    mask : str
        File of a mask: where it is below a half the result is 0. Empty: none.
        Name of a file.
    radius : float
        A larger ball says more surely and less locally; 0: four times the resolution of the
        whole map, a quarter of the box at the most.
        0 to 1000000 Å; 0 is automatic; default 0.0.
    threshold : float
        Where the correlation falls below this the resolution is read.
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
        How many iterations; more sharpen more, and amplify noise.
        1 to 100000; default 50.
    stop_change : float
        End earlier when an iteration changes the estimate by less than this share; 0 does all
        iterations.
        0 to 1; default 0.0.
    stop : str
        What ends it before the number of iterations: the change of an iteration, or photons
        that are held out of the image, which tell when noise is fitted; auto: held-out photons
        where the photon gain is known, unless it goes on from an earlier result.
        One of auto, change, held_out; default auto.
    resolution : bool
        Also deconvolve two halves of the photons apart and say how fine the detail is that they
        agree on (Fourier shell correlation, 1/7); takes three times as long.
        Default False.
    photon_gain : float
        Grey values that one photon makes, for held-out photons and for the resolution; 0
        guesses it from the noise of the pixels, which is no guide on images that were smoothed
        or resampled.
        0 to 1000000000 grey values; default 0.0.
    seed : int
        Which photons are held out, or in which half: another number, another draw.
        0 to 1000000000; default 1.
    regularisation : str
        What holds noise down: nothing, total variation, which keeps edges, or Tikhonov–Miller,
        which smooths evenly.
        One of none, total_variation, tikhonov_miller; default none.
    strength : float
        Weight of the regularisation, for an image whose largest value is 1.
        0 to 10; default 0.002.
    accelerate : bool
        Extrapolate each step (Biggs and Andrews): fewer iterations for the same sharpness.
        Default False.
    back_projector : str
        What carries the correction of an iteration back: the flipped PSF (matched); a
        Wiener–Butterworth filter of it, for which a few iterations do; or that in the first
        iterations and the flipped PSF in those that follow.
        One of matched, wiener_butterworth, wiener_butterworth_start; default matched.
    wb_iterations : int
        How many iterations take the Wiener–Butterworth back projector: 1 to 5; they come to no
        end, more only amplify noise.
        1 to 100; default 3.
    wb_alpha : float
        What holds the Wiener filter down where the PSF lets little through; more for noisier
        images.
        1e-06 to 1; default 0.01.
    wb_beta : float
        What the Butterworth filter lets through at the frequency of the PSF's width; 0: as much
        as the PSF does.
        0 to 1; default 0.01.
    wb_order : int
        How steeply the Butterworth filter falls.
        1 to 100; default 10.
    start : str
        The first estimate: the image itself, its mean everywhere, the result of the
        deconvolution before, which this one goes on from on the same image, or an earlier
        result in a file.
        One of image, constant, previous, file; default image.
    start_file : str
        An earlier result on the same data, for start file: .apr or any readable image.
        Name of a file.
    boundary : str
        What lies outside the image: its mirror image, or zero.
        One of reflect, zero; default reflect.
    scheme : str
        The whole PSF: near part as a stencil, the rest by Fourier transform on coarser levels;
        the same in less memory; or the PSF as a stencil, cut to the size given. Small and
        separable PSFs are stencils in any scheme.
        One of full, lean, truncated; default full.
    near : int
        Size of the near part of the schemes that have one (odd); 0 chooses it by its error.
        0 to 63 px; odd; default 0.
    offset : float
        What the camera says where there is no light; subtracted first. A dark frame tells it.
        0 to 1000000000 grey values; default 0.0.
    offset_auto : bool
        Take the median of the darkest per cent of the pixels as the offset instead; result and
        history say the number.
        Default False.
    background : float
        Light above the offset that is no specimen's, the same everywhere: it is explained, not
        deconvolved.
        0 to 1000000000 grey values; default 0.0.
    background_file : str
        An image of that light (without the offset) of the same size, .apr or any readable
        image, instead of one number.
        Name of a file.
    psf : str
        Where the point-spread function comes from.
        One of gaussian, born_wolf, gibson_lanni, file, beads, given; default gaussian.
    psf_sigma : float or Sequence[float]
        Standard deviation of the Gaussian in z, x, y.
        0 to 1000 px; default 2.0.
    psf_sigma_unit : str
        Whether sigma counts pixels, or the physical unit of the image.
        One of pixels, physical; default pixels.
    wavelength : float
        Of the emitted light, in vacuum.
        100 to 5000 nm; default 520.0.
    na : float
        Of the objective; below the index of the immersion medium.
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
        How far below the cover glass the structure lies.
        0 to 2000 µm; default 5.0.
    cover_glass : float
        Its thickness; objectives are made for 170 µm.
        0 to 2000 µm; default 170.0.
    psf_voxel : float or Sequence[float]
        Voxel size for the optics; 0 takes that of the image.
        0 to 1000000 nm; default 0.0.
    psf_file : str
        An image of the PSF, or of beads: any readable image, or FILE.h5:/path.
        Name of a file.
    psf_beads : str
        Their positions in the file as z/x/y;z/x/y, in px.
    psf_background : bool
        Subtract the level around the PSF and clear its noise.
        Default True.
    psf_center : bool
        Move the spot into the middle, to a fraction of a pixel.
        Default True.
    psf_resample : bool
        Resample it to the voxels of the image, where its own differ.
        Default True.
    psf_weights : numpy.ndarray or dict
        The weights of the PSF, for kind given.
    psf_size : float or Sequence[float]
        Size of the PSF in z, x, y (odd), a truncation; 0 chooses it.
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
    """Makes a 3-D map of projection images whose orientations are known, in Fourier space.

    Takes images of projections with their table (.star, .xmd, .cs).

    Parameters
    ----------
    data : Data or numpy.ndarray
        An image or array.
    symmetry : str
        Point group of the molecule: C1 for none, C2 …, D2 …, T, O, I1 to I4.
    ctf : str
        What the images went through: auto corrects for the contrast transfer function where the
        table has a defocus for each; none takes them as they are; phase_flipped and
        premultiplied: it was partly corrected before.
        One of auto, none, ctf, phase_flipped, premultiplied, xmipp; default auto.
    noise_power : str
        What the weights of images take for their noise: white, the same at all frequencies of
        all images; corners: what is measured in their corners for each optics group, by
        frequency. Worth it where groups differ.
        One of white, corners; default white.
    noise_images : int
        Of each optics group, that the power of noise is measured in; 0: all.
        0 to 1000000000; 0 is all; default 1000.
    halves : str
        Two maps of half of the images each, whose correlation tells the resolution: auto as the
        table says, else odd and even rows; rows: always these; none.
        One of auto, rows, none; default auto.
    images : int
        Only so many, the first ones of the table, of both halves alike; 0: all.
        0 to 1000000000; 0 is all; default 0.
    leave_out : str
        Rows that are not used, counted from 1, as 3,17-20; the word unusable stands for all
        that cannot be used.
    skip_unusable : bool
        Leaves out rows whose angles or defocus are no numbers, or whose images are missing or
        have pixels that are no numbers; otherwise they are named and nothing is done.
        Default False.
    solve : str
        division: weighted by the resolution, for noisy images; least_squares: several times
        more exact where noise is low; weights: division by weights that are iterated, as RELION
        does it by default, for comparison.
        One of division, least_squares, weights; default division.
    iterations : int
        Of least squares: 5 for many images, 10 for few. Of weights: RELION takes 10.
        1 to 100; default 5.
    max_resolution : float
        Frequencies beyond this are left out.
        0 to 1000000 Å; 0 is Nyquist; default 0.0.
    mask_diameter : float
        The maps are multiplied by a ball of this diameter with a soft edge, after their halves
        were correlated.
        0 to 1000000 Å; 0 is none; default 0.0.
    invert : bool
        For images whose molecules are darker than what is round them.
        Default False.
    kernel : str
        slab: fast; blob: the sum over all pixels within the radius, exact and several times
        slower.
        One of slab, blob; default slab.
    radius : float
        How far an image reaches on both sides of its plane in Fourier space.
        0.5 to 4 padded voxels; default 1.5.
    alpha : float
        How fast it falls off there (Kaiser–Bessel).
        0 to 40; default 10.0.
    order : int
        Of the Kaiser–Bessel function: 0 ends with a small step at the radius, 1 with a kink, 2
        and more ever more smoothly.
        0 to 4; default 0.
    padding : float
        The box in Fourier space is so many times as large as the images.
        1 to 4; default 2.0.
    tau : float
        What is added to the weights, as a part of their shell's mean, where no half maps tell
        the noise.
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
    """Makes projection images of a map in many directions, for simulations: what reconstructing them
    gives can be compared with the map.

    Parameters
    ----------
    data : Data or numpy.ndarray
        An image or array.
    angles : str
        A .star, .xmd or .cs file whose orientations, shifts and defocus are used; empty: random
        directions, all alike.
        Name of a file.
    images : int
        How many, without a file of angles.
        1 to 10000000; default 1000.
    preferred : float
        Share of images that look from near the poles, without a file.
        0 to 1; default 0.0.
    shift : float
        Standard deviation of random shifts, without a file.
        0 to 1000 px; default 0.0.
    ctf : bool
        Images go through the contrast transfer function of their rows; without a file at random
        defocus between the two below.
        Default False.
    least_defocus : float
        Underfocus of the images that are nearest to focus, without a file.
        0 to 1000000 Å; default 8000.0.
    most_defocus : float
        Underfocus of those that are farthest from it, without a file.
        0 to 1000000 Å; default 24000.0.
    noise : float
        Standard deviation of Gaussian noise in the images.
        0 to 1e+30 grey values; default 0.0.
    seed : int
        Another number, other directions and noise.
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
    """Counts the grey values, and tells their mean, deviation and quantiles; of particles as of the
    pixels that they stand for, and of each level.

    Parameters
    ----------
    data : Data or numpy.ndarray
        An image or array or particles.
    bins : int
        The histogram has at most so many bins; of whole grey values each has as many as the
        next.
        2 to 65536; default 256.
    region : str
        Only these pixels: Z0:Z1,X0:X1,Y0:Y1, each from the first to before the second. Empty:
        all.
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
    surface and mean breadth of what is above it (or below).

    Parameters
    ----------
    data : Data or numpy.ndarray
        An image or array or particles.
    sets : str
        What a threshold keeps: superlevel, values from it on (bright objects), or sublevel,
        values up to it (dark ones).
        One of superlevel, sublevel; default superlevel.
    construction : str
        Which voxels of an object touch: t, also those that share a corner (26 neighbours), or
        v, only those that share a face (6).
        One of t, v; default t.
    levels : int
        So many thresholds, evenly spaced; 0: every value that occurs, or 4096 of an image with
        more than 65536 different real numbers.
        0 to 65535; default 0.
    thresholds : str
        These thresholds: from:to:N, a list (10,20,35), or a file with one a line (of a table
        the first column). Each has its row; levels then says nothing.
        Name of a file.
    exact : bool
        A row for every value that occurs, however many there are; curves are drawn at 65536 of
        them.
        Default False.
    betti : bool
        Counts them at each threshold (Betti numbers), of which the Euler characteristic is the
        sum with signs.
        Default False.
    densities : bool
        Adds curves of counts per mm³, of the share of the volume and of the surface per volume
        (per area of an image of one slice).
        Default False.
    summary : bool
        Adds a table of one line: extremes of the curve, changes of sign and suggested
        thresholds. Of many files a recipe puts these lines together.
        Default False.
    persistence : int
        Lists so many pieces, those that stay a piece of their own for the widest range of
        thresholds, with where they begin: bright (or dark) objects first, noise last. 0: none.
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
        File that the data is compared with, an image or particles of the same size: what it
        should be.
        Name of a file.
    mode : str
        How particles, of the data and of the reference, become pixels.
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
    """A row for each label: volume, surface, shape, position, grey values, neighbours, and what makes
    these numbers untrustworthy.

    Takes data that has labels.

    Parameters
    ----------
    data : Data or numpy.ndarray
        An image or array or particles.
    per_slice : bool
        Also the area and perimeter of each label in each z slice.
        Default False.
    channels : str
        Files of the same size (TIFF or HDF5) whose grey values are measured, too: all channels
        that they have but the image itself; a semicolon between files (one in double quotes may
        have semicolons). FILE.h5:/path picks a volume of an HDF5 file; input: the file that the
        image is from.
        Names of files with semicolons between them.
    time : int
        Time point of these files, from 0; of files that have several.
        0 to 1000000; default 0.
    walls : bool
        Also the grey values of the image on the walls of each label and between two: median,
        deviation, and where they are weakest.
        Default False.
    dark_walls : bool
        Walls are darker than what they enclose, and weakest where they are brightest.
        Default False.
    bins : int
        Bins of the histogram of volumes.
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
    """What membranes enclose when their holes are closed up to a radius, for many radii: where the
    curve becomes level, holes are closed and cells stop changing.

    Parameters
    ----------
    data : Data or numpy.ndarray
        An image or array.
    method : str
        A value; otsu: what separates bright from dark best; crossing: where the Euler
        characteristic changes its sign; local: the mean of the pixels round each one, for
        uneven staining. What is found is written into the result's history.
        One of otsu, value, crossing, local; default otsu.
    value : float
        The threshold, with method value.
        -3.4e+38 to 3.4e+38 grey values; default 0.0.
    crossing : int
        Which change of sign, with method crossing, counted from the values that are kept first
        (superlevel: from the brightest).
        1 to 65536; default 1.
    window : float
        Side of the box of which the mean is taken, with method local, in the unit of the voxel
        size (µm; px where the file has none).
        0 to 1000000000 units of the voxel size; default 3.0.
    offset : float
        How far from the mean a pixel must be to be kept, with method local.
        -3.4e+38 to 3.4e+38 grey values; default 0.0.
    dark : bool
        Membranes are darker than what they enclose.
        Default False.
    connectivity : str
        Which pixels of membranes hang together: 6, those that share a face; 18, also an edge;
        26, also a corner (in one slice 4, 8 and 8).
        One of 26, 18, 6; default 26.
    largest : float
        The curve ends at this radius, in the unit of the voxel size (µm; px where the file has
        none); 0: at twelve times the shortest side of a voxel.
        0 to 1000000 units of the voxel size; 0 is automatic; default 0.0.
    steps : int
        Radii from 0 to the largest, evenly spread; all take as long.
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
        A map of the same side: each image is correlated with its projection along the image's
        orientation, inside the ball; images that are dark on bright give negative numbers.
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
    reconstruction; inside a mask, also corrected for what the mask makes agree.

    Parameters
    ----------
    data : Data or numpy.ndarray
        An image or array.
    other : str
        File of the map to compare with: the other half map, or a model of the same size on the
        same grid. Empty: the half maps of a map that was reconstructed here are compared with
        each other.
        Name of a file.
    mask : str
        File of a soft mask of the same size, 0 to 1; empty: none.
        Name of a file.
    randomise_below : float
        With a mask: phases are randomised from where the unmasked curve first falls below this.
        0.01 to 0.999; default 0.8.
    directional : bool
        Also the lowest and the highest curve of all directions, each over a cone of 20° round
        one: far apart where views are missing.
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
    """How the amplitudes of a map fall with spatial frequency, and the B-factor of the straight line
    through them.

    Parameters
    ----------
    data : Data or numpy.ndarray
        An image or array.
    fit_from : float
        Coarse end of the range that the B-factor is fitted to.
        0.1 to 1000000 Å; default 10.0.
    fit_to : float
        Fine end of that range; 0: two voxels.
        0 to 1000000 Å; 0 is automatic; default 0.0.
    mtf : str
        STAR file with the columns rlnResolutionInversePixel and rlnMtfValue, as
        relion_postprocess takes it: amplitudes are divided by the MTF before the B-factor is
        fitted. Empty: none.
        Name of a file.
    mtf_pixel_size : float
        Of the images that the detector took, which the frequencies of the MTF are of; 0: that
        of the map.
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
        The weights, applied as a correlation.
    mode : str
        What coarser particles see: the same stencil, the stencil averaged over their cell
        (agrees with pixels), or weights scaled by the cell size (gradients). Pixel images have
        one level only.
        One of same, restricted, rescaled; default restricted.
    boundary : str
        What lies outside the image: its mirror image, or zero.
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
