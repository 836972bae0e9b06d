#!/bin/sh
# A compiler whose linker meets the limit on file sizes.
echo "collect2: fatal error: ld terminated with signal 25 [File size limit exceeded], core dumped" >&2
exit 1
