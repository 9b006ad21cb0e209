"""The program itself: ``python -m fairhaven simulate base``."""

import signal
import sys

from fairhaven import _native


def main() -> None:
    """Runs the program by the words of the command line, and exits as it does."""
    # The program hears Ctrl-C by itself.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(_native.main(sys.argv[1:]))


if __name__ == "__main__":
    main()
