#include "formats/chrome_json/pairs.h"

#include <algorithm>

namespace td::formats::chrome {
namespace {

class Pairer {
 public:
  explicit Pairer(Mapped& mapped) : mapped_(mapped) {}

  void take(const BeginEnd& mark) {
    last_ns_ = mark.at_ns;
    if (mark.is_begin) {
      open_.push_back(mark);
      return;
    }
    size_t at = open_.size();
    while (at > 0 && mark.name != 0 && open_[at - 1].name != mark.name) --at;
    if (at == 0) {
      mapped_.problems.add_global("end_without_begin", "an E event without an open B event of its name was ignored");
      return;
    }
    const size_t inside = open_.size() - at;
    if (inside > 0)
      mapped_.problems.add_global("begin_without_end", "a B event was closed by the end of what encloses it",
                                  static_cast<int64_t>(inside));
    while (open_.size() >= at) close(mark.at_ns);
  }

  void end_track() {
    if (!open_.empty())
      mapped_.problems.add_global("begin_without_end",
                                  "a B event without an E event was taken to last until the last mark of its track",
                                  static_cast<int64_t>(open_.size()));
    while (!open_.empty()) close(last_ns_);
  }

 private:
  void close(TimeNs end_ns) {
    const BeginEnd& begin = open_.back();
    mapped_.builder.add_slice(begin.track, begin.kind, begin.name, begin.at_ns, end_ns - begin.at_ns);
    open_.pop_back();
  }

  Mapped& mapped_;
  std::vector<BeginEnd> open_;
  TimeNs last_ns_ = 0;
};

}  // namespace

void pair_begin_ends(Mapped& mapped) {
  std::vector<BeginEnd>& marks = mapped.begin_ends;
  std::ranges::stable_sort(marks, [](const BeginEnd& a, const BeginEnd& b) {
    return a.track != b.track ? a.track < b.track : a.at_ns < b.at_ns;
  });
  Pairer pairer(mapped);
  for (size_t i = 0; i < marks.size(); ++i) {
    pairer.take(marks[i]);
    if (i + 1 == marks.size() || marks[i + 1].track != marks[i].track) pairer.end_track();
  }
  marks.clear();
}

}  // namespace td::formats::chrome
