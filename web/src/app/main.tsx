import { render } from 'preact';
import { createHttpClient } from '../client/http_client';
import { App } from './app';
import { FaultScreen } from './fault';
import { applyTheme, readTheme } from './theme';

applyTheme(readTheme());
const root = document.getElementById('app');
if (root !== null) {
  render(
    <FaultScreen>
      <App client={createHttpClient()} />
    </FaultScreen>,
    root,
  );
}
