"""The scripts of benchmarks/ import each other by name, as Python does for a script beside them."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3] / "benchmarks"))
