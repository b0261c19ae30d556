// The page: which screen an address shows, and what all screens share.
import type { ComponentChildren } from 'preact';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { MathPage, ReferencePage, SumButton, type MathAttemptStore } from '../arithmetic';
import { shorten } from '../base';
import type { AttemptStore } from '../client/attempts';
import { fetchCatalog, type Client } from '../client/client';
import type { ClientError } from '../client/client_error';
import { ContrastPage, DrillPage, Permalink, toClientError, WalkPage } from '../drill';
import { HistoryPage } from '../history';
import { Help } from './help';
import { Notice } from './notice';
import { Home, UnknownPage } from './home';
import { drawSeed, drillHash, parseRoute, type Route } from './router';
import { readSettings, storeSettings, type Settings } from './settings';
import { applyTheme, nextTheme, readTheme } from './theme';
import { TopBar } from './top_bar';

interface Props {
  readonly client: Client;
  readonly attempts: AttemptStore;
  readonly mathAttempts: MathAttemptStore;
}

export function App({ client, attempts, mathAttempts }: Props) {
  const [hash, setHash] = useState(location.hash);
  const [theme, setTheme] = useState(readTheme);
  const [settings, setSettings] = useState<Settings>(readSettings);
  const [isHelpOpen, setHelpOpen] = useState(false);
  const [error, setError] = useState<ClientError>();
  const systemIsDark = useSystemDark();
  const route = parseRoute(hash);
  const change = (changed: Partial<Settings>) => setSettings((now) => ({ ...now, ...changed }));

  useEffect(() => {
    const onHash = () => {
      setError(undefined);
      setHash(location.hash);
    };
    addEventListener('hashchange', onHash);
    return () => removeEventListener('hashchange', onHash);
  }, []);
  useEffect(() => applyTheme(theme), [theme]);
  useEffect(() => storeSettings(settings), [settings]);
  useEffect(() => {
    document.title = titleOf(route);
  }, [hash]);

  const draw = useCallback(async () => {
    try {
      const { decks } = await fetchCatalog(client);
      const fallback = decks.find((one) => one.is_default) ?? decks[0];
      // A level is a deck of its own; the same eleven causes stand in each.
      const wanted = decks.find(
        (one) => one.level === settings.level && one.causes.length === fallback?.causes.length,
      );
      const deck = settings.level === 'standard' ? fallback : (wanted ?? fallback);
      setError(undefined);
      if (deck !== undefined) location.hash = drillHash(`${deck.id}/${drawSeed()}`, settings.mode);
    } catch (caught) {
      // One stays where one is: leaving would lose a reveal, for a trace that is not to be had.
      setError(toClientError(caught));
    }
  }, [client, settings.level, settings.mode]);
  const newTrace = () => void draw();
  useGlobalKeys(route.page !== 'drill' && route.page !== 'math', draw, () => setHelpOpen(true));

  const bar = (middle: ComponentChildren) => (
    <TopBar
      page={route.page}
      theme={theme}
      onTheme={() => setTheme(nextTheme(theme))}
      onHelp={() => setHelpOpen(true)}
    >
      {middle}
    </TopBar>
  );
  const notice = <Notice error={error} onClose={() => setError(undefined)} />;
  const frame = (middle: ComponentChildren, page: ComponentChildren) => (
    <>
      {bar(middle)}
      {notice}
      {page}
    </>
  );
  const themeKey = `${theme} ${systemIsDark ? 'dark' : 'light'}`;
  const screen = () => {
    switch (route.page) {
      case 'drill':
        if (route.mode === 'contrast') {
          return frame(
            <Permalink drill={route.drill} />,
            <ContrastPage
              key={route.drill}
              client={client}
              drill={route.drill}
              theme={themeKey}
              onNext={newTrace}
            />,
          );
        }
        return (
          <DrillPage
            key={`${route.drill} ${route.mode}`}
            client={client}
            attempts={attempts}
            drill={route.drill}
            mode={route.mode}
            clockMode={settings.clockMode}
            onClockMode={(clockMode) => change({ clockMode })}
            theme={themeKey}
            onNext={newTrace}
            frame={(middle, page) =>
              frame(
                <>
                  <SumButton client={client} drill={route.drill} />
                  {middle}
                </>,
                page,
              )
            }
          />
        );
      case 'math':
        return frame(
          null,
          <MathPage
            client={client}
            store={mathAttempts}
            mode={route.mode}
            problem={route.problem}
            hasClock={settings.clockMode === 'limit'}
            drawSeed={drawSeed}
          />,
        );
      case 'reference':
        return frame(null, <ReferencePage client={client} />);
      case 'walk':
        return frame(null, <WalkPage client={client} theme={themeKey} onNewTrace={newTrace} />);
      case 'history':
        return frame(null, <HistoryPage client={client} store={attempts} onNewTrace={newTrace} />);
      case 'home':
        return (
          <>
            {bar(null)}
            <Home
              settings={settings}
              error={error}
              attempts={attempts}
              onChange={change}
              onNewTrace={newTrace}
            />
          </>
        );
      case 'unknown':
        return frame(null, <UnknownPage hash={route.hash} onNewTrace={newTrace} />);
    }
  };
  return (
    <>
      {screen()}
      <Help isOpen={isHelpOpen} onClose={() => setHelpOpen(false)} />
    </>
  );
}

const kTitles = {
  home: '',
  math: 'Mental math',
  reference: 'Reference',
  walk: 'A walked example',
  history: 'History',
  unknown: '',
} as const;

function titleOf(route: Route): string {
  const own = route.page === 'drill' ? shorten(route.drill) : kTitles[route.page];
  return own === '' ? 'Trace Drills' : `${own} \u2013 Trace Drills`;
}

function useSystemDark(): boolean {
  const [isDark, setDark] = useState(() => matchMedia('(prefers-color-scheme: dark)').matches);
  useEffect(() => {
    const media = matchMedia('(prefers-color-scheme: dark)');
    const onChange = () => setDark(media.matches);
    media.addEventListener('change', onChange);
    return () => media.removeEventListener('change', onChange);
  }, []);
  return isDark;
}

// `?` everywhere, N where no drill is on screen (a drill has its own N, which waits for the reveal).
function useGlobalKeys(hasNoDrill: boolean, newTrace: () => Promise<void>, openHelp: () => void): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const target = event.target instanceof Element ? event.target : null;
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (target !== null && target.closest('input, textarea, dialog') !== null) return;
      if (event.key === '?') openHelp();
      else if (event.key.toLowerCase() === 'n' && hasNoDrill) void newTrace();
      else return;
      event.preventDefault();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [hasNoDrill, newTrace]);
}
