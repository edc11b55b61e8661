//! Tests of the forward pass against itself, on small random models.
