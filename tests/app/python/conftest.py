"""What tests of the module share."""
import os
import subprocess

import numpy as np
import pytest

import aprscope as ap


@pytest.fixture(scope="session")
def spots():
    """Bright balls on a dim background, with a little noise: (z, x, y) u16."""
    rng = np.random.default_rng(7)
    z, x, y = np.indices((24, 40, 56))
    image = np.full(z.shape, 100.0)
    for _ in range(12):
        at = rng.uniform((3, 4, 4), (21, 36, 52))
        image += 900.0 * np.exp(-((z - at[0])**2 + (x - at[1])**2 + (y - at[2])**2) / 12.0)
    return (image + rng.normal(0.0, 3.0, z.shape)).clip(0, 65535).astype(np.uint16)


@pytest.fixture(scope="session")
def image(spots):
    """The same as data."""
    return ap.image(spots, voxel=(2.0, 0.5, 0.5))


@pytest.fixture(scope="session")
def apr(image):
    """Its particles."""
    return ap.convert(image)


@pytest.fixture(scope="session")
def stack(image, tmp_path_factory):
    """The image as a file."""
    path = tmp_path_factory.mktemp("files") / "stack.tif"
    image.save(path)
    return path


@pytest.fixture
def cli(tmp_path):
    """Runs the command line in a folder of its own, which it gives."""
    def run(*arguments):
        subprocess.run([os.environ["APRSCOPE_CLI"], *map(str, arguments), "--quiet", "--device",
                        "cpu"], check=True, cwd=tmp_path, capture_output=True)
        return tmp_path
    return run
