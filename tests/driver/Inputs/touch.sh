#!/bin/sh
# A compiler that leaves a trace of having been called.
touch "$TOUCHED"
