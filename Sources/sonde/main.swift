// The entry point.
