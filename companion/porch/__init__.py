"""The porch: others may watch the table, and nobody can reach it (docs/porch.md, docs/security.md).

`publisher` is the playing unit's side: it writes what everybody at the table may see to a local Unix socket, one way.
The rest is `companion porch`, a program of its own without any rights: it reads that socket and serves a page, or
publishes at an MQTT broker; its libraries are the extra `porch`.
"""
