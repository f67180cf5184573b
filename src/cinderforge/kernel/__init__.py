"""The rules once more, compiled: for belief, search and training (docs/decisions/compiled-kernel.md).

`lib` has the functions of kernel.h, `ffi` its types. The authority is `rules`; the two are held equal by a test.
"""

from __future__ import annotations

try:
    from cinderforge.kernel._kernel import ffi as ffi
    from cinderforge.kernel._kernel import lib as lib
except ImportError as error:
    raise ImportError(
        "the compiled kernel is missing or does not fit this machine: python src/cinderforge/kernel/build.py makes it"
    ) from error
