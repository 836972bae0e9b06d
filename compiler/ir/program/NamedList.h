#pragma once
// A list of declarations in their order, which finds each by its name without looking at the
// others: programs may have thousands.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace vertigo::ir {

/// What a list finds its items by; other kinds of items have overloads of both functions.
template <class T>
const std::string& name_of(const T& item) {
  return item.name;
}
template <class T>
bool is_named(const T& item, const std::string& name) {
  return item.name == name;
}

/// An item's name does not change once it is in the list. Of items with the same name, which only
/// malformed IR has, the first is found.
template <class T>
class NamedList {
 public:
  using value_type = T;
  using iterator = typename std::vector<T>::iterator;
  using const_iterator = typename std::vector<T>::const_iterator;

  iterator begin() { return items_.begin(); }
  iterator end() { return items_.end(); }
  const_iterator begin() const { return items_.begin(); }
  const_iterator end() const { return items_.end(); }
  bool empty() const { return items_.empty(); }
  std::size_t size() const { return items_.size(); }
  T& operator[](std::size_t i) { return items_[i]; }
  const T& operator[](std::size_t i) const { return items_[i]; }
  const T& front() const { return items_.front(); }
  T& back() { return items_.back(); }
  const T& back() const { return items_.back(); }

  T& push_back(T item) {
    if (slots_.size() < 2 * (items_.size() + 1)) grow();
    items_.push_back(std::move(item));
    const std::string& name = name_of(items_.back());
    const std::uint32_t hash = hash_of(name);
    Slot& slot = slots_[slot_of(name, hash)];
    if (slot.item == kFree) slot = {hash, static_cast<std::uint32_t>(items_.size() - 1)};
    return items_.back();
  }
  void clear() {
    items_.clear();
    slots_.clear();
  }

  const T* find(const std::string& name) const {
    if (items_.empty()) return nullptr;
    const Slot& slot = slots_[slot_of(name, hash_of(name))];
    return slot.item == kFree ? nullptr : &items_[slot.item];
  }
  T* find(const std::string& name) { return const_cast<T*>(std::as_const(*this).find(name)); }

 private:
  static constexpr std::uint32_t kFree = 0xffffffffU;

  struct Slot {
    std::uint32_t hash = 0;  ///< of the item's name
    std::uint32_t item = kFree;
  };

  static std::uint32_t hash_of(const std::string& name) {
    return static_cast<std::uint32_t>(std::hash<std::string>{}(name));
  }

  /// That of the item with this name, or the free one where it would stand.
  std::size_t slot_of(const std::string& name, std::uint32_t hash) const {
    std::size_t place = hash & (slots_.size() - 1);
    while (slots_[place].item != kFree &&
           (slots_[place].hash != hash || !is_named(items_[slots_[place].item], name)))
      place = (place + 1) & (slots_.size() - 1);
    return place;
  }

  void grow() {
    std::vector<Slot> slots(slots_.empty() ? 8 : 2 * slots_.size());
    for (const Slot& slot : slots_) {
      if (slot.item == kFree) continue;
      std::size_t place = slot.hash & (slots.size() - 1);
      while (slots[place].item != kFree) place = (place + 1) & (slots.size() - 1);
      slots[place] = slot;
    }
    slots_ = std::move(slots);
  }

  std::vector<T> items_;
  /// Open addressing, at most half full, a power of two: a plan has ten decisions for each phase,
  /// and every pass asks for some of them.
  std::vector<Slot> slots_;
};

}  // namespace vertigo::ir
