"""What is not installed with the package is asked for by name."""

from __future__ import annotations

import importlib
from types import ModuleType

#: The extras of the package by the modules that they bring.
_EXTRAS = {
    "numpy": "environments",
    "gymnasium": "environments",
    "pettingzoo": "environments",
    "matplotlib": "figures",
}


def extra(module: str) -> ModuleType:
    """A module of the package that needs another one, or of such another one.

    Raises
    ------
    ImportError
        With the command that installs what is missing.
    """
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        name = (error.name or "").split(".")[0]
        if name not in _EXTRAS:
            raise
        command = f"pip install 'fairhaven[{_EXTRAS[name]}]'"
        raise ImportError(f"{name} is not installed: {command}", name=name) from error
