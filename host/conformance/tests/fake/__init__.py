"""A simulator in this process that does what the standard says, unless faults are planted in it."""
