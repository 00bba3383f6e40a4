"""Settings -> working model; model <-> folder; sentences -> spans."""
