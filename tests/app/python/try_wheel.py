"""A wheel in an environment of its own, or a package of Debian: it converts, filters, writes and reads again."""
import os
import tempfile
from pathlib import Path

import numpy as np

import aprscope as ap

assert "site-packages" in ap.__file__ or "dist-packages" in ap.__file__, ap.__file__
z, x, y = np.indices((32, 32, 32))
ball = (1000.0 / (1.0 + (z - 16)**2 + (x - 16)**2 + (y - 16)**2)).astype(np.float32)
apr = ap.convert(ball, voxel=(1, 0.5, 0.5))
smooth = ap.gaussian(apr, sigma=1)
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "ball.apr")
    smooth.save(path)
    back = ap.open(path)
np.testing.assert_array_equal(back.particles, smooth.particles)
assert (Path(ap.__file__).parent / "aprscope-hdf5").is_file()
print(f"installed: aprscope {ap.__version__}, {len(ap.operations())} operations, {back!r}")
