#!/bin/sh
# A compiler that the system ends because memory is short.
kill -9 $$
