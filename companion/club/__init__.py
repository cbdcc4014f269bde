"""Club night: results of many tables from one MQTT broker, kept in a database, as leagues, tournaments and a page.

The club runs on any computer of the hall, never on a unit that plays; its libraries are the extra `club`.
"""
