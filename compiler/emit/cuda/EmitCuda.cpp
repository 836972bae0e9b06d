#include "compiler/emit/cuda/EmitCuda.h"

#include <algorithm>

#include "compiler/emit/common/EdgeColumns.h"
#include "compiler/emit/common/EngineText.h"
#include "compiler/emit/common/Functions.h"
#include "compiler/emit/common/HeaderFunctions.h"
#include "compiler/emit/common/Names.h"
#include "compiler/emit/common/ProgramInfoText.h"
#include "compiler/emit/cuda/CudaHost.h"
#include "compiler/emit/cuda/CudaKernels.h"
#include "compiler/emit/cuda/CudaProgramInfo.h"

namespace vertigo::compiler::emit {

namespace {

/// Tuples that no word of 64 bits holds have atomics of their own.
bool has_wide_tuples(const plan::Plan& plan) {
  return std::any_of(plan.buffers.begin(), plan.buffers.end(), [](const plan::Buffer& buffer) {
    return buffer.type.is_tuple() && ir::layout_bytes(buffer.type) > sizeof(std::uint64_t);
  });
}

bool has_fused_steps(const plan::Plan& plan) {
  return std::any_of(plan.phases.begin(), plan.phases.end(),
                     [](const plan::PhasePlan& phase) { return phase.loop.has_value(); });
}

}  // namespace

std::string emit_cuda(const plan::Plan& plan, const EmitOptions& options) {
  Writer out(options.source_name, options.output_name);
  print_header(out, plan, options, "CUDA");
  out.blank();
  if (has_role(plan, plan::BufferRole::Classes))
    out.line("#include \"vertigo/device/colour_classes.cuh\"");
  if (has_operation(plan, plan::KernelOp::Distinguish))
    out.line("#include \"vertigo/device/different_values.cuh\"");
  if (std::any_of(plan.kernels.begin(), plan.kernels.end(), donates_lists))
    out.line("#include \"vertigo/device/donations.cuh\"");
  out.line("#include \"vertigo/device/generated.cuh\"");
  if (has_role(plan, plan::BufferRole::Hubs)) out.line("#include \"vertigo/device/hub_order.cuh\"");
  if (has_operation(plan, plan::KernelOp::Uncount))
    out.line("#include \"vertigo/device/kept_counts.cuh\"");
  if (has_role(plan, plan::BufferRole::Slots))
    out.line("#include \"vertigo/device/message_slots.cuh\"");
  if (has_operation(plan, plan::KernelOp::Vote))
    out.line("#include \"vertigo/device/most_frequent.cuh\"");
  if (!plan.rounds.empty()) out.line("#include \"vertigo/device/round_loop.cuh\"");
  if (std::any_of(plan.kernels.begin(), plan.kernels.end(), goes_through_rows))
    out.line("#include \"vertigo/device/rows.cuh\"");
  out.line("#include \"vertigo/device/session.cuh\"");
  if (has_role(plan, plan::BufferRole::Sorted))
    out.line("#include \"vertigo/device/sorted_vertices.cuh\"");
  if (has_fused_steps(plan)) out.line("#include \"vertigo/device/step_loop.cuh\"");
  if (has_role(plan, plan::BufferRole::Order))
    out.line("#include \"vertigo/device/vertex_order.cuh\"");
  if (has_wide_tuples(plan)) out.line("#include \"vertigo/device/wide_atomics.cuh\"");
  for (const std::string& engine : engines_of(plan))
    out.line("#include \"vertigo/engines/" + engine + "/device.cuh\"");
  print_header_includes(out, plan.program, options);
  out.blank();
  open_program(out, plan.program, "gpu");
  print_edge_columns(out, plan.program);
  out.line("using Graph = vertigo::gpu::Graph<" + edge_type(plan.program, "NoAttribute") + ">;");
  print_functions(out, plan, "__host__ __device__ inline");
  print_cuda_kernels(out, plan, options);
  print_cuda_program_info(out, plan, options);
  print_cuda_host(out, plan);
  print_header_table(out, plan.program);
  close_program(out, plan.program);
  return out.take();
}

}  // namespace vertigo::compiler::emit
