"""What the benches need on a machine that has a GPU and no network, in one folder to carry there.

    python benchmarks/carry.py FOLDER --there PACKAGES.txt [--python 3.12] [--texts TEXTS] [--data-root ROOT]

FOLDER gets the wheel of this checkout (what is committed) and wheels of every package that it needs and that the
machine lacks, the benches with recipes and tests, the data sets, and TEXTS of `light_texts.py`. PACKAGES.txt names what
is installed there, separated by commas, spaces or lines (`pip list` will do); versions are ignored, so name in --also
what is too old there. FOLDER is new or was made so before; what is there is replaced when all of it is made. There,

    bash FOLDER/setup.sh /tmp/bench && . /tmp/bench/activate

installs all of it below /tmp/bench and changes nothing else. Finished cells come back as one small file:
`keep_cells.py pack RUNS --output NAME.jsonl.gz`. Encoders are not in the folder.
"""

import argparse
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

from carried_packages import NEEDED, lacking, names_in
from crossner_cells import ROOT
from endings import faults_said

from nerbridge.errors import ConfigError

MARK = ".made-by-carry"  # in a folder that may be made anew
PLATFORMS = ("manylinux_2_28_x86_64", "manylinux_2_17_x86_64", "manylinux2014_x86_64")
SETUP = """\
# Installs what lies beside this file below the folder that is given.
set -e
here=$(cd "$(dirname "$0")" && pwd); there=${1:?which folder?}
mkdir -p "$there"
python3 -m pip install -q --no-index --no-deps --no-compile --upgrade --target "$there/site" "$here"/wheels/*.whl
cp -r "$here/bench/." "$there/"
for packed in "$here"/*.tar.xz; do tar xJf "$packed" -C "$there"; done
cat > "$there/activate" <<END
export PYTHONPATH=$there/site NERBRIDGE_DATA=$there/ner OMP_NUM_THREADS=1 TOKENIZERS_PARALLELISM=false
cd $there
END
. "$there/activate"
python3 -c "import nerbridge.assembly.build, torch; print(torch.__version__, torch.cuda.device_count(), 'GPUs')"
"""


def write_wheels(folder: Path, packages: dict[str, str], python: str) -> None:
    """Downloads `packages` for that machine, and builds a wheel of what is committed here."""
    pip = [sys.executable, "-m", "pip", "--quiet"]
    wanted = [f"{name}=={version}" for name, version in sorted(packages.items()) if name != "nerbridge"]
    platforms = [part for platform in PLATFORMS for part in ("--platform", platform)]
    place = ["--no-deps", "--only-binary=:all:", "--python-version", python, "--implementation", "cp", *platforms]
    if wanted:
        subprocess.run([*pip, "download", *place, "--dest", str(folder), *wanted], check=True)
    with tempfile.TemporaryDirectory() as source:
        unpack_committed(Path(source), "src", "pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md")
        subprocess.run([*pip, "wheel", "--no-deps", "--wheel-dir", str(folder), source], check=True)


def unpack_committed(folder: Path, *paths: str) -> None:
    """Writes committed files and folders of this checkout below `folder`."""
    archive = subprocess.run(["git", "archive", "HEAD", *paths], cwd=ROOT, check=True, capture_output=True).stdout
    subprocess.run(["tar", "x", "-C", str(folder)], input=archive, check=True)


def pack(path: Path, folder: Path, name: str) -> None:
    """Packs `folder` under `name`."""
    with tarfile.open(path, "w:xz", preset=3) as archive:
        archive.add(folder, arcname=name)


@faults_said()
def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--there", type=Path, required=True, help="file that names what the machine has")
    parser.add_argument("--also", default="", help="packages to carry though they are there, separated by ','")
    parser.add_argument("--python", default="3.12", help="that runs there")
    parser.add_argument("--texts", type=Path, help="of light_texts.py; default: none")
    parser.add_argument("--data-root", type=Path, default=ROOT / ".." / "shared" / "data" / "ner")
    asked = parser.parse_args()
    if not asked.there.is_file():
        sys.exit(f"error: {asked.there} is no file; it names the packages of the machine, as `pip list` prints them")
    there = names_in(asked.there.read_text(encoding="utf-8")) - names_in(asked.also)
    packages = lacking(there, (*NEEDED, *names_in(asked.also)))
    with tempfile.TemporaryDirectory(dir=begun(asked.folder), prefix=".new-") as place:
        fill(Path(place), packages, asked)
        replace(Path(place), asked.folder)
    size = sum(path.stat().st_size for path in asked.folder.rglob("*") if path.is_file())
    print(f"{len(packages)} wheels: {', '.join(sorted(packages))}; {size / 2**20:.0f} MiB in {asked.folder}")


def begun(folder: Path) -> Path:
    """The folder, made and marked. Raises ConfigError where it holds what was not made here."""
    if folder.is_dir() and any(folder.iterdir()) and not (folder / MARK).is_file():
        raise ConfigError(
            f"'{folder}' is not empty, and carry.py did not make it",
            where=str(folder),
            expected=f"a new folder, or one with the file {MARK}",
            hint="name another folder; nothing was removed from this one",
        )
    folder.mkdir(parents=True, exist_ok=True)
    (folder / MARK).touch()
    return folder


def fill(place: Path, packages: dict[str, str], asked: argparse.Namespace) -> None:
    """Makes everything that is carried."""
    for part in ("wheels", "bench"):
        (place / part).mkdir()
    write_wheels(place / "wheels", packages, asked.python)
    unpack_committed(place / "bench", "benchmarks", "recipes", "tests", "pyproject.toml")
    shutil.rmtree(place / "bench" / "benchmarks" / "results")
    pack(place / "ner.tar.xz", asked.data_root, "ner")
    if asked.texts:
        pack(place / "texts.tar.xz", asked.texts, "texts")
    (place / "setup.sh").write_text(SETUP, encoding="utf-8")


def replace(place: Path, folder: Path) -> None:
    """Moves everything from `place` into `folder`, where what has the same name goes."""
    for new in place.iterdir():
        old = folder / new.name
        if old.is_dir():
            shutil.rmtree(old)
        new.replace(old)


if __name__ == "__main__":
    main()
