// What a name means at a place, and whether it may be read there.

#include "compiler/check/Checker.h"
#include "compiler/support/NearMiss.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

namespace vertigo::compiler::check {

Builtin value_builtin(llvm::StringRef word) {
  return llvm::StringSwitch<Builtin>(word)
      .Case("inf", Builtin::Infinity)
      .Case("none", Builtin::NoVertex)
      .Case("self", Builtin::Self)
      .Case("vertices", Builtin::Vertices)
      .Case("edges", Builtin::Edges)
      .Case("step", Builtin::Step)
      .Default(Builtin::None);
}

Builtin member_builtin(llvm::StringRef word) {
  return llvm::StringSwitch<Builtin>(word)
      .Case("degree", Builtin::Degree)
      .Case("in_degree", Builtin::InDegree)
      .Case("out_degree", Builtin::OutDegree)
      .Default(Builtin::None);
}

namespace {

// What values are called elsewhere; no edit of a letter or two leads from there to here.
struct ForeignWord {
  const char* foreign;
  const char* ours;
};
constexpr ForeignWord kForeignWords[] = {{"INF", "inf"},
                                         {"Inf", "inf"},
                                         {"infinity", "inf"},
                                         {"INFINITY", "inf"},
                                         {"Infinity", "inf"},
                                         {"INT_MAX", "inf"},
                                         {"INT_MIN", "-inf"},
                                         {"MAX_INT", "inf"},
                                         {"MIN_INT", "-inf"},
                                         {"FLT_MAX", "inf"},
                                         {"DBL_MAX", "inf"},
                                         {"UINT_MAX", "inf"},
                                         {"INT32_MAX", "inf"},
                                         {"INT64_MAX", "inf"},
                                         {"maxint", "inf"},
                                         {"oo", "inf"},
                                         {"True", "true"},
                                         {"TRUE", "true"},
                                         {"False", "false"},
                                         {"FALSE", "false"},
                                         {"None", "none"},
                                         {"null", "none"},
                                         {"NULL", "none"},
                                         {"nullptr", "none"},
                                         {"nil", "none"},
                                         {"num_vertices", "vertices"},
                                         {"num_nodes", "vertices"},
                                         {"num_edges", "edges"},
                                         {"iteration", "step"},
                                         {"superstep", "step"},
                                         // functions
                                         {"fabs", "abs"},
                                         {"fmin", "min"},
                                         {"fmax", "max"},
                                         {"ln", "log"},
                                         {"avg", "sum"},
                                         // types
                                         {"int", "int32"},
                                         {"integer", "int32"},
                                         {"long", "int64"},
                                         {"unsigned", "uint32"},
                                         {"uint", "uint32"},
                                         {"float", "float32"},
                                         {"double", "float64"},
                                         {"real", "float64"},
                                         {"i32", "int32"},
                                         {"i64", "int64"},
                                         {"u32", "uint32"},
                                         {"u64", "uint64"},
                                         {"f32", "float32"},
                                         {"f64", "float64"},
                                         {"boolean", "bool"},
                                         {"Bool", "bool"},
                                         {"node", "vertex"},
                                         {"Vertex", "vertex"},
                                         {"Node", "vertex"},
                                         {"size_t", "uint64"},
                                         {"int32_t", "int32"},
                                         {"int64_t", "int64"},
                                         {"uint32_t", "uint32"},
                                         {"uint64_t", "uint64"},
                                         // degrees
                                         {"deg", "degree"},
                                         {"outdegree", "out_degree"},
                                         {"outDegree", "out_degree"},
                                         {"indegree", "in_degree"},
                                         {"inDegree", "in_degree"}};

/// What does the work of a name that has no counterpart.
constexpr const char* kOfMessages =
    "what is sent to a vertex is combined by its message: 'message m: int32 combine min;'";
constexpr const char* kOfNeighbours =
    "reductions look at neighbours, 'sum(u.x over out u)', and 'send' reaches them; "
    "'v.out_degree' is their number";
constexpr const char* kOfVertex =
    "it belongs to a vertex: 'v.degree' of the vertex v, 'self.degree' in an initial value and in "
    "a schedule; so do 'in_degree' and 'out_degree'";
constexpr ForeignWord kHints[] = {{"degree", kOfVertex},
                                  {"in_degree", kOfVertex},
                                  {"out_degree", kOfVertex},
                                  {"rand", "random numbers are 'random(v, n)'"},
                                  {"pow", "powers are 'x * x', or 'exp(b * log(a))'"},
                                  {"atomicMin", kOfMessages},
                                  {"atomicMax", kOfMessages},
                                  {"atomicAdd", kOfMessages},
                                  {"atomicCAS", kOfMessages},
                                  {"messages", "an inbox is read by the name of its message"},
                                  {"msgs", "an inbox is read by the name of its message"},
                                  {"len", kOfNeighbours},
                                  {"size", kOfNeighbours},
                                  {"neighbors", kOfNeighbours},
                                  {"neighbours", kOfNeighbours},
                                  {"out_neighbors", kOfNeighbours},
                                  {"out_neighbours", kOfNeighbours},
                                  {"in_neighbors", kOfNeighbours},
                                  {"in_neighbours", kOfNeighbours},
                                  {"id", "a vertex is read by its name, 'v', and is no number"}};

}  // namespace

void Checker::suggest(diag::Report& report, const ast::Name& name,
                      const std::vector<std::string>& known) {
  if (diagnostics_.full()) return;
  for (const ForeignWord& each : kHints) {
    if (name.text != each.foreign) continue;
    report.note(each.ours);
    return;
  }
  for (const ForeignWord& each : kForeignWords) {
    const llvm::StringRef ours = each.ours;
    if (name.text != each.foreign || !llvm::is_contained(known, ours.ltrim('-').str())) continue;
    report.note("it is called '" + ours.str() + "'").fix(name.range, ours.str());
    return;
  }
  if (auto near = near_miss(name.text, known))
    report.note("did you mean '" + *near + "'?").fix(name.range, *near);
}

void Checker::unknown_name(const ast::Name& name) {
  // It is one mistake, wherever the name stands.
  if (!unknown_.insert(name.text).second) return;
  std::vector<std::string> known = scopes_.names();
  for (const char* word : {"inf", "none", "self", "vertices", "edges", "step", "true", "false"})
    known.push_back(word);
  suggest(diagnostics_.report(diag::UnknownName, name.range, name.text), name, known);
}

Type Checker::infer_reference(Expr& expr) {
  if (const Decl* decl = scopes_.find(expr.name.text)) return read(expr, *decl);
  if (Builtin builtin = value_builtin(expr.name.text); builtin != Builtin::None)
    return infer_builtin(expr, builtin);
  if (functions_.count(expr.name.text) != 0)
    diagnostics_.report(diag::NotAValue, expr.range, expr.name.text, "function");
  else
    unknown_name(expr.name);
  return Type::Form::Error;
}

Type Checker::infer_builtin(Expr& expr, Builtin builtin) {
  expr.builtin = builtin;
  switch (builtin) {
    case Builtin::Infinity:
      return Type::Form::OpenInfinity;
    case Builtin::NoVertex:
      return ScalarKind::Vertex;
    case Builtin::Self:
      if (place_ == Place::Initial) return ScalarKind::Vertex;
      diagnostics_.report(diag::SelfOutside, expr.range);
      return Type::Form::Error;
    case Builtin::Step: {
      bool stepping = update_ != nullptr && update_->kind == ast::Update::Kind::When;
      if (stepping && place_ >= Place::Guard) return ScalarKind::Int32;
      diagnostics_.report(diag::StepOutsideFixpoint, expr.range)
          .note("count rounds with a variable: 'let round = 0;' and 'round = round + 1;'");
      return Type::Form::Error;
    }
    default:
      break;
  }
  if (!readable_here(expr, expr.name.text)) return Type::Form::Error;
  return ScalarKind::Int64;
}

bool Checker::readable_here(const Expr& expr, const Decl& decl) {
  return decl.kind == Decl::Kind::FunctionParameter || readable_here(expr, decl.name.text);
}
bool Checker::readable_here(const Expr& expr, const std::string& name) {
  if (place_ == Place::Function) diagnostics_.report(diag::ImpureFunction, expr.range, name);
  if (place_ == Place::Constant)
    diagnostics_.report(diag::NotConstant, expr.range, constant_what_, name);
  return place_ != Place::Function && place_ != Place::Constant;
}

Type Checker::read_edge(Expr& expr, const Decl& decl) {
  if (!edge_at_hand_)
    diagnostics_.report(diag::EdgeAttributeHere, expr.range, decl.name.text)
        .note("an edge is at hand in 'send', in 'update edge' and in reductions over neighbours");
  else if (decl.written && place_ != Place::Body)
    diagnostics_.report(diag::EdgeStateHere, expr.range, decl.name.text)
        .note("a reduction over neighbours reads it: 'count(over out u where …)'");
  else if (chooses_edges_ && !decl.written)
    diagnostics_.report(diag::EdgeChoice, expr.range, decl.name.text)
        .note("only attributes that an 'update edge' assigns are asked, and none assigns this one");
  else
    return decl.type;
  return Type::Form::Error;
}

Type Checker::read(Expr& expr, const Decl& decl) {
  expr.decl = &decl;
  decl.read = true;
  if (!readable_here(expr, decl)) return Type::Form::Error;
  const bool of_all = decl.kind == Decl::Kind::EdgeAttribute ||
                      decl.kind == Decl::Kind::Parameter || decl.kind == Decl::Kind::HostVariable ||
                      decl.kind == Decl::Kind::LoopVariable;
  if (chooses_edges_ && !of_all) {
    diagnostics_.report(diag::EdgeChoice, expr.range, decl.name.text);
    return Type::Form::Error;
  }
  switch (decl.kind) {
    case Decl::Kind::State:
    case Decl::Kind::Input: {
      // In `max(depth)` the vertex is not named; the reduction has bound it without a name.
      if (in_vertex_reduction_) return decl.type;
      auto& report = diagnostics_.report(diag::StateWithoutVertex, expr.range, decl.name.text,
                                         ast::describe(decl.kind));
      if (update_ != nullptr)
        report.fix({expr.range.begin, expr.range.begin, expr.range.file},
                   update_->variable->name.text + ".");
      return Type::Form::Error;
    }
    case Decl::Kind::Message:
      if (place_ < Place::Guard || updates_edges()) {
        diagnostics_.report(diag::InboxOutsideUpdate, expr.range, decl.name.text);
        return Type::Form::Error;
      }
      read_inboxes_.emplace(&decl, expr.range);
      return decl.type;
    case Decl::Kind::EdgeAttribute:
      return read_edge(expr, decl);
    case Decl::Kind::Vertex:
      return ScalarKind::Vertex;
    case Decl::Kind::Phase:
    case Decl::Kind::Report:
    case Decl::Kind::Function:
      diagnostics_.report(diag::NotAValue, expr.range, decl.name.text, ast::describe(decl.kind));
      return Type::Form::Error;
    default:
      break;
  }
  if (decl.type.is_list()) {
    diagnostics_.report(diag::ListAsValue, expr.range, decl.name.text);
    return Type::Form::Error;
  }
  return decl.type.form == Type::Form::Nothing ? Type(Type::Form::Error) : decl.type;
}

Type Checker::infer_member(Expr& expr) {
  if (chooses_edges_) {
    diagnostics_.report(diag::EdgeChoice, expr.range, diagnostics_.text(expr.range));
    return Type::Form::Error;
  }
  ExprPtr& base = expr.operands[0];
  if (base->kind == ExprKind::Reference) {
    const Decl* decl = scopes_.find(base->name.text);
    if (decl != nullptr && decl->kind == Decl::Kind::Vertex) {
      base->decl = decl;
      base->type = ScalarKind::Vertex;
      decl->read = true;
      return member_of_vertex(expr, *decl);
    }
    if (decl == nullptr && base->name.text == "self" && place_ == Place::Initial) {
      base->builtin = Builtin::Self;
      base->type = ScalarKind::Vertex;
      return member_of_vertex(expr, *initialised_);
    }
  }
  if (is_attribute_of_unknown(expr)) return Type::Form::Error;
  Type type = infer(base);
  if (type.is_error()) return type;
  if (type.is_tuple()) return element_of_tuple(expr, type);
  if (type.is_vertex()) return member_of_value(expr);
  diagnostics_.report(diag::UnknownElement, expr.name.range, in_words(type), expr.name.text);
  return Type::Form::Error;
}

// `e.weight`: edges have no names.
bool Checker::is_attribute_of_unknown(const Expr& expr) {
  const Expr& base = *expr.operands[0];
  const Decl* const attribute = scopes_.find_of_program(expr.name.text);
  if (base.kind != ExprKind::Reference || scopes_.find(base.name.text) != nullptr ||
      value_builtin(base.name.text) != Builtin::None || attribute == nullptr ||
      attribute->kind != Decl::Kind::EdgeAttribute)
    return false;
  diagnostics_.report(diag::UnknownName, base.range, base.name.text)
      .note("an attribute of the edge at hand is read by its name")
      .fix(expr.range, expr.name.text);
  return true;
}

// `v.parent.weight`: of a vertex that is a value, which may be any.
Type Checker::member_of_value(Expr& expr) {
  const Expr& base = *expr.operands[0];
  if (!readable_here(expr, expr.name.text)) return Type::Form::Error;
  const Decl* member = scopes_.find_of_program(expr.name.text);
  if (member == nullptr && member_builtin(expr.name.text) != Builtin::None) {
    diagnostics_.report(diag::NotAVertexVariable, base.range, diagnostics_.text(base.range))
        .note(
            "degrees are read of the updated vertex and of its neighbours only; a state can keep "
            "them");
    return Type::Form::Error;
  }
  const Type type = member_state(expr, member);
  if (type.is_error() || member->kind != Decl::Kind::State) return type;
  if (place_ == Place::Guard) {
    diagnostics_.report(diag::FarReadInGuard, expr.range, expr.name.text)
        .note(
            "nobody asks a vertex again when another one changes; read it in the body, or keep "
            "what it says in a state");
    return Type::Form::Error;
  }
  bool of_target = false;
  ast::walk(base, [&](const Expr& node) {
    const auto role = roles_.find(node.decl);
    of_target = of_target || (role != roles_.end() && role->second == Role::Target);
  });
  if (of_target && place_ == Place::SendValue && !check_read_of_target(expr, *member))
    return Type::Form::Error;
  if (update_ != nullptr) far_reads_.emplace_back(member, expr.range);
  return type;
}

Type Checker::element_of_tuple(Expr& expr, const Type& tuple) {
  unsigned index = 0;
  bool found =
      !llvm::StringRef(expr.name.text).getAsInteger(10, index) && index < tuple.elements.size();
  for (std::size_t i = 0; i < tuple.names.size(); ++i)
    if (!tuple.names[i].empty() && tuple.names[i] == expr.name.text) {
      index = static_cast<unsigned>(i);
      found = true;
    }
  if (!found) {
    suggest(
        diagnostics_.report(diag::UnknownElement, expr.name.range, in_words(tuple), expr.name.text),
        expr.name, tuple.names);
    return Type::Form::Error;
  }
  expr.element = index;
  return tuple.elements[index];
}

Type Checker::member_of_vertex(Expr& expr, const Decl& vertex) {
  const Decl* member = scopes_.find_of_program(expr.name.text);
  const bool misnamed =
      member != nullptr && (member->kind == Decl::Kind::State || member->kind == Decl::Kind::Input);
  if (Builtin builtin = member_builtin(expr.name.text); builtin != Builtin::None && !misnamed) {
    expr.builtin = builtin;
    return ScalarKind::Int64;
  }
  const Type type = member_state(expr, member);
  if (type.is_error()) return type;
  auto role = roles_.find(&vertex);
  bool target = role != roles_.end() && role->second == Role::Target;
  if (target && place_ == Place::SendValue && !check_read_of_target(expr, *member))
    return Type::Form::Error;
  const bool common = role != roles_.end() && role->second == Role::Common;
  if (common && update_ != nullptr && member->kind == Decl::Kind::State)
    far_reads_.emplace_back(member, expr.range);
  return type;
}

// A state or an input, which may be read at this place.
Type Checker::member_state(Expr& expr, const Decl* member) {
  bool state = member != nullptr && member->kind == Decl::Kind::State;
  if (member == nullptr || (!state && member->kind != Decl::Kind::Input)) {
    if (member != nullptr && member->kind == Decl::Kind::Message) {
      diagnostics_.report(diag::MessageOfVertex, expr.range, expr.name.text)
          .fix(expr.range, expr.name.text);
      return Type::Form::Error;
    }
    std::vector<std::string> known = {"degree", "in_degree", "out_degree"};
    for (const auto& each : program_.states) known.push_back(each->name.text);
    suggest(diagnostics_.report(diag::UnknownMember, expr.name.range, expr.name.text), expr.name,
            known);
    return Type::Form::Error;
  }
  expr.decl = member;
  member->read = true;
  if (place_ == Place::Initial) {
    // States are initialised one after the other; what comes later has no value yet.
    for (const auto& each : program_.states) {
      if (each.get() == member) break;
      if (each.get() != initialised_) continue;
      diagnostics_.report(diag::StateReadEarly, expr.range, member->name.text, each->name.text);
      return Type::Form::Error;
    }
    if (member == initialised_) {
      diagnostics_.report(diag::StateReadsItself, expr.range, member->name.text);
      return Type::Form::Error;
    }
  }
  return member->type.form == Type::Form::Nothing ? Type(Type::Form::Error) : member->type;
}

bool Checker::check_read_of_target(const Expr& expr, const Decl& member) {
  if (member.kind != Decl::Kind::State || written_states_.count(member.name.text) == 0) return true;
  diagnostics_.report(diag::ReadOfNeighbour, expr.range, member.name.text)
      .note(
          "of the receiver, a message may depend on its id, degrees, inputs and states that no "
          "update writes");
  return false;
}

}  // namespace vertigo::compiler::check
