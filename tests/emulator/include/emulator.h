#pragma once
// CUDA C++ for a compiler that knows none of it. emulate.py puts this in front of a .cu file.

#include "emulator/builtins.h"
#include "emulator/launch.h"
#include "emulator/memory.h"
