#include "trace/kernel_class.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <string_view>

namespace td::trace {
namespace {

struct CommRow {
  std::string_view name;
  CollectiveKind kind;
};

// Names as profilers print them. Sources: NCCL 2.10 to 2.2x, RCCL, DeepEP, vLLM and PyTorch symmetric memory.
constexpr CommRow kCommunication[] = {
    {"ncclKernel_AllReduce_RING_LL_Sum_float(ncclDevComm*, unsigned long, ncclWork*)", CollectiveKind::all_reduce},
    {"ncclKernel_AllReduce_RING_LL_Sum_float(ncclWorkElem)", CollectiveKind::all_reduce},
    {"ncclKernel_Broadcast_RING_LL_Sum_int8_t(ncclDevComm*, unsigned long, ncclWork*)", CollectiveKind::broadcast},
    {"ncclKernel_SendRecv_RING_SIMPLE_Sum_int8_t(ncclDevComm*, unsigned long, ncclWork*)", CollectiveKind::send_recv},
    {"ncclKernel_AllGather_RING_LL_Sum_int8_t(ncclWorkElem)", CollectiveKind::all_gather},
    {"ncclKernel_ReduceScatter_RING_LL_Sum_float(ncclDevComm*, unsigned long, ncclWork*)",
     CollectiveKind::reduce_scatter},
    {"ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)", CollectiveKind::all_reduce},
    {"ncclDevKernel_AllReduce_Sum_f32_TREE_LL(ncclDevKernelArgsStorage<4096ul>)", CollectiveKind::all_reduce},
    {"ncclDevKernel_AllGather_RING_LL(ncclDevKernelArgsStorage<4096ul>)", CollectiveKind::all_gather},
    {"ncclDevKernel_ReduceScatter_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)", CollectiveKind::reduce_scatter},
    {"ncclDevKernel_Broadcast_RING_LL(ncclDevKernelArgsStorage<4096ul>)", CollectiveKind::broadcast},
    {"ncclDevKernel_Reduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)", CollectiveKind::reduce},
    {"ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)", CollectiveKind::send_recv},
    {"ncclDevKernel_Generic(ncclDevKernelArgsStorage<4096ul>)", CollectiveKind::unknown},
    {"ncclDevKernel_Generic_1(ncclDevKernelArgsStorage<4096ul>)", CollectiveKind::unknown},
    {"void deep_ep::internode::dispatch<false, 8, false, 12288, 24>(int4*, float*)", CollectiveKind::all_to_all},
    {"void deep_ep::intranode::combine<__nv_bfloat16, 8, 768>(__nv_bfloat16*, float*)", CollectiveKind::all_to_all},
    {"void (anonymous namespace)::multimem_all_reduce_kernel<c10::BFloat16, 16>(c10::BFloat16*, unsigned long)",
     CollectiveKind::all_reduce},
    {"void vllm::cross_device_reduce_1stage<__nv_bfloat16, 8>(vllm::RankData*)", CollectiveKind::all_reduce},
    {"void vllm::cross_device_reduce_2stage<half, 4>(vllm::RankData*)", CollectiveKind::all_reduce},
    {"all_reduce_one_shot_push_kernel", CollectiveKind::all_reduce},
};

TEST(CommunicationKernel, TableOfRealNames) {
  for (const CommRow& row : kCommunication) {
    EXPECT_TRUE(is_communication_kernel(row.name)) << row.name;
    EXPECT_EQ(collective_of_kernel(row.name), row.kind) << row.name;
  }
}

// Names with "reduce", "gather", "scatter" or "dispatch" in them that never leave the GPU.
constexpr std::string_view kCompute[] = {
    "void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float, at::native::MeanOps<float, float, float, "
    "float>, unsigned int, float, 4> >(at::native::ReduceOp<float>)",
    "void cublasLt::splitKreduce_kernel<32, 16, int, __nv_bfloat16, __nv_bfloat16>(cublasSplitKParams<float>)",
    "void at::native::vectorized_gather_kernel<16, long>(char*, char*, long*, int, long)",
    "void at::native::_scatter_gather_elementwise_kernel<128, 8, at::native::_cuda_scatter_gather_internal_kernel>",
    "reduce_segments",
    "void vllm::paged_attention_v2_reduce_kernel<__nv_bfloat16, 128, 128, 512>",
    "triton_red_fused_add_mean_mul_pow_rsqrt_0",
    "nvjet_tst_192x192_64x4_2x1_v_bz_coopB_bias_TNN",
    "sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64_warpgroupsize1x1x1_execute_segment_k_off_kernel__5x_"
    "cublas",
    "flash_fwd_splitkv_combine_kernel",
    "void moe::dev::finalize::finalizeKernelVecLoad<moe::dev::finalize::KernelParams>",
    "_combined_routing_compute",
    "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<c10::BFloat16>, std::array<char*, "
    "3ul> >",
    "",
};

TEST(CommunicationKernel, ComputeIsNotTakenForIt) {
  for (std::string_view name : kCompute) {
    EXPECT_FALSE(is_communication_kernel(name)) << name;
    EXPECT_EQ(collective_of_kernel(name), CollectiveKind::unknown) << name;
  }
}

TEST(CollectiveOfMetadata, KnowsKinetosNamesAndAnnotations) {
  const CommRow rows[] = {
      {"allreduce", CollectiveKind::all_reduce},
      {"allreduce_coalesced", CollectiveKind::all_reduce},
      {"_allgather_base", CollectiveKind::all_gather},
      {"all_gather", CollectiveKind::all_gather},
      {"_reduce_scatter_base", CollectiveKind::reduce_scatter},
      {"all_to_allv", CollectiveKind::all_to_all},
      {"all_to_all", CollectiveKind::all_to_all},
      {"broadcast", CollectiveKind::broadcast},
      {"reduce", CollectiveKind::reduce},
      {"send", CollectiveKind::send_recv},
      {"recv", CollectiveKind::send_recv},
      {"nccl:all_reduce", CollectiveKind::all_reduce},
      {"nccl:_all_gather_base", CollectiveKind::all_gather},
      {"nccl:_reduce_scatter_base", CollectiveKind::reduce_scatter},
      {"nccl:send 0->1", CollectiveKind::send_recv},
      {"nccl:recv 0<-1", CollectiveKind::send_recv},
      {"nccl:coalesced", CollectiveKind::unknown},
      {"barrier", CollectiveKind::unknown},
      {"", CollectiveKind::unknown},
  };
  for (const CommRow& row : rows) EXPECT_EQ(collective_of_metadata(row.name), row.kind) << row.name;
}

TEST(CopyOfName, KnowsEveryDirection) {
  EXPECT_EQ(copy_of_name("Memcpy HtoD (Pageable -> Device)"), CopyKind::h2d);
  EXPECT_EQ(copy_of_name("Memcpy HtoD (Pinned -> Device)"), CopyKind::h2d);
  EXPECT_EQ(copy_of_name("Memcpy DtoH (Device -> Pageable)"), CopyKind::d2h);
  EXPECT_EQ(copy_of_name("Memcpy DtoD (Device -> Device)"), CopyKind::d2d);
  EXPECT_EQ(copy_of_name("Memcpy PtoP (Device -> Device)"), CopyKind::p2p);
  EXPECT_EQ(copy_of_name("Memset (Device)"), CopyKind::unknown);
}

TEST(PageableCopy, IsToldByTheName) {
  EXPECT_TRUE(is_pageable_copy("Memcpy HtoD (Pageable -> Device)"));
  EXPECT_TRUE(is_pageable_copy("Memcpy DtoH (Device -> Pageable)"));
  EXPECT_FALSE(is_pageable_copy("Memcpy HtoD (Pinned -> Device)"));
  EXPECT_FALSE(is_pageable_copy("Memcpy HtoD (Host -> Device)"));  // ROCm does not say
}

TEST(LoaderWait, IsTheParentsWaitAlone) {
  EXPECT_TRUE(is_loader_wait("enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__"));
  EXPECT_TRUE(is_loader_wait("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__"));
  EXPECT_TRUE(is_loader_wait("torch/utils/data/dataloader.py(628): _BaseDataLoaderIter.__next__"));
  EXPECT_FALSE(is_loader_wait("DataLoader.__init__"));
  EXPECT_FALSE(is_loader_wait("ProfilerStep#3"));
}

TEST(BlockingSync, IsTheCallThatWaitsNotTheOneThatMarks) {
  for (std::string_view name : {"cudaStreamSynchronize", "cudaStreamSynchronize_v3020", "cudaDeviceSynchronize",
                                "cudaEventSynchronize", "cuCtxSynchronize", "hipDeviceSynchronize"})
    EXPECT_TRUE(is_blocking_sync(name)) << name;
  for (std::string_view name : {"cudaEventRecord", "cudaStreamWaitEvent", "cudaEventQuery", "cudaLaunchKernel"})
    EXPECT_FALSE(is_blocking_sync(name)) << name;
}

TEST(KernelLaunch, CoversRuntimeDriverAndRocm) {
  for (std::string_view name :
       {"cudaLaunchKernel", "cudaLaunchKernelExC", "cuLaunchKernel", "cuLaunchKernelEx", "cudaGraphLaunch",
        "cudaLaunchKernel_v7000", "cudaLaunchCooperativeKernel", "hipLaunchKernel", "hipExtModuleLaunchKernel",
        "hipModuleLaunchKernel", "hipGraphLaunch"})
    EXPECT_TRUE(is_kernel_launch(name)) << name;
  for (std::string_view name : {"cudaMemcpyAsync", "cudaStreamIsCapturing", "cudaMalloc", "cudaEventRecord"})
    EXPECT_FALSE(is_kernel_launch(name)) << name;
}

struct DTypeRow {
  std::string_view text;
  DType dtype;
  int64_t size_bytes;
};

// Both spellings: the collective metadata's scalar type and the C++ name under "Input type".
TEST(DTypeOf, KnowsBothSpellings) {
  const DTypeRow rows[] = {
      {"BFloat16", DType::bfloat16, 2},
      {"c10::BFloat16", DType::bfloat16, 2},
      {"Half", DType::float16, 2},
      {"c10::Half", DType::float16, 2},
      {"Float", DType::float32, 4},
      {"float", DType::float32, 4},
      {"Double", DType::float64, 8},
      {"double", DType::float64, 8},
      {"Long", DType::int64, 8},
      {"long int", DType::int64, 8},
      {"long", DType::int64, 8},
      {"Int", DType::int32, 4},
      {"int", DType::int32, 4},
      {"Byte", DType::uint8, 1},
      {"unsigned char", DType::uint8, 1},
      {"Char", DType::int8, 1},
      {"signed char", DType::int8, 1},
      {"Bool", DType::boolean, 1},
      {"bool", DType::boolean, 1},
      {"Float8_e4m3fn", DType::float8, 1},
      {"c10::Float8_e4m3fn", DType::float8, 1},
      {"Scalar", DType::unknown, 0},
      {"TensorList", DType::unknown, 0},
      {"", DType::unknown, 0},
  };
  for (const DTypeRow& row : rows) {
    EXPECT_EQ(dtype_of(row.text), row.dtype) << row.text;
    EXPECT_EQ(size_bytes(dtype_of(row.text)), row.size_bytes) << row.text;
  }
}

TEST(Names, AreDistinct) {
  std::set<std::string_view> collectives;
  for (int i = 0; i <= static_cast<int>(CollectiveKind::send_recv); ++i)
    collectives.insert(to_string(static_cast<CollectiveKind>(i)));
  EXPECT_EQ(collectives.size(), static_cast<size_t>(CollectiveKind::send_recv) + 1);
  std::set<std::string_view> dtypes;
  for (int i = 0; i <= static_cast<int>(DType::boolean); ++i) dtypes.insert(to_string(static_cast<DType>(i)));
  EXPECT_EQ(dtypes.size(), static_cast<size_t>(DType::boolean) + 1);
  EXPECT_EQ(to_string(CopyKind::h2d), "h2d");
}

}  // namespace
}  // namespace td::trace
