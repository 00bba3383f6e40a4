"""From files to a built corpus: all is counted, the number of processes does not matter, nothing done is lost."""

import errno
import hashlib
import json
import random
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from nerbridge.config.corpus import CorpusSettings
from nerbridge.corpus import building, evaluation_sets, shard_writing
from nerbridge.corpus.builder import Builder
from nerbridge.corpus.building import Moment, build_corpus
from nerbridge.corpus.folder import CorpusFolder, write_corpus
from nerbridge.corpus.folder_writing import BUILDING, MANIFEST
from nerbridge.corpus.overlap_guard import OverlapGuard
from nerbridge.errors import ConfigError, DataError

UNITS = ("documents", "paragraphs", "sentences", "words")


def made_up(number: int, size: int = 40) -> str:
    """A paragraph of made-up words, the same for the same number."""
    numbers = random.Random(number)
    words = [f"w{numbers.randrange(2_000)}" for _ in range(size)]
    return f"Number {number} {' '.join(words[: size // 2])}. Then {' '.join(words[size // 2 :])}."


def settings(**filters: Any) -> CorpusSettings:
    return CorpusSettings.model_validate({"filters": {"duplicate_megabytes": 1, **filters}, "shard_words": 1_000})


def write(path: Path, *lines: str) -> Path:
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def text_of(corpus: CorpusFolder) -> list[str]:
    return [" | ".join(" ".join(words) for words in document) for document in corpus.documents()]


def dropped(corpus: CorpusFolder, unit: str = "paragraphs") -> dict[str, int]:
    return {reason: size[unit] for reason, size in corpus.manifest["counts"]["dropped"].items()}


def assert_everything_is_counted(corpus: CorpusFolder) -> None:
    counts = corpus.manifest["counts"]
    for unit in UNITS:
        left_out = sum(size[unit] for size in counts["dropped"].values())
        assert counts["read"][unit] == counts["kept"][unit] + left_out, unit
    assert counts["kept"]["documents"] == corpus.num_documents == sum(1 for _ in corpus.documents())
    assert counts["kept"]["words"] == corpus.num_words


