#pragma once
// What a vertex's neighbours send: a pull that ends when nothing is missing.

#include "vertigo/engines/common/visit_lists.cuh"
#include "vertigo/engines/words/search.cuh"

namespace vertigo::gpu::words {

/// Edges that a lane has under way at once.
inline constexpr unsigned kAtOnce = 4;
/// Edges that a pulling vertex looks at alone, before its warp helps.
inline constexpr unsigned kAlone = 8;
/// Lanes that share what is left of a list; of those from `kLong` on, the whole warp does.
inline constexpr unsigned kTeam = 8;
inline constexpr unsigned kLong = 256;

namespace detail {

template <class Program, class Attribute>
class Neighbours {
  using Bits = Word<typename Search<Program, Attribute>::T>;
  using Lists = Direction<Program, Attribute>;

 public:
  /// `words`: what each vertex sends. Adds the edges to `looked_at`.
  __device__ __forceinline__ Neighbours(const Lists& lists, const Bits* words,
                                        unsigned long long& looked_at)
      : lists_(lists), words_(words), looked_at_(looked_at) {}

  /// Which of the bits that the lane's vertex wants its neighbours send. At first each lane looks
  /// alone, then together at what is left.
  __device__ __forceinline__ Bits look(Vertex v, Bits wanted) {
    Bits found = 0;
    EdgeIndex e = 0;
    EdgeIndex end = 0;
    if (wanted != 0) {
      const Stretch mine = list_of(lists_.against, v);
      e = mine.begin;
      end = mine.end - mine.begin < kHubEdges ? mine.end : mine.begin;
      for (const EdgeIndex alone = e + kAlone; e < end && e < alone; e += kAtOnce) {
        found |= look_at(v, e, end, 1, wanted & ~found);
        if ((wanted & ~found) == 0) break;
      }
    }
    const bool goes_on = e < end && (wanted & ~found) != 0;
    const bool is_long = goes_on && end - e >= kLong;
    for (unsigned left = __ballot_sync(kAllLanes, is_long); left != 0; left &= left - 1) {
      const unsigned owner = __ffs(left) - 1;
      const Stretch edges{shuffle(e, owner), shuffle(end, owner)};
      const Bits more = look_together(shuffle(v, owner), edges, shuffle(wanted & ~found, owner));
      if (lane() == owner) found |= more;
    }
    for (unsigned left = __ballot_sync(kAllLanes, goes_on && !is_long); left != 0;)
      found |= look_in_teams(left, v, {e, end}, wanted & ~found);
    return found;
  }

  /// The same by the whole warp for one vertex, and for part of its list.
  __device__ __forceinline__ Bits look_together(Vertex v, const Stretch& edges, Bits wanted) {
    Bits found = 0;
    for (EdgeIndex e = edges.begin; e < edges.end && (wanted & ~found) != 0; e += kAtOnce * kWarp)
      found |= or_of_warp(look_at(v, e + lane(), edges.end, kWarp, wanted & ~found));
    return found;
  }

 private:
  static constexpr unsigned kTeams = kWarp / kTeam;

  /// One list for each team of lanes, the first ones that are left, which it takes out of `left`.
  /// What was found of the lane's own.
  __device__ __forceinline__ Bits look_in_teams(unsigned& left, Vertex v, const Stretch& mine,
                                                Bits wanted) {
    unsigned owner = kWarp;  // of the team's list
    unsigned team_of_mine = kTeams;
#pragma unroll
    for (unsigned team = 0; team < kTeams; ++team) {
      const unsigned next = left != 0 ? __ffs(left) - 1 : kWarp;
      left &= left - 1;
      if (lane() / kTeam == team) owner = next;
      if (lane() == next) team_of_mine = team;
    }
    const bool has_one = owner < kWarp;
    const Vertex its = shuffle(v, owner & (kWarp - 1));
    const Stretch edges{shuffle(mine.begin, owner & (kWarp - 1)),
                        shuffle(mine.end, owner & (kWarp - 1))};
    const Bits its_wanted = shuffle(wanted, owner & (kWarp - 1));
    Bits missing = has_one ? its_wanted : 0;
    for (EdgeIndex e = edges.begin; __any_sync(kAllLanes, e < edges.end && missing != 0);
         e += kAtOnce * kTeam) {
      Bits found = 0;
      if (missing != 0) found = look_at(its, e + lane() % kTeam, edges.end, kTeam, missing);
#pragma unroll
      for (unsigned step = kTeam / 2; step != 0; step /= 2) found |= shuffle(found, lane() ^ step);
      missing &= ~found;
    }
    const Bits found = its_wanted & ~missing;
    const Bits of_mine = shuffle(found, team_of_mine % kTeams * kTeam);
    return team_of_mine < kTeams ? of_mine : 0;
  }

  /// At every `stride`-th of a few edges.
  __device__ __forceinline__ Bits look_at(Vertex v, EdgeIndex first, EdgeIndex end, unsigned stride,
                                          Bits wanted) {
    Vertex u[kAtOnce];
    Bits sent[kAtOnce];
#pragma unroll
    for (unsigned k = 0; k < kAtOnce; ++k)
      u[k] = first + k * stride < end ? lists_.against.targets[first + k * stride] : kNoVertex;
#pragma unroll
    for (unsigned k = 0; k < kAtOnce; ++k) sent[k] = u[k] != kNoVertex ? words_[u[k]] : 0;
    Bits found = 0;
#pragma unroll
    for (unsigned k = 0; k < kAtOnce; ++k) {
      looked_at_ += u[k] != kNoVertex;
      if ((sent[k] & wanted) == 0) continue;
      if (lists_.condition.passes_back(u[k], v, first + k * stride)) found |= sent[k] & wanted;
    }
    return found;
  }

  const Lists& lists_;
  const Bits* words_;
  unsigned long long& looked_at_;
};

}  // namespace detail
}  // namespace vertigo::gpu::words
