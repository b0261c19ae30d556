import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ClientError } from './client_error';
import { createHttpClient } from './http_client';

function answering(status: number, body: string, type = 'application/json') {
  const requests: { url: string; body: string }[] = [];
  const fetchFunction = ((url: string, init: RequestInit) => {
    requests.push({ url, body: String(init.body) });
    return Promise.resolve(new Response(body, { status, headers: { 'Content-Type': type } }));
  }) as typeof fetch;
  return { requests, client: createHttpClient('', fetchFunction) };
}

test('a call posts JSON to its method and reads JSON back', async () => {
  const { client, requests } = answering(200, '{"limit_s":120}', 'application/json; charset=utf-8');
  const reply = await client.call('catalog', { x: 1 });
  assert.deepEqual(reply.json, { limit_s: 120 });
  assert.equal(reply.blob.length, 0);
  assert.deepEqual(requests, [{ url: '/api/v1/catalog', body: '{"x":1}' }]);
});

test('the core’s errors keep code, message and place', async () => {
  const { client } = answering(
    404,
    '{"error":{"code":"not_found","message":"No such deck.","where":"drill"}}',
  );
  await assert.rejects(client.call('open', {}), (error: unknown) => {
    assert.ok(error instanceof ClientError);
    assert.deepEqual([error.code, error.message, error.where], ['not_found', 'No such deck.', 'drill']);
    return true;
  });
});

test('the server\u2019s own refusals keep their code; one that is unknown is internal', async () => {
  const codeOf = async (status: number, code: string) => {
    const { client } = answering(status, JSON.stringify({ error: { code, message: 'No.', where: '' } }));
    try {
      await client.call('open', {});
    } catch (error) {
      return error instanceof ClientError ? [error.code, error.where] : error;
    }
    return 'no error';
  };
  assert.deepEqual(await codeOf(503, 'busy'), ['busy', 'open']);
  assert.deepEqual(await codeOf(403, 'forbidden'), ['forbidden', 'open']);
  assert.deepEqual(await codeOf(418, 'teapot'), ['internal', 'open']);
});

test('answers that are not the core’s still say something', async () => {
  await assert.rejects(answering(502, '<html>').client.call('open', {}), /status 502/);
  await assert.rejects(answering(200, '<html>').client.call('open', {}), /not JSON/);
  const dead = createHttpClient('', () => Promise.reject(new TypeError('refused')));
  await assert.rejects(
    dead.call('open', {}),
    (error: unknown) => error instanceof ClientError && error.code === 'offline',
  );
});
