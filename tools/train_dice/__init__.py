"""Makes the models of the dice reader: renders scenes, trains, exports. Not part of the companion."""
