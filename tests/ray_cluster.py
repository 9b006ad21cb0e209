"""Four Ray nodes of one CPU each on this machine, for tests/ray.sh. Prints the cluster's address; then each line of
standard input is an order:

    kill   ends one node that plays a part which has been saved, with SIGKILL: its daemons, workers and programs.
           Prints the name of the part.

Its argument is the folder of the parts. The end of standard input ends the cluster.
"""

from __future__ import annotations

import os
import re
import signal
import sys
import time
from pathlib import Path

from ray.cluster_utils import Cluster

SHARD = re.compile(r"--out\0(.*/(part-\d+))\0|resume\0(.*/(part-\d+))\0")


def processes() -> dict[int, int]:
    """The parent of each process."""
    parents = {}
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            found = re.search(r"^PPid:\t(\d+)$", status.read_text(), re.MULTILINE)
        except OSError:
            continue
        if found:
            parents[int(status.parent.name)] = int(found[1])
    return parents


def below(root: int) -> list[int]:
    """A process and its descendants."""
    parents = processes()
    found = [root]
    for process in found:
        found += [child for child, parent in parents.items() if parent == process]
    return found


def part_of(process: int) -> Path | None:
    """The part that a process plays, if it is the program."""
    try:
        line = Path(f"/proc/{process}/cmdline").read_text()
    except OSError:
        return None
    found = SHARD.search(line)
    return Path(found[1] or found[3]) if found else None


def send(processes: list[int], number: signal.Signals) -> None:
    for process in processes:
        try:
            os.kill(process, number)
        except ProcessLookupError:
            pass


def kill(cluster: Cluster) -> str:
    """Ends one node in the middle of a part, and says of which."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        for node in list(cluster.worker_nodes):
            raylet = node.all_processes["raylet"][0].process.pid
            all_of_it = below(raylet)
            # Stopped first, so that the part doesn't end while it is looked at.
            send(all_of_it, signal.SIGSTOP)
            for part in filter(None, map(part_of, all_of_it)):
                if Path(f"{part}.partial", "manifest.json").exists() and not part.exists():
                    send(all_of_it, signal.SIGKILL)
                    cluster.remove_node(node, allow_graceful=False)
                    return part.name
            send(all_of_it, signal.SIGCONT)
            time.sleep(0.02)
    sys.exit("no part was caught in the middle")


def add_node(cluster: Cluster) -> None:
    """Starts a node; tries again, since Ray waits for one for half a minute only, whatever else the machine does."""
    for last in (False, False, True):
        try:
            cluster.add_node(num_cpus=1, object_store_memory=80 << 20)
        except Exception:  # noqa: BLE001 (Ray raises no class of its own)
            if last:
                raise
        else:
            return


def main() -> None:
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False})
    for _ in range(4):
        add_node(cluster)
    cluster.wait_for_nodes()
    print(cluster.address, flush=True)
    for order in sys.stdin:
        if order == "kill\n":
            print(kill(cluster), flush=True)
    cluster.shutdown()  # type: ignore[no-untyped-call]


if __name__ == "__main__":
    main()
