#pragma once
// A list of declarations in their order, which finds each by its name without looking at the
// others: programs may have thousands.

#include <cstddef>
#include <functional>
#include <string>
#include <unordered_map>
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
    const std::string& name = name_of(item);
    if (find(name) == nullptr) places_.emplace(std::hash<std::string>{}(name), items_.size());
    items_.push_back(std::move(item));
    return items_.back();
  }
  void clear() {
    items_.clear();
    places_.clear();
  }

  const T* find(const std::string& name) const {
    auto [each, end] = places_.equal_range(std::hash<std::string>{}(name));
    for (; each != end; ++each)
      if (is_named(items_[each->second], name)) return &items_[each->second];
    return nullptr;
  }
  T* find(const std::string& name) { return const_cast<T*>(std::as_const(*this).find(name)); }

 private:
  std::vector<T> items_;
  /// By hashes: a plan has ten decisions for each phase, whose names are long.
  std::unordered_multimap<std::size_t, std::size_t> places_;
};

}  // namespace vertigo::ir
