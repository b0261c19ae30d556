#include "arithmetic/card.h"

#include <array>
#include <iterator>
#include <span>

namespace td::arithmetic {
namespace {

constexpr std::string_view kVersion = "card.1/";

double bf16(const Chip& chip) { return chip.gpu->bf16_flop_per_s; }
double fp8(const Chip& chip) { return chip.spec->fp8_flop_per_s; }
double memory(const Chip& chip) { return chip.spec->memory_label_gb * 1e9; }
double bandwidth(const Chip& chip) { return chip.gpu->hbm_bytes_per_s; }
double link(const Chip& chip) { return chip.gpu->scale_up_bytes_per_s; }
double ridge(const Chip& chip) { return chip.gpu->bf16_flop_per_s / chip.gpu->hbm_bytes_per_s; }
double shared(const Chip& chip) { return static_cast<double>(chip.spec->shared_per_block_bytes); }
double network(const Chip& chip) { return chip.spec->network_bytes_per_s; }
double sms(const Chip& chip) { return chip.gpu->sm_count; }

constexpr std::array kSpecs = {
    Spec{"bf16_peak", "dense BF16 peak", "TFLOP/s", bf16},
    Spec{"fp8_peak", "dense FP8 peak", "TFLOP/s", fp8},
    Spec{"memory", "memory size, as labelled", "GB", memory},
    Spec{"memory_bandwidth", "memory bandwidth", "TB/s", bandwidth},
    Spec{"link_bandwidth", "link to the other GPUs of its node, one way", "GB/s", link},
    Spec{"network_bandwidth", "usual network card of one GPU, one way", "GB/s", network},
    Spec{"ridge_point", "BF16 ridge point", "FLOP/B", ridge},
    Spec{"shared_per_block", "shared memory that one block may have", "KiB", shared},
    Spec{"sm_count", "number of SMs", "SMs", sms},
};

std::string printed(const Spec& spec, const Chip& chip) {
  const Unit of = unit(spec.unit);
  return text_of({spec.value(chip), of.dimension}, of, 4);
}

// Whether the number alone tells the chip: no other is within a fifth of it.
bool tells(const Spec& spec, const Chip& chip) {
  for (const Chip& other : all_chips()) {
    const double ratio = spec.value(other) / spec.value(chip);
    if (other.gpu != chip.gpu && ratio > 0.85 && ratio < 1.18) return false;
  }
  return true;
}

// The title, its id with hyphens, and its first word where no other chip begins with it.
std::string words_of(const Chip& chip) {
  std::string words;
  for (const char c : chip.gpu->id) words += c == '_' ? '-' : c;
  const auto first = [](std::string_view text) { return text.substr(0, text.find_first_of(" -_")); };
  const std::string_view own = first(chip.gpu->id);
  int count = 0;
  for (const Chip& other : all_chips()) count += first(other.gpu->id) == own ? 1 : 0;
  if (count == 1) words.append(" ").append(own);
  std::string title;
  for (const char c : chip.gpu->title)
    title += c == ' ' ? '-' : static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return words + " " + title;
}

Problem backwards(const Spec& spec, const Chip& chip) {
  Worksheet sheet("spec_card");
  sheet.ask("Which chip is it? " + std::string(spec.title) + ": " + printed(spec, chip) + ".");
  sheet.conventions("Dense rates, links one way, memory as labelled; the data center parts that this trainer names.");
  sheet.note(std::string(spec.title), chip.title() + ": " + printed(spec, chip));
  sheet.source(chip.spec->source);
  std::vector<Choice> choices;
  for (const Chip& one : all_chips()) choices.push_back({one.title(), words_of(one)});
  return sheet.verdict(std::move(choices), chip.gpu->title);
}

Problem forwards(const Spec& spec, const Chip& chip) {
  Worksheet sheet("spec_card");
  sheet.ask(chip.title() + ": " + std::string(spec.title) + "?");
  sheet.conventions("Dense rates, links one way, memory as labelled. A bare number is in " + std::string(spec.unit) +
                    ".");
  const Unit of = unit(spec.unit);
  const Quantity value{spec.value(chip), of.dimension};
  if (spec.id == "ridge_point") {
    sheet.note("Peak over bandwidth", text_of({chip.gpu->bf16_flop_per_s, {}}, {"TFLOP/s", 1e12, {}}) + " / " +
                                          text_of({chip.gpu->hbm_bytes_per_s, {}}, {"TB/s", 1e12, {}}) + " = " +
                                          printed(spec, chip));
  } else {
    sheet.note(std::string(spec.title), printed(spec, chip));
  }
  if (spec.id == "link_bandwidth")
    sheet.slip("both directions", value.value * 2, "Headline link rates add both directions; a collective sees one.");
  if (spec.id == "bf16_peak")
    sheet.slip("FP8 or sparse peak", value.value * 2,
               "The dense BF16 rate is asked; FP8 and 2:4 sparsity each double it.");
  if (spec.id == "fp8_peak") {
    sheet.slip("sparse peak", value.value * 2, "The dense rate is asked.");
    sheet.slip("BF16 peak", value.value / 2, "FP8 runs at twice the BF16 rate.");
  }
  sheet.source(chip.spec->source);
  return sheet.number({.quantity = value, .text = {}, .level = 0}, spec.unit);
}

}  // namespace

std::span<const Spec> all_specs() { return kSpecs; }

std::vector<Chip> all_chips() {
  std::vector<Chip> out;
  for (const hardware::ChipSpec& spec : hardware::all_chip_specs())
    out.push_back({hardware::find_gpu(spec.gpu), &spec});
  return out;
}

Problem draw_card(uint32_t seed) {
  RandomStream stream(seed, "arithmetic/card");
  for (;;) {
    const Spec& spec = kSpecs[static_cast<size_t>(stream.uniform_int(0, std::ssize(kSpecs) - 1))];
    const Chip chip = draw_chip(stream);
    const bool backward = stream.chance_permille(400);
    if (spec.value(chip) <= 0 || (backward && !tells(spec, chip))) continue;
    Problem problem = backward ? backwards(spec, chip) : forwards(spec, chip);
    problem.seed = seed;
    return problem;
  }
}

std::string card_name(uint32_t seed) { return std::string(kVersion) + std::to_string(seed); }

Result<uint32_t> parse_card_name(std::string_view name) {
  const std::string_view text = name.starts_with(kVersion) ? name.substr(kVersion.size()) : std::string_view();
  uint64_t seed = 0;
  bool is_number = !text.empty() && text.size() <= 10;
  for (const char c : text) {
    is_number = is_number && c >= '0' && c <= '9';
    if (is_number) seed = seed * 10 + static_cast<uint64_t>(c - '0');
  }
  if (!is_number || seed > UINT32_MAX) {
    return fail(ErrorCode::malformed, "no card " + quote_short(name) + ", expected card.1/SEED", "problem");
  }
  return static_cast<uint32_t>(seed);
}

}  // namespace td::arithmetic
