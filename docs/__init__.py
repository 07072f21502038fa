"""Scripts of the documentation; a package, so that the tests can use them too."""
