#include "vertigo/trace/profiler.h"

#if __has_include(<nvtx3/nvToolsExt.h>)

#include <nvtx3/nvToolsExt.h>

#include <string>

namespace vertigo::trace {

namespace {

/// Null where no profiler listens.
nvtxDomainHandle_t domain() {
  static const nvtxDomainHandle_t made = nvtxDomainCreateA("vertigo");
  return made;
}

}  // namespace

void push_range(std::string_view kind, std::string_view name) {
  if (domain() == nullptr) return;
  std::string text(kind);
  if (!name.empty()) text.append(" ").append(name);
  nvtxEventAttributes_t attributes{};
  attributes.version = NVTX_VERSION;
  attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  attributes.messageType = NVTX_MESSAGE_TYPE_ASCII;
  attributes.message.ascii = text.c_str();
  nvtxDomainRangePushEx(domain(), &attributes);
}

void pop_range() {
  if (domain() != nullptr) nvtxDomainRangePop(domain());
}

}  // namespace vertigo::trace

#else

namespace vertigo::trace {

void push_range(std::string_view, std::string_view) {}
void pop_range() {}

}  // namespace vertigo::trace

#endif
