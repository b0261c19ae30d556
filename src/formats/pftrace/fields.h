// The numbers of the fields and enums that are read and written, from Perfetto's public .proto files.
#pragma once

#include <cstdint>

namespace td::formats::perfetto {

namespace trace_file {
inline constexpr uint32_t kPacket = 1;
}

namespace packet {
inline constexpr uint32_t kTimestamp = 8;
inline constexpr uint32_t kSequenceId = 10;
inline constexpr uint32_t kTrackEvent = 11;
inline constexpr uint32_t kInternedData = 12;
inline constexpr uint32_t kSequenceFlags = 13;
inline constexpr uint32_t kClockSnapshot = 6;
inline constexpr uint32_t kGpuRenderStageEvent = 53;
inline constexpr uint32_t kClockId = 58;
inline constexpr uint32_t kDefaults = 59;
inline constexpr uint32_t kTrackDescriptor = 60;
inline constexpr uint64_t kStateCleared = 1;
inline constexpr uint64_t kNeedsState = 2;
}  // namespace packet

namespace clock_snapshot {
inline constexpr uint32_t kClock = 1;
inline constexpr uint32_t kId = 1;
inline constexpr uint32_t kTimestamp = 2;
inline constexpr uint32_t kIsIncremental = 3;
inline constexpr uint32_t kUnitNs = 4;
inline constexpr uint64_t kBoottime = 6;  // the trace's own clock
}  // namespace clock_snapshot

namespace defaults {
inline constexpr uint32_t kClockId = 58;
inline constexpr uint32_t kTrackEvent = 11;
inline constexpr uint32_t kTrackUuid = 11;
}  // namespace defaults

namespace descriptor {
inline constexpr uint32_t kUuid = 1;
inline constexpr uint32_t kName = 2;
inline constexpr uint32_t kProcess = 3;
inline constexpr uint32_t kThread = 4;
inline constexpr uint32_t kParent = 5;
inline constexpr uint32_t kCounter = 8;
inline constexpr uint32_t kStaticName = 10;
inline constexpr uint32_t kOrder = 12;
inline constexpr uint32_t kDescription = 14;
inline constexpr uint32_t kProcessOrdering = 19;
inline constexpr uint32_t kThreadOrdering = 20;
inline constexpr uint32_t kPid = 1;
inline constexpr uint32_t kTid = 2;
inline constexpr uint32_t kThreadName = 5;
inline constexpr uint32_t kProcessName = 6;
}  // namespace descriptor

namespace event {
inline constexpr uint32_t kCategoryIid = 3;
inline constexpr uint32_t kAnnotation = 4;
inline constexpr uint32_t kType = 9;
inline constexpr uint32_t kNameIid = 10;
inline constexpr uint32_t kTrackUuid = 11;
inline constexpr uint32_t kCategory = 22;
inline constexpr uint32_t kName = 23;
inline constexpr uint32_t kCounterValue = 30;
inline constexpr uint32_t kDoubleCounterValue = 44;
inline constexpr uint32_t kFlowId = 47;
inline constexpr uint32_t kEndFlowId = 48;
inline constexpr uint32_t kOldFlowId = 36;
inline constexpr uint32_t kOldEndFlowId = 42;
inline constexpr uint32_t kGpuCorrelation = 3000;
inline constexpr uint32_t kSubmissionId = 1;  // in GpuCorrelation
inline constexpr uint64_t kBegin = 1;
inline constexpr uint64_t kEnd = 2;
inline constexpr uint64_t kInstant = 3;
inline constexpr uint64_t kCounter = 4;
}  // namespace event

namespace annotation {
inline constexpr uint32_t kNameIid = 1;
inline constexpr uint32_t kUint = 3;
inline constexpr uint32_t kInt = 4;
inline constexpr uint32_t kDouble = 5;
inline constexpr uint32_t kText = 6;
inline constexpr uint32_t kName = 10;
inline constexpr uint32_t kTextIid = 17;
}  // namespace annotation

namespace interned {
inline constexpr uint32_t kCategory = 1;
inline constexpr uint32_t kEventName = 2;
inline constexpr uint32_t kAnnotationName = 3;
inline constexpr uint32_t kContext = 23;
inline constexpr uint32_t kGpuSpec = 24;
inline constexpr uint32_t kText = 29;
inline constexpr uint32_t kIid = 1;
inline constexpr uint32_t kString = 2;
inline constexpr uint32_t kSpecDescription = 3;
inline constexpr uint32_t kSpecCategory = 4;
inline constexpr uint32_t kContextPid = 2;
inline constexpr uint32_t kContextApi = 3;
inline constexpr uint64_t kCompute = 2;
inline constexpr uint64_t kCuda = 4;
}  // namespace interned

namespace gpu {
inline constexpr uint32_t kEventId = 1;
inline constexpr uint32_t kDuration = 2;
inline constexpr uint32_t kContext = 5;
inline constexpr uint32_t kExtra = 6;
inline constexpr uint32_t kGpuId = 11;
inline constexpr uint32_t kQueueIid = 13;
inline constexpr uint32_t kStageIid = 14;
inline constexpr uint32_t kNameIid = 20;
inline constexpr uint32_t kLaunch = 21;
inline constexpr uint32_t kExtraName = 1;
inline constexpr uint32_t kExtraValue = 2;
inline constexpr uint32_t kGrid = 1;
inline constexpr uint32_t kBlock = 2;
inline constexpr uint32_t kArg = 3;
inline constexpr uint32_t kArgName = 2;
inline constexpr uint32_t kArgValue = 3;
}  // namespace gpu

}  // namespace td::formats::perfetto
