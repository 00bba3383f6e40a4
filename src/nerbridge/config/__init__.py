"""WHAT WAS ASKED FOR: frozen settings, one class per component; no torch."""
