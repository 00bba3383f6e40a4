"""Where a user's finished stages are kept when nobody says otherwise."""

import os
from pathlib import Path


def default_cache() -> Path:
    """The user's cache folder for nerbridge."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "nerbridge"
