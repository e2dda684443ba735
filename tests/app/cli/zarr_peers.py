"""Packages that write and read Zarr, and running aprscope-cli beside them.

The scripts that use it share one virtual environment: CTest runs them one after the other.
"""

import json
import subprocess

PACKAGES = ["zarr==3.1.6", "numcodecs==0.16.5", "tifffile==2025.5.10", "tensorstore==0.1.86"]
# Without the rest of what they ask for: for the network, and scipy and scikit-image (190 MB) for
# shrinking images, which tests do not use.
BARE = ["ome-zarr==0.12.2", "dask==2025.5.1", "toolz==1.0.0", "fsspec==2025.5.1", "cloudpickle==3.1.1",
        "importlib_metadata==8.7.0", "zipp==3.23.0"]


class Program:
    """aprscope-cli, and where it may write."""

    def __init__(self, cli, folder):
        self.cli = cli
        self.folder = folder

    def __call__(self, *arguments):
        """Its report."""
        done = subprocess.run([self.cli, "--json", *arguments], capture_output=True, text=True)
        assert done.returncode == 0, (arguments, done.stderr)
        return json.loads(done.stdout)

    def pixels(self, path, channel=0, time=0):
        """The pixels of an image (z, y, x), as it reads them."""
        import tifffile

        out = str(self.folder / "pixels.tif")
        self("filter", str(path), "-o", out, "--stencil", "identity", "--channel", str(channel),
             "--time", str(time), "--force")
        return tifffile.imread(out)
