"""How fast and how large everything is here, beside other libraries: `cotulenh bench`."""
