#include "cached_attributes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <unordered_set>
#include <utility>

#include "declared.h"
#include "edge_field.h"
#include "table_layout.h"
#include "vertigo/core/number_text.h"
#include "vertigo/core/record_layout.h"
#include "weights.h"

namespace vertigo::graph {
namespace {

using Numbers = Array<std::uint32_t>;

std::string names_of(const std::vector<RecordField>& fields) {
  std::string names;
  for (const RecordField& field : fields)
    names += fmt::format("{}'{}'", names.empty() ? "" : ", ", field.name);
  return names;
}

// What a field of text would say of the value; null: it fits.
template <class To, class From>
const char* misfit(From value) {
  constexpr bool kToTruth = std::is_same_v<To, bool>, kFromTruth = std::is_same_v<From, bool>;
  if constexpr (kToTruth && kFromTruth) {
    return nullptr;
  } else if constexpr (kFromTruth) {
    return "is no number";
  } else if constexpr (kToTruth) {
    return value == From{0} || value == From{1} ? nullptr : "is neither true nor false, 1 nor 0";
  } else if constexpr (std::is_floating_point_v<To>) {
    return std::isfinite(static_cast<To>(static_cast<double>(value))) ? nullptr : "is out of range";
  } else if constexpr (std::is_integral_v<From>) {
    return std::in_range<To>(value) ? nullptr : "is out of range";
  } else {
    if (std::trunc(value) != value) return "is no whole number";
    const double bound = std::ldexp(1.0, std::numeric_limits<To>::digits);
    const double wide = value;
    return wide < bound && wide >= (std::is_signed_v<To> ? -bound : 0.0) ? nullptr
                                                                         : "is out of range";
  }
}

template <class To, class From>
To as(From value) {
  if constexpr (std::is_same_v<To, bool>)
    return value != From{0};
  else if constexpr (std::is_floating_point_v<To>)
    return static_cast<To>(static_cast<double>(value));
  else
    return static_cast<To>(value);
}

// The first edge of the record with this number, for messages.
std::string edge_of(const RawGraph& raw, std::uint64_t record) {
  const auto& numbers = std::get<Numbers>(raw.adjacency->weights);
  const auto at = static_cast<std::size_t>(
      std::find(numbers.begin(), numbers.end(), static_cast<std::uint32_t>(record)) -
      numbers.begin());
  if (at == numbers.size()) return "an edge that is no more";
  const auto& offsets = raw.adjacency->offsets;
  const auto source = static_cast<Vertex>(std::upper_bound(offsets.begin(), offsets.end(), at) -
                                          offsets.begin() - 1);
  return fmt::format("the edge {} -> {}", raw.cached_ids.label(source),
                     raw.cached_ids.label(raw.adjacency->targets[at]));
}

// Calls use(numbers) with the weights of each adjacency, and leaves what it returns.
template <class Use>
void change_weights(RawGraph& raw, const Use& use) {
  for (Adjacency* const lists : {&*raw.adjacency, raw.cached_in ? &*raw.cached_in : nullptr})
    if (lists != nullptr) lists->weights = use(std::get<Numbers>(lists->weights));
}

// The first record for which test(record) holds; the number of records where there is none.
template <class Test>
std::uint64_t first_record(std::uint64_t records, const Test& test) {
  std::uint64_t found = records;
#pragma omp parallel for schedule(static) reduction(min : found)
  for (std::uint64_t r = 0; r < records; ++r)
    if (test(r)) found = std::min(found, r);
  return found;
}

}  // namespace

AttributeColumns::AttributeColumns(CachedFile& file) : file_(file) {
  const CachedSectionEntry& names = file.header().section(CachedSection::Attributes);
  const auto refuse = [&](const char* why) {
    return refused_at_byte(file.path(), names.offset, why);
  };
  const auto said = file.read<std::byte>(CachedSection::Attributes);
  CachedAttributes head;
  if (said.size() < sizeof head) throw refuse("what is said of the attributes ends early");
  std::memcpy(&head, said.data(), sizeof head);
  if (head.attribute_count == 0 || head.attribute_count > kMostAttributes ||
      said.size() != sizeof head + head.attribute_count * sizeof(CachedAttribute))
    throw refuse("the number of attributes is not that of their names");
  if (head.record_count > kMostVertices) throw refuse("there are more records than can be");
  records_ = head.record_count;
  read_names(said);
}

void AttributeColumns::read_names(const Array<std::byte>& said) {
  const CachedHeader& header = file_.header();
  const std::size_t count = (said.size() - sizeof(CachedAttributes)) / sizeof(CachedAttribute);
  std::unordered_set<std::string> seen;
  std::uint64_t end = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at = sizeof(CachedAttributes) + i * sizeof(CachedAttribute);
    const std::uint64_t place = header.section(CachedSection::Attributes).offset + at;
    CachedAttribute attribute;
    std::memcpy(&attribute, said.data() + at, sizeof attribute);
    const auto stop = std::find(attribute.name.begin(), attribute.name.end(), '\0');
    const std::string name(attribute.name.begin(), stop);
    if (!is_identifier(name) ||
        std::any_of(stop, attribute.name.end(), [](char c) { return c != '\0'; }))
      throw refused_at_byte(file_.path(), place, "the name of an attribute is no identifier");
    if (attribute.kind >= kAttributeKinds.size() || attribute.unused != 0)
      throw refused_at_byte(file_.path(), place,
                            fmt::format("the type of '{}' is not known", name));
    if (!seen.insert(plain_name(name)).second)
      throw refused_at_byte(file_.path(), place,
                            fmt::format("two attributes are named '{}'", name));
    fields_.push_back({name, kAttributeKinds[attribute.kind]});
    begins_.push_back(aligned_in_cache(end));
    checksums_.push_back(attribute.checksum);
    end = begins_.back() + records_ * record_bytes_of(fields_.back().kind);
  }
  const CachedSectionEntry& values = header.section(CachedSection::AttributeValues);
  if (values.bytes != end)
    throw refused_at_byte(file_.path(), values.offset,
                          fmt::format("the values of {} take {} bytes, there are {}",
                                      counted(records_, "record"), end, values.bytes));
  for (std::size_t i = 1; i < count; ++i)
    file_.check_padding(CachedSection::AttributeValues,
                        begins_[i - 1] + records_ * record_bytes_of(fields_[i - 1].kind),
                        begins_[i]);
}

