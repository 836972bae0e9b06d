#pragma once
// Stands in for the header of the CUDA Toolkit.

#include "emulator.h"
