"""Press the answers of a dialog."""

from companion.api import Command, Input
from companion.referee.dialogs.base import Answer, Dialog, Step


def answers(dialog: Step) -> dict[Input, Answer]:
    assert isinstance(dialog, Dialog)
    return {answer.input: answer for answer in dialog.list_answers()}


def press(dialog: Step, *inputs: Input) -> Step:
    for each in inputs:
        assert isinstance(dialog, Dialog)
        offer = next(offer for offer in dialog.list_offers() if offer.input == each)
        dialog = dialog.handle(offer.action) if isinstance(offer.action, Command) else offer.action
    return dialog
