"""The plugin of napari, without a window. What is not installed skips what needs it."""
import os
import time
from pathlib import Path

import numpy as np
import pytest

import aprscope as ap

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
PLUGIN = Path(__file__).resolve().parents[3] / "app/napari/aprscope_napari"


@pytest.fixture(scope="module")
def apr():
    z, x, y = np.indices((40, 70, 90))
    ball = 100 + 900 * np.exp(-((z - 20)**2 + (x - 30)**2 + (y - 40)**2) / 60)
    return ap.convert(ball.astype(np.uint16), voxel=(2, 0.5, 0.5))


@pytest.fixture(scope="module")
def path(apr, tmp_path_factory):
    path = tmp_path_factory.mktemp("plugin") / "ball.apr"
    apr.save(path)
    return path


@pytest.fixture
def application():
    """magicgui needs one of Qt."""
    pytest.importorskip("magicgui", reason="magicgui is not installed")
    widgets = pytest.importorskip("qtpy.QtWidgets", reason="Qt is not installed")
    yield widgets.QApplication.instance() or widgets.QApplication([])


def test_the_manifest_names_what_is_there():
    manifest = pytest.importorskip("npe2", reason="npe2 is not installed").PluginManifest
    plugin = manifest.from_file(PLUGIN / "napari.yaml")
    assert plugin.contributions.readers[0].filename_patterns == ["*.apr"]
    sources = {file.stem: file.read_text(encoding="utf-8") for file in PLUGIN.glob("*.py")}
    for command in plugin.contributions.commands:
        module, function = command.python_name.split(":")
        assert f"\ndef {function}(" in sources[module.split(".")[1]]


def test_particles_are_a_lazy_pyramid(apr, path):
    from aprscope_napari._reader import read, reader_of
    assert reader_of(str(path)) is read
    assert reader_of([str(path), "stack.tif"]) is None
    (levels, settings, kind), = read(str(path))
    assert kind == "image"
    assert settings["multiscale"] and settings["name"] == "ball"
    assert settings["scale"] == pytest.approx((2, 0.5, 0.5))
    assert settings["contrast_limits"] == (apr.particles.min(), apr.particles.max())
    assert levels[0].shape == apr.shape
    assert all(max(level.shape) >= 64 for level in levels)
    np.testing.assert_array_equal(levels[0][20], apr[20])


def test_labels_are_a_layer(apr, tmp_path):
    from aprscope_napari._reader import read
    bright = apr.particles > 400
    for label in (70000, (1 << 32) - 7):
        labels = np.where(bright, label, 0).astype(np.uint32)
        apr.with_labels(labels).save(tmp_path / "labelled.apr")
        layers = read([str(tmp_path / "labelled.apr")])
        assert [kind for _, _, kind in layers] == ["image", "labels"]
        painted = layers[1][0]
        assert painted.dtype == np.uint32 and painted.shape == apr.shape
        np.testing.assert_array_equal(np.asarray(painted), np.where(np.asarray(apr) > 400, label, 0))


@pytest.fixture
def film(apr, tmp_path, monkeypatch):
    """A file of three time points: none that this module writes has several."""
    points = [apr.with_particles(apr.particles + np.uint16(1000 * t)) for t in range(3)]
    opened = []

    def open_point(path, channel=0, time=0):
        opened.append(time)
        return points[time]

    monkeypatch.setattr(ap, "open", open_point)
    monkeypatch.setattr(ap, "info", lambda path: {"channels": ["nuclei"], "times": 3})
    return points, opened


def test_time_points_are_opened_where_they_are_looked_at(film):
    from aprscope_napari._layers import data_of
    from aprscope_napari._reader import read
    points, opened = film
    (levels, settings, _), = read("film.apr")
    assert settings["scale"] == pytest.approx((1, 2, 0.5, 0.5))
    assert levels[0].shape == (3, *points[0].shape) and levels[0].ndim == 4
    assert set(opened) == {0}
    np.testing.assert_array_equal(levels[0][2, 20], points[2][20])
    np.testing.assert_array_equal(levels[0][1, ..., 5], points[1][:, :, 5])
    np.testing.assert_array_equal(levels[0][1:, 20, 3:9], np.stack([p[20, 3:9] for p in points[1:]]))
    with pytest.raises(IndexError):
        levels[0][3]

    class OfFilm:
        metadata = settings["metadata"]
    assert data_of(OfFilm, 2) is points[2]
    # Two are held, so that 1 and 2 are still there and 0 is not.
    opened.clear()
    np.testing.assert_array_equal(levels[0][1, 20], points[1][20])
    assert opened == []
    np.testing.assert_array_equal(levels[0][0, 20], points[0][20])
    assert opened == [0]


