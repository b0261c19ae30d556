#include "sim/job/dialect.h"

#include <array>
#include <vector>

namespace td::sim {
namespace {

struct Word {
  std::string_view from;
  std::string_view to;
};

// Whole names. Triton kernels are modules; HIP has no ExC form.
constexpr std::array kHipCalls = {
    Word{"cudaLaunchKernel", "hipLaunchKernel"},
    Word{"cudaLaunchKernelExC", "hipExtLaunchKernel"},
    Word{"cuLaunchKernel", "hipModuleLaunchKernel"},
    Word{"cuLaunchKernelEx", "hipModuleLaunchKernel"},
    Word{"cudaMemcpyAsync", "hipMemcpyAsync"},
    Word{"cudaMemsetAsync", "hipMemsetAsync"},
    Word{"cudaStreamSynchronize", "hipStreamSynchronize"},
    Word{"cudaDeviceSynchronize", "hipDeviceSynchronize"},
    Word{"cudaEventSynchronize", "hipEventSynchronize"},
    Word{"cudaEventRecord", "hipEventRecord"},
    Word{"cudaEventQuery", "hipEventQuery"},
    Word{"cudaStreamWaitEvent", "hipStreamWaitEvent"},
    Word{"cudaGraphLaunch", "hipGraphLaunch"},
    Word{"cudaMalloc", "hipMalloc"},
    Word{"cudaFree", "hipFree"},
    Word{"cuLibraryLoadData", "hipModuleLoadData"},
    Word{"cudaHostAlloc", "hipHostMalloc"},
    Word{"Memcpy HtoD (Pinned -> Device)", "Memcpy HtoD (Host -> Device)"},
    Word{"Memcpy HtoD (Pageable -> Device)", "Memcpy HtoD (Host -> Device)"},
    Word{"Memcpy DtoH (Device -> Pinned)", "Memcpy DtoH (Device -> Host)"},
    Word{"Memcpy DtoH (Device -> Pageable)", "Memcpy DtoH (Device -> Host)"},
    Word{"aten::cudnn_convolution", "aten::miopen_convolution"},
};

// Kernels by what their name contains: AOTriton's attention.
constexpr std::array kHipKernels = {
    Word{"pytorch_flash::flash_fwd_kernel", "attn_fwd"},
    Word{"flash_bwd_dot_do_o_kernel", "bwd_preprocess"},
    Word{"flash_bwd_dq_dk_dv_loop_seqk_parallel_kernel", "bwd_kernel_fuse"},
    Word{"flash_bwd_convert_dq_kernel", "bwd_postprocess"},
    Word{"ncclDevKernel_", "ncclDevKernel_Generic_1(ncclDevKernelArgsStorage<4096ul>)"},
    Word{"cub::CUB_200200_NS::DeviceRadixSortOnesweepKernel",
         "void rocprim::ROCPRIM_400200_NS::detail::trampoline_kernel<rocprim::ROCPRIM_400200_NS::detail::"
         "radix_sort_onesweep_config<rocprim::ROCPRIM_400200_NS::default_config, long, long>, "
         "(rocprim::ROCPRIM_400200_NS::detail::target_arch)942>(...)"},
    Word{"cub::CUB_200200_NS::DeviceScanKernel",
         "void rocprim::ROCPRIM_400200_NS::detail::trampoline_kernel<rocprim::ROCPRIM_400200_NS::detail::"
         "wrapped_scan_config<rocprim::ROCPRIM_400200_NS::default_config, long>, "
         "(rocprim::ROCPRIM_400200_NS::detail::target_arch)942>(...)"},
};

// FlashAttention-2 needs Ampere: CUTLASS' memory-efficient kernels before.
constexpr std::array kTuringKernels = {
    Word{"pytorch_flash::flash_fwd_kernel",
         "fmha_cutlassF_f16_aligned_64x64_rf_sm75(PyTorchMemEffAttention::AttentionKernel<cutlass::half_t, "
         "cutlass::arch::Sm75, true, 64, 64, 64, true, true>::Params)"},
    Word{
        "flash_bwd_dot_do_o_kernel",
        "void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float, at::native::func_wrapper_t<float, "
        "at::native::sum_functor<c10::Half, float, float>::operator()(at::TensorIterator&)::{lambda(float, float)#1}>, "
        "unsigned int, float, 4, 4> >(...)"},
    Word{
        "flash_bwd_dq_dk_dv_loop_seqk_parallel_kernel",
        "fmha_cutlassB_f16_aligned_64x64_k64_sm75(PyTorchMemEffAttention::AttentionBackwardKernel<cutlass::arch::Sm75, "
        "cutlass::half_t, true, false, false, 64, 64, 64, false>::Params)"},
    Word{"flash_bwd_convert_dq_kernel",
         "void at::native::elementwise_kernel<128, 4, at::native::gpu_kernel_impl_nocast<"
         "at::native::direct_copy_kernel_cuda(at::TensorIteratorBase&)::{lambda()#3}::operator()() "
         "const::{lambda()#10}::operator()() const::{lambda(c10::Half)#1}>(...)>"},
};

// Parts of names, types and shapes.
constexpr std::array kHalf = {
    Word{"c10::BFloat16", "c10::Half"},
    Word{"cutlass::bfloat16_t", "cutlass::half_t"},
    Word{"__nv_bfloat16", "__half"},
    Word{"_scaled_dot_product_flash_attention", "_scaled_dot_product_efficient_attention"},
    Word{"_flash_attention_", "_efficient_attention_"},
    Word{"ScaledDotProductFlashAttention", "ScaledDotProductEfficientAttention"},
    Word{"_Sum_bf16_", "_Sum_f16_"},
    Word{"bfloat16", "float16"},
};
constexpr std::array kHip = {
    Word{"__nv_bfloat16", "__hip_bfloat16"},
    // 16-bit tensors are read eight at a time; strided ones by a kernel of their own.
    Word{"vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<c10::BFloat16>",
         "vectorized_elementwise_kernel<8, at::native::CUDAFunctor_add<c10::BFloat16>"},
    Word{"vectorized_elementwise_kernel<4, at::native::BinaryFunctor<c10::BFloat16",
         "vectorized_elementwise_kernel<8, at::native::BinaryFunctor<c10::BFloat16"},
    Word{"vectorized_elementwise_kernel<4, at::native::AUnaryFunctor<c10::BFloat16",
         "vectorized_elementwise_kernel<8, at::native::AUnaryFunctor<c10::BFloat16"},
    Word{"vectorized_elementwise_kernel<4, at::native::Gelu", "vectorized_elementwise_kernel<8, at::native::Gelu"},
    Word{"vectorized_elementwise_kernel<4, at::native::(anonymous namespace)::silu",
         "vectorized_elementwise_kernel<8, at::native::(anonymous namespace)::silu"},
    Word{"elementwise_kernel<128, 4, at::native::gpu_kernel_impl_nocast",
         "elementwise_kernel_manual_unroll<128, 8, at::native::gpu_kernel_impl_nocast"},
};

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

template <typename Words>
std::string replaced(std::string text, const Words& words) {
  for (const Word& word : words) {
    size_t at = 0;
    while ((at = text.find(word.from, at)) != std::string::npos) {
      text.replace(at, word.from.size(), word.to);
      at += word.to.size();
    }
  }
  return text;
}

std::string in_hip(std::string_view text) {
  for (const Word& call : kHipCalls) {
    if (text == call.from) return std::string(call.to);
  }
  for (const Word& kernel : kHipKernels) {
    if (contains(text, kernel.from)) return std::string(kernel.to);
  }
  return replaced(std::string(text), kHip);
}

std::string in_half(std::string_view text) {
  for (const Word& kernel : kTuringKernels) {
    if (contains(text, kernel.from)) return std::string(kernel.to);
  }
  return replaced(std::string(text), kHalf);
}

// Twice the threads, eight elements each: a quarter of the blocks; wavefronts are 64 wide.
void shape_for_hip(KernelSpec& kernel, std::string_view name) {
  if (contains(name, "vectorized_elementwise_kernel<8")) {
    kernel.grid[0] = kernel.grid[0] / 4 + 1;
    kernel.block[0] = 256;
  } else if (contains(name, "vectorized_elementwise_kernel<4")) {
    kernel.grid[0] = kernel.grid[0] / 2 + 1;
    kernel.block[0] = 256;
  } else if (contains(name, "layer_norm_kernel") && kernel.block[0] == 32) {
    kernel.block[0] = 64;
  }
  kernel.registers_per_thread = 0;  // not in ROCm's records
}

}  // namespace

std::string in_dialect(std::string_view text, const hardware::Gpu& gpu) {
  if (hardware::is_amd(gpu)) return in_hip(text);
  if (!hardware::has_bf16(gpu)) return in_half(text);
  return std::string(text);
}

void apply_dialect(Program& program, const hardware::Gpu& gpu) {
  const bool amd = hardware::is_amd(gpu);
  if (!amd && hardware::has_bf16(gpu)) return;
  trace::StringTable table;
  std::vector<trace::StringId> now(program.strings.size(), 0);
  for (trace::StringId id = 0; id < now.size(); ++id) now[id] = table.intern(in_dialect(program.strings.view(id), gpu));
  const auto move = [&](trace::StringId& id) { id = now[id]; };
  const auto move_all = [&](std::vector<Instruction>& list) {
    for (Instruction& instruction : list) {
      move(instruction.name);
      move(instruction.shapes);
      move(instruction.types);
    }
  };
  const auto kernel_of = [&](KernelSpec& kernel) {
    move(kernel.name);
    if (amd) shape_for_hip(kernel, table.view(kernel.name));
  };
  for (KernelSpec& kernel : program.kernels) kernel_of(kernel);
  for (CopySpec& copy : program.copies) move(copy.name);
  for (CollectiveSpec& collective : program.collectives) {
    move(collective.kernel.name);
    if (!amd && collective.dtype == trace::DType::bfloat16) collective.dtype = trace::DType::float16;
  }
  for (auto& segment : program.segments) move_all(segment);
  move_all(program.epilogue);
  program.strings = std::move(table);
}

}  // namespace td::sim
