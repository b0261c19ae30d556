// Light, dark, or as the system has it; remembered on this machine.

export const kThemes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof kThemes)[number];

const kKey = 'tracedrills.theme';

export function readTheme(): Theme {
  try {
    const stored = localStorage.getItem(kKey);
    return kThemes.find((theme) => theme === stored) ?? 'system';
  } catch {
    return 'system'; // storage is blocked: the choice lasts as long as the page
  }
}

export function nextTheme(theme: Theme): Theme {
  return kThemes[(kThemes.indexOf(theme) + 1) % kThemes.length] ?? 'system';
}

// `system` leaves the attribute out, so that the style sheet's media query decides.
export function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  try {
    localStorage.setItem(kKey, theme);
  } catch {
    // Nothing depends on it being remembered.
  }
}
