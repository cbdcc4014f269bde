"""The film of a game: one picture a move with a caption, drawn from the journal alone."""

from companion.film.animated_webp import AnimatedWebp
from companion.film.pictures import FilmPicture, draw_film, format_film_name
from companion.film.writer import write_film

__all__ = ["AnimatedWebp", "FilmPicture", "draw_film", "format_film_name", "write_film"]
