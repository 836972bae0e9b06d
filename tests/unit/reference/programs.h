#pragma once
// Programs in the textual form of Program IR, as the front end lowers them.

namespace vertigo::test {

inline constexpr const char* kSssp = R"(program sssp {
  param source: vertex;
  edge weight: int32 = 1;
  state distance: int32 = inf<int32>;
  message best: int32 combine min identity inf<int32>;
  phase main: fixpoint v when inbox(best) < v.distance {
    start vertex $source { inbox best = 0; }
    update {
      v.distance = inbox(best);
      send out best = inbox(best) + edge(weight);
    }
  }
  body { run main; }
  output distance;
})";

/// The same, and what is left in the inboxes afterwards.
inline constexpr const char* kSsspLate = R"(program sssp_late {
  param source: vertex;
  edge weight: int32 = 1;
  state distance: int32 = inf<int32>;
  state late: int32 = 0;
  message best: int32 combine min identity inf<int32>;
  phase main: fixpoint v when inbox(best) < v.distance {
    start vertex $source { inbox best = 0; }
    update {
      v.distance = inbox(best);
      send out best = inbox(best) + edge(weight);
    }
  }
  phase after: sweep v { update { v.late = inbox(best); } }
  body { run main; run after; }
  output late;
})";

inline constexpr const char* kSsspTree = R"(program sssp_tree {
  param source: vertex;
  edge weight: int32 = 1;
  state path: (int32, vertex) = tuple(inf<int32>, none);
  message best: (int32, vertex) combine min identity tuple(inf<int32>, none);
  phase main: fixpoint v when inbox(best) < v.path {
    start vertex $source as s { inbox best = tuple(0, s); }
    update {
      v.path = inbox(best);
      send out best = tuple(get<0>(inbox(best)) + edge(weight), v);
    }
  }
  body { run main; }
  output path;
})";

inline constexpr const char* kWidest = R"(program widest {
  param source: vertex;
  edge capacity: int32;
  state width: int32 = 0;
  message best: int32 combine max identity 0;
  phase main: fixpoint v when inbox(best) > v.width {
    start vertex $source { inbox best = inf<int32>; }
    update {
      v.width = inbox(best);
      send out best = min(v.width, edge(capacity));
    }
  }
  body { run main; }
  output width;
})";

inline constexpr const char* kWcc = R"(program wcc {
  state component: vertex = none;
  message label: vertex combine min identity none;
  phase main: fixpoint v when inbox(label) < v.component {
    start all as v { inbox label = v; }
    update {
      v.component = inbox(label);
      send both label = inbox(label);
    }
  }
  body { run main; }
  output component;
})";

inline constexpr const char* kPageRank = R"(program pagerank {
  param damping: float32 = 0.85f32;
  param tolerance: float32 = 1e-4f32;
  state rank: float32 = 0f32;
  message delta: float32 combine sum identity 0f32;
  phase main: fixpoint v when inbox(delta) > $tolerance {
    start all { inbox delta = 1f32 - $damping; }
    update {
      v.rank = v.rank + inbox(delta);
      send out delta = ($damping * inbox(delta)) / out_degree<float32>(v);
    }
  }
  body { run main; }
  output rank;
})";

inline constexpr const char* kBfsParents = R"(program bfs_parents {
  param source: vertex;
  state depth: int32 = -1;
  state parent: vertex = none;
  message from: vertex combine any identity none;
  phase main: fixpoint v when v.parent == none {
    start vertex $source as s { inbox from = s; }
    update {
      v.parent = inbox(from);
      v.depth = step;
      send out from = v;
    }
  }
  body { run main; }
  output depth;
  output parent;
})";

inline constexpr const char* kBc = R"(program bc {
  param source: vertex;
  state depth: int32 = -1;
  state paths: float64 = 0.0;
  state dependency: float64 = 0.0;
  message count: float64 combine sum identity 0.0;
  message share: float64 combine sum identity 0.0;
  phase forward: fixpoint v when v.depth < 0 {
    start vertex $source { inbox count = 1.0; }
    update {
      v.depth = step;
      v.paths = inbox(count);
      send out count = inbox(count);
    }
  }
  phase backward: sweep v when v.depth == @level {
    update {
      v.dependency = v.paths * inbox(share);
      send in share = (1.0 + v.dependency) / v.paths to u where u.depth == (v.depth - 1);
    }
  }
  body {
    run forward;
    for level from max<int32>(v.depth for v in vertices) down to 0 { run backward; }
  }
  output dependency;
})";

