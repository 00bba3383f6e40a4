"""`python -m nerbridge`, and what `accelerate launch -m nerbridge` starts."""

import sys

from nerbridge.cli import main

sys.exit(main())
