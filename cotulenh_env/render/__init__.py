"""Primitives for drawing that know no game: text grids, SVG, raster pictures, a window."""
