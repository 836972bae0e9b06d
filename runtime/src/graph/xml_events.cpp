#include "xml_events.h"

#include <expat.h>
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include "scan.h"

namespace vertigo::graph {
namespace {

constexpr char kNamespaceSeparator = '|';
constexpr int kDeepest = 64;
constexpr std::size_t kChunk = std::size_t{256} << 10;
// Expat keeps a token whole until it ends: an attribute of a gigabyte would be a gigabyte.
constexpr std::uint64_t kLongestToken = std::uint64_t{1} << 20;

XmlName split_name(std::string_view name) {
  const std::size_t bar = name.rfind(kNamespaceSeparator);
  if (bar == std::string_view::npos) return {"", name};
  return {name.substr(0, bar), name.substr(bar + 1)};
}

bool is_utf8_name(std::string_view encoding) {
  std::string upper;
  for (const char c : encoding)
    upper += static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  return upper == "UTF-8" || upper == "US-ASCII" || upper == "ASCII";
}

// Calls of a C library, which no exception may cross: the first one stops the parser and is thrown
// when it has returned.
class ExpatParse {
 public:
  ExpatParse(InputStream& stream, XmlHandler& handler)
      : stream_(stream),
        handler_(handler),
        parser_(XML_ParserCreateNS("UTF-8", kNamespaceSeparator), XML_ParserFree) {
    if (!parser_) throw std::bad_alloc();
    XML_Parser parser = parser_.get();
    XML_SetUserData(parser, this);
    XML_SetElementHandler(parser, &on_start, &on_end);
    XML_SetCharacterDataHandler(parser, &on_text);
    XML_SetXmlDeclHandler(parser, &on_declaration);
    XML_SetStartDoctypeDeclHandler(parser, &on_doctype);
    XML_SetSkippedEntityHandler(parser, &on_skipped_entity);
  }

  void run() {
    std::uint64_t fed = 0;
    for (bool last = false; !last;) {
      void* const buffer = XML_GetBuffer(parser_.get(), static_cast<int>(kChunk));
      if (buffer == nullptr) throw std::bad_alloc();
      const std::size_t got = stream_.read(static_cast<char*>(buffer), kChunk);
      fed += got;
      last = got < kChunk;
      if (XML_ParseBuffer(parser_.get(), static_cast<int>(got), last) == XML_STATUS_ERROR) stop();
      const auto done = static_cast<std::uint64_t>(
          std::max<XML_Index>(0, XML_GetCurrentByteIndex(parser_.get())));
      if (!last && fed - done > kLongestToken + kChunk) {
        refuse("a name, an attribute or a comment is longer than 1 MiB");
      }
    }
  }

 private:
  std::uint64_t line() const { return XML_GetCurrentLineNumber(parser_.get()); }
  [[noreturn]] void refuse(std::string message) const {
    throw refused_at_line(stream_.path(), line(), std::move(message));
  }

  [[noreturn]] void stop() const {
    if (problem_) std::rethrow_exception(problem_);
    const XML_Error error = XML_GetErrorCode(parser_.get());
    if (error == XML_ERROR_NO_MEMORY) throw std::bad_alloc();
    refuse(fmt::format("not well-formed XML in UTF-8: {}", XML_ErrorString(error)));
  }

  // Runs `body`; what it throws ends the reading.
  template <class Body>
  static void guarded(void* self, const Body& body) {
    auto& parse = *static_cast<ExpatParse*>(self);
    if (parse.problem_) return;  // calls that were on their way when the parser was stopped
    try {
      try {
        body(parse);
      } catch (const LineError& error) {
        parse.refuse(error.message);
      }
    } catch (...) {
      parse.problem_ = std::current_exception();
      XML_StopParser(parse.parser_.get(), XML_FALSE);
    }
  }

  static void on_start(void* self, const char* name, const char** attributes) {
    guarded(self, [&](ExpatParse& parse) {
      if (++parse.depth_ > kDeepest) {
        throw LineError{fmt::format("elements are nested deeper than {}", kDeepest)};
      }
      parse.handler_.start(split_name(name), XmlAttributes(attributes), parse.line());
    });
  }
  static void on_end(void* self, const char*) {
    guarded(self, [](ExpatParse& parse) {
      --parse.depth_;
      parse.handler_.end();
    });
  }
  static void on_text(void* self, const char* text, int size) {
    guarded(self, [&](ExpatParse& parse) {
      parse.handler_.text({text, static_cast<std::size_t>(size)});
    });
  }
  static void on_declaration(void* self, const char*, const char* encoding, int) {
    guarded(self, [&](ExpatParse&) {
      if (encoding != nullptr && !is_utf8_name(encoding)) {
        throw LineError{fmt::format("the file says that its encoding is {}: convert it to UTF-8",
                                    quote_word(std::string_view(encoding)))};
      }
    });
  }
  static void on_doctype(void* self, const char*, const char*, const char*, int has_declarations) {
    guarded(self, [&](ExpatParse&) {
      if (has_declarations != 0) {
        throw LineError{"the document type declares entities or attributes, which are not read"};
      }
    });
  }
  static void on_skipped_entity(void* self, const char* name, int) {
    guarded(self, [&](ExpatParse&) {
      throw LineError{fmt::format("the entity {} is not declared in this file",
                                  quote_word(std::string_view(name)))};
    });
  }

  InputStream& stream_;
  XmlHandler& handler_;
  std::unique_ptr<std::remove_pointer_t<XML_Parser>, decltype(&XML_ParserFree)> parser_;
  std::exception_ptr problem_;
  int depth_ = 0;
};

}  // namespace

std::optional<std::string_view> XmlAttributes::find(std::string_view name) const {
  for (const char** pair = pairs_; *pair != nullptr; pair += 2) {
    if (pair[0] == name) return pair[1];
  }
  return std::nullopt;
}

void read_xml(InputStream& stream, XmlHandler& handler) { ExpatParse(stream, handler).run(); }

}  // namespace vertigo::graph
