"""Operations and recipes give what the command line gives, and what references say."""
import json

import numpy as np
import pytest

import aprscope as ap


def test_gaussian_is_that_of_scipy(spots):
    ndimage = pytest.importorskip("scipy.ndimage")
    ours = ap.gaussian(spots.astype(np.float32), sigma=2, size=17, boundary="reflect")
    expected = ndimage.gaussian_filter(spots.astype(np.float64), 2, mode="mirror", radius=8)
    np.testing.assert_allclose(ours.pixels, expected, rtol=0, atol=0.02)


def test_median_is_that_of_scipy(spots):
    ndimage = pytest.importorskip("scipy.ndimage")
    np.testing.assert_array_equal(ap.median(spots, size=3).pixels,
                                  ndimage.median_filter(spots, 3, mode="mirror"))


def test_particles_keep_the_bound(image, spots):
    fine = ap.convert(image, rel_error=0.01)
    coarse = ap.convert(image, rel_error=0.5)
    assert fine.particles.size > coarse.particles.size
    def deviation(apr):
        return np.abs(np.asarray(apr).astype(float) - spots).mean()
    assert deviation(fine) < deviation(coarse)


def test_filters_give_the_bytes_of_the_command_line(stack, cli, tmp_path):
    folder = cli("convert", stack, "-o", "a.apr")
    cli("filter", folder / "a.apr", "-o", "cli.apr", "--stencil", "gaussian:sigma=1.5")
    ap.filter(ap.open(folder / "a.apr"), "gaussian", sigma=1.5).save(tmp_path / "python.apr")
    assert (tmp_path / "python.apr").read_bytes() == (tmp_path / "cli.apr").read_bytes()


def test_deconvolution_gives_the_bytes_of_the_command_line(stack, cli, tmp_path):
    cli("deconvolve", stack, "-o", "cli.tif", "--psf", "gaussian:sigma=1.5,size=9", "--iterations",
        "5")
    sharp = ap.deconvolve(ap.open(stack), psf="gaussian", psf_sigma=1.5, psf_size=9, iterations=5)
    sharp.save(tmp_path / "python.tif")
    assert (tmp_path / "python.tif").read_bytes() == (tmp_path / "cli.tif").read_bytes()


def test_recipes_give_the_bytes_of_the_command_line(stack, cli, tmp_path):
    recipe = ap.recipe(("convert", {"rel_error": 0.2}), ("gaussian", {"sigma": 1}),
                       ("statistics", {}), ("reconstruct", {"mode": "smooth"}))
    (tmp_path / "recipe.json").write_text(json.dumps(recipe), encoding="utf-8")
    cli("run", "recipe.json", stack, "-o", "cli.tif")
    for given in (tmp_path / "recipe.json", recipe):
        run = ap.run(given, ap.open(stack))
        run.data.save(tmp_path / "python.tif")
        assert (tmp_path / "python.tif").read_bytes() == (tmp_path / "cli.tif").read_bytes()
        assert len(run.measured) == 1
        assert [cost["operation"] for cost in run.costs] == ["convert", "gaussian", "statistics",
                                                             "reconstruct"]
        assert run.seconds >= 0
        assert run.recipe["steps"] == recipe["steps"]


def test_recipes_know_their_input(stack, tmp_path):
    recipe = ap.recipe(("median", {"size": 3}))
    with pytest.raises(ap.Error, match="names no input"):
        ap.run(recipe)
    path = tmp_path / "recipe.json"
    recipe["input"] = str(stack)
    path.write_text(json.dumps(recipe), encoding="utf-8")
    np.testing.assert_array_equal(ap.run(path).data.pixels, ap.median(ap.open(stack), size=3).pixels)


def test_recipes_that_are_none(spots, tmp_path):
    for wrong in ({}, {"aprscope": 99, "steps": []}, {"aprscope": 2, "steps": [{"operation": "x"}]},
                  {"aprscope": 2, "steps": [{"operation": "gaussian",
                                             "parameters": {"sigma": float("nan")}}]}):
        with pytest.raises(ap.Error):
            ap.run(wrong, spots)
    with pytest.raises(ap.Error):
        ap.run(tmp_path / "none.json", spots)