std::optional<std::size_t> AttributeColumns::usual_weight() const {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    if (usual_role(fields_[i].name) != Role::Weight || fields_[i].kind == ScalarKind::Bool)
      continue;
    if (found)
      throw refused_at_line(file_.path(), 0,
                            fmt::format("'{}' and '{}' could both be the weight: say which by "
                                        "--columns WEIGHT",
                                        fields_[*found].name, fields_[i].name));
    found = i;
  }
  return found;
}

std::optional<std::size_t> AttributeColumns::find(std::string_view name) const {
  const std::string plain = plain_name(name);
  for (std::size_t i = 0; i < fields_.size(); ++i)
    if (!plain.empty() && plain_name(fields_[i].name) == plain) return i;
  return usual_role(name) == Role::Weight ? usual_weight() : std::nullopt;
}

std::optional<std::size_t> AttributeColumns::weight(const std::vector<std::string>& wanted) const {
  if (wanted.empty()) return usual_weight();
  for (std::size_t i = 0; i < fields_.size(); ++i)
    if (fields_[i].name == wanted[0]) return i;
  throw refused_at_line(file_.path(), 0,
                        fmt::format("--columns: no attribute is named '{}'; there are {}",
                                    wanted[0], names_of(fields_)));
}

void AttributeColumns::check_values(std::size_t column, const Array<std::byte>& values) const {
  const RecordField& field = fields_[column];
  const std::uint64_t bad = with_field_type(field.kind, [&]<class T>(T) {
    return first_record(records_, [&](std::uint64_t r) {
      if constexpr (std::is_same_v<T, bool>) return std::to_integer<unsigned>(values[r]) > 1;
      T value{};
      std::memcpy(&value, values.data() + r * sizeof(T), sizeof value);
      if constexpr (std::is_floating_point_v<T>)
        return !std::isfinite(value);
      else
        return false;
    });
  });
  if (bad == records_) return;
  throw refused_at_byte(
      file_.path(),
      file_.header().section(CachedSection::AttributeValues).offset + begins_[column] +
          bad * record_bytes_of(field.kind),
      fmt::format("the value {} of '{}' is none of {}", bad, field.name, kind_name(field.kind)));
}

