#!/usr/bin/env python3
"""Plays a run of Fairhaven on a Ray cluster: its parts as tasks, merged at the end.

    python cluster/ray/fairhaven_ray.py --out DIR --parts 64 -- simulate on-the-road --agents skilled --matches 100m

The result is DIR, byte for byte that of one machine; the parts lie in DIR.parts until you remove them. The same line
again goes on with what is there. The program is FAIRHAVEN_BIN, or `fairhaven` on the path.

A part whose node dies is played on by another node, from its last save. DIR is on storage that all nodes share; without
such storage, `--carry SECONDS` brings what each part has so far to this machine every so many seconds.

Exit codes: 0 done, 1 a threshold of --require failed, 2 wrong usage or a part failed, 130 interrupted.
"""

from __future__ import annotations

import argparse
import ctypes
import dataclasses
import hashlib
import io
import itertools
import json
import logging
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

import ray

# Exit codes of the program.
REFUSED = 2
NOT_DECIDED = 4
INTERRUPTED = 130
# What the program says of a part that another process plays.
HELD = re.compile(r"process \d+ is writing|being written by process")
# Flags that this script sets.
OURS = ("--out", "--shard", "--threads", "--wave", "--wave-blocks", "--after")


@dataclasses.dataclass(frozen=True)
class Run:
    """What all parts of a wave, or of a run without waves, have in common."""

    command: tuple[str, ...]
    """The command of the whole, and its wave if it has waves."""
    program: str
    """The program's path, on this machine and on shared storage."""
    folder: str
    """Where the parts lie: on shared storage, or on this machine if they are carried."""
    parts: int
    threads: int
    carry: float
    """Seconds between two states that are carried home; 0 on shared storage."""
    after: str = ""
    """What the waves so far came to, on shared storage or here; empty for the first wave and without waves."""


class Failed(Exception):
    """A part that can't be played; the program's own words. No other node would do better."""


def listen_for_end() -> None:
    """Lets this process get Ctrl-C, which Ray's workers block, and has the kernel send it when the worker ends."""
    pr_set_pdeathsig = 1
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    ctypes.CDLL(None).prctl(pr_set_pdeathsig, signal.SIGINT)


