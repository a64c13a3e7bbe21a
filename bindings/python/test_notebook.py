"""test_notebook.py NOTEBOOK [OUT]: executes it in an empty folder, as its reader would, and fails where a cell does, or
where the text that a cell prints is another than is kept. OUT keeps what it has printed."""

import json
import sys
import tempfile

import nbformat
from nbclient import NotebookClient


def texts(notebook):
    """What each cell prints, in however many pieces it comes."""
    return [
        "".join(o.get("text") or o.get("data", {}).get("text/plain", "") for o in c.get("outputs", []))
        for c in notebook.cells
    ]


notebook = nbformat.read(sys.argv[1], as_version=4)
kept = texts(notebook)
with tempfile.TemporaryDirectory() as folder:
    NotebookClient(notebook, timeout=300, resources={"metadata": {"path": folder}}).execute()
for cell in notebook.cells:
    cell.metadata.pop("execution", None)
if len(sys.argv) > 2:
    nbformat.write(notebook, sys.argv[2])
elif texts(notebook) != kept:
    sys.exit(
        "\n".join(f"kept: {json.dumps(a)}\nnow:  {json.dumps(b)}" for a, b in zip(kept, texts(notebook)) if a != b)
    )
