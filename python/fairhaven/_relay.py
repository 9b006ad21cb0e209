"""A program at the table that hands all lines to a process beside it, and its answers back: `_relay.py SOCKET`.

It is started by its path, so that it begins at once: nothing but the standard library is imported.
"""

import os
import socket
import sys
import threading


def main() -> None:
    """Copies lines both ways until one side ends."""
    with socket.socket(socket.AF_UNIX) as line:
        line.connect(sys.argv[1])

        def answers() -> None:
            while data := line.recv(1 << 16):
                os.write(1, data)
            # Whoever decides is gone, so that nobody waits for an answer.
            os._exit(1)

        threading.Thread(target=answers, daemon=True).start()
        while data := os.read(0, 1 << 16):
            line.sendall(data)


if __name__ == "__main__":
    main()
