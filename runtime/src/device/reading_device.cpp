#include "reading_device.h"

#include "lists/stored_lists.h"
#include "text/parsed_edges.h"

namespace vertigo::gpu {

namespace {

class Reader final : public graph::ReadingDevice {
 public:
  explicit Reader(unsigned device) : device_(device) {}
  std::unique_ptr<graph::DeviceEdges> parse(const graph::EdgeText& text) override {
    return text::parse(device_, text);
  }
  graph::TakenLists take(const graph::StoredLists& stored) override {
    return lists::take_lists(device_, stored);
  }

 private:
  unsigned device_;
};

}  // namespace

std::shared_ptr<graph::ReadingDevice> make_reading_device(unsigned device) {
  return std::make_shared<Reader>(device);
}

}  // namespace vertigo::gpu
