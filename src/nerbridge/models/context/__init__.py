"""Contexts: from unit vectors to states."""
