// Detection of a server that no longer answers.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { entered, room, scene, settled, states, texts, reported } from './scene.mjs';

const PONG = { messageType: 'PONG', status: 200 };
let world;

beforeEach(() => {
  world = new EventTarget();
  globalThis.addEventListener = world.addEventListener.bind(world);
  globalThis.removeEventListener = world.removeEventListener.bind(world);
  globalThis.document = new EventTarget();
});

afterEach(() => {
  delete globalThis.addEventListener;
  delete globalThis.removeEventListener;
  delete globalThis.document;
});

function pings() {
  return scene.server.sent('PING').length;
}

test('a server that is silent for 20 s gets a ping, and is given up 10 s later', async () => {
  const made = await entered();
  await scene.clock.pass(19_999);
  assert.equal(pings(), 0);
  await scene.clock.pass(1);
  assert.equal(pings(), 1);
  await scene.clock.pass(9_999);
  assert.equal(made.state.name, 'here');
  await scene.clock.pass(1);
  assert.equal(made.state.name, 'waiting');
  assert.equal(made.state.why, 'The server does not answer');
  assert.equal(scene.server.sockets[0].closed, 1000);
});

test('a server that answers gets a ping every 20 s and is kept', async () => {
  const made = await entered();
  for (let i = 1; i <= 5; i++) {
    await scene.clock.pass(20_000);
    assert.equal(pings(), i);
    scene.server.show(PONG);
  }
  assert.equal(made.state.name, 'here');
  assert.equal(scene.server.sockets.length, 1);
});

test('a busy room gets no ping, and an error frame counts as an answer', async () => {
  const { server, clock } = scene;
  const made = await entered();
  for (let i = 0; i < 10; i++) {
    await clock.pass(15_000);
    server.show(server.text(4, `m${i}`));
  }
  assert.equal(pings(), 0);
  await clock.pass(20_000);
  server.show({ status: 422, errorCode: 'VALIDATION_FAILED', error: '', errors: { messageType: '' } });
  await clock.pass(19_000);
  assert.equal(made.state.name, 'here');
});

test('a server that is silent during connect or JOIN is given up too', async () => {
  const made = room();
  made.enter();
  await settled();
  await scene.clock.pass(10_000);
  assert.equal(made.state.why, 'The server does not answer');
  await scene.clock.pass(500);
  scene.server.open();
  assert.equal(made.state.name, 'joining');
  await scene.clock.pass(30_000);
  assert.equal(scene.server.sockets.length, 2);
  assert.equal(made.state.name, 'waiting');
});

test('a page that slept sends a ping before it gives up', async () => {
  const made = await entered();
  await scene.clock.pass(20_000);
  await scene.clock.sleep(3_600_000);
  assert.equal(made.state.name, 'here');
  assert.equal(pings(), 2);
  scene.server.show(PONG, scene.server.text(4, 'said meanwhile'));
  await scene.clock.pass(19_000);
  assert.equal(made.state.name, 'here');
  assert.deepEqual(texts(), ['said meanwhile']);
});

for (const [event, target] of [['online', () => world], ['pageshow', () => world], ['visibilitychange', () => document]]) {
  test(`on ${event} the server is asked at once, and has 3 s`, async () => {
    const made = await entered();
    target().dispatchEvent(new Event(event));
    assert.equal(pings(), 1);
    await scene.clock.pass(3_000);
    assert.equal(made.state.name, 'waiting');
  });
}

test('a missing network is reported at once, and a server that still answers ends the report', async () => {
  const made = await entered();
  world.dispatchEvent(new Event('offline'));
  assert.deepEqual(made.state, { name: 'waiting', why: 'You are offline' });
  scene.server.show(PONG);
  assert.equal(made.state.name, 'here');
  assert.equal(scene.server.sockets.length, 1);
});

test('a returned network and a silent server are reported separately', async () => {
  const made = await entered();
  world.dispatchEvent(new Event('offline'));
  world.dispatchEvent(new Event('online'));
  assert.equal(made.state.why, 'You are offline');
  await scene.clock.pass(3_000);
  assert.equal(made.state.why, 'The server does not answer');
});

test('without a network no other state is reported, attempts continue, and online ends the wait', async () => {
  const { server, clock } = scene;
  const made = await entered();
  world.dispatchEvent(new Event('offline'));
  await clock.pass(3_000 + 500);
  assert.equal(made.state.why, 'You are offline');
  assert.equal(server.sockets.length, 2);
  server.end(1006);
  assert.equal(made.state.why, 'You are offline');
  world.dispatchEvent(new Event('online'));
  await settled();
  assert.equal(server.sockets.length, 3);
  await server.admit();
  assert.equal(made.state.name, 'here');
  assert.equal(reported('gap').length, 1);
});

test('no timer or listener remains after leave', async () => {
  const made = await entered();
  const left = made.leave();
  const { server } = scene;
  server.show(server.broadcast(server.sent('LEAVE')[0]));
  await left;
  world.dispatchEvent(new Event('online'));
  assert.deepEqual(states().slice(-2), ['here', 'left']);
  assert.equal(pings(), 0);
  assert.equal(scene.clock.size, 0);
});
