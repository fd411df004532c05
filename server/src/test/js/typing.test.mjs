// The line of the chat page that names the people who are typing.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Typing } from '../../main/webapp/typing.js';
import { comesBack, entered, scene } from './scene.mjs';

/** Returns a room that was entered; `typing` follows it, and `shown` has the texts of its line. */
async function follow() {
  const made = await entered();
  const shown = [];
  return { made, shown, typing: new Typing(made, (text) => shown.push(text)) };
}

function types(user, kind = 'typing') {
  scene.server.show(scene.server.event('SIGNAL', user, { kind }));
}

test('one, two or more people are typing, each until 5 s after the last signal', async () => {
  const { clock } = scene;
  const { shown } = await follow();
  types(4);
  types(5);
  await clock.pass(3_000);
  types(6);
  types(4);
  await clock.pass(2_000);
  await clock.pass(3_000);
  assert.deepEqual(shown, [
    'user4 is typing\u2026',
    'user4 and user5 are typing\u2026',
    '3 people are typing\u2026',
    '3 people are typing\u2026',
    'user4 and user6 are typing\u2026',
    'user4 is typing\u2026',
    '',
  ]);
});

test('a text or the leave of a person ends it at once', async () => {
  const { server } = scene;
  const { shown } = await follow();
  server.show(server.event('JOIN', 5));
  types(4);
  types(5);
  server.show(server.text(6, 'of another one'), server.text(4, 'done'));
  server.show(server.event('LEAVE', 5));
  assert.deepEqual(shown.slice(-2), ['user5 is typing\u2026', '']);
  types(4);
  assert.equal(shown.at(-1), 'user4 is typing\u2026');
});

test('own signals and other kinds are ignored', async () => {
  const { shown } = await follow();
  types(17);
  types(4, 'read');
  assert.deepEqual(shown, []);
});

test('this user signals at most every 3 s, and not while away', async () => {
  const { server, clock } = scene;
  const { typing } = await follow();
  const signal = () => {
    typing.signal();
    return server.sent('SIGNAL').map(({ kind }) => kind);
  };
  assert.deepEqual(signal(), ['typing']);
  await clock.pass(2_999);
  assert.deepEqual(signal(), ['typing']);
  await clock.pass(1);
  assert.deepEqual(signal(), ['typing', 'typing']);
  await clock.pass(3_000);
  server.end(1001, 'reconnect after 10 ms');
  typing.signal();
  await clock.pass(10);
  await server.admit();
  assert.deepEqual(server.sent('SIGNAL'), []);
  assert.deepEqual(signal(), ['typing']);
});

test('after a text of this user the next signal follows at once', async () => {
  const { server } = scene;
  const { typing } = await follow();
  typing.signal();
  server.show(server.text(4, 'of another one'));
  typing.signal();
  assert.equal(server.sent('SIGNAL').length, 1);
  server.show(server.text(17, 'mine'));
  typing.signal();
  assert.equal(server.sent('SIGNAL').length, 2);
});

test('no timer runs while no one types', async () => {
  const { clock } = scene;
  const { typing } = await follow();
  const before = clock.size;
  typing.signal();
  types(4);
  types(4);
  assert.equal(clock.size, before + 1);
  scene.server.show(scene.server.text(4, 'done'));
  assert.equal(clock.size, before);
  types(4);
  await clock.pass(5_000);
  assert.equal(clock.size, before);
});

test('after a lost connection the line ends as usual', async () => {
  const { clock } = scene;
  const { shown } = await follow();
  types(4);
  await comesBack();
  await clock.pass(5_000);
  assert.deepEqual(shown, ['user4 is typing\u2026', '']);
});