def test_forms_say_what_schemas_say(application, apr):
    from aprscope_napari._form import OperationForm, filters
    assert "gaussian" in filters() and "convert" not in filters()
    for id_ in [*filters(), "convert", "deconvolve", "watershed"]:
        form = OperationForm(id_)
        assert form.values() == {}, f"{id_}: what nobody changed is the default"
    form = OperationForm("gaussian")
    form["sigma"][0].value = 3.0
    form["boundary"].value = "zero"
    assert form.values() == {"sigma": [3.0, 2.0, 2.0], "boundary": "zero"}
    expected = ap.gaussian(apr, sigma=(3, 2, 2), boundary="zero")
    np.testing.assert_array_equal(form.run(apr).particles, expected.particles)


def test_what_has_no_say_is_hidden_and_left_out(application, apr):
    from aprscope_napari._form import OperationForm
    from magicgui import widgets
    form = OperationForm("deconvolve")
    shell = widgets.Container(widgets=[form])
    shell.show()
    assert form["psf_sigma"].visible and not form["wavelength"].visible
    assert isinstance(form["psf_file"], widgets.FileEdit)
    form["psf_sigma"][0].value = 1.5
    form["psf"].value = "born_wolf"
    assert form["wavelength"].visible and not form["psf_sigma"].visible
    assert "psf_sigma" not in form.values()
    form["psf"].value = "gaussian"
    form["iterations"].value = 2
    assert form.values()["psf_sigma"][0] == 1.5
    expected = ap.deconvolve(apr, psf_sigma=form.values()["psf_sigma"], iterations=2)
    np.testing.assert_array_equal(form.run(apr).particles, expected.particles)
    shell.close()


def wait_for(application, panel):
    """Until the panel's job has ended and has said what it had to say."""
    limit = time.monotonic() + 60
    while panel.job is not None:
        application.processEvents()
        assert time.monotonic() < limit, "the job does not end"
        time.sleep(0.01)


def test_a_viewer_opens_and_filters(application, apr, path):
    components = pytest.importorskip("napari.components", reason="napari is not installed")
    from aprscope_napari._reader import read
    from aprscope_napari._widgets import convert_widget, filter_widget
    from napari.layers import Image, Layer
    viewer = components.ViewerModel()
    layer = Layer.create(*read(str(path))[0])
    viewer.add_layer(layer)
    assert layer.multiscale
    viewer.dims.set_current_step(0, 20)
    panel = filter_widget(viewer)
    panel.operation.value = "median"
    panel.run(layer)
    assert panel.job is not None
    wait_for(application, panel)
    made = viewer.layers[-1]
    assert made.name == "ball median"
    np.testing.assert_array_equal(np.asarray(made.data[0]), np.asarray(ap.median(apr)))
    pixels = Image(np.asarray(apr), scale=apr.voxel, name="pixels")
    panel = convert_widget(viewer)
    panel.run(pixels)
    wait_for(application, panel)
    converted = viewer.layers[-1]
    assert converted.metadata["aprscope"].voxel == pytest.approx(apr.voxel)
    np.testing.assert_array_equal(converted.metadata["aprscope"].particles, apr.particles)


def test_a_run_can_be_cancelled_and_says_what_is_wrong(application, path):
    components = pytest.importorskip("napari.components", reason="napari is not installed")
    from aprscope_napari._reader import read
    from aprscope_napari._widgets import deconvolve_widget
    from napari.layers import Image, Layer
    viewer = components.ViewerModel()
    layer = Layer.create(*read(str(path))[0])
    viewer.add_layer(layer)
    panel = deconvolve_widget(viewer)
    panel.layer.choices = [layer]
    panel.layer.value = layer
    panel.form["iterations"].value = 100000
    panel.button.changed.emit(True)
    assert panel.button.text == "Cancel"
    panel.button.changed.emit(True)
    wait_for(application, panel)
    assert panel.button.text == "Run" and panel.button.enabled
    assert len(viewer.layers) == 1
    colours = Image(np.zeros((8, 8, 3), np.uint8), rgb=True, name="photo")
    panel.run(colours)
    wait_for(application, panel)
    assert panel.words.value == str(ap.Error(
        "is no image of two or three axes, and time points", "photo",
        "split its channels into layers first"))
    assert len(viewer.layers) == 1
