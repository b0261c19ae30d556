export * from './assert_never';
export * from './format';
export * from './record_store';
export * from './shorten';
export * from './store';
export * from './units';
