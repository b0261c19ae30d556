import type { TimelineViewProps } from './types';

// Interim: the props are final, the drawing is being built.
export function TimelineView(props: TimelineViewProps) {
  return <div class="tl" role="img" aria-label={props.label ?? 'Timeline'} />;
}
