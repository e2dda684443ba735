"""Adaptive particles in napari: a reader of .apr files, and forms made of the operations' schemas."""
