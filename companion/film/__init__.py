"""The film of a game: twenty seconds of its best moments, drawn by the display's scenes from the journal alone."""

from companion.film.animated_webp import AnimatedWebp
from companion.film.moments import Moment, MomentKind, StepFacts, choose_moments
from companion.film.pictures import Film, FilmPicture, format_film_name
from companion.film.writer import WrittenFilm, write_film

__all__ = [
    "AnimatedWebp",
    "Film",
    "FilmPicture",
    "Moment",
    "MomentKind",
    "StepFacts",
    "WrittenFilm",
    "choose_moments",
    "format_film_name",
    "write_film",
]
