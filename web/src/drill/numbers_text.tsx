// Running text with its measured numbers in the number font, so that they can be found at a glance.
import { Fragment } from 'preact';

const kMeasured =
  /(?<![\w.])((?:\d[\d,]*)(?:\.\d+)?\s(?:ms|us|µs|ns|s|%|[kMGT]i?B(?:\/s)?|Gbit\/s|MHz|GHz|W))(?![\w/])/u;

export function NumbersText({ text }: { readonly text: string }) {
  return (
    <>
      {text.split(kMeasured).map((part, index) =>
        index % 2 === 1 ? (
          <span class="num" key={index}>
            {part}
          </span>
        ) : (
          <Fragment key={index}>{part}</Fragment>
        ),
      )}
    </>
  );
}
