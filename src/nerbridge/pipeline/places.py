"""Where a user's finished stages are kept when nobody says otherwise."""

import os
from pathlib import Path

from nerbridge.errors import ConfigError


def default_cache() -> Path:
    """The user's cache folder for nerbridge. Raises ConfigError for a user without a home."""
    try:
        return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "nerbridge"
    except RuntimeError:  # no HOME, and the system does not know the user, as in some containers
        raise ConfigError(
            "the home folder of this user is not known",
            where="the environment variable HOME",
            expected="a folder for finished source stages",
            hint="--cache FOLDER, or set NERBRIDGE_CACHE",
        ) from None