inline constexpr const char* kCore = R"(program kcore {
  state core: int32 = 0;
  state removed: bool = false;
  message lost: int32 combine sum identity 0 keep;
  requires symmetric;
  phase peel: fixpoint v when not(v.removed) && ((degree<int32>(v) - inbox(lost)) < @k) {
    start all { }
    update {
      v.removed = true;
      v.core = @k - 1;
      send out lost = 1;
    }
  }
  body {
    let k = 1;
    while count<int64>(for v in vertices where not(v.removed)) > 0i64 {
      run peel;
      set k = @k + 1;
    }
  }
  output core;
})";

inline constexpr const char* kGraphalyticsPageRank = R"(program pr {
  param damping: float64 = 0.85;
  param rounds: int32 = 10;
  state rank: float64 = 1.0 / vertex_count<float64>();
  phase main: sweep v {
    update {
      v.rank = ((1.0 - $damping) / vertex_count<float64>()) + ($damping *
        (sum<float64>(u.rank / out_degree<float64>(u) for u in in(v)) +
         (@dangling / vertex_count<float64>())));
    }
  }
  body {
    repeat $rounds {
      let dangling = sum<float64>(v.rank for v in vertices where out_degree<int64>(v) == 0i64);
      run main;
    }
    report mass = sum<float64>(v.rank for v in vertices);
  }
  output rank;
})";

inline constexpr const char* kCdlp = R"(program cdlp {
  param rounds: int32 = 10;
  state label: vertex = `self`;
  phase main: sweep v {
    update { v.label = mode<vertex>(u.label for u in both(v) else v.label); }
  }
  body { repeat $rounds { run main; } }
  output label;
})";

inline constexpr const char* kTriangles = R"(program triangles {
  state corners: int64 = 0i64;
  requires symmetric;
  phase main: sweep v {
    update { v.corners = sum<int64>(common_neighbours(u, v) for u in out(v) where u > v); }
  }
  body {
    run main;
    report total = sum<int64>(v.corners for v in vertices) / 3i64;
  }
  output corners;
})";

/// The cube of 2000 is more than an int32 holds, the square is not, and what was inf stays so.
inline constexpr const char* kCubes = R"(program cubes {
  state x: int32 = 2000;
  state y: int32 = inf<int32>;
  phase main: sweep v {
    update {
      v.x = (v.x * v.x) * v.x;
      v.y = v.y + 1;
    }
  }
  body { run main; }
  output x;
  output y;
})";

inline constexpr const char* kColouring = R"(program colouring {
  state colour: int32 = -1;
  requires symmetric;
  phase main: sweep v {
    consistency serializable;
    update {
      v.colour = max<int32>(u.colour for u in out(v) else -1) + 1;
    }
  }
  body { run main; }
  output colour;
})";

inline constexpr const char* kLatestNews = R"(program latest_news {
  state last: (int32, vertex) = tuple(-1, none);
  message news: (int32, vertex) combine call later identity tuple(-1, none);
  fn later(a: (int32, vertex), b: (int32, vertex)): (int32, vertex) =
    select((get<0>(?a) > get<0>(?b)) || ((get<0>(?a) == get<0>(?b)) && (get<1>(?a) < get<1>(?b))),
           ?a, ?b);
  phase main: fixpoint v when get<0>(inbox(news)) > get<0>(v.last) {
    start where out_degree<int32>(w) > 0 as w { inbox news = tuple(out_degree<int32>(w), w); }
    update {
      v.last = inbox(news);
      send out news = inbox(news);
    }
  }
  body { run main; }
  output last;
})";

inline constexpr const char* kFromList = R"(program from_list {
  param sources: vertex[];
  state mass: float64 = 0.0;
  message share: float64 combine sum identity 0.0;
  phase main: fixpoint v when inbox(share) > 1e-12 {
    start list $sources { inbox share = 1.0; }
    update {
      v.mass = v.mass + inbox(share);
      send out share = inbox(share) * 2.0;
    }
  }
  body { run main; }
  output mass;
})";

inline constexpr const char* kDraws = R"(program draws {
  state draw: float64 = 0.0;
  phase main: sweep v {
    update {
      if random(v, 0) < 0.5 { v.draw = random(v, 1); } else { v.draw = random(v, 2); }
    }
  }
  body { run main; }
  output draw;
})";

}  // namespace vertigo::test