Array<std::byte> AttributeColumns::read(std::size_t column) {
  const std::uint64_t bytes = records_ * record_bytes_of(fields_[column].kind);
  require_memory(bytes, "reading this graph");
  Room<std::byte> values(bytes);
  file_.read_part(CachedSection::AttributeValues, begins_[column], bytes, checksums_[column],
                  fields_[column].name, values.data());
  Array<std::byte> result = std::move(values).finished();
  check_values(column, result);
  return result;
}

void AttributeColumns::check_numbers(const Adjacency& adjacency, CachedSection section) const {
  if (adjacency.weights.index() != kWeightKindOfNumbers) return;
  const auto& numbers = std::get<Numbers>(adjacency.weights);
  const std::uint64_t bad =
      first_record(numbers.size(), [&](std::uint64_t e) { return numbers[e] >= records_; });
  if (bad == numbers.size()) return;
  throw refused_at_byte(
      file_.path(), file_.header().section(section).offset + 4 * bad,
      fmt::format("the edge {} has the record {} of {}", bad, numbers[bad], records_));
}

void AttributeColumns::verify() {
  std::vector<Array<std::byte>> columns;
  for (std::size_t i = 0; i < fields_.size(); ++i) columns.push_back(read(i));
  TextTable distinct;
  std::string record;
  for (std::uint64_t r = 0; r < records_; ++r) {
    record.clear();
    for (std::size_t i = 0; i < fields_.size(); ++i) {
      const std::size_t bytes = record_bytes_of(fields_[i].kind);
      record.append(reinterpret_cast<const char*>(columns[i].data()) + r * bytes, bytes);
    }
    if (distinct.intern(record) == r) continue;
    throw refused_at_byte(file_.path(),
                          file_.header().section(CachedSection::AttributeValues).offset,
                          fmt::format("the record {} is there twice", r));
  }
}

void AttributeColumns::attach(RawGraph& raw, const ReadContext& context) {
  const std::vector<EdgeField>& wanted = context.options.edge_fields;
  std::vector<std::optional<std::size_t>> columns;
  if (wanted.empty()) columns.push_back(weight(context.options.columns));
  for (const EdgeField& field : wanted) {
    columns.push_back(find(field.name));
    if (columns.back() || field.otherwise) continue;
    throw refused_at_line(
        file_.path(), 0,
        fmt::format("no attribute is named '{}', which the program needs of every edge; there "
                    "are {}",
                    field.name, names_of(fields_)));
  }
  std::vector<bool> used(fields_.size());
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (!columns[i]) continue;
    if (used[*columns[i]])
      throw refused_at_line(file_.path(), 0,
                            fmt::format("'{}' is another attribute's already, and '{}' would be it",
                                        fields_[*columns[i]].name, wanted[i].name));
    used[*columns[i]] = true;
  }
  context.report.columns_used.clear();
  context.report.columns_unused.clear();
  for (std::size_t i = 0; i < fields_.size(); ++i)
    (used[i] ? context.report.columns_used : context.report.columns_unused)
        .push_back(fields_[i].name);
  raw.weighted = std::find(used.begin(), used.end(), true) != used.end();
  if (!raw.weighted) return change_weights(raw, [](const Numbers&) { return std::monostate{}; });
  if (wanted.empty()) return attach_weights(raw, *columns[0]);
  refuse_merging(context.options.duplicates);
  attach_table(raw, wanted, columns);
}

