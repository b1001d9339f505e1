from absl import flags

flags.DEFINE_string("backend", "nccl", "what the processes talk through")
