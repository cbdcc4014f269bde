"""The virtual twins: a table, a camera above it and the people around it, for machines without a Pi."""
