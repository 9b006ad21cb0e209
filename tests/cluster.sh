#!/usr/bin/env bash
# Checks what cluster/ holds without any engine: shell scripts by shellcheck, Python by mypy, and the Kubernetes manifests
# by the schemas of two versions of Kubernetes. The command of the manifests' pods is run here, with four parts, one of
# them killed; the merged run has the bytes of one machine.
#
# Says "not run" of each check whose tool it has not; the packages of tests/cluster-requirements.txt are installed below
# target/cluster/, which is kept. Builds nothing: FAIRHAVEN_BIN is the program, target/debug/fairhaven by default.
set -euo pipefail
cd "$(dirname "$0")/.."
program=$(realpath "${FAIRHAVEN_BIN:-target/debug/fairhaven}")
[ -x "$program" ] || { echo "cluster.sh: no program at $program; run \`cargo build\`" >&2; exit 2; }

fail() {
    echo "cluster.sh: $*" >&2
    exit 1
}

if command -v shellcheck >/dev/null; then
    shellcheck cluster/slurm/*.sh tests/slurm.sh tests/ray.sh tests/cluster.sh
    echo "shellcheck: nothing to say"
else
    echo "not run: shellcheck (on Debian: apt-get install shellcheck)"
fi

tools=target/cluster/bin
if ! "$tools/python" -c 'import kubernetes_validate, mypy' 2>/dev/null; then
    mkdir -p target/cluster
    if ! { python3 -m venv --clear target/cluster &&
        "$tools/python" -m pip install --quiet --require-hashes -r tests/cluster-requirements.txt; } \
        >target/cluster/pip.log 2>&1; then
        echo "not run: mypy and the schemas, since pip could not install them: $(tail -n 1 target/cluster/pip.log)"
        exit 0
    fi
fi

# The types of Ray are those that tests/ray.sh has installed.
if [ -x target/ray/bin/python ]; then
    for script in cluster/ray/fairhaven_ray.py tests/ray_cluster.py; do
        "$tools/mypy" --strict --python-executable target/ray/bin/python "$script"
    done
else
    echo "not run: mypy, since tests/ray.sh has not installed Ray"
fi

place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
for version in 1.33 1.37; do
    "$tools/kubernetes-validate" --kubernetes-version "$version" --strict --quiet cluster/kubernetes/*.yaml
    # A misspelt field is found, so the check can fail.
    sed 's/backoffLimitPerIndex/backoffLimitsPerIndex/' cluster/kubernetes/parts.yaml >"$place/wrong.yaml"
    if "$tools/kubernetes-validate" --kubernetes-version "$version" --strict "$place/wrong.yaml" >/dev/null 2>&1; then
        fail "the schema of Kubernetes $version takes a field that there isn't"
    fi
    echo "kubernetes: the manifests are those of version $version"
done

# The words of a container's command, one a line ended by NUL; /runs is a directory here.
command_of() { # manifest
    "$tools/python" - "$1" "$place/runs" <<'PYTHON'
import sys, yaml
manifest, runs = sys.argv[1:]
with open(manifest) as file:
    spec = yaml.safe_load(file)["spec"]
container = spec["template"]["spec"]["containers"][0]
variables = {entry["name"]: entry.get("value") for entry in container.get("env", [])}
assert variables.get("PARTS", "1") == str(spec.get("completions", 1)), "PARTS is not the number of completions"
words = container["command"] + (container["args"] if "merge" in manifest else [])
sys.stdout.write("".join(word.replace("/runs", runs) + "\0" for word in words))
PYTHON
}
mkdir "$place/bin" "$place/runs"
ln -s "$program" "$place/bin/fairhaven"
export PATH=$place/bin:$PATH PARTS=4 THREADS=1
run=(simulate on-the-road --agents builder --matches 400k --save-every 0)
mapfile -d '' -t pod < <(command_of cluster/kubernetes/parts.yaml)
mapfile -d '' -t merge < <(command_of cluster/kubernetes/merge.yaml)
if [ "${#pod[@]}" -lt 4 ] || [ "${#merge[@]}" != 3 ]; then fail "the manifests have no commands"; fi
for index in 0 1 2; do JOB_COMPLETION_INDEX=$index "${pod[@]}" "${run[@]}"; done
JOB_COMPLETION_INDEX=3 "${pod[@]}" "${run[@]}" &
for _ in {1..2000}; do
    if [ -e "$place/runs/whole.parts/part-4.partial/manifest.json" ]; then break; fi
    sleep 0.005
done
kill -KILL $! || true
wait $! 2>/dev/null || true
[ -e "$place/runs/whole.parts/part-4.partial/manifest.json" ] || fail "part 4 was not killed in the middle"
JOB_COMPLETION_INDEX=3 "${pod[@]}" "${run[@]}"
"${merge[@]}"
"$program" "${run[@]}" --out "$place/alone" --quiet
diff -rq -x manifest.json "$place/runs/whole" "$place/alone" || fail "the merged run is another than that of one machine"
echo "kubernetes: the pods' commands, one killed half-way: the bytes of one machine"
echo "cluster.sh: all of it holds"
