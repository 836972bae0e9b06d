#!/bin/sh
# A compiler that starts another program, says that it did, and does not end.
sleep 100 &
echo $! > started
touch ready
wait
