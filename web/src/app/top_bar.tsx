// The bar on top of every screen: name, what the screen puts in it, theme, keys.
import type { ComponentChildren } from 'preact';
import type { Route } from './router';
import type { Theme } from './theme';

interface Props {
  readonly page: Route['page'];
  readonly theme: Theme;
  readonly onTheme: () => void;
  readonly onHelp: () => void;
  readonly children: ComponentChildren;
}

// The pages beside the drill, which the name leads to.
const kPages: readonly { readonly page: Route['page']; readonly title: string; readonly href: string }[] = [
  { page: 'math', title: 'Math', href: '#/math' },
  { page: 'history', title: 'History', href: '#/history' },
];

const kThemeNames = { system: 'as the system', light: 'light', dark: 'dark' } as const;

export function TopBar({ page, theme, onTheme, onHelp, children }: Props) {
  return (
    <header class="top" data-page={page}>
      <a
        class="brand"
        href="#/"
        aria-label="Trace Drills, home"
        aria-current={page === 'home' ? 'page' : undefined}
      >
        <Logo />
        <span>Trace Drills</span>
      </a>
      <nav class="nav" aria-label="Pages">
        {kPages.map(({ page: own, title, href }) => (
          <a key={own} href={href} aria-current={page === own ? 'page' : undefined}>
            {title}
          </a>
        ))}
      </nav>
      <span class="grow" />
      {children}
      <button
        type="button"
        class="btn icon ghost"
        aria-label={`Colours: ${kThemeNames[theme]}. Change.`}
        title={`Colours: ${kThemeNames[theme]}`}
        onClick={onTheme}
      >
        <svg class="icon-16" viewBox="0 0 16 16" aria-hidden="true">
          <circle cx="8" cy="8" r="5.5" />
          {theme === 'system' && <path class="fill" d="M8 2.5v11a5.5 5.5 0 000-11z" />}
          {theme === 'dark' && <circle class="fill" cx="8" cy="8" r="5.5" />}
        </svg>
      </button>
      <button
        type="button"
        class="btn icon ghost only-desk"
        aria-label="All keys"
        title="All keys"
        onClick={onHelp}
      >
        <kbd>?</kbd>
      </button>
    </header>
  );
}

function Logo() {
  return (
    <svg class="logo" viewBox="0 0 18 18" aria-hidden="true">
      <path d="M1 2h9v3.5H1zM12 2h5v3.5h-5zM1 12.5h5V16H1zM8 12.5h9V16H8z" />
      <path opacity=".5" d="M5 7.25h12v3.5H5z" />
    </svg>
  );
}