def test_documents_become_sentences_of_words(tmp_path: Path) -> None:
    path = write(tmp_path / "a.txt", "Dr. Bell didn't go. Who knew?", "", "In 1999 A.B. Smith won 3.5% of U.S. votes.")
    corpus = build_corpus([path], tmp_path / "c", settings())
    assert text_of(corpus) == ["Dr. Bell did n't go . | Who knew ?", "In 1999 A.B. Smith won 3.5 % of U.S. votes ."]
    assert corpus.manifest["inputs"] == [
        {
            "path": str(path),
            "format": "text",
            "bytes": path.stat().st_size,
            "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        }
    ]
    assert corpus.manifest["settings"] == settings().model_dump(mode="json")
    assert (corpus.manifest["kind"], corpus.manifest["seed"], corpus.manifest["guarded"]) == ("built", 1, [])
    assert_everything_is_counted(corpus)


def test_every_reason_is_counted(tmp_path: Path) -> None:
    lines = [
        made_up(1),
        "Only four words here.",
        made_up(2) + " \x07 bell",
        made_up(3) + " caf\ufffd",
        made_up(4, 300),
        made_up(1).upper(),
        made_up(5),
        made_up(5).replace("Then", "Later"),
        "word " * 50,
        made_up(6) + " " + "x" * 100,
        "The quick brown fox jumps over the lazy dog that slept near the barn.",
    ]
    guard = OverlapGuard({"a dev": [lines[-1].split()], "a test": [["nothing", "here"]]})
    chosen = settings(max_words=200, max_sentence_words=45, max_word_characters=90)
    corpus = build_corpus([write(tmp_path / "a.txt", *lines)], tmp_path / "c", chosen, guard=guard)
    assert dropped(corpus) == {
        "unreadable": 2,
        "short": 1,
        "long": 1,
        "long_sentence": 1,
        "long_word": 1,
        "overlap": 1,
        "exact_duplicate": 1,
        "near_duplicate": 1,
    }
    assert dropped(corpus, "documents") == dropped(corpus)
    assert corpus.manifest["counts"]["overlaps"] == {"a dev": 1}
    assert corpus.manifest["guarded"] == ["a dev", "a test"]
    assert text_of(corpus) == [
        " | ".join(made_up(n).replace(".", " .").split(" Then ")).replace("| ", "| Then ") for n in (1, 5)
    ]
    assert_everything_is_counted(corpus)


def test_filters_can_be_turned_off(tmp_path: Path) -> None:
    lines = [made_up(1), made_up(1), made_up(1).replace("Then", "Later"), "Hi."]
    path = write(tmp_path / "a.txt", *lines)
    everything = build_corpus([path], tmp_path / "c", settings(min_words=1, exact_duplicates=False, similarity="none"))
    assert everything.num_documents == 4
    exact = build_corpus([path], tmp_path / "d", settings(min_words=1, similarity="none"))
    assert dropped(exact) == {"exact_duplicate": 1}


def test_paragraphs_are_dropped_from_documents(tmp_path: Path) -> None:
    texts = [f"{made_up(1)}\nShort.\n\n{made_up(2)}", f"{made_up(2)}\nShort again.", "", "\n \n", made_up(3)]
    path = write(tmp_path / "a.jsonl", *(json.dumps({"text": text}) for text in texts))
    corpus = build_corpus([path], tmp_path / "c", settings())
    assert [len(document) for document in corpus.documents()] == [4, 2]
    assert dropped(corpus) == {"empty": 0, "short": 2, "exact_duplicate": 1}
    assert dropped(corpus, "documents") == {"empty": 2, "short": 1, "exact_duplicate": 0}
    assert_everything_is_counted(corpus)


def test_other_languages_are_left_out(tmp_path: Path) -> None:
    pytest.importorskip("py3langid")
    lines = [
        "The committee has published its report about the future of public transport in the region.",
        "Der Ausschuss hat seinen Bericht über die Zukunft des öffentlichen Verkehrs in der Region veröffentlicht.",
        "Le comité a publié son rapport sur l'avenir des transports publics dans la région cette semaine.",
        "委员会本周发表了关于该地区公共交通未来的报告，引起了许多居民的关注和讨论。",
        "نشرت اللجنة تقريرها عن مستقبل النقل العام في المنطقة هذا الأسبوع.",
    ]
    path = write(tmp_path / "a.txt", *lines)
    corpus = build_corpus([path], tmp_path / "c", settings(language="en"))
    assert dropped(corpus) == {"language": 4}
    assert build_corpus([path], tmp_path / "d", settings()).num_documents == 5
    with pytest.raises(ConfigError, match="the language 'qq' cannot be told from others"):
        build_corpus([path], tmp_path / "e", settings(language="qq"))


@pytest.fixture
def many(tmp_path: Path) -> Path:
    """A folder of files in several formats with repetitions across them."""
    folder = tmp_path / "many"
    folder.mkdir()
    write(folder / "a.txt", *(made_up(number) for number in range(150)))
    write(folder / "b.jsonl", *(json.dumps({"text": f"{made_up(n)}\n{made_up(n + 1)}"}) for n in range(100, 300)), "{")
    write(folder / "c.txt", *(made_up(number).lower() for number in range(250, 350)), "Hi.")
    return folder


@pytest.mark.slow
def test_the_number_of_processes_does_not_matter(many: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    guard = OverlapGuard({"a": [made_up(7).split()]})
    one = build_corpus([many], tmp_path / "one", settings(), guard=guard)
    monkeypatch.setattr("nerbridge.corpus.building.BATCH_CHARACTERS", 5_000)
    two = build_corpus([many], tmp_path / "two", settings(), guard=guard, jobs=2)
    small = build_corpus([many], tmp_path / "small", settings(), guard=guard)
    assert one.manifest["counts"] == two.manifest["counts"] == small.manifest["counts"]
    assert list(one.documents()) == list(two.documents()) == list(small.documents())
    assert dropped(one)["overlap"] == 1
    assert_everything_is_counted(two)


def stopping(after: int, error: BaseException) -> Callable[[Moment], None]:
    calls = []

    def stop(moment: Moment) -> None:
        calls.append(moment)
        if len(calls) == after:
            raise error

    return stop


@pytest.mark.parametrize("after", [1, 2, 5, 9])
def test_a_stopped_run_goes_on_to_the_same_corpus(
    many: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: int
) -> None:
    monkeypatch.setattr("nerbridge.corpus.building.BATCH_CHARACTERS", 3_000)
    whole = build_corpus([many], tmp_path / "whole", settings())
    with pytest.raises(KeyboardInterrupt):
        build_corpus([many], tmp_path / "c", settings(), on_progress=stopping(after, KeyboardInterrupt()))
    with pytest.raises(DataError, match="is a corpus that is not finished"):
        CorpusFolder(tmp_path / "c")
    moments: list[Moment] = []
    again = build_corpus([many], tmp_path / "c", settings(), on_progress=moments.append)
    assert again.manifest["counts"] == whole.manifest["counts"]
    assert list(again.documents()) == list(whole.documents())
    assert [path.name for path in again.path.iterdir() if path.name.startswith(".")] == []
    if after > 2:
        assert moments[0].words_read > moments[0].words_now > 0  # what was done is not done again


def test_a_damaged_record_of_a_stopped_run_is_said(many: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nerbridge.corpus.building.BATCH_CHARACTERS", 3_000)
    with pytest.raises(KeyboardInterrupt):
        build_corpus([many], tmp_path / "c", settings(), on_progress=stopping(5, KeyboardInterrupt()))
    keys = sorted((tmp_path / "c" / ".building").glob("keys-*.npy"))
    assert keys
    keys[0].write_bytes(keys[0].read_bytes()[:100])
    with pytest.raises(DataError, match="the record of what is finished cannot be read") as caught:
        build_corpus([many], tmp_path / "c", settings())
    assert caught.value.hint == f"delete '{tmp_path / 'c'}' and build it again"


def test_a_full_disk_loses_nothing_that_was_done(many: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nerbridge.corpus.building.BATCH_CHARACTERS", 3_000)
    whole = build_corpus([many], tmp_path / "whole", settings())
    add, calls = shard_writing.ShardWriter.add, []

    def full(self: shard_writing.ShardWriter, *arguments: Any) -> None:
        calls.append(arguments)
        if len(calls) == 100:
            raise OSError(errno.ENOSPC, "No space left on device")
        add(self, *arguments)

    monkeypatch.setattr(shard_writing.ShardWriter, "add", full)
    with pytest.raises(OSError, match="No space left on device") as caught:
        build_corpus([many], tmp_path / "c", settings())
    assert caught.value.filename == str(tmp_path / "c")
    finished = len(list((tmp_path / "c").glob("*.txt.gz")))
    assert finished > 1
    calls.clear()
    monkeypatch.setattr(shard_writing.ShardWriter, "add", add)
    again = build_corpus([many], tmp_path / "c", settings())
    assert list(again.documents()) == list(whole.documents())


def test_a_disk_that_is_full_at_a_checkpoint_is_told_as_one(
    many: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("nerbridge.corpus.building.BATCH_CHARACTERS", 3_000)
    full = tmp_path / "full"
    full.symlink_to("/dev/full")
    with monkeypatch.context() as patched:
        patched.setattr(Builder, "_keys_path", lambda *_: full)
        with pytest.raises(OSError, match="No space left on device") as caught:
            build_corpus([many], tmp_path / "c", settings())
    assert (caught.value.errno, caught.value.filename) == (errno.ENOSPC, str(full))
    again, whole = build_corpus([many], tmp_path / "c", settings()), build_corpus([many], tmp_path / "w", settings())
    assert list(again.documents()) == list(whole.documents())


def test_a_finished_corpus_is_not_built_again(many: Path, tmp_path: Path) -> None:
    first = build_corpus([many], tmp_path / "c", settings())
    called: list[Moment] = []
    second = build_corpus([many], tmp_path / "c", settings(), on_progress=called.append)
    assert second.manifest == first.manifest
    assert called == []
    with pytest.raises(ConfigError, match="holds a built corpus already"):
        build_corpus([many], tmp_path / "c", settings(min_words=6))
    with pytest.raises(ConfigError, match="holds a built corpus already"):
        build_corpus([many], tmp_path / "c", settings(), guard=OverlapGuard({"a": [made_up(7).split()]}))


@pytest.mark.parametrize("change", ["grows", "goes"])
def test_files_that_change_while_they_are_read_make_no_corpus(tmp_path: Path, change: str) -> None:
    first, second = (write(tmp_path / f"{name}.txt", made_up(1), made_up(2)) for name in "ab")

    def alter(_: Moment) -> None:
        if change == "goes":
            second.unlink(missing_ok=True)
        else:
            second.write_text("More of it.\n", encoding="utf-8")

    with pytest.raises(DataError) as caught:
        build_corpus([first, second], tmp_path / "c", settings(), on_progress=alter)
    assert caught.value.what == "'b.txt' changed while it was read"
    assert caught.value.where == str(second)
    assert not (tmp_path / "c").exists()


def test_damaged_files_are_used_and_named(tmp_path: Path) -> None:
    import gzip

    packed = gzip.compress("\n".join(made_up(number) for number in range(3_000)).encode())
    (tmp_path / "a.txt.gz").write_bytes(packed[:-50])
    write(tmp_path / "b.txt", made_up(5_000))
    corpus = build_corpus([tmp_path / "a.txt.gz", tmp_path / "b.txt"], tmp_path / "c", settings())
    (fault,) = corpus.manifest["counts"]["faults"]
    assert fault == (
        "'a.txt.gz' is damaged: Compressed file ended before the end-of-stream marker was reached; "
        "what stands before is used\n"
        f"  where: {tmp_path}/a.txt.gz\n"
        "  expected: a whole file\n"
        "  hint: fetch or compress the file again"
    )
    assert corpus.num_documents > 2_000
    assert text_of(corpus)[-1].startswith("Number 5000 ")


@pytest.mark.parametrize("content", [b"", b"\n\n \n", bytes(range(256)) * 500, b"\x00" * 5_000, b"Hi.\n"])
def test_nothing_left_is_an_error_and_leaves_nothing(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.txt").write_bytes(content)
    with pytest.raises(DataError, match="no text is left: ") as caught:
        build_corpus([tmp_path / "a.txt"], tmp_path / "c", settings())
    assert caught.value.where == str(tmp_path / "a.txt")
    assert not (tmp_path / "c").exists()


def test_scripts_of_all_directions_are_kept_as_they_are(tmp_path: Path) -> None:
    lines = [
        "نشرت اللجنة تقريرها عن مستقبل النقل العام.",
        "הוועדה פרסמה את הדוח שלה על עתיד התחבורה.",
        "委员会本周发表了关于该地区公共交通未来的报告。",
        "위원회는 이번 주에 대중교통의 미래에 관한 보고서를 발표했다.",
        "คณะกรรมการได้เผยแพร่รายงานเกี่ยวกับอนาคต",
    ]
    corpus = build_corpus([write(tmp_path / "a.txt", *lines, *lines)], tmp_path / "c", settings())
    assert ["".join(text.split()).replace("|", "") for text in text_of(corpus)] == [
        "".join(line.split()) for line in lines
    ]
    assert dropped(corpus) == {"exact_duplicate": 5}


def test_half_characters_are_left_out(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", json.dumps({"text": made_up(1) + " \ud83d"}), json.dumps({"text": made_up(2)}))
    corpus = build_corpus([path], tmp_path / "c", settings())
    assert dropped(corpus) == {"unreadable": 1}


def test_moments_grow(many: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(building, "BATCH_CHARACTERS", 5_000)
    moments: list[Moment] = []
    corpus = build_corpus([many], tmp_path / "c", settings(), on_progress=moments.append)
    assert len(moments) > 5
    assert moments == sorted(moments, key=lambda moment: moment.words_read)
    assert moments[-1].words_kept == corpus.num_words
    assert asdict(moments[-1])["words_now"] == corpus.manifest["counts"]["read"]["words"]


def test_the_output_is_no_input(tmp_path: Path) -> None:
    write(tmp_path / "a.txt", made_up(1))
    first = build_corpus([tmp_path], tmp_path / "c", settings())
    again = build_corpus([tmp_path], tmp_path / "c", settings())
    assert again.manifest == first.manifest
    assert len(first.manifest["inputs"]) == 1


@pytest.mark.parametrize("below", ["", "levels"])
def test_files_of_a_built_corpus_are_no_raw_text(tmp_path: Path, below: str) -> None:
    corpus = build_corpus([write(tmp_path / "a.txt", made_up(1))], tmp_path / "all" / below / "c", settings())
    shard = corpus.path / corpus.shards[0].name
    for named in (tmp_path / "all", shard, corpus.path / MANIFEST):
        with pytest.raises(DataError) as caught:
            build_corpus([named], tmp_path / "d", settings())
        assert str(caught.value) == (
            f"'{corpus.path}' is a built corpus, and its files were to be read as text\n"
            f"  where: {corpus.path}\n"
            "  expected: raw text, or the folder of a built corpus itself\n"
            f"  hint: name '{corpus.path}'"
        )
    shard.unlink()
    for named in (tmp_path / "all", corpus.path):
        with pytest.raises(DataError, match=r" is missing| is a built corpus, and its files were to be read as text"):
            build_corpus([named, write(tmp_path / "b.txt", made_up(2))], tmp_path / "d", settings())
    (corpus.path / MANIFEST).unlink()
    (corpus.path / BUILDING).mkdir()
    with pytest.raises(DataError) as caught:
        build_corpus([corpus.path], tmp_path / "d", settings())
    assert caught.value.what == f"'{corpus.path}' is a corpus that is not finished"
    assert not (tmp_path / "d").exists()


def test_built_corpora_keep_their_sentences_and_words(tmp_path: Path) -> None:
    """Each document is one paragraph; filters look at it, repetitions of others and of text beside it too."""
    cut = [[["Mr.", "X", "met", "a-b", "."], ["a-b"], ["a-b"]], [["Right"]], [["One", "that", "is", "there", "twice"]]]
    new = [["But", "this", "one", "is", "new"]]
    write_corpus(tmp_path / "cut", cut)
    write_corpus(tmp_path / "again", [cut[2], new])
    text = write(tmp_path / "a.txt", "One that is there twice.", made_up(7))
    whole = build_corpus([tmp_path / "cut", tmp_path / "again", text], tmp_path / "whole", settings())
    documents = list(whole.documents())
    own = build_corpus([write(tmp_path / "7.txt", made_up(7))], tmp_path / "own", settings())
    assert documents == [cut[0], cut[2], new, *own.documents()]
    assert whole.manifest["counts"]["dropped"] == {
        "short": {"documents": 1, "paragraphs": 1, "sentences": 1, "words": 1},
        "exact_duplicate": {"documents": 2, "paragraphs": 2, "sentences": 2, "words": 11},
    }
    assert [one["format"] for one in whole.manifest["inputs"]] == ["corpus", "corpus", "text"]
    copied = build_corpus([whole.path], tmp_path / "copied", settings(), jobs=2)
    assert list(copied.documents()) == documents
    assert copied.shards == whole.shards


@pytest.mark.parametrize("jobs", [1, 2])
def test_built_corpora_lose_the_sentences_that_evaluation_sets_hold(tmp_path: Path, jobs: int) -> None:
    """Those that a row of words touches, be it over their borders, and whatever else the document holds."""
    first = [f"word{number}" for number in range(20)]
    second = [f"term{number}" for number in range(20)]
    own, across = [["Well", ",", *first[3:18], "."]], [["So", *second[:9]], ["!"], [*second[9:], "then"]]
    plain = [["Before", "it", "there", "is", "more"], ["Behind", "it", "there", "is", "more"]]
    apart, short = [["Far", *first[:9]], first[12:]], ["Germany", "2", "Italy", "1"]
    write_corpus(tmp_path / "c", [[plain[0], *own, short, plain[1], *across], [*across, plain[0]], [*apart, short]])
    text = write(tmp_path / "a.txt", " ".join(first[:9]) + ".", " ".join(second[9:]) + ".")
    guard = OverlapGuard(
        {"some dev": [first, short], "some test": [second, ["a", "word", *first[:9], "that's", "cut"]]}
    )
    left = build_corpus([tmp_path / "c", text], tmp_path / "left", settings(similarity=None), guard=guard, jobs=jobs)
    assert list(left.documents())[:3] == [plain, [plain[0]], [*apart, short]]  # short ones alone are no sign
    counts = left.manifest["counts"]
    assert counts["dropped"] == {"overlap_sentence": {"documents": 0, "paragraphs": 0, "sentences": 8, "words": 68}}
    assert counts["overlaps"] == {"some dev": 1, "some test": 2}
    assert counts["kept"]["words"] + 68 == counts["read"]["words"]
    write_corpus(tmp_path / "uncut", [[["a", "word", *first[:9], "that's", "cut"], plain[0]]])
    assert list(build_corpus([tmp_path / "uncut"], tmp_path / "kept", settings(), guard=guard).documents()) == [
        plain[:1]
    ]
    write_corpus(tmp_path / "d", [[first], [second, ["Left"]]])
    with pytest.raises(DataError, match=r"^no text is left: sentences .* \(1\); .* set \(1\); .* few words \(1\)"):
        build_corpus([tmp_path / "d"], tmp_path / "nothing", settings(), guard=guard)


def test_long_documents_of_built_corpora_are_cut_again(tmp_path: Path) -> None:
    sentences = [made_up(number).split() for number in range(40)]
    corpus = write_corpus(tmp_path / "c", [sentences, sentences[:1]])
    short = settings(similarity=None, exact_duplicates=False).model_dump() | {"text": {"max_characters": 1_000}}
    again = build_corpus([corpus.path], tmp_path / "again", CorpusSettings.model_validate(short))
    documents = list(again.documents())
    assert [one for document in documents for one in document] == sentences + sentences[:1]
    assert again.manifest["counts"]["cut_documents"] == len(documents) - 2 > 5


def test_damaged_corpora_among_the_inputs_are_told_before_anything_is_built(tmp_path: Path) -> None:
    corpus = build_corpus([write(tmp_path / "a.txt", made_up(1))], tmp_path / "c", settings())
    shard, manifest = corpus.path / corpus.shards[0].name, corpus.path / MANIFEST
    whole, text = shard.read_bytes(), manifest.read_text()
    faults = []
    for content, said in (
        (whole[:-9], text),
        (whole[:-9] + bytes(9), text),
        (whole, text.replace(f'"bytes": {len(whole)},\n      "sha', '"bytes": "1",\n      "sha')),
        (whole, text.replace(f'"{shard.name}"', f'"../c/{shard.name}"')),
    ):
        shard.write_bytes(content)
        manifest.write_text(said)
        with pytest.raises(DataError) as caught:
            build_corpus([corpus.path], tmp_path / "d", settings())
        faults.append(caught.value.what)
    assert faults == [
        f"'{shard.name}' has {len(whole) - 9} bytes, the manifest says {len(whole)} bytes",
        f"'{shard.name}' is not the file that the manifest describes",
        f"the manifest cannot be read: sizes of '{shard.name}' are no numbers",
        f"the manifest cannot be read: '../c/{shard.name}' is no name of a file in the folder",
    ]
    assert not (tmp_path / "d").exists()


def test_a_level_is_no_raw_text(tmp_path: Path) -> None:
    level = write_corpus(tmp_path / "level", [[["Ada", "wrote"]]], about={"kind": "level"})
    with pytest.raises(DataError) as caught:
        build_corpus([level.path], tmp_path / "d", settings())
    assert caught.value.hint == (
        "name the corpus that it was chosen from; `nerbridge pretrain` learns from a level as it is"
    )


def test_a_corpus_without_text_is_told(tmp_path: Path) -> None:
    write_corpus(tmp_path / "empty", [])
    with pytest.raises(DataError) as caught:
        build_corpus([tmp_path / "empty", write(tmp_path / "a.txt", made_up(1))], tmp_path / "d", settings())
    assert caught.value.what == f"'{tmp_path / 'empty'}' is a built corpus without text"


def test_labelled_sentences_are_no_raw_text(tmp_path: Path) -> None:
    labelled = write(tmp_path / "train.txt", "Ada\tB-person", "wrote\tO", ".\tO", "")
    with pytest.raises(DataError) as caught:
        build_corpus([labelled, write(tmp_path / "a.txt", made_up(1))], tmp_path / "c", settings())
    assert str(caught.value) == (
        "'train.txt' holds labelled sentences, a word and a tag per line, and no raw text\n"
        f"  where: {labelled}\n"
        "  expected: running text, one paragraph per line\n"
        f"  hint: leave it out; `--guard {labelled}` leaves out text that it holds"
    )


def test_a_category_needs_a_dump(tmp_path: Path) -> None:
    chosen = CorpusSettings.model_validate({"text": {"category": "Things"}})
    with pytest.raises(ConfigError, match="there is no dump to look for the category 'Things' in"):
        build_corpus([write(tmp_path / "a.txt", made_up(1))], tmp_path / "c", chosen)


def test_a_build_that_took_nothing_leaves_its_folder_free(tmp_path: Path) -> None:
    page = "<page><title>Jazz</title><ns>0</ns><id>1</id><revision><id>1</id><text>{}</text></revision></page>"
    text = f"{made_up(1)} [[Category:Music]]"
    dump = write(tmp_path / "dump.xml", f"<mediawiki>{page.format(text)}</mediawiki>")
    for category in ("Musik", "Muzak"):
        chosen = CorpusSettings.model_validate({"text": {"category": category}})
        with pytest.raises(DataError, match=f"no page of the dump is the category '{category}' or names it"):
            build_corpus([dump], tmp_path / "c", chosen)
        assert not (tmp_path / "c").exists()
    chosen = CorpusSettings.model_validate({"text": {"category": "Music"}})
    assert build_corpus([dump], tmp_path / "c", chosen).manifest["counts"]["kept"]["documents"] == 1


def test_a_guard_needs_something_to_guard(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    class TrainOnly:
        splits: dict[str, list[Any]] = {"train": []}  # noqa: RUF012

    monkeypatch.setattr(evaluation_sets, "load_dataset", lambda *_: TrainOnly())
    with pytest.raises(ConfigError, match="data set 'conll2003' has neither dev nor test"):
        evaluation_sets.guard_of(["conll2003"], tmp_path, CorpusSettings().filters)
    files = [str(write(tmp_path / f"{number}.txt", "Ada O")) for number in range(65)]
    with pytest.raises(ConfigError, match="65 evaluation sets are too many"):
        evaluation_sets.guard_of(files, None, CorpusSettings().filters)
    assert evaluation_sets.guard_of([], None, CorpusSettings().filters) is None


@pytest.mark.data
def test_held_out_sentences_are_found_in_raw_text(data_root: Path, tmp_path: Path) -> None:
    """Detokenised test sentences, planted among other text, are dropped and counted under their set."""
    from nerbridge.data.registry import load_dataset

    test = [one.words for one in load_dataset("crossner/ai", data_root).splits["test"] if len(one.words) > 20][:50]
    planted = [
        " ".join(words).replace(" ,", ",").replace(" .", ".").replace("( ", "(").replace(" )", ")") for words in test
    ]
    path = write(tmp_path / "a.txt", *planted, *(made_up(number) for number in range(50)))
    guard = evaluation_sets.guard_of(["crossner/ai"], data_root, CorpusSettings().filters)
    corpus = build_corpus([path], tmp_path / "c", settings(), guard=guard)
    assert corpus.manifest["counts"]["overlaps"]["crossner/ai test"] == dropped(corpus)["overlap"] == 50


@pytest.mark.parametrize(
    ("name", "content", "what", "hint"),
    [
        (
            "a.txt",
            "né à Paris, où il vit encore\n".encode("latin-1") * 3,
            "paragraphs with control or replacement characters (3)",
            "if they are not UTF-8, say what they are: `--encoding latin-1`, in a recipe corpus.text.encoding",
        ),
        (
            "a.json",
            b'[{"text": "One."}, {"text": "Two."}]',
            "lines that are no JSON object (1)",
            """one object a line, such as {"text": "..."}; `jq -c '.[]' FILE` makes lines of a list""",
        ),
    ],
)
def test_where_nothing_is_left_the_hint_fits_the_reason(
    tmp_path: Path, name: str, content: bytes, what: str, hint: str
) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(DataError) as caught:
        build_corpus([tmp_path / name], tmp_path / "c", settings())
    assert str(caught.value) == (
        f"no text is left: {what}\n  where: {tmp_path / name}\n  expected: text that passes the filters\n  hint: {hint}"
    )
