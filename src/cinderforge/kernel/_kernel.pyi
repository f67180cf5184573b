# The compiled extension: what it holds is declared in kernel.h.
from typing import Any

ffi: Any
lib: Any
