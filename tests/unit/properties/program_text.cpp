#include "program_text.h"

#include <map>
#include <vector>

namespace vertigo::compiler::test {
namespace {

using rc::Gen;
namespace gen = rc::gen;

const std::vector<std::string> kNumbers{"int32", "int64", "uint32", "uint64", "float32", "float64"};

/// Literals at the ends of each range, and what a vertex has of the type.
const std::map<std::string, std::vector<std::string>> kAtoms{
    {"int32", {"0", "7", "2147483647", "(-2147483647)", "inf", "(-inf)", "v.a_int32", "k"}},
    {"int64", {"1", "0x7fffffffffffffff", "inf", "v.a_int64", "v.degree", "vertices"}},
    {"uint32", {"3", "4294967295", "v.a_uint32"}},
    {"uint64", {"5", "18446744073709551615", "v.a_uint64"}},
    {"float32", {"v.a_float32", "(v.a_float32 * 0.1)", "(v.a_float32 + 1e-30)"}},
    {"float64", {"0.1", "1e300", "4.9e-324", "inf", "v.a_float64"}},
    {"bool", {"true", "false", "v.a_bool"}},
    {"vertex", {"none", "v", "source", "v.a_vertex"}},
};

std::string pick(const std::vector<std::string>& words) { return *gen::elementOf(words); }

/// `reduce`: whether reductions over neighbours may stand there.
std::string expression(const std::string& type, int depth, bool reduce = true);

std::string condition(int depth, bool reduce) {
  switch (*gen::inRange(0, 4)) {
    case 0:
      return "!(" + expression("bool", depth, reduce) + ")";
    case 1:
      return "(" + expression("bool", depth, reduce) + pick({" && ", " || "}) +
             expression("bool", depth, reduce) + ")";
    default: {
      std::vector<std::string> types = kNumbers;
      types.push_back("vertex");
      // A state on one side says of which type a literal on the other is.
      const std::string type = pick(types);
      return "(v.a_" + type + pick({" < ", " <= ", " > ", " >= ", " == ", " != "}) +
             expression(type, depth, reduce) + ")";
    }
  }
}

/// A literal alone would take the type that it is converted to, and must fit it.
std::string converted(const std::string& to, const std::string& from, int depth, bool reduce) {
  return to + "((v.a_" + from + " + " + expression(from, depth, reduce) + "))";
}

std::string number(const std::string& type, int depth, bool reduce) {
  switch (*gen::inRange(0, 5)) {
    case 0:
      return pick({"min(", "max("}) + expression(type, depth, reduce) + ", " +
             expression(type, depth, reduce) + ")";
    case 1:
      return converted(type, pick(kNumbers), depth, reduce);
    case 2:
      if (!reduce) return pick(kAtoms.at(type));
      return type + "(" + pick({"min", "max", "sum"}) + "(u.a_" + type + " over " +
             pick({"in", "out", "both"}) + " u where u.a_bool))";
    default:
      return "(" + expression(type, depth, reduce) + pick({" + ", " - ", " * "}) +
             expression(type, depth, reduce) + ")";
  }
}

std::string expression(const std::string& type, int depth, bool reduce) {
  if (depth == 0 || *gen::inRange(0, 4) == 0) return pick(kAtoms.at(type));
  if (*gen::inRange(0, 6) == 0)
    return "(" + condition(depth - 1, reduce) + " ? " + expression(type, depth - 1, reduce) +
           " : " + expression(type, depth - 1, reduce) + ")";
  if (type == "bool") return condition(depth - 1, reduce);
  if (type == "vertex") return pick(kAtoms.at(type));
  return number(type, depth - 1, reduce);
}

std::string make() {
  const int depth = *gen::inRange(1, 5);
  std::string states, updates, outputs;
  for (const auto& [type, atoms] : kAtoms) {
    const std::string name = "a_" + type;
    const std::string initial = type == "vertex" ? "self" : type == "bool" ? "false" : "1";
    states += "  vertex " + name + ": " + type + " = " + initial + ";\n";
    updates += "    v." + name + " = " + expression(type, depth) + ";\n";
    outputs += (outputs.empty() ? "" : ", ") + name;
  }
  const std::string type = pick(kNumbers);
  return "program made(source: vertex, k: int32 = 3) {\n  edge weight: int32 = 1;\n" + states +
         "  message m: " + type + " combine " + pick({"min", "max", "sum"}) + ";\n" +
         "  phase first {\n    start source { m = " + pick({"0", "1"}) + "; }\n    update v when " +
         expression("bool", depth, false) + " limit 3 {\n      let x = m;\n      v.a_" + type +
         " = x;\n      send " + pick({"", "back ", "both "}) + expression(type, 1, false) +
         " to w where " + pick({"true", "w.a_bool", "weight < 3", "w != v"}) + ";\n    }\n  }\n" +
         "  update all v {\n" + updates + "  }\n  output " + outputs + ";\n}\n";
}

}  // namespace

Gen<std::string> program_text() { return gen::exec(make); }

}  // namespace vertigo::compiler::test
