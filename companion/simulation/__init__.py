"""Simulated tables: a table, a camera above it and players around it, for machines without a Raspberry Pi."""
