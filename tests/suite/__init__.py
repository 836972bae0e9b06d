"""What the suites share. It needs Python alone, so that it travels with what runs on another machine.

  counting       what a suite counts, and the line that it closes with
  running        commands under a limit, and what they said
  command_line   the options that every suite has, and the folder that it works in
  programs       the programs of tests/run/manifest.json: their options, schedules and expected exit codes
  graphs         the graphs: tiny odd ones, random ones, and what turns one into another
  large_graphs   the graphs of the benchmarks
  batches        every schedule of a program on many graphs, in one process
  controllers    where a controller must change paths
  cache          what was compiled before is not compiled again
"""
