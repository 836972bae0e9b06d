#include "vertigo/host/generated.h"

#include <algorithm>

#include "vertigo/core/parallel.h"

namespace vertigo::host {

void add_record_columns(std::vector<Column>& columns, const char* state,
                        std::initializer_list<ScalarKind> kinds,
                        std::span<const std::size_t> offsets, const void* records,
                        std::size_t count, std::size_t stride) {
  std::size_t index = 0;
  for (const ScalarKind kind : kinds) {
    const std::size_t size = size_of(kind);
    Column column;
    column.name = kinds.size() == 1 ? state : std::string(state) + "." + std::to_string(index);
    column.kind = kind;
    column.bytes.resize(count * size);
    const auto* from = static_cast<const std::byte*>(records) + offsets[index];
    if (stride == size) {
      copy_in_parallel(column.bytes.data(), from, count * size);
    } else {
      for (std::size_t i = 0; i < count; ++i)
        std::copy_n(from + i * stride, size, column.bytes.data() + i * size);
    }
    columns.push_back(std::move(column));
    ++index;
  }
}

}  // namespace vertigo::host