def test_iterations_are_told_and_may_end(spots):
    blurred = ap.gaussian(spots.astype(np.float32), sigma=1)
    told = []
    ap.deconvolve(blurred, psf_sigma=1, iterations=4, on_iteration=told.append)
    assert [figures["iteration"] for figures in told] == [1, 2, 3, 4]
    assert told[0]["of"] == 4
    few = []
    def first_two(figures):
        few.append(figures)
        return figures["iteration"] < 2
    ap.deconvolve(blurred, psf_sigma=1, iterations=100000, on_iteration=first_two)
    assert 2 <= len(few) < 100000


def test_truth_gives_figures_against_it(spots):
    sharp = ap.image(spots.astype(np.float32))
    blurred = ap.gaussian(sharp, sigma=1)
    told = []
    ap.deconvolve(blurred, psf_sigma=1, iterations=10, truth=sharp, on_iteration=told.append)
    assert told[-1]["psnr"] > told[0]["psnr"]


def test_cells_are_found_and_measured(image, spots):
    ndimage = pytest.importorskip("scipy.ndimage")
    mask = ap.threshold(image, method="value", value=400)
    np.testing.assert_array_equal(mask.pixels, spots >= 400)
    labelled = ap.label(mask, connectivity="26")
    found = int(labelled.labels.max())
    assert found == ndimage.label(spots >= 400, structure=np.ones((3, 3, 3)))[1]
    table = ap.cells(labelled)["cells"]
    assert table.rows == found
    volumes = ndimage.sum_labels(np.ones(spots.shape), labelled.labels, table["label"])
    np.testing.assert_allclose(table["volume"], volumes * 2.0 * 0.5 * 0.5)
    assert table.units["volume"] == "µm³"


def test_thresholds_that_are_named_are_meant(image):
    named = ap.convert(image, sigma_th=50.0, grad_th=5.0)
    said = ap.convert(image, sigma_th=50.0, grad_th=5.0, auto_thresholds=False)
    np.testing.assert_array_equal(named.particles, said.particles)
    assert named.particles.size != ap.convert(image).particles.size


def test_parameters_without_a_say_are_refused(image):
    with pytest.raises(ap.Error, match="no say"):
        ap.deconvolve(image, psf="gaussian", na=1.2)


def test_unknown_names(spots):
    with pytest.raises(ap.Error, match="radius"):
        ap.gaussian(spots, radius=2)
    with pytest.raises(ap.Error, match="no operation"):
        ap.apply(spots, "sharpen_more")
    with pytest.raises(ap.Error, match="no filter"):
        ap.filter(spots, "convert")
    with pytest.raises(ap.Error, match="cuda:77|not a device|no such"):
        ap.gaussian(spots, device="cuda:77")


def test_vectors_and_numpy_numbers(spots):
    one = ap.gaussian(spots, sigma=(2, 1, 1), size=np.int64(9))
    two = ap.gaussian(spots, sigma=np.array([2.0, 1.0, 1.0]), size=(9, 9, 9))
    np.testing.assert_array_equal(one.pixels, two.pixels)


def test_stencils_of_ones_own(spots):
    ndimage = pytest.importorskip("scipy.ndimage")
    weights = np.arange(27, dtype=float).reshape(3, 3, 3)
    name = next(p["id"] for p in ap.schema("custom")["parameters"] if p["type"] == "stencil")
    ours = ap.custom(spots.astype(np.float32), **{name: weights}, normalize=False)
    expected = ndimage.correlate(spots.astype(float), weights, mode="mirror")
    np.testing.assert_allclose(ours.pixels, expected, rtol=1e-5)


def test_arrays_have_a_voxel_size(spots):
    assert ap.convert(spots, voxel=(2, 1, 1)).voxel == (2.0, 1.0, 1.0)
    assert ap.convert(spots).unit == "px"


def test_any_number_of_threads_gives_the_same(spots):
    before = ap.threads()
    try:
        results = []
        for threads in (1, 2, 3):
            ap.set_threads(threads)
            results.append(ap.gaussian(ap.convert(spots), sigma=1).particles.copy())
    finally:
        ap.set_threads(before)
    for other in results[1:]:
        np.testing.assert_array_equal(results[0], other)
