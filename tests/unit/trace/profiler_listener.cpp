// What a profiler is to NVTX: a library that the process loads where NVTX_INJECTION64_PATH says.
// This one writes down what it hears.

#include <nvtx3/nvToolsExt.h>

#include <string>

namespace {

std::string heard;

nvtxDomainHandle_t NVTX_API create_domain(const char* name) {
  heard += std::string("domain ") + name + "\n";
  return reinterpret_cast<nvtxDomainHandle_t>(&heard);
}

int NVTX_API push(nvtxDomainHandle_t, const nvtxEventAttributes_t* attributes) {
  heard += std::string("push ") + attributes->message.ascii + "\n";
  return 0;
}

int NVTX_API pop(nvtxDomainHandle_t) {
  heard += "pop\n";
  return 0;
}

}  // namespace

extern "C" {

const char* heard_by_listener() { return heard.c_str(); }

int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t tables) {
  const auto* callbacks = static_cast<const NvtxExportTableCallbacks*>(tables(NVTX_ETID_CALLBACKS));
  NvtxFunctionTable table = nullptr;
  unsigned size = 0;
  if (callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE2, &table, &size) == 0) return 0;
  *table[NVTX_CBID_CORE2_DomainCreateA] = reinterpret_cast<NvtxFunctionPointer>(create_domain);
  *table[NVTX_CBID_CORE2_DomainRangePushEx] = reinterpret_cast<NvtxFunctionPointer>(push);
  *table[NVTX_CBID_CORE2_DomainRangePop] = reinterpret_cast<NvtxFunctionPointer>(pop);
  return 1;
}
}
