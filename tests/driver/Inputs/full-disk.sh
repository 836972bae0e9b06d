#!/bin/sh
# A compiler on a full disk.
echo "Fatal error: can't write 12 bytes to section .text of cpu.o: 'No space left on device'" >&2
exit 1
