export * from './attempts';
export * from './client';
export * from './client_error';
export * from './columns';
export * from './http_client';
export * from './lookup';
export * from './messages';
export * from './trace_model';
