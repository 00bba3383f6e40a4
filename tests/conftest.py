"""What all tests share: no network, and the public data where it is there."""

import os
import signal
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from jaxtyping import install_import_hook

# One thread per test process: tiny models gain nothing from more, and several processes fight over the cores.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# Shapes in signatures are checked in the tests only. The hook must stand before these rooms are first imported.
install_import_hook(
    [f"nerbridge.{room}" for room in ("batching", "encoders", "models", "assembly")], "beartype.beartype"
)

DEFAULT_DATA_ROOT = Path(__file__).parents[1] / ".." / "shared" / "data" / "ner"


def pytest_runtest_setup() -> None:
    from pytest_socket import disable_socket

    disable_socket(allow_unix_socket=True)


@pytest.fixture(scope="session")
def data_root() -> Path:
    """The folder of the public data sets; skips where it is absent."""
    root = Path(os.environ.get("NERBRIDGE_DATA", DEFAULT_DATA_ROOT)).resolve()
    if not (root / "SHA256SUMS").exists():
        pytest.skip(f"the public data sets are not at {root}; set NERBRIDGE_DATA to their folder")
    return root


@pytest.fixture(scope="session")
def corpora_root() -> Path:
    """The folder of the unlabelled corpora; skips where it is absent."""
    root = Path(os.environ.get("NERBRIDGE_CORPORA", DEFAULT_DATA_ROOT.parent / "corpora")).resolve()
    if not (root / "SOURCES.md").exists():
        pytest.skip(f"the unlabelled corpora are not at {root}; set NERBRIDGE_CORPORA to their folder")
    return root


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A skipped data test counts as failed when NERBRIDGE_REQUIRE_DATA is set: CI has the data and must read it."""
    report = yield
    reads_data = item.get_closest_marker("data") or "data_root" in getattr(item, "fixturenames", ())
    if os.environ.get("NERBRIDGE_REQUIRE_DATA") and reads_data and report.skipped:
        report.outcome = "failed"
        report.longrepr = f"skipped although NERBRIDGE_REQUIRE_DATA is set: {report.longrepr}"
    return report


@pytest.fixture
def hears_ctrl_c() -> Iterator[None]:
    """Ctrl-C raises KeyboardInterrupt, as in a program at a terminal; the test must leave it so."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    signal.signal(signal.SIGINT, before)
