from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

_Arrays: TypeAlias = tuple[NDArray[Any] | None, NDArray[np.int8] | None, NDArray[np.uint8], NDArray[np.uint64]]

def call(
    words: list[str],
    threads: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[int, str, str, bool]: ...
def main(words: list[str]) -> int: ...
def games() -> list[str]: ...
def name_strategy(name: str, text: str) -> None: ...

class OpenMatch:
    def __init__(
        self,
        game: str,
        sets: list[str],
        rules: str | None,
        seats: list[int],
        agents: str,
        players: int | None,
        seed: int,
        wants: list[str],
    ) -> None: ...
    def advance(self) -> int | None: ...
    def tell(self, seat: int) -> str: ...
    def answer(self, seat: int, line: str) -> None: ...
    def record(self) -> str: ...

class Vector:
    def __init__(
        self,
        game: str,
        sets: list[str],
        rules: str | None,
        matches: int,
        seats: list[int] | None,
        agents: str,
        players: int | None,
        seed: int,
        offers: bool,
        records: bool,
        threads: int | None,
    ) -> None: ...
    def described(self) -> str: ...
    def reset(self, seed: int | None, arrays: _Arrays) -> None: ...
    def step(
        self, actions: NDArray[np.int32], place: bool, arrays: _Arrays
    ) -> list[tuple[int, int, int, int, str, list[int], int, NDArray[np.int16], str]]: ...
    def lists(self) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int16]]: ...
    def sample(self, place: bool) -> NDArray[np.int32]: ...
    def seen(self, place: int, seat: int) -> NDArray[np.int16]: ...
    def record(self, place: int) -> str: ...
