"""The log of the companion; `companion.system.logging_setup` says where its lines go."""

import logging

log = logging.getLogger("companion")
