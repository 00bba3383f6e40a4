"""THE GYM: loop, optimiser, schedule, stopping, checkpoint, seeding, journal."""
