"""Macroscope: rules, words and offers. Rule numbers (M1 to M61, V1 to V7, D1) are those of the rules file."""
