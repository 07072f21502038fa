"""Names the packages; everything else is declared in pyproject.toml.

The folder ``configs/`` is installed as the package ``training.configs``: a package called
``configs`` at the top level of an environment would clash with too many others. Read a shipped
configuration with ``importlib.resources.files("training.configs")``.
"""

from setuptools import find_packages, setup

PACKAGES = ["cotulenh_env", "agents", "training"]

setup(
    packages=[
        *find_packages(include=[*PACKAGES, *(f"{package}.*" for package in PACKAGES)]),
        "training.configs",
    ],
    package_dir={"training.configs": "configs"},
)
