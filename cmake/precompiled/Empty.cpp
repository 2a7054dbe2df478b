// A library needs a source; what it precompiles is beside this one.
