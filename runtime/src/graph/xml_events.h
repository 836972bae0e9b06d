#pragma once
// An XML file as a stream of elements and text, for files that nobody vouches for: UTF-8 only, no
// declarations of entities or attributes, bounded depth and length.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "input_stream.h"

namespace vertigo::graph {

/// The attributes of an element that have no namespace.
class XmlAttributes {
 public:
  explicit XmlAttributes(const char** pairs) : pairs_(pairs) {}
  std::optional<std::string_view> find(std::string_view name) const;

 private:
  const char** pairs_;  // name, value, …, null
};

/// An element's name, apart from its namespace.
struct XmlName {
  std::string_view space;
  std::string_view local;
};

/// Takes what a file holds. Problems of its own are thrown as LineErrors, which get the line of the
/// element or text.
class XmlHandler {
 public:
  virtual ~XmlHandler() = default;
  /// `line`: in the file.
  virtual void start(const XmlName& name, const XmlAttributes& attributes, std::uint64_t line) = 0;
  virtual void end() = 0;
  /// A piece of text; CDATA sections and references are resolved.
  virtual void text(std::string_view piece) = 0;
};

/// Reads the whole stream. Throws InputRefused with file and line where it is not well-formed, not
/// UTF-8, declares entities, nests elements deeper than 64, or holds a name, attribute or comment
/// of more than a MiB.
void read_xml(InputStream& stream, XmlHandler& handler);

}  // namespace vertigo::graph
