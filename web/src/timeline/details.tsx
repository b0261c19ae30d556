import type { TimelineDetailsProps } from './types';

// Interim: the props are final, the panels are being built.
export function SelectionPanel(_props: TimelineDetailsProps) {
  return <section class="tl-panel" />;
}
export function SlicePanel(_props: TimelineDetailsProps) {
  return <section class="tl-panel" />;
}
export function TimelineDetails(props: TimelineDetailsProps) {
  return (
    <div class="tl-details">
      <SelectionPanel {...props} />
      <SlicePanel {...props} />
    </div>
  );
}
