#pragma once
// CUDA's short vectors, with CUDA's alignment.

#define EMULATOR_VECTORS(Scalar, name, align2, align4)                              \
  struct name##1 { Scalar x; };                                                     \
  struct alignas(align2) name##2 { Scalar x, y; };                                  \
  struct name##3 { Scalar x, y, z; };                                               \
  struct alignas(align4) name##4 { Scalar x, y, z, w; };                            \
  inline name##1 make_##name##1(Scalar x) { return {x}; }                           \
  inline name##2 make_##name##2(Scalar x, Scalar y) { return {x, y}; }              \
  inline name##3 make_##name##3(Scalar x, Scalar y, Scalar z) { return {x, y, z}; } \
  inline name##4 make_##name##4(Scalar x, Scalar y, Scalar z, Scalar w) { return {x, y, z, w}; }

EMULATOR_VECTORS(signed char, char, 2, 4)
EMULATOR_VECTORS(unsigned char, uchar, 2, 4)
EMULATOR_VECTORS(short, short, 4, 8)
EMULATOR_VECTORS(unsigned short, ushort, 4, 8)
EMULATOR_VECTORS(int, int, 8, 16)
EMULATOR_VECTORS(unsigned, uint, 8, 16)
EMULATOR_VECTORS(long long, longlong, 16, 16)
EMULATOR_VECTORS(unsigned long long, ulonglong, 16, 16)
EMULATOR_VECTORS(float, float, 8, 16)
EMULATOR_VECTORS(double, double, 16, 16)

#undef EMULATOR_VECTORS
