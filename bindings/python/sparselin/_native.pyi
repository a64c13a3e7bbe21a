from typing import Any

# What SWIG makes of python.i; the package around it has the types.
def __getattr__(name: str) -> Any: ...
