#pragma once
// Which form of the solver's kernel a system is solved by. A file for each type of values
// instantiates this, so that nvcc works on several at a time: all forms take it minutes.

#include "vertigo/engines/solve/kernel.cuh"
#include "vertigo/engines/solve/run.cuh"

namespace vertigo::gpu::solve {

namespace detail {

/// By as many blocks as fit on the device at a time.
void launch_resident(const void* kernel, unsigned threads, std::size_t shared, void** arguments,
                     Stream stream);

template <class S>
void launch(const System<typename S::T, typename S::Offset>& system, Stream stream) {
  void (*const kernel)(System<typename S::T, typename S::Offset>) = &solve_fixpoint<S>;
  auto argument = system;
  void* arguments[] = {&argument};
  launch_resident(reinterpret_cast<const void*>(kernel), S::kThreads,
                  shared_bytes<S>(system.rows.hot), arguments, stream);
}

}  // namespace detail

template <class T, class Offset>
void launch_solve(const System<T, Offset>& system, Stream stream) {
  if (system.edge_values != nullptr)
    detail::launch<Shape<T, Offset, true, false, false>>(system, stream);
  else if (system.rows.packed.tiles != nullptr)
    detail::launch<Shape<T, Offset, false, true, false, false, true>>(system, stream);
  else if (system.rows.hot != 0)
    detail::launch<Shape<T, Offset, false, true, false>>(system, stream);
  else if (system.rows.near.first != nullptr)
    detail::launch<Shape<T, Offset, false, false, false, true>>(system, stream);
  else
    detail::launch<Shape<T, Offset, false, false, false>>(system, stream);
  // Returns at once unless the first found that terms cancel.
  if (system.edge_values != nullptr)
    detail::launch<Shape<T, Offset, true, false, true>>(system, stream);
  else if (system.rows.packed.tiles != nullptr)
    detail::launch<Shape<T, Offset, false, true, true, false, true>>(system, stream);
  else
    detail::launch<Shape<T, Offset, false, false, true>>(system, stream);
}

}  // namespace vertigo::gpu::solve
