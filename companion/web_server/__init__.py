"""A small web server for one page that shows something live: that of the porch and that of the club."""
