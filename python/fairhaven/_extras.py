"""What is not installed with the package is asked for by name."""

from __future__ import annotations

import importlib
from types import ModuleType


def extra(module: str) -> ModuleType:
    """A module of the package that needs another one.

    Raises
    ------
    ImportError
        With the command that installs what is missing.
    """
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.split(".")[0] not in ("numpy", "gymnasium", "pettingzoo"):
            raise
        name = error.name.split(".")[0]
        raise ImportError(f"{name} is not installed: pip install 'fairhaven[environments]'", name=name) from error
