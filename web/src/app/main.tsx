import { render } from 'preact';
import { createHttpClient } from '../client/http_client';
import { App } from './app';
import { applyTheme, readTheme } from './theme';

applyTheme(readTheme());
const root = document.getElementById('app');
if (root !== null) render(<App client={createHttpClient()} />, root);
