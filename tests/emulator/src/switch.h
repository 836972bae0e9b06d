#pragma once
// Leaves one stack for another.

#ifndef __x86_64__
#error "the emulator switches stacks on x86-64 only: add the registers of this machine"
#endif

#if defined(EMULATOR_SANITIZED)
#include <sanitizer/common_interface_defs.h>
#endif

namespace emulator {

// Saves the registers that a call must keep on the old stack; the rest, the caller has saved.
extern "C" void emulator_switch(void** from, void* to);
asm(R"(
.text
.globl emulator_switch
.type emulator_switch, @function
emulator_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size emulator_switch, .-emulator_switch
)");

/// The stack pointer with which emulator_switch() enters `entry` on a stack that nobody uses. The
/// address sanitizer has nothing left over from who used it before: all frames returned but
/// entry's, which it does not watch.
inline void* fresh_stack(char* stack, std::size_t bytes, void (*entry)()) {
  auto** top = reinterpret_cast<void**>(stack + bytes - 64);
  *--top = nullptr;  // where entry would return to: it does not
  *--top = reinterpret_cast<void*>(entry);
  for (int saved = 0; saved < 6; ++saved) *--top = nullptr;
  return top;
}

}  // namespace emulator
