"""Zarr 2 and 3, shards, and N5 as tensorstore writes them and, beside it, zarr-python: aprscope-cli
reads the same bits of both. Images that it writes itself are read by tensorstore.

Ends with 77, which is "skipped", where the network gives no packages.
"""

import json
import sys

from peer_environment import main
from zarr_peers import BARE, PACKAGES, Program

SIZE = (9, 21, 34)
CHUNK = (4, 8, 16)

BLOSC = [{"id": "blosc", "cname": name, "clevel": 5, "shuffle": shuffle, "blocksize": block}
         for name, shuffle, block in (("lz4", 1, 0), ("zstd", 2, 0), ("blosclz", 0, 256), ("zlib", 1, 0),
                                      ("lz4hc", 1, 512))]
ZARR2 = [None, *BLOSC, {"id": "zlib", "level": 4}, {"id": "bz2", "level": 1}, {"id": "zstd", "level": 3}]

LITTLE = {"name": "bytes", "configuration": {"endian": "little"}}
ZARR3 = {
    "raw": [LITTLE],
    "big": [{"name": "bytes", "configuration": {"endian": "big"}}],
    "gzip": [LITTLE, {"name": "gzip", "configuration": {"level": 4}}],
    "zstd": [LITTLE, {"name": "zstd", "configuration": {"level": 3, "checksum": True}}],
    "blosc": [LITTLE, {"name": "blosc", "configuration": {
        "cname": "zstd", "clevel": 5, "shuffle": "bitshuffle", "typesize": 2, "blocksize": 0}}],
    "crc": [LITTLE, {"name": "crc32c"}],
    "turned": [{"name": "transpose", "configuration": {"order": [2, 0, 1]}}, LITTLE],
}
N5 = [{"type": "raw"}, {"type": "gzip", "level": 4}, {"type": "bzip2", "blockSize": 1},
      {"type": "zstd", "level": 3},
      {"type": "blosc", "cname": "lz4", "clevel": 5, "shuffle": 1}]


def sharded(codecs, where):
    return [{"name": "sharding_indexed", "configuration": {
        "chunk_shape": CHUNK, "codecs": codecs, "index_location": where,
        "index_codecs": [LITTLE, {"name": "crc32c"}]}}]


def images(numpy):
    """One of each type, with ends of its range; a chunk of zeros need not be written."""
    random = numpy.random.default_rng(7)
    for name, most in (("uint16", 2**16 - 1), ("uint8", 2**8 - 1), ("float32", 9.5e17)):
        image = random.normal(1000, 300, SIZE) if name == "float32" else random.poisson(40, SIZE)
        image[8, 20, 33] = most
        image[:4, :8, :16] = 0
        yield name, image.astype(name)


def check(cli, folder):
    """Runs in the environment."""
    import numcodecs
    import numpy
    import tensorstore
    import zarr

    program = Program(cli, folder)
    counts = {}

    def by_tensorstore(driver, path, image, metadata):
        store = tensorstore.open({
            "driver": driver, "kvstore": {"driver": "file", "path": str(path)}, "metadata": metadata,
        }, create=True, delete_existing=True).result()
        store[...] = image

    def same(path, image, what):
        read = program.pixels(path)
        assert numpy.array_equal(read, image), what
        counts[what[0]] = counts.get(what[0], 0) + 1

    turn = 0

    def wanted_for(name):
        """All for one type, and a third for each of the others: each costs a start of the program."""
        nonlocal turn
        turn += 1
        return name == "uint16" or turn % 3 == 0

    for name, image in images(numpy):
        for number, compressor in enumerate(ZARR2):
            if not wanted_for(name):
                continue
            # The order of columns and bytes is another one in every other.
            kind = image.dtype.newbyteorder("<>"[number % 2])
            order = "CF"[number % 2]
            theirs, peers = folder / f"{name}-{number}.zarr", folder / f"{name}-{number}-python.zarr"
            by_tensorstore("zarr", theirs, image, {
                "shape": SIZE, "chunks": CHUNK, "dtype": kind.str, "order": order, "fill_value": 0,
                "compressor": compressor, "filters": None, "dimension_separator": "./"[number % 2]})
            made = zarr.create_array(
                peers, shape=SIZE, chunks=CHUNK, dtype=kind, zarr_format=2, order=order, fill_value=0,
                compressors=compressor and numcodecs.get_codec(dict(compressor)))
            made[...] = image
            same(theirs, image, ("Zarr 2", name, compressor))
            same(peers, image, ("Zarr 2 of zarr-python", name, compressor))
        for codec, codecs in ZARR3.items():
            for where in (None, "start", "end"):
                if not wanted_for(name):
                    continue
                path = folder / f"{name}-{codec}-{where}.zarr"
                side = [2 * n for n in CHUNK] if where else CHUNK
                by_tensorstore("zarr3", path, image, {
                    "shape": SIZE, "data_type": name, "fill_value": 0, "node_type": "array",
                    "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": side}},
                    "codecs": sharded(codecs, where) if where else codecs})
                # What zarr-python finds there, too.
                assert numpy.array_equal(zarr.open_array(path, mode="r")[...], image), (name, codec)
                same(path, image, ("shards" if where else "Zarr 3", name, codec, where))
        for number, compression in enumerate(N5):
            if not wanted_for(name):
                continue
            path = folder / f"{name}-{number}.n5"
            # N5 names its dimensions the other way round.
            by_tensorstore("n5", path, image.T, {
                "dimensions": SIZE[::-1], "blockSize": CHUNK[::-1], "dataType": name,
                "compression": compression})
            same(path, image, ("N5", name, compression))

    # Ours.
    tif = str(folder / "cells.tif")
    program("synth", "cells", "-o", tif, "--size", "40,70,90")
    wanted = program.pixels(tif)
    for version, driver in (("0.4", "zarr"), ("0.5", "zarr3")):
        path = folder / f"ours{version}.ome.zarr"
        program("--ome-zarr", version, "synth", "cells", "-o", str(path), "--size", "40,70,90")
        described = json.loads((path / (".zattrs" if version == "0.4" else "zarr.json")).read_text())
        ome = described if version == "0.4" else described["attributes"]["ome"]
        levels = ome["multiscales"][0]["datasets"]
        for level, dataset in enumerate(levels):
            store = tensorstore.open({"driver": driver, "kvstore": {
                "driver": "file", "path": str(path / dataset["path"])}}).result()
            read = store[0].read().result()
            if level == 0:
                assert numpy.array_equal(read, wanted), version
            assert numpy.array_equal(program.pixels(f"{path}:/{dataset['path']}"), read), (version, level)
        counts["levels of ours"] = counts.get("levels of ours", 0) + len(levels)
    print("tensorstore", ", ".join(f"{what}: {count}" for what, count in counts.items()))


if __name__ == "__main__":
    sys.exit(main(__file__, PACKAGES, "tensorstore and zarr-python", check, BARE))
