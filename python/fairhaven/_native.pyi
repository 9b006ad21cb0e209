from collections.abc import Callable

def call(
    words: list[str],
    threads: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[int, str, str, bool]: ...
def main(words: list[str]) -> int: ...
