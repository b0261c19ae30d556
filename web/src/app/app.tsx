// The page: which screen an address shows, and what all screens share.
import type { ComponentChildren } from 'preact';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { shorten } from '../base';
import { fetchCatalog, type Client } from '../client/client';
import type { ClientError } from '../client/client_error';
import { DrillPage, toClientError } from '../drill';
import { Help } from './help';
import { Notice } from './notice';
import { Home, UnknownPage } from './home';
import { drawSeed, drillHash, parseRoute } from './router';
import { readClockMode, storeClockMode, type ClockMode } from './settings';
import { applyTheme, nextTheme, readTheme } from './theme';
import { TopBar } from './top_bar';

export function App({ client }: { readonly client: Client }) {
  const [hash, setHash] = useState(location.hash);
  const [theme, setTheme] = useState(readTheme);
  const [clockMode, setClockMode] = useState<ClockMode>(readClockMode);
  const [isHelpOpen, setHelpOpen] = useState(false);
  const [error, setError] = useState<ClientError>();
  const systemIsDark = useSystemDark();
  const route = parseRoute(hash);

  useEffect(() => {
    const onHash = () => {
      setError(undefined);
      setHash(location.hash);
    };
    addEventListener('hashchange', onHash);
    return () => removeEventListener('hashchange', onHash);
  }, []);
  useEffect(() => applyTheme(theme), [theme]);
  useEffect(() => storeClockMode(clockMode), [clockMode]);
  useEffect(() => {
    document.title = route.page === 'drill' ? `${shorten(route.drill)} \u2013 Trace Drills` : 'Trace Drills';
  }, [hash]);

  const newTrace = useCallback(async () => {
    try {
      const { decks } = await fetchCatalog(client);
      const deck = decks.find((one) => one.is_default) ?? decks[0];
      setError(undefined);
      if (deck !== undefined) location.hash = drillHash(`${deck.id}/${drawSeed()}`);
    } catch (caught) {
      // One stays where one is: leaving would lose a reveal, for a trace that is not to be had.
      setError(toClientError(caught));
    }
  }, [client]);
  useGlobalKeys(route.page !== 'drill', newTrace, () => setHelpOpen(true));

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
  return (
    <>
      {route.page === 'drill' ? (
        <DrillPage
          key={route.drill}
          client={client}
          drill={route.drill}
          clockMode={clockMode}
          onClockMode={setClockMode}
          theme={`${theme} ${systemIsDark ? 'dark' : 'light'}`}
          onNext={() => void newTrace()}
          frame={(middle, page) => (
            <>
              {bar(middle)}
              <Notice error={error} onClose={() => setError(undefined)} />
              {page}
            </>
          )}
        />
      ) : (
        <>
          {bar(null)}
          {route.page === 'home' ? (
            <Home
              clockMode={clockMode}
              error={error}
              onClockMode={setClockMode}
              onNewTrace={() => void newTrace()}
            />
          ) : (
            <>
              <Notice error={error} onClose={() => setError(undefined)} />
              <UnknownPage hash={route.hash} onNewTrace={() => void newTrace()} />
            </>
          )}
        </>
      )}
      <Help isOpen={isHelpOpen} onClose={() => setHelpOpen(false)} />
    </>
  );
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
