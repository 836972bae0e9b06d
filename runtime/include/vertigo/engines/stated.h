#pragma once
// How the operators of an engine are asked for: `{ Program::minimizes } -> Stated;` wants a
// constant that says yes or no. Nothing follows from an operator's absence: what is there, and what
// it reads, such constants say. What few programs have may be an exception, which the room's
// operators.h names: without a condition everything passes.

#include <concepts>

namespace vertigo::engines {

template <class T>
concept Stated = std::same_as<T, const bool&>;

}  // namespace vertigo::engines
