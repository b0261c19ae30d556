// The drill page's public face.
export { DrillPage, toClientError, type DrillPageProps } from './drill_page';
export { ErrorPanel } from './panels';
export { kParts } from './form';
