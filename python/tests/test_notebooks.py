"""The notebooks run from top to bottom, and each within a minute or so."""

from importlib.util import find_spec
from pathlib import Path

import pytest

NOTEBOOKS = sorted(Path(__file__).parent.parent.joinpath("notebooks").glob("*.ipynb"))
MISSING = [name for name in ("nbclient", "ipykernel", "matplotlib") if find_spec(name) is None]


@pytest.mark.skipif(bool(MISSING), reason=f"not run: {', '.join(MISSING)} not installed")
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_from_top_to_bottom(path):
    import nbclient
    import nbformat

    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    codes = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert not any(cell.outputs or cell.execution_count for cell in codes), "kept without what it prints"
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    pictures = [output for cell in codes for output in cell.outputs if "image/png" in output.get("data", {})]
    assert len(pictures) >= 2


def test_there_are_two():
    assert [path.stem for path in NOTEBOOKS] == ["designer", "learner"]
