import { render } from 'preact';
import { openRecordStore } from '../base/record_store';
import type { MathAttempt } from '../arithmetic';
import type { Attempt } from '../client/attempts';
import { createHttpClient } from '../client/http_client';
import { App } from './app';
import { FaultScreen } from './fault';
import { applyTheme, readTheme } from './theme';

applyTheme(readTheme());
const root = document.getElementById('app');
if (root !== null) {
  const client = createHttpClient();
  const stores = [
    openRecordStore<Attempt>('attempts'),
    openRecordStore<MathAttempt>('math_attempts'),
  ] as const;
  void Promise.all(stores).then(([attempts, mathAttempts]) => {
    render(
      <FaultScreen>
        <App client={client} attempts={attempts} mathAttempts={mathAttempts} />
      </FaultScreen>,
      root,
    );
  });
}

// After the page is on screen: opening it must not wait for what is kept for later. Where a browser has none (plain http
// from another machine), the page needs its trainer, as before.
if ('serviceWorker' in navigator) {
  addEventListener('load', () => {
    navigator.serviceWorker.register('offline.js').catch(() => undefined);
  });
}
