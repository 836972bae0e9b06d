#include "attribute_survey.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "cached_attributes.h"
#include "edge_field.h"
#include "locate.h"
#include "readers.h"
#include "scan.h"
#include "table_layout.h"
#include "vertigo/graph/generate.h"
#include "vertigo/graph/id_text.h"

namespace vertigo::graph {
namespace {

template <class T>
bool is_all(std::string_view text, T& value) {
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return error == std::errc{} && stop == end;
}

// "Travel Time" as a program can spell it; "" where it cannot.
std::string identifier_of(std::string_view name) {
  std::string spelt;
  for (const char c : name) {
    const bool sign = plain_name({&c, 1}).empty();
    if (!sign)
      spelt += c;
    else if (static_cast<unsigned char>(c) >= 0x80)
      return "";
    else if (!spelt.empty() && spelt.back() != '_')
      spelt += '_';
  }
  while (spelt.ends_with('_')) spelt.pop_back();
  return is_identifier(spelt) && spelt.size() <= sizeof(CachedAttribute::name) ? spelt : "";
}

// A value that was found may be kept in the type that the file declares.
std::optional<ScalarKind> kind_of(const SurveyedColumn& column) {
  const auto found = column.found.kind();
  if (!found || !column.declared || *column.declared == ScalarKind::Bool) return found;
  return *found == ScalarKind::Bool ? std::nullopt : column.declared;
}

std::string why_not(const SurveyedColumn& column, const std::string& name, bool twice) {
  if (name.empty()) return "no program can declare an attribute of this name";
  if (twice) return "another one's name means the same";
  return column.found.reason();
}

AttributeSurvey of_columns(const SurveyedColumns& columns) {
  AttributeSurvey survey;
  for (const SurveyedColumn& column : columns) {
    const std::string name = identifier_of(column.name);
    const bool twice = std::ranges::count_if(columns, [&](const SurveyedColumn& other) {
                         return plain_name(other.name) == plain_name(name);
                       }) > 1;
    const auto kind = kind_of(column);
    if (!name.empty() && !twice && kind)
      survey.fields.push_back({name, *kind});
    else
      survey.notes.push_back(
          fmt::format("'{}' is not kept: {}", shown(column.name), why_not(column, name, twice)));
  }
  return survey;
}

AttributeSurvey of_cached(const std::string& path) {
  CachedFile file(path);
  AttributeSurvey survey;
  if ((file.header().flags & kHasAttributes) == 0) return survey;
  const AttributeColumns columns(file);
  for (const RecordField& field : columns.fields())
    survey.fields.push_back({field.name, field.kind});
  return survey;
}

}  // namespace

void ColumnKind::take(std::string_view text) {
  if (odd_) return;
  any_ = true;
  if (is_truth_word(text))
    truths_ = true;
  else
    take_number(text);
  if (is_mixed()) odd_ = text;
}

void ColumnKind::take_number(std::string_view text) {
  std::string_view digits = text;
  number_ = number_ || (text != "0" && text != "1");
  if (digits.size() > 1 && digits[0] == '+' && digits[1] != '-' && digits[1] != '+')
    digits.remove_prefix(1);
  std::int64_t whole = 0;
  std::uint64_t large = 0;
  double real = 0;
  if (is_all(digits, whole)) {
    whole_ = true;
    negative_ = negative_ || whole < 0;
  } else if (is_all(digits, large)) {
    whole_ = beyond_int64_ = true;
  } else if (is_all(digits, real) && std::isfinite(real)) {
    real_ = true;
  } else {
    odd_ = text;
  }
}

void ColumnKind::take(const ColumnKind& behind) {
  if (odd_) return;
  any_ = any_ || behind.any_;
  truths_ = truths_ || behind.truths_;
  number_ = number_ || behind.number_;
  whole_ = whole_ || behind.whole_;
  real_ = real_ || behind.real_;
  negative_ = negative_ || behind.negative_;
  beyond_int64_ = beyond_int64_ || behind.beyond_int64_;
  odd_ = behind.odd_;
  if (!odd_ && is_mixed()) odd_ = "";
}

std::optional<ScalarKind> ColumnKind::kind() const {
  if (odd_ || !any_) return std::nullopt;
  if (truths_) return ScalarKind::Bool;
  if (real_ || (negative_ && beyond_int64_)) return ScalarKind::Float64;
  return beyond_int64_ ? ScalarKind::UInt64 : ScalarKind::Int64;
}

std::string ColumnKind::reason() const {
  if (is_mixed()) return "it holds numbers and truth values";
  if (odd_ && odd_->empty()) return "an edge has no value";
  if (odd_) return fmt::format("{} is neither a number, true nor false", quote_word(*odd_));
  return "its values are not of the type that the file declares";
}

AttributeSurvey survey_attributes(const std::string& source, const ReadOptions& options) {
  if (is_generator_expression(source)) return {};
  ReadOptions plain = options;
  plain.edge_fields.clear();
  SurveyedColumns columns;
  IntakeReport report;
  report.path = source;
  ReadContext context{source, plain, report};
  context.survey = &columns;
  detect_format(context);
  if (report.format == Format::Cached) return of_cached(source);
  if (report.format != Format::Csv && report.format != Format::Tsv &&
      report.format != Format::GraphMl)
    return {};
  (void)read_entries(context);
  return of_columns(columns);
}

}  // namespace vertigo::graph
