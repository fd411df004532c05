// A client that knows several servers.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { comesBack, entered, room, scene, settled } from './scene.mjs';

beforeEach(() => {
  scene.base = ['http://a/', new URL('http://b/team')];
});

function addresses() {
  return scene.server.sockets.map(({ address }) => address.replace(/^ws:..(.).*/, '$1')).join('');
}

/** Ends the newest connection and waits for the next attempt. */
async function fails(code, reason) {
  const { length } = scene.server.sockets;
  scene.server.end(code, reason);
  for (let waited = 0; scene.server.sockets.length === length && waited < 60_000; waited += 50) {
    await scene.clock.pass(50);
  }
}

test('a server that cannot be reached is followed by the next, in turn, until one accepts', async () => {
  const made = room();
  made.enter();
  await settled();
  await fails(1006);
  await fails(1006);
  await fails(1006);
  assert.equal(addresses(), 'abab');
  await scene.server.admit();
  assert.equal(made.state.name, 'here');
  assert.equal(scene.server.socket.address, 'ws://b/team/chat/5');
});

test('a lost connection is attempted at the same server first', async () => {
  await entered();
  await fails(1006);
  await fails(1006);
  assert.equal(addresses(), 'aab');
});

test('a server that stops or is full is left at once, and the room resumes at the next', async () => {
  const { server } = scene;
  const made = await entered();
  const last = server.text(4, 'last');
  server.show(last);
  await comesBack(last);
  assert.equal(addresses(), 'ab');
  assert.equal(server.join.after.messageId, 'last');
  assert.equal(made.state.name, 'here');
  await fails(1013);
  assert.equal(addresses(), 'aba');
});

test('other reasons change no server', async () => {
  await entered();
  for (const code of [1012, 4003, 4008, 4010]) {
    await fails(code);
    await scene.server.admit();
  }
  assert.equal(addresses(), 'aaaaa');
});

test('the waits grow only after each server failed once', async (t) => {
  t.mock.method(Math, 'random', () => 1);
  const made = room();
  const waits = [];
  made.on('state', ({ name, until }) => name === 'waiting' && waits.push(until - scene.clock.now));
  made.enter();
  await settled();
  for (let i = 0; i < 5; i++) {
    await fails(1006);
  }
  assert.deepEqual(waits, [500, 500, 1_000, 1_000, 2_000]);
});

test('requests use the server of the connection', async () => {
  const made = await entered();
  await comesBack();
  await made.older();
  assert.deepEqual(scene.requests.map(({ host }) => host), ['b']);
});

test('rooms that lose the same server move on together', async () => {
  const one = room();
  const two = scene.chat.room('6');
  one.enter();
  two.enter();
  await settled();
  const [first, second] = scene.server.sockets;
  scene.server.end(1006, '', first);
  scene.server.end(1006, '', second);
  await scene.clock.pass(1_000);
  assert.equal(addresses(), 'aabb');
});
