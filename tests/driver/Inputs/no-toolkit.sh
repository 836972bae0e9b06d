#!/bin/sh
# An nvcc whose toolkit has no CUB.
echo 'probe.cu:1:10: fatal error: cub/cub.cuh: No such file or directory' >&2
echo 'compilation terminated.' >&2
exit 1
