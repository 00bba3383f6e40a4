"""SWEEPS: one recipe, some of its settings varied, several seeds; resumable cells, one table, one picture."""
