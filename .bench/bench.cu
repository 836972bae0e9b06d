// Stand-alone measurement of the engine `levels`: real device headers, own loading and checking.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>
#include "vertigo/device/engines/levels/prepare.cuh"
using namespace vertigo;
using namespace vertigo::gpu;
namespace lv = vertigo::gpu::levels;
namespace vertigo::gpu::detail {
void launch_cooperatively(const void* k, unsigned b, unsigned t, void** a, Stream s) { cudaError_t e = cudaLaunchCooperativeKernel(k, b, t, a, 0, s); if (e != cudaSuccess) printf("launch %s\n", cudaGetErrorName(e)); }
unsigned most_resident_blocks(const void* k, unsigned t) { int o = 0; cudaOccupancyMaxActiveBlocksPerMultiprocessor(&o, k, t, 0); return o * 132; }
}
#ifndef LV_NAME
#define LV_NAME "base"
#endif
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { printf("CUDA %s at line %d: %s\n", cudaGetErrorName(e_), __LINE__, #x); fflush(stdout); exit(3); } } while (0)
struct Bfs {
  __host__ __device__ std::int32_t sent(std::int32_t level) const { return add_saturating(level, 1); }
  __host__ __device__ bool improves(std::int32_t level, std::int32_t depth) const { return level < depth; }
};
template <class T> T* dev(size_t n) { void* p; CK(cudaMalloc(&p, std::max<size_t>(n, 1) * sizeof(T))); CK(cudaMemset(p, 0, std::max<size_t>(n,1) * sizeof(T))); return (T*)p; }
__global__ void k_offsets(const Vertex* s, EdgeIndex m, Vertex n, EdgeIndex* off) {
  for (EdgeIndex i = blockIdx.x * (EdgeIndex)blockDim.x + threadIdx.x; i <= m; i += (EdgeIndex)gridDim.x * blockDim.x) {
    const long long hi = i < m ? s[i] : n, lo = i ? s[i - 1] : -1;
    for (long long v = lo + 1; v <= hi; ++v) off[v] = i;
  }
}
__global__ void k_init(int* d, int* b, Vertex n) { for (Vertex v = blockIdx.x * blockDim.x + threadIdx.x; v < n; v += gridDim.x * blockDim.x) { d[v] = kInfinity<int>; b[v] = kInfinity<int>; } }
__global__ void k_start(int* b, Vertex s, Worklist asked) { b[s] = 0; asked.items[0] = s; *asked.count = 1; }
__global__ void k_edges(const Vertex* s, const Vertex* t, EdgeIndex m, const int* d, unsigned char* tight, unsigned* bad) {
  for (EdgeIndex i = blockIdx.x * (EdgeIndex)blockDim.x + threadIdx.x; i < m; i += (EdgeIndex)gridDim.x * blockDim.x) {
    const int a = d[s[i]], b = d[t[i]];
    if (a == kInfinity<int>) continue;
    if (b > a + 1) atomicAdd(bad, 1u);
    if (b == a + 1) tight[t[i]] = 1;
  }
}
__global__ void k_tight(const int* d, const unsigned char* tight, Vertex n, Vertex src, unsigned* bad, unsigned* reached) {
  for (Vertex v = blockIdx.x * blockDim.x + threadIdx.x; v < n; v += gridDim.x * blockDim.x) {
    if (d[v] != kInfinity<int>) atomicAdd(reached, 1u);
    if (v == src ? d[v] != 0 : (d[v] != kInfinity<int> && !tight[v])) atomicAdd(bad, 1u);
  }
}
__global__ void k_count(const Vertex* d, EdgeIndex m, std::uint32_t* c) { for (EdgeIndex i = blockIdx.x * (EdgeIndex)blockDim.x + threadIdx.x; i < m; i += (EdgeIndex)gridDim.x * blockDim.x) atomicAdd(c + d[i], 1u); }
__global__ void k_fill(const Vertex* s, const Vertex* d, EdgeIndex m, const EdgeIndex* off, std::uint32_t* c, Vertex* out) { for (EdgeIndex i = blockIdx.x * (EdgeIndex)blockDim.x + threadIdx.x; i < m; i += (EdgeIndex)gridDim.x * blockDim.x) out[off[d[i]] + atomicAdd(c + d[i], 1u)] = s[i]; }
struct Timer { cudaEvent_t a, b; Timer() { CK(cudaEventCreate(&a)); CK(cudaEventCreate(&b)); } void start() { CK(cudaEventRecord(a)); } float stop() { CK(cudaEventRecord(b)); CK(cudaEventSynchronize(b)); float t; CK(cudaEventElapsedTime(&t, a, b)); return t; } };

int main(int c, char** argv) {
  setvbuf(stdout, nullptr, _IOLBF, 0);
  if (c < 5) return 2;
  const std::string name = argv[1];
  const bool sym = !strcmp(argv[2], "sym");
  const Vertex source = strtoul(argv[3], nullptr, 10);
  const std::string mode = argv[4];  // wide | deep
  const int fd = open(argv[1], O_RDONLY); struct stat st;
  if (fd < 0 || fstat(fd, &st)) { printf("cannot read %s\n", argv[1]); return 2; }
  const char* f = (const char*)mmap(nullptr, st.st_size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0);
  std::uint64_t hd[3]; memcpy(hd, f, 24);
  const Vertex n = hd[1]; const EdgeIndex m = hd[2];
  const std::string shown = name.substr(name.rfind('/') + 1);
  int sms = 0; CK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
  Vertex *src = dev<Vertex>(m), *dst = dev<Vertex>(m), *in = nullptr;
  CK(cudaMemcpy(src, f + 24, m * 4, cudaMemcpyHostToDevice)); CK(cudaMemcpy(dst, f + 24 + m * 4, m * 4, cudaMemcpyHostToDevice));
  const int B = sms * 8;
  EdgeIndex *out64 = dev<EdgeIndex>(n + 1), *in64 = out64;
  k_offsets<<<B, 256>>>(src, m, n, out64);
  in = dst;
  if (!sym) {
    Vertex* v2 = dev<Vertex>(m); std::uint32_t* fill = dev<std::uint32_t>(n);
    in64 = dev<EdgeIndex>(n + 1);
    k_count<<<B, 256>>>(dst, m, fill);
    std::vector<std::uint32_t> deg(n); std::vector<EdgeIndex> off(n + 1);
    CK(cudaMemcpy(deg.data(), fill, n * 4ull, cudaMemcpyDeviceToHost));
    for (Vertex v = 0; v < n; ++v) off[v + 1] = off[v] + deg[v];
    CK(cudaMemcpy(in64, off.data(), (n + 1ull) * 8, cudaMemcpyHostToDevice));
    CK(cudaMemset(fill, 0, n * 4ull));
    k_fill<<<B, 256>>>(src, dst, m, in64, fill, v2);
    CK(cudaDeviceSynchronize());
    in = v2;
  }
  CK(cudaDeviceSynchronize());
  // The task
  int *state = dev<int>(n), *inbox = dev<int>(n);
  Worklist asked{dev<Vertex>(n), dev<std::uint32_t>(1)};
  auto* mixed = dev<std::uint32_t>(1); auto* totals = dev<LoopTotals>(1);
  const Vertex words = (n + 31) / 32;
  lv::Task<Bfs, int> task{Bfs{}, n, state, inbox, asked, nullptr, nullptr, ~0ull, mixed, {totals, nullptr, 0}};
  unsigned char* tight = dev<unsigned char>(n); unsigned* bad = dev<unsigned>(2);
  Timer t;
  auto verify = [&] {
    CK(cudaMemset(tight, 0, n)); CK(cudaMemset(bad, 0, 8));
    k_edges<<<B, 256>>>(src, dst, m, state, tight, bad);
    k_tight<<<B, 256>>>(state, tight, n, source, bad, bad + 1);
    unsigned h[2]; CK(cudaMemcpy(h, bad, 8, cudaMemcpyDeviceToHost));
    char b[64]; snprintf(b, sizeof b, h[0] ? "WRONG %u" : "ok", h[0]);
    return std::string(b) + " reached " + std::to_string(h[1]);
  };
  auto bench = [&](const char* what, auto clear, auto search) {
    std::vector<float> all, only; std::string v; LoopTotals h{};
    for (int i = 0; i < 6; ++i) {
      CK(cudaDeviceSynchronize());
      t.start();
      k_init<<<B, 256>>>(state, inbox, n); k_start<<<1, 1>>>(inbox, source, asked);
      CK(cudaMemsetAsync(mixed, 0, sizeof *mixed)); CK(cudaMemsetAsync(totals, 0, sizeof *totals)); clear();
      search();
      const float ms = t.stop();
      if (i) all.push_back(ms);
      if (i == 0 || i == 5) { v = verify(); CK(cudaMemcpy(&h, totals, sizeof h, cudaMemcpyDeviceToHost)); }
      if (i == 0 && v[0] == 'W') break;
    }
    for (int i = 0; i < 5; ++i) {
      k_init<<<B, 256>>>(state, inbox, n); k_start<<<1, 1>>>(inbox, source, asked);
      CK(cudaMemsetAsync(mixed, 0, sizeof *mixed)); CK(cudaMemsetAsync(totals, 0, sizeof *totals)); clear();
      CK(cudaDeviceSynchronize()); t.start(); search(); only.push_back(t.stop());
    }
    std::sort(all.begin(), all.end()); std::sort(only.begin(), only.end());
    printf("%-12s %-34s whole %8.4f (min %8.4f)  search %8.4f ms  steps %llu modes %u edges %llu end %u  %s\n", shown.c_str(), what, all.empty() ? -1.f : all[all.size() / 2], all.empty() ? -1.f : all[0], only[2], (unsigned long long)h.steps, h.modes, (unsigned long long)h.edges, (unsigned)h.end, v.c_str());
  };
  if (mode == "wide" || mode == "both") {
    using O = std::uint32_t;
    O *o32 = dev<O>(n + 1), *i32 = dev<O>(n + 1);
    Vertex *heads[2] = {dev<Vertex>(n), dev<Vertex>(n)}; auto* unreached = dev<std::uint32_t>(words);
    lv::WideBuffers<O> bu{};
    const size_t cap = m / lv::kChunk + std::min<EdgeIndex>(n, m / lv::kLongList) + 1;
    for (int i = 0; i < 2; ++i) { bu.visited[i] = dev<std::uint32_t>(words); bu.frontiers[i] = {dev<Vertex>(n), dev<lv::Chunk<O>>(cap)}; }
    bu.counts = dev<lv::LevelCounts>(3);
    CK(cudaDeviceSynchronize()); t.start();
    lv::narrow_offsets<<<B, 256>>>(out64, o32, (std::uint64_t)n + 1); lv::narrow_offsets<<<B, 256>>>(in64, i32, (std::uint64_t)n + 1);
    const float sorted = t.stop(); t.start();
    lv::choose_heads<<<B, 256>>>(i32, in, n, heads[0], heads[1], unreached);
    printf("%-12s preparation %.3f ms offsets, %.3f ms heads\n", shown.c_str(), sorted, t.stop());
    CK(cudaGetLastError());
    lv::WideGraph<O> g{n, m, o32, dst, i32, in, {heads[0], heads[1]}, unreached};
    for (unsigned per : {2u}) for (unsigned alpha : {5u, 14u}) for (unsigned beta : {24u, 0u}) {
      if (beta == 0 && alpha != 14) continue;
      char b[64]; snprintf(b, sizeof b, "%s alpha %u beta %u blocks %ux%d", LV_NAME, alpha, beta, per, sms);
      lv::Switch when{alpha, beta ? beta : ~0u};
      auto clear = [&] { CK(cudaMemsetAsync(bu.counts, 0, 3 * sizeof(lv::LevelCounts))); };
      auto go = [&] { launch_cooperative(lv::search_wide<Bfs, int, O>, per * sms, lv::kWideThreads, nullptr, task, g, bu, when); };
      bench(b, clear, go);
      if (alpha == 14 && beta == 24) { task.log.records = dev<StepRecord>(64); task.log.capacity = 64; bench((std::string(b) + " traced").c_str(), clear, go);
        std::vector<StepRecord> r(64); LoopTotals h; CK(cudaMemcpy(r.data(), task.log.records, 64 * sizeof(StepRecord), cudaMemcpyDeviceToHost)); CK(cudaMemcpy(&h, totals, sizeof h, cudaMemcpyDeviceToHost));
        for (unsigned i = 0; i < h.steps && i < 64; ++i) printf("   step %u mode %u  vertices %llu looked %llu out %llu  %.1f us\n", i, r[i].mode, (unsigned long long)r[i].active_vertices, (unsigned long long)r[i].edges, (unsigned long long)r[i].out_edges, (r[i].end_ns - r[i].begin_ns) / 1e3);
        task.log.records = nullptr; task.log.capacity = 0; }
    }
  }
  if (mode == "deep" || mode == "both") {
    uint4* rec = dev<uint4>(n);
    t.start(); lv::pack_records<<<B, 256>>>(out64, dst, n, rec);
    printf("%-12s preparation %.3f ms\n", shown.c_str(), t.stop());
    lv::DeepGraph g{rec, out64, dst};
    lv::DeepBuffers bu{dev<std::uint32_t>(words), {dev<Vertex>(n), dev<Vertex>(n)}, dev<std::uint32_t>(3), dev<unsigned long long>(2)};
    for (unsigned threads : {1024u, 256u}) for (unsigned blocks : {32u, 132u}) {
      char b[64]; snprintf(b, sizeof b, "deep blocks %u x %u", blocks, threads);
      bench(b, [&] { CK(cudaMemsetAsync(bu.pool_sizes, 0, 12)); CK(cudaMemsetAsync(bu.barriers, 0, 16)); }, [&] { (launch_cooperative(lv::search_deep<Bfs, int>, blocks, threads, nullptr, task, g, bu)); });
    }
  }
}
