//! Slow, serial, obviously right: what the engines are tested against.
