#include "api/columns.h"

#include <array>
#include <bit>
#include <cstdint>
#include <string_view>

#include "base/json.h"

namespace td::api {
namespace {

using trace::RankTrace;

// Appends numbers byte by byte, so that the block is little-endian on any machine.
class BlockWriter {
 public:
  void text(std::string_view bytes) { out_ += bytes; }
  void u8(uint8_t value) { out_.push_back(static_cast<char>(value)); }
  void u32(uint32_t value) {
    for (int shift = 0; shift < 32; shift += 8) u8(static_cast<uint8_t>(value >> shift));
  }
  // An integer as f64: exact up to 2^53, which is 104 days of nanoseconds.
  void f64(int64_t value) {
    const auto bits = std::bit_cast<uint64_t>(static_cast<double>(value));
    std::array<char, 8> bytes;
    for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(bits >> (8 * i));
    out_.append(bytes.data(), bytes.size());
  }
  void align() { out_.append((8 - out_.size() % 8) % 8, '\0'); }
  void reserve_more(size_t bytes) { out_.reserve(out_.size() + bytes); }
  std::string take() { return std::move(out_); }

 private:
  std::string out_;
};

// The names of an enum's values, in the order of its numbers.
template <typename Enum>
Json names_up_to(Enum last) {
  Json names = Json::array();
  for (int value = 0; value <= static_cast<int>(last); ++value) {
    names.push(Json::string(to_string(static_cast<Enum>(value))));
  }
  return names;
}

Json count_of(size_t count) { return Json::integer(static_cast<int64_t>(count)); }

Json track_json(const RankTrace& rank, const trace::Track& track) {
  Json json = Json::object();
  json.set("kind", Json::string(to_string(track.kind)))
      .set("pid", Json::integer(track.pid))
      .set("tid", Json::integer(track.tid))
      .set("name", Json::string(rank.strings.view(track.name)))
      .set("process", Json::string(rank.strings.view(track.process_name)))
      .set("device", Json::integer(track.device))
      .set("sort_index", Json::integer(track.sort_index))
      .set("begin", Json::integer(track.begin))
      .set("end", Json::integer(track.end));
  return json;
}

std::string header_of(const RankTrace& rank) {
  Json strings = Json::array();
  for (trace::StringId id = 0; id < rank.strings.size(); ++id) strings.push(Json::string(rank.strings.view(id)));
  Json tracks = Json::array();
  for (const trace::Track& track : rank.tracks) tracks.push(track_json(rank, track));
  Json json = Json::object();
  json.set("rank", Json::integer(rank.rank))
      .set("world_size", Json::integer(rank.world_size))
      .set("device", Json::string(rank.device_name))
      .set("host", Json::string(rank.host_name))
      .set("clock_offset_ns", Json::integer(rank.clock_offset_ns))
      .set("slices", count_of(rank.slice_count()))
      .set("kernels", count_of(rank.kernels.size()))
      .set("collectives", count_of(rank.collectives.size()))
      .set("copies", count_of(rank.copies.size()))
      .set("ops", count_of(rank.ops.size()))
      .set("kinds", names_up_to(trace::SliceKind::other))
      .set("collective_kinds", names_up_to(trace::CollectiveKind::send_recv))
      .set("dtypes", names_up_to(trace::DType::boolean))
      .set("copy_kinds", names_up_to(trace::CopyKind::h2h))
      .set("strings", std::move(strings))
      .set("tracks", std::move(tracks));
  return json.dump();
}

void write_slices(const RankTrace& rank, BlockWriter& out) {
  out.align();
  for (TimeNs value : rank.start_ns) out.f64(value);
  for (TimeNs value : rank.dur_ns) out.f64(value);
  for (int64_t value : rank.correlation) out.f64(value);
  for (trace::TrackId value : rank.track) out.u32(value);
  out.align();
  for (trace::StringId value : rank.name) out.u32(value);
  out.align();
  for (trace::SliceKind value : rank.kind) out.u8(static_cast<uint8_t>(value));
  out.align();
}

template <size_t kColumns>
void write_row(BlockWriter& out, const std::array<int64_t, kColumns>& row) {
  for (int64_t value : row) out.f64(value);
}

void write_side_tables(const RankTrace& rank, BlockWriter& out) {
  for (const trace::KernelArgs& row : rank.kernels) {
    write_row<9>(out, {row.slice, row.grid[0], row.grid[1], row.grid[2], row.block[0], row.block[1], row.block[2],
                       row.registers_per_thread, row.shared_memory_bytes});
  }
  for (const trace::CollectiveArgs& row : rank.collectives) {
    write_row<8>(out, {row.slice, static_cast<int64_t>(row.kind), static_cast<int64_t>(row.dtype), row.group_size,
                       row.in_count, row.out_count, row.sequence, trace::size_bytes(row)});
  }
  for (const trace::CopyArgs& row : rank.copies) {
    write_row<3>(out, {row.slice, static_cast<int64_t>(row.kind), row.size_bytes});
  }
  for (const trace::OpArgs& row : rank.ops) write_row<3>(out, {row.slice, row.external_id, row.shapes});
}

}  // namespace

std::string encode_columns(const trace::Trace& trace) {
  BlockWriter out;
  out.text("TDB1");
  out.u32(static_cast<uint32_t>(trace.ranks.size()));
  for (const RankTrace& rank : trace.ranks) {
    const std::string header = header_of(rank);
    out.reserve_more(header.size() + 33 * rank.slice_count() + 72 * rank.kernels.size() + 64 * rank.collectives.size() +
                     24 * (rank.copies.size() + rank.ops.size()) + 64);
    out.u32(static_cast<uint32_t>(header.size()));
    out.text(header);
    write_slices(rank, out);
    write_side_tables(rank, out);
  }
  return out.take();
}

}  // namespace td::api
