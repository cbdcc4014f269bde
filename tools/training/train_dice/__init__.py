"""Make the models of the dice reader: render scenes, train, export. Not part of the companion."""
