#pragma once
// The ProgramInfo of an emitted file (docs/generated-code-contract.md). What it says is the same
// for every target; a target spells the tables that hold it.

#include <string>
#include <vector>

#include "compiler/emit/common/EmitOptions.h"
#include "compiler/emit/common/Writer.h"
#include "compiler/ir/plan/Plan.h"

namespace vertigo::compiler::emit {

class ProgramInfoPrinter {
 public:
  ProgramInfoPrinter(Writer& out, const plan::Plan& plan, const EmitOptions& options)
      : out_(out), plan_(plan), program_(plan.program), options_(options) {}
  virtual ~ProgramInfoPrinter() = default;

  /// The texts of both IRs and the tables.
  void print();

 protected:
  virtual std::string text_type() const = 0;
  /// A packed text as the value of a field.
  virtual std::string text_field(const std::string& name) const = 0;
  /// Where the types of tables live: "host::".
  virtual std::string scope() const = 0;
  virtual void open_info() = 0;
  virtual void close_info() = 0;
  /// The edge attribute as the value of a field, from the values of its own fields.
  virtual std::string edge_text(const std::string& fields) const = 0;
  /// Phases and their variants.
  virtual void print_phases() = 0;
  virtual void print_last_fields() {}

  /// ", .colours = …" of a variant that runs colour classes and a rest; else "".
  std::string colours_field(const plan::Variant& variant) const;
  void field(const std::string& name, const std::string& value);
  /// One line per item.
  void list(const std::string& name, const std::vector<std::string>& items);

  Writer& out_;
  const plan::Plan& plan_;
  const ir::Program& program_;
  const EmitOptions& options_;

 private:
  void print_text(const std::string& name, const std::string& value);
  void print_parameters();
  void print_inputs();
  void print_edge_columns();
  void print_outputs();
  void print_reports();
  void print_requirements();
};

/// The comment at the top: what the file is, from what, with which options, and what was chosen.
void print_header(Writer& out, const plan::Plan& plan, const EmitOptions& options,
                  const std::string& target);

}  // namespace vertigo::compiler::emit
