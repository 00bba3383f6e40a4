"""Names of files that lead nowhere: what lies nearest to them."""

import difflib
from collections.abc import Iterable
from pathlib import Path

from nerbridge.errors import ConfigError
from nerbridge.wording import counted

RECIPES = Path("recipes")  # where the project keeps those that it ships
SHOWN = 12  # recipes of a folder that a message lists
MOST = 10_000  # names of a folder that are looked at


def nearest_file(path: Path) -> Path | None:
    """The file beside `path` with the most similar name; None where there is none, or nothing can be looked at."""
    return _nearest(path, (one for one in _inside(path.parent) if one.is_file()))


def missing_recipe(path: Path) -> ConfigError:
    """The error of a recipe file that does not exist, with the nearest one."""
    near = _nearest(path, [*(one for one in _inside(path.parent) if one.suffix == ".toml"), *_recipes(path)])
    shipped = "recipes shipped with the project are in recipes/; `nerbridge adapt` writes one for your files"
    return ConfigError(
        f"there is no recipe file '{path}'",
        where=str(path),
        expected="a TOML file",
        hint=f"nearest is '{near}'" if near else shipped,
    )


def recipe_folder(path: Path) -> ConfigError:
    """The error of a folder in the place of a recipe: it lists the recipes that lie in it, at most two levels down."""
    found = [one for pattern in ("*", "*/*", "*/*/*") for one in sorted(path.glob(f"{pattern}.toml"))]
    names = ", ".join(str(one.relative_to(path)) for one in found[:SHOWN])
    more = f", and {len(found) - SHOWN:,} more" if len(found) > SHOWN else ""
    return ConfigError(
        f"'{path}' is a folder" + (f" with {counted(len(found), 'recipe')}: {names}{more}" if found else ""),
        where=str(path),
        expected="one recipe, a TOML file",
        hint=f"name one, such as {path / found[0].relative_to(path)}" if found else "recipes shipped are in recipes/",
    )


def _recipes(path: Path) -> list[Path]:
    """The recipes of the project that could be meant: those below the folder `recipes` of the path, or of here."""
    folder = next((above for above in path.parents if above.name == RECIPES.name), RECIPES)
    return sorted(folder.rglob("*.toml")) if folder.is_dir() else []


def _inside(folder: Path) -> list[Path]:
    try:
        return sorted(one for one, _ in zip(folder.iterdir(), range(MOST), strict=False))
    except OSError:
        return []


def _nearest(path: Path, found: Iterable[Path]) -> Path | None:
    """The first whose name begins like that of `path`, else the one that is called nearly so."""
    by_name: dict[str, Path] = {}
    for one in found:
        by_name.setdefault(one.name, one)
    begun = [name for name in by_name if len(path.stem) > 1 and name.startswith(path.stem)]
    near = begun or difflib.get_close_matches(path.name, by_name, n=1, cutoff=0.75)
    return by_name[near[0]] if near else None
