"""Downloads, against a server on this machine: skipped, resumed, retried, verified, and honest when offline."""

import hashlib
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from nerbridge.data.registry import Card, CardFile, find_card
from nerbridge.data.registry.fetch import Source, SourceUnreachable, fetch_file
from nerbridge.errors import DownloadError

BODY = b"word\tO\n" * 5000


class Server:
    """Serves BODY, logs (path, Range) of each request, and misbehaves on demand."""

    def __init__(self) -> None:
        self.requests: list[tuple[str, str | None]] = []
        self.failures: list[int] = []  # status codes to answer with first
        self.break_off_at: int | None = None  # send only so many bytes, once
        self.body = BODY
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                wanted = self.headers.get("Range")
                server.requests.append((self.path, wanted))
                if server.failures:
                    self.send_error(server.failures.pop(0))
                    return
                start = int(wanted.removeprefix("bytes=").rstrip("-")) if wanted else 0
                if start >= len(server.body):
                    self.send_error(416)
                    return
                body = server.body[start:]
                self.send_response(206 if wanted else 200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                cut, server.break_off_at = server.break_off_at, None
                self.wfile.write(body[:cut])

            def log_message(self, *arguments: Any) -> None:
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.source = Source(f"http://127.0.0.1:{self.http.server_port}", tries=3, wait=0.0, timeout=5.0)


@pytest.fixture
def server(socket_enabled: None) -> Iterator[Server]:
    server = Server()
    thread = threading.Thread(target=server.http.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.http.shutdown()
    thread.join()
    server.http.server_close()


@pytest.fixture
def card() -> Card:
    file = CardFile("set/train.txt", "there/train.txt", hashlib.sha256(BODY).hexdigest(), {})
    return replace(find_card("crossner/ai"), repository="somebody/data", commit="c0ffee", files={"train": file})


def fetch(server: Server, card: Card, root: Path) -> str:
    return fetch_file(card, card.files["train"], root, server.source)


def test_a_file_is_fetched_once(server: Server, card: Card, tmp_path: Path) -> None:
    assert fetch(server, card, tmp_path) == "fetched"
    assert (tmp_path / "set/train.txt").read_bytes() == BODY
    assert fetch(server, card, tmp_path) == "present"
    assert server.requests == [("/somebody/data/c0ffee/there/train.txt", None)]
    assert [path.name for path in (tmp_path / "set").iterdir()] == ["train.txt"]


def test_an_altered_file_is_fetched_again(server: Server, card: Card, tmp_path: Path) -> None:
    (tmp_path / "set").mkdir()
    (tmp_path / "set/train.txt").write_bytes(BODY[:-1])
    assert fetch(server, card, tmp_path) == "fetched"
    assert (tmp_path / "set/train.txt").read_bytes() == BODY


def test_a_broken_transfer_goes_on_where_it_stopped(server: Server, card: Card, tmp_path: Path) -> None:
    server.break_off_at = 1000
    assert fetch(server, card, tmp_path) == "fetched"
    assert [wanted for _, wanted in server.requests] == [None, "bytes=1000-"]
    assert (tmp_path / "set/train.txt").read_bytes() == BODY


@pytest.mark.parametrize("old", [b"something else", b"x" * len(BODY)], ids=["short", "as long as the file"])
def test_an_old_piece_of_something_else_is_thrown_away(server: Server, card: Card, tmp_path: Path, old: bytes) -> None:
    (tmp_path / "set").mkdir()
    (tmp_path / "set/train.txt.part").write_bytes(old)
    assert fetch(server, card, tmp_path) == "fetched"
    assert (tmp_path / "set/train.txt").read_bytes() == BODY


def test_a_busy_server_is_asked_again(server: Server, card: Card, tmp_path: Path) -> None:
    server.failures = [503, 429]
    assert fetch(server, card, tmp_path) == "fetched"
    assert len(server.requests) == 3


def test_a_missing_file_is_not_asked_for_again(server: Server, card: Card, tmp_path: Path) -> None:
    server.failures = [404]
    with pytest.raises(DownloadError) as caught:
        fetch(server, card, tmp_path)
    assert caught.value.what == "'train.txt' could not be fetched: the server answers 404 Not Found"
    assert len(server.requests) == 1


def test_another_checksum_is_refused_and_removed(server: Server, card: Card, tmp_path: Path) -> None:
    server.body = BODY + b"more"
    with pytest.raises(DownloadError) as caught:
        fetch(server, card, tmp_path)
    assert caught.value.what == (
        f"'set/train.txt' came with SHA-256 {hashlib.sha256(server.body).hexdigest()} and was removed"
    )
    assert caught.value.expected == f"SHA-256 {hashlib.sha256(BODY).hexdigest()}"
    assert list((tmp_path / "set").iterdir()) == []


def test_without_a_network_the_place_of_the_file_is_named(card: Card, tmp_path: Path, socket_enabled: None) -> None:
    with pytest.raises(SourceUnreachable) as caught:  # port 9 of this machine: nobody listens
        fetch_file(card, card.files["train"], tmp_path, Source("http://127.0.0.1:9", tries=2, wait=0.0))
    assert str(caught.value) == (
        "'train.txt' could not be fetched: [Errno 111] Connection refused (2 tries)\n"
        "  where: http://127.0.0.1:9/somebody/data/c0ffee/there/train.txt\n"
        "  expected: a connection to the public source, or the file in its place already\n"
        f"  hint: without a network, copy the file from elsewhere to {tmp_path}/set/train.txt; "
        "`nerbridge data check` then verifies it"
    )


@pytest.mark.parametrize("base", ["mirror", "mirror/data", "//mirror", "http://\udce9"])
def test_a_mirror_that_is_no_address_is_refused_at_once(card: Card, tmp_path: Path, base: str) -> None:
    (file,) = card.files.values()
    with pytest.raises(DownloadError, match=r"could not be fetched: the address cannot be used: ") as caught:
        fetch_file(card, file, tmp_path, Source(base, tries=3, wait=60.0))
    assert caught.value.where == card.url(file, base)


def test_two_that_fetch_at_once_do_not_write_into_one_piece(server: Server, card: Card, tmp_path: Path) -> None:
    (file,) = card.files.values()
    with ThreadPoolExecutor(4) as pool:
        fetches = [pool.submit(fetch_file, card, file, tmp_path, server.source) for _ in range(4)]
        outcomes = [fetch.result(60) for fetch in fetches]
    assert sorted(outcomes) == ["fetched", "present", "present", "present"]
    assert len(server.requests) == 1
    assert (tmp_path / file.path).read_bytes() == BODY
