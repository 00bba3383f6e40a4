"""Writes the table of every recipe key, read off the settings classes, into docs/recipes.md: `make docs`."""

from pathlib import Path

from nerbridge.config.listing import SettingsTable, list_tables

PAGE = Path(__file__).parent / "recipes.md"
BEGIN = "<!-- every key: written by docs/write_settings.py -->"
END = "<!-- end of every key -->"


def settings_section() -> str:
    """Markdown: one heading and one table of keys for each table of a recipe."""
    return "\n\n".join(_table(table) for table in list_tables())


def refreshed(page: str) -> str:
    """`page` with the present table of keys between its two marks."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n\n{settings_section()}\n\n{END}{after}"


def _table(table: SettingsTable) -> str:
    lines = [f"### `{table.header}`", "", table.about, ""]
    lines += ["| key | values | default | meaning |", "|---|---|---|---|"]
    for row in table.rows:
        default = f"`{row.default}`" if row.default else "must be given"
        lines.append(f"| `{row.key}` | {_cell(row.values)} | {_cell(default)} | {_cell(row.description)} |")
    return "\n".join(lines)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    PAGE.write_text(refreshed(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
