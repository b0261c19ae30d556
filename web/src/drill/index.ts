// The drill page's public face.
export { DrillPage, Permalink, toClientError, type DrillPageProps } from './drill_page';
export { ContrastPage } from './contrast/contrast_page';
export { ErrorPanel } from './panels';
export { kParts } from './form';
export { isMode, kModes, kModeTexts, type Mode } from './mode';
export { WalkPage } from './walk_page';
