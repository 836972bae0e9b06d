// What a profiler is to NVTX: a library that the process loads where NVTX_INJECTION64_PATH says.
// This one writes down what it hears; at the end of the process, to the file that LISTENER_OUTPUT
// names.

#include <nvtx3/nvToolsExt.h>

#include <cstdlib>
#include <fstream>
#include <mutex>
#include <string>

namespace {

std::mutex mutex;
std::string heard;

void note(const std::string& line) {
  const std::lock_guard lock(mutex);
  heard += line + "\n";
}

nvtxDomainHandle_t NVTX_API create_domain(const char* name) {
  note(std::string("domain ") + name);
  return reinterpret_cast<nvtxDomainHandle_t>(&heard);
}

int NVTX_API push(nvtxDomainHandle_t, const nvtxEventAttributes_t* attributes) {
  note(std::string("push ") + attributes->message.ascii);
  return 0;
}

int NVTX_API pop(nvtxDomainHandle_t) {
  note("pop");
  return 0;
}

/// Destroyed before what it writes.
struct AtEnd {
  ~AtEnd() {
    if (const char* const path = std::getenv("LISTENER_OUTPUT")) std::ofstream(path) << heard;
  }
} at_end;

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
