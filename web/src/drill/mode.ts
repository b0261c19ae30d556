// How a drill is put before the learner. The drill, the form and the reveal are the same in each but `contrast`, which is a
// page of its own.

export const kModes = ['full', 'blind', 'perfetto', 'contrast'] as const;
export type Mode = (typeof kModes)[number];

export interface ModeText {
  readonly title: string;
  readonly text: string;
}

export const kModeTexts: Readonly<Record<Mode, ModeText>> = {
  full: { title: 'Prompt and timeline', text: 'as it comes at work' },
  blind: { title: 'Blind', text: 'no prompt, no names: shapes alone' },
  perfetto: { title: 'Perfetto only', text: 'read it there; here is the form alone' },
  contrast: { title: 'Contrast', text: 'two runs of one job: say what differs' },
};

export function isMode(text: string | null | undefined): text is Mode {
  return kModes.some((mode) => mode === text);
}
