import { render } from 'preact';
import { openRecordStore } from '../base/record_store';
import type { Attempt } from '../client/attempts';
import { createHttpClient } from '../client/http_client';
import { App } from './app';
import { FaultScreen } from './fault';
import { applyTheme, readTheme } from './theme';

applyTheme(readTheme());
const root = document.getElementById('app');
if (root !== null) {
  const client = createHttpClient();
  void openRecordStore<Attempt>('attempts').then((attempts) => {
    render(
      <FaultScreen>
        <App client={client} attempts={attempts} />
      </FaultScreen>,
      root,
    );
  });
}