def play_once(run: Run, program: str, part: int, folder: Path) -> tuple[int, str]:
    """Plays a part, or goes on with it, until it is complete or its time is over: exit code and standard error."""
    place = folder / f"part-{part}"
    started = any(Path(f"{place}{end}", "manifest.json").exists() for end in ("", ".partial"))
    after = ["--after", run.after] if run.after else []
    new = [*run.command, *after, "--shard", f"{part}/{run.parts}", "--out", str(place)]
    line = ["resume", str(place)] if started else new
    child = subprocess.Popen(
        [program, *line, "--threads", str(run.threads), "--quiet"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=listen_for_end,
    )
    try:
        _, said = child.communicate(timeout=run.carry or None)
    except subprocess.TimeoutExpired:
        child.send_signal(signal.SIGINT)
        _, said = child.communicate()
    return child.returncode, said


def play_on(run: Run, program: str, part: int, folder: Path) -> bool:
    """Whether the part is complete; if not, its time is over and it is saved."""
    while True:
        code, said = play_once(run, program, part, folder)
        if code == REFUSED and HELD.search(said):
            # A node that is only out of reach still plays it. It is waited for, and resumed after it.
            time.sleep(5)
        elif code == 0 or (code == INTERRUPTED and run.carry):
            return code == 0
        else:
            raise Failed(f"part {part} ended with {code}: {said.strip()}")


def pack(*entries: Path) -> bytes:
    """Directories, as one archive; those that are not there are left out."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        for entry in entries:
            if entry.exists():
                archive.add(entry, entry.name)
    return packed.getvalue()


def unpack(packed: bytes, folder: Path) -> None:
    """The opposite of `pack`."""
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        archive.extractall(folder, filter="data")


def installed(program: bytes) -> str:
    """The path of the program on this node, which is written once."""
    path = Path(tempfile.gettempdir(), f"fairhaven-{hashlib.sha256(program).hexdigest()[:16]}")
    if not path.exists():
        with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
            file.write(program)
        os.chmod(file.name, 0o755)
        os.replace(file.name, path)
    return str(path)


@ray.remote
def play_shared(run: Run, part: int) -> bool:
    """A part on shared storage; from its last save if it was begun elsewhere."""
    return play_on(run, run.program, part, Path(run.folder))


@ray.remote
def play_carried(run: Run, part: int, program: bytes, before: bytes, state: bytes) -> tuple[bool, bytes]:
    """A part on a node's own disk: whether it is complete, and its state.

    `before` is what the waves so far came to, and `state` what the part came to when it was last carried home.
    """
    with tempfile.TemporaryDirectory() as own, tempfile.TemporaryDirectory() as other:
        unpack(before, Path(other))
        unpack(state, Path(own))
        here = dataclasses.replace(run, after=str(Path(other, Path(run.after).name)) if run.after else "")
        complete = play_on(here, installed(program), part, Path(own))
        return complete, pack(*Path(own).iterdir())


def places(run: Run, part: int) -> tuple[Path, Path]:
    """Where a part lies: complete or interrupted, and while it is played or after it was killed."""
    return Path(run.folder, f"part-{part}"), Path(run.folder, f"part-{part}.partial")


def bring_home(run: Run, part: int, state: bytes) -> None:
    """Puts a part's state where the one before it lay."""
    with tempfile.TemporaryDirectory(dir=run.folder) as own:
        unpack(state, Path(own))
        for old in places(run, part):
            shutil.rmtree(old, ignore_errors=True)
        for entry in Path(own).iterdir():
            entry.rename(Path(run.folder, entry.name))


def is_complete(run: Run, part: int) -> bool:
    manifest = places(run, part)[0] / "manifest.json"
    return manifest.exists() and bool(json.loads(manifest.read_bytes())["played"]["complete"])


class Parts:
    """The parts that are being played."""

    def __init__(self, run: Run, retries: int) -> None:
        self.run = run
        self.retries = retries
        self.brought = 0
        self.carried: list[ray.ObjectRef[bytes]] = []
        if run.carry:
            before = pack(Path(run.after)) if run.after else pack()
            self.carried = [ray.put(Path(run.program).read_bytes()), ray.put(before)]
        self.playing: dict[ray.ObjectRef[Any], int] = {}

    def start(self, part: int) -> None:
        """Hands a part to the cluster. If its node dies, Ray starts it on another."""
        options = {"num_cpus": self.run.threads, "max_retries": self.retries, "name": f"fairhaven part {part}"}
        if self.carried:
            program, before = self.carried
            state = pack(*places(self.run, part))
            task: ray.ObjectRef[Any] = play_carried.options(**options).remote(self.run, part, program, before, state)
        else:
            task = play_shared.options(**options).remote(self.run, part)
        self.playing[task] = part

    def end(self, task: ray.ObjectRef[Any]) -> None:
        """Takes what a task has come to; a part whose time was over is started again."""
        part = self.playing.pop(task)
        found = ray.get(task)
        if isinstance(found, tuple):
            complete, state = found
            bring_home(self.run, part, state)
            self.brought += 1
            if not complete:
                self.start(part)


def play_parts(run: Run, retries: int, every: float, name: str) -> list[str]:
    """Plays all parts that are not there yet, and says every so often how far they are: the parts that failed."""
    parts = Parts(run, retries)
    for part in range(1, run.parts + 1):
        if not is_complete(run, part):
            parts.start(part)
    there = run.parts - len(parts.playing)
    faults: list[str] = []
    begun = said = time.monotonic()
    while parts.playing:
        ended, _ = ray.wait(list(parts.playing), timeout=every)
        for task in ended:
            try:
                parts.end(task)
            except (Failed, ray.exceptions.RayError) as fault:
                faults.append(str(fault).strip().splitlines()[-1])
        now = time.monotonic()
        if now - said >= every or not parts.playing:
            said = now
            done = run.parts - len(parts.playing) - len(faults)
            left = (now - begun) / (done - there) * len(parts.playing) if done > there else None
            time_left = "" if left is None else f", about {left:.0f} s left"
            carried = f", carried home {parts.brought} times" if run.carry else ""
            print(f"{name}{done} of {run.parts} parts{time_left}{carried}", file=sys.stderr)
    return faults


def merge(run: Run, out: Path) -> int:
    """Merges the parts into `out`, with what earlier waves came to: the program's exit code."""
    merged = [str(out)] if "--wave" in run.command and (out / "manifest.json").exists() else []
    merged += [f"{run.folder}/part-{part}" for part in range(1, run.parts + 1)]
    # By force: an earlier merge may have been killed after it had written the result.
    return subprocess.run([run.program, "merge", *merged, "--out", str(out), "--force", "--quiet"]).returncode


def refuse(words: str) -> NoReturn:
    print(f"fairhaven_ray.py: {words}", file=sys.stderr)
    sys.exit(REFUSED)


def try_command(run: Run) -> None:
    """Refuses a wrong command here, before a hundred tasks do: two seconds of it are tried."""
    with tempfile.TemporaryDirectory() as own:
        code, said = play_once(dataclasses.replace(run, carry=2), run.program, 1, Path(own))
    if code == REFUSED:
        words = "The command is refused. A sequential run or a search needs --wave-blocks."
        refuse(f"{said.strip()}\n{words}")


def prepare(arguments: argparse.Namespace) -> Run:
    """The folder of the parts, with one program for all of them; refuses parts of another run."""
    out: Path = arguments.out
    home = Path(f"{out}.parts")
    asked = home / "asked"
    if (out / "manifest.json").exists() and not asked.exists():
        refuse(f"{out}: there is a run already")
    home.mkdir(parents=True, exist_ok=True)
    program = home / "fairhaven"
    if not program.exists():
        found = shutil.which(os.environ.get("FAIRHAVEN_BIN", "fairhaven"))
        if found is None:
            refuse("no program; give its path as FAIRHAVEN_BIN")
        # One build for all parts, even if the program is built anew meanwhile.
        shutil.copy2(found, f"{program}.new")
        os.replace(f"{program}.new", program)
    command = tuple(arguments.command)
    run = Run(command, str(program), str(home), arguments.parts, arguments.threads, arguments.carry)
    line = shlex.join([str(arguments.parts), str(arguments.wave_blocks or "whole"), *command])
    if not asked.exists():
        try_command(of_wave(run, 1, arguments.wave_blocks))
        asked.write_text(line)
    elif asked.read_text() != line:
        refuse(f"{home} has parts of another run: {asked.read_text()}\nremove it, or give another --out")
    return run


def of_wave(run: Run, wave: int, blocks: str | None) -> Run:
    """The same, for a wave of a sequential run or a search; the run itself if it has no waves."""
    if blocks is None:
        return run
    folder = Path(run.folder, f"wave-{wave}")
    folder.mkdir(exist_ok=True)
    command = (*run.command, "--wave", str(wave), "--wave-blocks", blocks)
    after = run.folder.removesuffix(".parts") if wave > 1 else ""
    return dataclasses.replace(run, command=command, folder=str(folder), after=after)


def parse(words: Sequence[str]) -> argparse.Namespace:
    """The arguments; those after `--` are the command."""
    about, _, after = (__doc__ or "").partition("\n\n")
    parser = argparse.ArgumentParser(
        description=about,
        epilog=after,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        usage="%(prog)s [OPTIONS] --out DIR -- COMMAND...",
    )
    parser.add_argument(
        "--out", type=lambda text: Path(text).absolute(), required=True, metavar="DIR", help="where the result will be"
    )
    parser.add_argument("--parts", type=positive, default=64, metavar="N", help="parts, each a task; 64 if not given")
    parser.add_argument(
        "--threads",
        type=positive,
        default=1,
        metavar="N",
        help="threads of a part, and CPUs that Ray gives it; 1 if not given",
    )
    parser.add_argument(
        "--wave-blocks",
        metavar="BLOCKS",
        help="for a sequential run or a search: blocks of a wave; each wave has as many parts",
    )
    parser.add_argument(
        "--carry",
        type=float,
        default=0,
        metavar="SECONDS",
        help="without shared storage: how often what a part has so far is carried to this machine",
    )
    parser.add_argument(
        "--retries",
        type=int,
        default=100,
        metavar="N",
        help="how often a part is started anew after its node has died; 100 if not given, -1 for ever",
    )
    parser.add_argument(
        "--every",
        type=float,
        default=10,
        metavar="SECONDS",
        help="how often it is said how far the parts are; 10 if not given",
    )
    parser.add_argument(
        "--address", help="the cluster; that of RAY_ADDRESS or of this machine if not given, else one is started here"
    )
    parser.add_argument(
        "command",
        nargs="+",
        metavar="COMMAND",
        help="the command of the run, such as: simulate on-the-road --matches 100m",
    )
    arguments = parser.parse_args(words)
    for word in arguments.command:
        if word.split("=")[0] in OURS:
            parser.error(f"{word} in the command: this script sets it")
    if arguments.carry < 0 or arguments.every <= 0:
        parser.error("seconds are positive")
    return arguments


def positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text}: at least 1")
    return number


def main(words: Sequence[str]) -> int:
    """Plays the run: its exit code."""
    arguments = parse(words)
    run = prepare(arguments)
    ray.init(address=arguments.address, log_to_driver=False, logging_level=logging.WARNING)
    print(f"The result will be in {arguments.out}", file=sys.stderr)
    for wave in itertools.count(1):
        wave_name = f"wave {wave}: " if arguments.wave_blocks else ""
        this = of_wave(run, wave, arguments.wave_blocks)
        faults = play_parts(this, arguments.retries, arguments.every, wave_name)
        if faults:
            print(*faults, sep="\n", file=sys.stderr)
            print("The same line again plays the parts that are missing.", file=sys.stderr)
            return REFUSED
        code = merge(this, arguments.out)
        if code != NOT_DECIDED:
            return code
    raise AssertionError("waves have no end")


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        print("Interrupted; the same line again goes on.", file=sys.stderr)
        sys.exit(INTERRUPTED)