void AttributeColumns::attach_weights(RawGraph& raw, std::size_t column) {
  const RecordField& field = fields_[column];
  if (field.kind == ScalarKind::Bool)
    throw refused_at_line(file_.path(), 0,
                          fmt::format("'{}' is bool, and weights are numbers", field.name));
  const Array<std::byte> values = read(column);
  with_field_type(field.kind, [&]<class T>(T) {
    if constexpr (!std::is_same_v<T, bool>)
      change_weights(raw, [&](const Numbers& numbers) -> Weights {
        Room<T> weights(numbers.size());
#pragma omp parallel for schedule(static)
        for (std::size_t e = 0; e < numbers.size(); ++e)
          std::memcpy(&weights[e], values.data() + std::size_t{numbers[e]} * sizeof(T), sizeof(T));
        return std::move(weights).finished();
      });
  });
}

// One column of the file in its place in each record.
void AttributeColumns::convert_column(const RawGraph& raw, std::size_t column,
                                      const EdgeField& field, std::byte* first,
                                      std::size_t stride) {
  const Array<std::byte> values = read(column);
  with_field_type(fields_[column].kind, [&]<class From>(From) {
    with_field_type(field.kind, [&]<class To>(To) {
      const auto value_of = [&](std::uint64_t r) {
        From value{};
        std::memcpy(&value, values.data() + r * sizeof value, sizeof value);
        return value;
      };
      const std::uint64_t bad = first_record(records_, [&](std::uint64_t r) {
        const From value = value_of(r);
        if (misfit<To>(value) != nullptr) return true;
        const To converted = as<To>(value);
        std::memcpy(first + r * stride, &converted, sizeof converted);
        if constexpr (std::is_signed_v<To> && !std::is_same_v<To, bool>)
          return field.non_negative && converted < 0;
        else
          return false;
      });
      if (bad == records_) return;
      const char* const why = misfit<To>(value_of(bad));
      throw Error(ExitCode::InputRefused,
                  why != nullptr
                      ? fmt::format("{} has the '{}' {}, which {}, and '{}' is {}",
                                    edge_of(raw, bad), fields_[column].name, value_of(bad), why,
                                    field.name, kind_name(field.kind))
                      : fmt::format("{} has the '{}' {}, which must not be negative{}",
                                    edge_of(raw, bad), fields_[column].name, value_of(bad),
                                    field.reason.empty() ? "" : " (" + field.reason + ")"),
                  file_.path());
    });
  });
}

void AttributeColumns::attach_table(RawGraph& raw, const std::vector<EdgeField>& wanted,
                                    const std::vector<std::optional<std::size_t>>& columns) {
  std::vector<ScalarKind> kinds;
  std::vector<RecordField> fields;
  for (const EdgeField& field : wanted) {
    kinds.push_back(field.kind);
    fields.push_back({field.name, field.kind});
  }
  const RecordLayout layout = layout_of(kinds);
  require_memory(records_ * layout.bytes, "reading this graph");
  std::vector<char> records(records_ * layout.bytes);
  auto* const bytes = reinterpret_cast<std::byte*>(records.data());
  std::size_t same = 0;  // columns that are taken as they are
  std::vector<bool> given;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    given.push_back(columns[i].has_value());
    if (columns[i]) {
      same += fields_[*columns[i]].kind == wanted[i].kind ? 1 : 0;
      convert_column(raw, *columns[i], wanted[i], bytes + layout.offsets[i], layout.bytes);
    } else {
      for (std::uint64_t r = 0; r < records_; ++r)
        store_field(*wanted[i].otherwise, wanted[i].kind,
                    bytes + r * layout.bytes + layout.offsets[i]);
    }
  }
  // Edges are the same where all attributes are that the program reads.
  if (same < fields_.size()) {
    TextTable distinct;
    std::vector<Vertex> number(records_);
    for (std::uint64_t r = 0; r < records_; ++r)
      number[r] = distinct.intern({records.data() + r * layout.bytes, layout.bytes});
    records = std::move(distinct).take_bytes();
    change_weights(raw, [&](const Numbers& numbers) -> Weights {
      Room<std::uint32_t> mapped(numbers.size());
#pragma omp parallel for schedule(static)
      for (std::size_t e = 0; e < numbers.size(); ++e) mapped[e] = number[numbers[e]];
      return std::move(mapped).finished();
    });
  }
  raw.table = std::make_shared<const EdgeTable>(
      EdgeTable{std::move(records), std::move(given), std::move(fields)});
}

}  // namespace vertigo::graph
