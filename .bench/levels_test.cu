// Searches by levels against a serial one, on small graphs of every shape.
#include <cuda_runtime.h>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>
#include "vertigo/device/engines/levels/prepare.cuh"
using namespace vertigo; using namespace vertigo::gpu; namespace lv = levels;
struct Bfs { int inc = 1; __host__ __device__ int sent(int l) const { return add_saturating(l, inc); } __host__ __device__ bool improves(int a, int b) const { return a < b; } };
template <class T> struct Dev { T* p; size_t n; Dev(size_t k) : n(k) { void* q; cudaMalloc(&q, std::max<size_t>(k,1)*sizeof(T)); p=(T*)q; } Dev(const std::vector<T>& v) : Dev(v.size()) { cudaMemcpy(p, v.data(), v.size()*sizeof(T), cudaMemcpyHostToDevice); } ~Dev(){cudaFree(p);} void zero(){cudaMemset(p,0,n*sizeof(T));} std::vector<T> get(){ std::vector<T> v(n); cudaMemcpy(v.data(), p, n*sizeof(T), cudaMemcpyDeviceToHost); return v;} };
int main(int argc,char**argv){
  int from=argc>2?atoi(argv[1]):0, seeds=argc>2?atoi(argv[2]):argc>1?atoi(argv[1]):30; unsigned long long P=0,S=0,fails=0;
  for(int seed=from;seed<seeds;++seed){ std::mt19937 r(seed);
    const unsigned sizes[]={1,2,31,32,33,64,65,100,127,500,1500};
    unsigned n=sizes[r()%11]; unsigned kind=r()%4; size_t m= kind==0? n/2 : kind==1? n*2 : kind==2 ? n*8 : n; if(n==1&&kind==0)m=0;
    std::vector<std::vector<Vertex>> out(n), in(n);
    auto add=[&](Vertex a,Vertex b){out[a].push_back(b);in[b].push_back(a);};
    if(kind==3){ for(unsigned v=0;v+1<n;++v){add(v,v+1); if(r()%2)add(v+1,v);} }
    else for(size_t i=0;i<m;++i){ Vertex a=r()%n,b=r()%n; if(r()%3==0)a=r()%std::min(n,3u); if(r()%3==0) b=r()%std::min(n,2u); add(a,b);}
    std::vector<EdgeIndex> oo(n+1),io(n+1); std::vector<Vertex> ot,it;
    for(unsigned v=0;v<n;++v){oo[v+1]=oo[v]+out[v].size();io[v+1]=io[v]+in[v].size(); for(auto u:out[v])ot.push_back(u); for(auto u:in[v])it.push_back(u);}
    m=ot.size();
    const int inc = seed%5==0? (1<<29) : 1+seed%3;
    const bool preset = seed%4==3;
    std::vector<int> init(n, kInfinity<int>); if(preset) for(auto&x:init) if(r()%3==0)x=r()%6;
    std::vector<Vertex> starts; unsigned ns=1+r()%3; if(r()%8==0)ns=n; for(unsigned i=0;i<ns;++i){Vertex s=ns==n?i:r()%n; if(std::find(starts.begin(),starts.end(),s)==starts.end())starts.push_back(s);} if(seed%17==0)starts.clear();
    const std::uint64_t limit = seed%6==5? r()%4 : ~0ull;
    std::vector<int> ref=init; int val=1; std::uint64_t steps=0; bool limited=false; unsigned long long active=0;
    { auto cand=starts; while(true){ std::vector<Vertex> now; std::vector<char> seen(n); for(auto v:cand) if(!seen[v]&&val<ref[v]){seen[v]=1;now.push_back(v);} if(now.empty())break; if(steps==limit){limited=true;break;} for(auto v:now)ref[v]=val; steps++; active+=now.size(); cand.clear(); for(auto v:now)for(auto u:out[v])cand.push_back(u); Bfs b; b.inc=inc; val=b.sent(val);} }
    std::vector<unsigned> o32h(oo.begin(),oo.end()), i32h(io.begin(),io.end());
    Dev<unsigned> o32(o32h), i32(i32h); Dev<EdgeIndex> o64(oo), i64(io); Dev<Vertex> otd(ot), itd(it);
    unsigned words=(n+31)/32; Dev<Vertex> h0(n),h1(n); Dev<unsigned> un(words); Dev<uint4> rec(n);
    lv::choose_heads<unsigned><<<2,64>>>(i32.p, itd.p, n, h0.p, h1.p, un.p);
    lv::pack_records<EdgeIndex><<<2,64>>>(o64.p, otd.p, n, rec.p);
    for(int which=0;which<5;++which){
      Dev<int> st(init), ib(n); { std::vector<int> b(n,kInfinity<int>); for(auto s:starts)b[s]=1; cudaMemcpy(ib.p,b.data(),n*4,cudaMemcpyHostToDevice);} std::vector<Vertex> al=starts; al.resize(n); Dev<Vertex> ald(al); std::vector<unsigned> cv{(unsigned)starts.size()}; Dev<unsigned> cnt(cv);
      Dev<unsigned> mixed(1); mixed.zero(); Dev<LoopTotals> tot(1); tot.zero(); Dev<StepRecord> log(16);
      Bfs b; b.inc=inc; lv::Task<Bfs,int> task{b,n,st.p,ib.p,{ald.p,cnt.p},nullptr,nullptr,limit,mixed.p,{tot.p,seed%2?log.p:nullptr,16}};
      Dev<unsigned> v0(words), v1(words); Dev<Vertex> s0(n), s1(n);
      const unsigned blocks = 1 + seed % 3;
      cudaError_t e=cudaSuccess;
      auto wide=[&](auto* oofs, auto* iofs){ using O=std::remove_const_t<std::remove_reference_t<decltype(*oofs)>>;
        size_t cap=m/lv::kChunk+std::min<size_t>(n,m/lv::kLongList); Dev<lv::Chunk<O>> c0(cap),c1(cap); Dev<lv::LevelCounts> lc(3); lc.zero();
        lv::WideGraph<O> g{n,m,oofs,otd.p,iofs,itd.p,{h0.p,h1.p},un.p}; lv::WideBuffers<O> bu{{v0.p,v1.p},{{s0.p,c0.p},{s1.p,c1.p}},lc.p};
        lv::Switch when{which==0?0u:which==2?1000000u:14u, which==1? 2u: which==2? 1u:24u};
        launch_cooperative(lv::search_wide<Bfs,int,O>, blocks, seed%4==1?512u:64u, nullptr, task, g, bu, when); cudaDeviceSynchronize(); };
      if(which<3) wide(o32.p,i32.p); else if(which==3) wide(o64.p,i64.p);
      else { Dev<unsigned> ps(3); ps.zero(); Dev<unsigned long long> ba(2); ba.zero(); launch_cooperative(lv::search_deep<Bfs,int>, blocks, seed%4==1?512u:64u, nullptr, task, lv::DeepGraph{rec.p,o64.p,otd.p}, lv::DeepBuffers{v0.p,{s0.p,s1.p},ps.p,ba.p}); cudaDeviceSynchronize(); }
      if(e==cudaSuccess) e=cudaGetLastError();
      auto got=st.get(); auto t=tot.get()[0]; if(t.modes&2)P++; S++;
      bool ok=e==cudaSuccess && got==ref && t.steps==steps && t.active_vertices==active && (t.end==LoopEnd::StepLimit)==limited;
      if(!ok && ++fails<10){ int bad=-1; for(unsigned v=0;v<n;++v) if(got[v]!=ref[v]){bad=v;break;} printf("seed %d n %u m %zu kind %u which %d err %d FAIL v %d got %d want %d steps %llu/%llu active %llu/%llu end %u/%d\n",seed,n,m,kind,which,(int)e,bad,bad>=0?got[bad]:0,bad>=0?ref[bad]:0,(unsigned long long)t.steps,(unsigned long long)steps,(unsigned long long)t.active_vertices,active,(unsigned)t.end,limited); }
    }
  }
  printf("levels: %llu searches, %llu pulled, %llu wrong\n",S,P,fails); return fails!=0;
}
