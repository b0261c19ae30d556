// What of the communication sticks out behind backward.
#include "arithmetic/draw.h"

namespace td::arithmetic::category {
namespace {

std::optional<Problem> draw(RandomStream& stream, [[maybe_unused]] const Wish& wish) {
  Worksheet sheet("exposed_communication");
  const double backward_ms = spread(stream, 20, 400);
  const double communication_ms =
      rounded(backward_ms * (wish.yes ? spread(stream, 1.1, 2.5, 3) : spread(stream, 0.3, 0.8, 3)), 2);
  const Term backward = sheet.input("backward", "of the step", backward_ms, "ms");
  const Term communication = sheet.input("communication", "all buckets", communication_ms, "ms");
  const Term share = sheet.input("overlappable", "of backward, once the first bucket is full",
                                 static_cast<double>(stream.uniform_int(80, 95)), "%");
  const Term last = sheet.input("last_bucket", "ready only at the end of backward",
                                rounded(communication_ms * one_of(stream, {0.02, 0.04, 0.06, 0.1}), 2), "ms");
  const Term room = sheet.step("Backward that can hide communication", share * backward);
  const Term rest = sheet.step("Communication before the last bucket", communication - last);
  const Term exposed_value = max_of(term(0, "ms"), rest - room) + last;
  const Term exposed = sheet.step("What sticks out: the excess, and the last bucket in any case", exposed_value);
  if (exposed.value() < 0.3e-3) return std::nullopt;
  sheet.conventions(
      "Buckets go out one after another; the last one starts when backward ends. Compute is not slowed by overlap.");
  sheet.ask("Backward takes " + backward.text + ", the gradients' all-reduces " + communication.text +
            " in all, of which the last bucket is " + last.text +
            " and starts only when backward ends. The first bucket is ready after the first " +
            digits(100 - share.value() * 100, 3) + " % of backward. How much communication is exposed?");
  sheet.in_the_head(
      "Hide what fits, then add the last bucket",
      digits(rest.value() * 1e3, 3) + " against " + digits(room.value() * 1e3, 3) + ", then " + last.text);
  sheet.slip("the last bucket forgotten", exposed.value() - last.value(),
             "The last bucket has nothing left to hide behind.");
  sheet.slip("no overlap", communication.value(), "Most of it runs under backward.");
  return sheet.number(exposed, fitting_unit(exposed.quantity).symbol);
}

}  // namespace

Category exposed_communication() {
  return {.id = "exposed_communication",
          .title = "Exposed communication",
          .identity = "exposed = max(0, t_comm − t_last − h × t_bwd) + t_last",
          .source = "PyTorch DDP: buckets overlap backward, the last cannot",
          .is_core = false,
          .variants = 1,
          .draw = draw};
}

}  // namespace td::arithmetic::category
