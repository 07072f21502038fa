"""The subcommands of `cotulenh`, one module each with `run(argv)`."""
