#include "compiler/driver/ReadHeader.h"

#include <set>

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Tooling/Tooling.h"
#include "compiler/driver/CudaPrelude.h"
#include "compiler/driver/GuardedClang.h"
#include "llvm/Support/VirtualFileSystem.h"

namespace vertigo::compiler::driver {

namespace {

constexpr const char* kPreludeFile = "/emitted/cuda-prelude.h";

std::optional<ScalarKind> scalar_of(clang::QualType type, const clang::ASTContext& context) {
  const auto* builtin = type.getCanonicalType()->getAs<clang::BuiltinType>();
  if (builtin == nullptr) return std::nullopt;
  if (builtin->getKind() == clang::BuiltinType::Bool) return ScalarKind::Bool;
  if (builtin->getKind() == clang::BuiltinType::Float) return ScalarKind::Float32;
  if (builtin->getKind() == clang::BuiltinType::Double) return ScalarKind::Float64;
  constexpr unsigned kShort = 32;
  constexpr unsigned kLong = 64;
  const auto bits = builtin->isInteger() ? context.getTypeSize(builtin) : 0;
  if (bits == kShort) return builtin->isSignedInteger() ? ScalarKind::Int32 : ScalarKind::UInt32;
  if (bits == kLong) return builtin->isSignedInteger() ? ScalarKind::Int64 : ScalarKind::UInt64;
  return std::nullopt;
}

class Collector : public clang::ASTConsumer {
 public:
  Collector(Header& header, bool cuda) : header_(header), cuda_(cuda) {}

  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    for (clang::Decl* decl : group) visit(*decl);
    return true;
  }

 private:
  void visit(clang::Decl& decl) {
    if (auto* linkage = llvm::dyn_cast<clang::LinkageSpecDecl>(&decl))
      for (clang::Decl* inner : linkage->decls()) visit(*inner);
    auto* function = llvm::dyn_cast<clang::FunctionDecl>(&decl);
    if (function == nullptr || !function->isThisDeclarationADefinition() || function->isTemplated())
      return;
    const clang::ASTContext& context = function->getASTContext();
    const auto& name = function->getDeclName();
    if (!name.isIdentifier() ||
        context.getSourceManager().isInSystemHeader(function->getLocation()))
      return;
    if (cuda_)
      take_targets(*function);
    else
      take(*function, context);
  }

  void take(const clang::FunctionDecl& function, const clang::ASTContext& context) {
    DefinedFunction made;
    made.name = function.getName().str();
    made.result = scalar_of(function.getReturnType(), context);
    std::string types;
    for (const clang::ParmVarDecl* parameter : function.parameters()) {
      // A value is as good as a reference that cannot change it.
      clang::QualType type = parameter->getType();
      if (type->isLValueReferenceType() && type.getNonReferenceType().isConstQualified())
        type = type.getNonReferenceType();
      made.parameters.push_back(scalar_of(type, context));
      types += (types.empty() ? "" : ", ") + parameter->getType().getAsString();
    }
    made.spelled = function.getReturnType().getAsString() + " " + made.name + "(" + types + ")";
    header_.functions.push_back(std::move(made));
  }

  void take_targets(const clang::FunctionDecl& function) {
    const bool both =
        function.hasAttr<clang::CUDADeviceAttr>() && function.hasAttr<clang::CUDAHostAttr>();
    if (!both && !function.isConstexpr()) header_.for_host.push_back(function.getName().str());
  }

  Header& header_;
  bool cuda_;
};

class Action : public clang::ASTFrontendAction {
 public:
  Action(Header& header, bool cuda) : header_(header), cuda_(cuda) {}

  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance&,
                                                        llvm::StringRef) override {
    return std::make_unique<Collector>(header_, cuda_);
  }

  void EndSourceFileAction() override {
    if (cuda_) return;
    const clang::Preprocessor& preprocessor = getCompilerInstance().getPreprocessor();
    const clang::SourceManager& sources = getCompilerInstance().getSourceManager();
    std::set<std::string> names;
    for (const auto& [identifier, state] : preprocessor.macros()) {
      const clang::MacroInfo* macro = preprocessor.getMacroInfo(identifier);
      if (macro == nullptr || macro->isBuiltinMacro()) continue;
      const clang::SourceLocation place = macro->getDefinitionLoc();
      if (!sources.isInSystemHeader(place) && !sources.isWrittenInBuiltinFile(place) &&
          !sources.isWrittenInCommandLineFile(place))
        names.insert(identifier->getName().str());
    }
    header_.macros.assign(names.begin(), names.end());
  }

 private:
  Header& header_;
  bool cuda_;
};

std::vector<std::string> arguments(const std::string& path, bool cuda) {
  std::vector<std::string> words = {
      "clang++",         "-std=c++20",    "-fsyntax-only",        "-w", "-fno-caret-diagnostics",
      "-ferror-limit=1", "-resource-dir", VERTIGO_CLANG_RESOURCES};
  if (cuda)
    words.insert(words.end(), {"-x", "cuda", "--cuda-host-only", "-nocudainc", "-nocudalib",
                               "-Wno-unknown-cuda-version", "-include", kPreludeFile});
  else
    // As vertigo/core/header_function.h has it for g++.
    words.insert(words.end(),
                 {"-x", "c++", "-D__host__=", "-D__device__=", "-D__forceinline__=inline"});
  words.push_back(path);
  return words;
}

// The first error, in one line.
std::string parse_unguarded(const std::string& path, bool cuda, Header& header) {
  auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  memory->addFile(kPreludeFile, 0, llvm::MemoryBuffer::getMemBuffer(kCudaPrelude));
  auto files =
      llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(llvm::vfs::getRealFileSystem());
  files->pushOverlay(memory);
  auto manager = llvm::makeIntrusiveRefCnt<clang::FileManager>(clang::FileSystemOptions{}, files);
  std::string messages;
  llvm::raw_string_ostream out(messages);
  auto options = llvm::makeIntrusiveRefCnt<clang::DiagnosticOptions>();
  clang::TextDiagnosticPrinter printer(out, options.get());
  clang::tooling::ToolInvocation invocation(arguments(path, cuda),
                                            std::make_unique<Action>(header, cuda), manager.get());
  invocation.setDiagnosticConsumer(&printer);
  if (invocation.run()) return "";
  out.flush();
  const std::string first = llvm::StringRef(messages).split('\n').first.str();
  return first.empty() ? "Clang could not read it" : first;
}

std::string parse(const std::string& path, bool cuda, Header& header) {
  std::string error;
  const std::string crash = run_clang([&] { error = parse_unguarded(path, cuda, header); });
  return crash.empty() ? error : "Clang could not read it: " + crash;
}

}  // namespace

Header read_header(const std::string& path) {
  Header header;
  header.error = parse(path, false, header);
  if (!header.error.empty()) return header;
  // What CUDA offers beyond the prelude is unknown here: nvcc has the last word.
  Header as_cuda;
  if (parse(path, true, as_cuda).empty()) header.for_host = std::move(as_cuda.for_host);
  return header;
}

}  // namespace vertigo::compiler::driver
