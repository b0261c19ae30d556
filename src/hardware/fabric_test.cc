#include "hardware/fabric.h"

#include <gtest/gtest.h>

namespace td::hardware {
namespace {

const Gpu& gpu(std::string_view id) { return *find_gpu(id); }

Fabric fabric_of(std::string_view text, int32_t world_size = 8, std::string_view gpu_id = "h100_sxm") {
  const auto fabric = parse_fabric(text, world_size, find_gpu(gpu_id));
  EXPECT_TRUE(fabric.has_value()) << (fabric ? "" : fabric.error().text());
  return fabric.value_or(Fabric{});
}

double us(TimeNs ns) { return static_cast<double>(ns) / 1000; }

TEST(Gpu, FoundByIdAndByDeviceName) {
  for (const Gpu& entry : all_gpus()) {
    EXPECT_EQ(find_gpu(entry.id), &entry);
    EXPECT_EQ(find_gpu_by_device_name(entry.device_name), &entry);
    EXPECT_GT(entry.memory_bytes, 0);
  }
  EXPECT_EQ(find_gpu("h900"), nullptr);
}

TEST(Gpu, PeakFollowsFromItsClock) {
  // Peak = clock x SMs x 4 tensor cores x FMA a cycle x 2.
  EXPECT_NEAR(1830e6 * 132 * 4 * 512 * 2 / gpu("h100_sxm").bf16_flop_per_s, 1.0, 0.001);
  EXPECT_NEAR(1410e6 * 108 * 4 * 256 * 2 / gpu("a100_80gb").bf16_flop_per_s, 1.0, 0.001);
}

TEST(Fabric, TextsReadBack) {
  for (const std::string_view text : {"nvlink", "2x4:eth100x1", "2x4:ib400x4", "4x2:ib200x2", "8x1:eth25x1"}) {
    EXPECT_EQ(fabric_text(fabric_of(text)), text);
  }
  EXPECT_EQ(fabric_text(fabric_of("ib400")), "2x4:ib400x4");
  EXPECT_EQ(fabric_text(fabric_of("eth100")), "2x4:eth100x1");
  EXPECT_EQ(fabric_text(fabric_of("pcie4", 8, "l40s")), "pcie4");
  EXPECT_EQ(fabric_of("2x4:eth100x1", 8, "l40s").intra->id, "pcie4");
}

TEST(Fabric, InWords) {
  EXPECT_EQ(describe(fabric_of("2x4:eth100x1")), "2 nodes of 4, one 100 GbE NIC a node, NVLink inside");
  EXPECT_EQ(describe(fabric_of("2x4:ib400x4")), "2 nodes of 4, one 400 Gb/s InfiniBand NIC a GPU, NVLink inside");
  EXPECT_EQ(describe(fabric_of("2x4:ib200x2")), "2 nodes of 4, two 200 Gb/s InfiniBand NICs a node, NVLink inside");
  EXPECT_EQ(describe(fabric_of("nvlink")), "one node of 8, NVLink");
}

TEST(Fabric, BadTextsNameTheLinks) {
  for (const std::string_view text : {"", "nvlnk", "2x4:", "2x4:eth100", "2x4:eth100x0", "2x4:nvlinkx1", "x:eth100x1",
                                      "1x8:eth100x1", "2x3:eth100x1", "2x4:eth100x1x1", "99999x1:eth100x1"}) {
    const auto fabric = parse_fabric(text, 8, nullptr);
    ASSERT_FALSE(fabric.has_value()) << text;
    EXPECT_EQ(fabric.error().code, ErrorCode::invalid_argument);
    EXPECT_NE(fabric.error().message.find("nvlink, xgmi, pcie4"), std::string::npos) << fabric.error().text();
  }
  EXPECT_FALSE(parse_fabric("nvlink", 8, find_gpu("l40s")).has_value());
  EXPECT_FALSE(parse_fabric("nvlink", 8, find_gpu("mi300x")).has_value());
  EXPECT_FALSE(parse_fabric("xgmi", 8, find_gpu("h100_sxm")).has_value());
  EXPECT_FALSE(parse_fabric("ib400", 7, nullptr).has_value());
  EXPECT_FALSE(parse_fabric("nvlink", -1, nullptr).has_value());
}

TEST(BusbwFactor, AsNcclTestsDefinesIt) {
  EXPECT_DOUBLE_EQ(busbw_factor(Collective::all_reduce, 8), 1.75);
  EXPECT_DOUBLE_EQ(busbw_factor(Collective::all_gather, 8), 0.875);
  EXPECT_DOUBLE_EQ(busbw_factor(Collective::broadcast, 8), 1.0);
  EXPECT_DOUBLE_EQ(busbw_factor(Collective::all_reduce, 1), 0.0);
}

TEST(Transfer, MeasuredSizesInsideAnNvlinkNode) {
  const Fabric node = fabric_of("nvlink");
  EXPECT_NEAR(us(transfer_ns(Collective::all_reduce, 16 * kMiB, node, gpu("h200"))), 133, 0.1);
  EXPECT_NEAR(us(transfer_ns(Collective::all_reduce, 64 * kMiB, node, gpu("h100_sxm"))), 339, 0.1);
  EXPECT_NEAR(us(transfer_ns(Collective::all_reduce, 64 * kMiB, node, gpu("a100_80gb"))), 685, 0.1);
  // Half way between 16 and 32 MiB in log: sqrt(133 x 213) = 168.3 us.
  EXPECT_NEAR(us(transfer_ns(Collective::all_reduce, 23'726'566, node, gpu("h200"))), 168.3, 0.1);
  // Beyond the table the plateau holds: twice 4 GiB takes twice as long.
  EXPECT_NEAR(us(transfer_ns(Collective::all_reduce, 8 * kGiB, node, gpu("a100_80gb"))), 64272, 1);
}

TEST(Transfer, AMeshHasASeventhOfItsLinksForAPair) {
  // MI300X, 1 GiB all-reduce: 313 GB/s over eight, 313 / 7 = 45 GB/s over two (measured: 48).
  const double eight =
      expected_busbw_bytes_per_s(Collective::all_reduce, 4 * kGiB, fabric_of("xgmi", 8, "mi300x"), gpu("mi300x"));
  const double two =
      expected_busbw_bytes_per_s(Collective::all_reduce, 4 * kGiB, fabric_of("xgmi", 2, "mi300x"), gpu("mi300x"));
  EXPECT_NEAR(eight, 313e9, 4e9);
  EXPECT_NEAR(two, 45e9, 2e9);
}

TEST(Transfer, OneSharedNicCarriesTheWholeRing) {
  // 2.6 GB of gradients, 2 nodes of 8, one 100 GbE NIC a node: 1.875 x 2.6e9 / 12e9 = 406.25 ms. The tree would take
  // 451; a ring's latency is 8.4 + 28 hops x 3.4 + 2 x (14 + 20) = 171.6 us.
  const Fabric fabric = fabric_of("2x8:eth100x1", 16, "a100_80gb");
  EXPECT_NEAR(us(transfer_ns(Collective::all_reduce, 2'600'000'000, fabric, gpu("a100_80gb"))), 406'250 + 171.6, 1);
}

TEST(Transfer, RailsAddUpUntilNvlinkIsTheLimit) {
  // 1 GB over 2 x 4 with four 400 Gb/s NICs: 1.75e9 / (4 x 45e9) = 9.722 ms + 8.4 + 12 x 3.4 + 2 x 14 = 77.2 us.
  EXPECT_NEAR(us(transfer_ns(Collective::all_reduce, 1'000'000'000, fabric_of("2x4:ib400x4"), gpu("h100_sxm"))),
              9'722.2 + 77.2, 1);
  // Sixteen NICs would be 720 GB/s, more than an A100's NVLink ring at 235.
  EXPECT_NEAR(expected_busbw_bytes_per_s(Collective::all_reduce, 4 * kGiB, fabric_of("2x4:ib400x16", 8, "a100_80gb"),
                                         gpu("a100_80gb")),
              235e9, 2e9);
}

TEST(Transfer, Limits) {
  const Fabric alone = fabric_of("nvlink", 1);
  EXPECT_EQ(transfer_ns(Collective::all_reduce, kGiB, alone, gpu("h100_sxm")), 0);
  const Fabric node = fabric_of("nvlink");
  EXPECT_EQ(transfer_ns(Collective::all_reduce, 0, node, gpu("h200")), 40'000);  // the latency floor
  // A small message takes a low-latency protocol: ring LL 6.6 + 12 x 0.6 + 2 x 2.7 = 19.2 us (tree LL: 20.4).
  EXPECT_NEAR(us(transfer_ns(Collective::all_reduce, 0, fabric_of("2x4:ib400x4"), gpu("h100_sxm"))), 19.2, 0.1);
}

TEST(Transfer, MoreBytesNeverTakeLess) {
  for (const std::string_view text : {"nvlink", "xgmi", "2x4:ib400x4", "2x4:eth100x1", "2x4:eth25x1"}) {
    for (const Gpu& entry : all_gpus()) {
      const Link* link = find_link(text);
      const bool fits = entry.scale_up_bytes_per_s > 0 && link != nullptr && scale_up_name(entry) == link->title;
      if (link != nullptr && !fits) continue;
      const Fabric fabric = fabric_of(text, 8, entry.id);
      TimeNs before_ns = 0;
      for (int64_t size = 1; size < 8 * kGiB; size += size / 3 + 1) {
        const TimeNs now_ns = transfer_ns(Collective::all_reduce, size, fabric, entry);
        ASSERT_GE(now_ns, before_ns) << text << " " << entry.id << " " << size;
        before_ns = now_ns;
      }
    }
  }
}

TEST(Transfer, BusbwNeverExceedsTheLink) {
  for (const Link& link : all_links()) {
    if (!link.between_nodes) continue;
    const Fabric fabric = fabric_of("2x4:" + std::string(link.id) + "x1");
    EXPECT_LE(expected_busbw_bytes_per_s(Collective::all_reduce, kGiB, fabric, gpu("h100_sxm")),
              link.usable_bytes_per_s);
    EXPECT_LT(link.usable_bytes_per_s, link.label_bytes_per_s);
  }
}

}  // namespace
}  // namespace td::hardware
