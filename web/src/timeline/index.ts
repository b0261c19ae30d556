// The timeline viewer's public face.
//
//   <TimelineView trace={trace} view={view} onView={setView} openRanks={open} onToggleRank={toggle}
//                 selection={selection} onSelection={setSelection} picked={picked} onPick={setPicked}
//                 place={place} highlights={highlights} steps={steps} originNs={steps[0]?.beginNs} theme={theme}
//                 actions={<button>Export to Perfetto</button>} />
//   <TimelineDetails trace={trace} openRanks={open} selection={selection} picked={picked} onPick={setPicked} />
//
// All state is the page's: the view asks for changes through its callbacks. It fills its parent's height (flex: 1).
// The page's style sheet imports ../timeline/timeline.css and defines the tokens: --track --group --surface --line
// --line-2 --ink --ink-2 --ink-3 --control --accent --sel --sel-edge --k-compute --k-comm --k-copy --k-host --k-loader
// --on-kind --pattern --slice-edge --font --mono.
//
// Keys handled here while no text field has the focus: W S A D M F , . [ ] G U / and Esc (clears the selection, then the
// picked slice). All others are the page's.
export * from './types';
export { TimelineView } from './timeline_view';
export { useUnfolded, type Unfolded } from './use_unfolded';
export { TimelineDetails, SelectionPanel, SlicePanel } from './details';
