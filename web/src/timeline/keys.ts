// The viewer's keys, as Perfetto has them. Single letters act only outside text fields.

export type KeyAction =
  | 'zoom_in'
  | 'zoom_out'
  | 'pan_left'
  | 'pan_right'
  | 'mark'
  | 'fit'
  | 'previous'
  | 'next'
  | 'flow_back'
  | 'flow_on'
  | 'next_gap'
  | 'unfold'
  | 'find'
  | 'pin'
  | 'cursor'
  | 'clear';

/** Pressed once, or held: zooming and panning go on while the key is down. */
export function isHeldAction(action: KeyAction): boolean {
  return action === 'zoom_in' || action === 'zoom_out' || action === 'pan_left' || action === 'pan_right';
}

const kKeys: Readonly<Record<string, KeyAction>> = {
  w: 'zoom_in',
  s: 'zoom_out',
  a: 'pan_left',
  d: 'pan_right',
  m: 'mark',
  f: 'fit',
  ',': 'previous',
  '.': 'next',
  '[': 'flow_back',
  ']': 'flow_on',
  g: 'next_gap',
  u: 'unfold',
  '/': 'find',
  t: 'pin',
  c: 'cursor',
  Escape: 'clear',
};

export interface KeyLike {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly target: unknown;
}

export function actionOfKey(event: KeyLike): KeyAction | undefined {
  if (event.ctrlKey || event.metaKey || event.altKey || isTextField(event.target)) return undefined;
  return kKeys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
}

/** True for what takes letters itself: inputs, lists that choose by letter, dialogs' own fields. */
export function isTextField(target: unknown): boolean {
  const element = target as Partial<HTMLElement> | null;
  if (!element?.tagName) return false;
  if (element.isContentEditable) return true;
  if (element.tagName === 'TEXTAREA' || element.tagName === 'SELECT') return true;
  if (element.tagName === 'INPUT')
    return !['button', 'checkbox', 'radio'].includes((element as HTMLInputElement).type);
  const role = element.getAttribute?.('role');
  return role === 'listbox' || role === 'option' || role === 'combobox' || role === 'textbox';
}
