"""Many machines: their facts, where the work is done, and what is wrong with which of them."""
