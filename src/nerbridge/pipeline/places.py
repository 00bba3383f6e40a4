"""Where public data lie and finished stages are kept when nobody says otherwise."""

import os
from pathlib import Path

from nerbridge.errors import ConfigError

DATA, CACHE = "NERBRIDGE_DATA", "NERBRIDGE_CACHE"  # environment variables that stand for the options


def default_data_root() -> Path | None:
    """The folder that NERBRIDGE_DATA names; None where it is not set."""
    return Path(root) if (root := os.environ.get(DATA)) else None


def default_cache() -> Path:
    """The folder that NERBRIDGE_CACHE names, else the user's cache folder for nerbridge.

    Raises ConfigError for a user without a home.
    """
    if named := os.environ.get(CACHE):
        return Path(named)
    try:
        return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "nerbridge"
    except RuntimeError:  # no HOME, and the system does not know the user, as in some containers
        raise ConfigError(
            "the home folder of this user is not known",
            where="the environment variable HOME",
            expected="a folder for finished source stages",
            hint="--cache FOLDER, or set NERBRIDGE_CACHE",
        ) from None
