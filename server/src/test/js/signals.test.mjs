// Signals: sent at once or not at all, and never part of what the room keeps.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeStore, jwt } from './fakes.mjs';
import { ANN, comesBack, entered, room, scene, settled, texts, reported } from './scene.mjs';

/** Returns the broadcast of a signal of a user. */
function signal(user, more = { kind: 'typing' }) {
  return scene.server.event('SIGNAL', user, more);
}

test('a signal is sent at once, with everything it carries', async () => {
  const { server } = scene;
  const made = await entered();
  assert.equal(made.signal('typing'), true);
  assert.equal(made.signal('read', { text: 'so far', ref: { user: { id: '4' }, id: 'm' }, data: { x: 1 } }), true);
  const [typing, read] = server.sent('SIGNAL');
  assert.deepEqual([typing.userId, typing.username, typing.kind, typing.message], ['17', 'ann', 'typing', '']);
  assert.ok(typing.messageId && typing.timestamp);
  assert.equal('ref' in typing, false);
  const { kind, message, ref, refUserId, data } = read;
  assert.deepEqual({ kind, message, ref, refUserId, data }, { kind: 'read', message: 'so far', ref: 'm', refUserId: '4', data: { x: 1 } });
});

test('signals of all members are reported in order with the texts, own ones are marked', async () => {
  const { server } = scene;
  await entered();
  const more = { kind: 'cursor', message: 'here', ref: 'm', refUserId: '8', data: { x: 1 } };
  server.show(signal(4, more), server.text(4, 'text'), signal(17));
  assert.deepEqual(scene.events.slice(-3).map(([event]) => event), ['signal', 'message', 'signal']);
  const [first, own] = reported('signal');
  const { at, ...rest } = first;
  assert.ok(at instanceof Date);
  assert.deepEqual(rest, {
    user: { id: '4', name: 'user4' }, device: undefined, kind: 'cursor', text: 'here', ref: { userId: '8', id: 'm' }, data: { x: 1 }, own: false,
  });
  assert.deepEqual([own.own, own.kind, own.text], [true, 'typing', '']);
  assert.deepEqual(texts(), ['text']);
});

test('a repeated signal is reported again', async () => {
  await entered();
  const one = signal(4);
  scene.server.show(one, one);
  assert.equal(reported('signal').length, 2);
});

test('without a connection in the room nothing is sent, then or later', async () => {
  const { server, clock } = scene;
  const made = room();
  assert.equal(made.signal('typing'), false);
  made.enter();
  assert.equal(made.signal('typing'), false);
  await settled();
  server.open();
  assert.equal(made.signal('typing'), false);
  await server.admit();
  server.end(1001, 'reconnect after 0 ms');
  assert.equal(made.signal('typing'), false);
  await clock.pass(0);
  await server.admit();
  const left = made.leave();
  assert.equal(made.signal('typing'), false);
  await clock.pass(3_000);
  await left;
  assert.equal(made.signal('typing'), false);
  assert.deepEqual(server.sockets.flatMap((socket) => server.sent('SIGNAL', socket)), []);
});

test('a signal in an event of a room that is being left is not sent', async () => {
  const { clock } = scene;
  const made = await entered();
  const answers = [];
  made.on('refused', () => answers.push(made.signal('typing')));
  made.send('unanswered').catch(() => {});
  const left = made.leave();
  await clock.pass(3_000);
  await left;
  assert.deepEqual(answers, [false]);
});

test('a sent signal is not sent again, and needs no answer', async () => {
  const { server } = scene;
  const made = await entered();
  const last = server.text(4, 'last');
  server.show(last);
  made.signal('typing');
  assert.deepEqual(made.pending, []);
  await comesBack(last);
  assert.deepEqual(server.sent('SIGNAL'), []);
  assert.deepEqual(reported('refused'), []);
});

test('the room is resumed after the last text, not after a signal', async () => {
  const { server } = scene;
  await entered();
  const last = server.text(4, 'last');
  server.show(last, signal(4), signal(17));
  await comesBack(last, server.text(4, 'missed'));
  assert.equal(server.join.after.messageId, 'last');
  assert.deepEqual(reported('back').map(({ missed }) => missed), [1]);
});

test('a signal is not part of the past', async () => {
  const { server } = scene;
  await entered();
  const last = server.text(4, 'last');
  server.show(last);
  await comesBack(signal(4), last, signal(4), server.text(4, 'missed'));
  assert.deepEqual(reported('back').map(({ missed }) => missed), [1]);
  assert.deepEqual(reported('signal'), []);
  assert.deepEqual(texts(), ['last', 'missed']);
});

test('nothing of a signal is stored for a reload', async () => {
  const store = new FakeStore();
  const made = await entered({ store });
  await scene.clock.pass(250);
  const before = [...store.values()].map((text) => JSON.parse(text).last);
  made.signal('typing');
  scene.server.show(signal(17), signal(4));
  await scene.clock.pass(250);
  const [{ last, unsent }] = [...store.values()].map((text) => JSON.parse(text));
  assert.deepEqual([last, unsent], [before[0], []]);
});

test('a broadcast signal settles no text, even under its id', async () => {
  const { server } = scene;
  const made = await entered();
  made.send('text');
  const [{ messageId }] = server.sent('TEXT');
  server.show(signal(17, { kind: 'typing', messageId }));
  assert.deepEqual(made.pending.map(({ text }) => text), ['text']);
});

test('the error of a signal changes nothing for the texts', async () => {
  const { server, clock } = scene;
  const made = await entered();
  const sent = made.send('one');
  made.signal('typing');
  const { messageId } = server.sent('SIGNAL')[0];
  server.show({ status: 429, errorCode: 'RATE_LIMITED', error: 'slowly', messageId, retryAfterMs: 100 });
  server.show({ status: 422, errorCode: 'VALIDATION_FAILED', error: 'no', errors: {}, messageId });
  made.send('two');
  await clock.pass(100);
  assert.deepEqual(server.sent('TEXT').map(({ message }) => message), ['one', 'two']);
  assert.equal(server.sent('SIGNAL').length, 1);
  assert.deepEqual(reported('refused'), []);
  server.show(server.broadcast(server.sent('TEXT')[0]));
  assert.equal((await sent).text, 'one');
});

test('signals do not count as unacknowledged, and are sent while texts wait', async () => {
  const { server } = scene;
  const made = await entered();
  for (let i = 0; i < 1024; i += 1) {
    made.send(`${i}`);
  }
  assert.equal(made.wrong('one more').code, 'TOO_MANY');
  const [{ messageId }] = server.sent('TEXT');
  server.show({ status: 429, errorCode: 'RATE_LIMITED', error: 'slowly', messageId, retryAfterMs: 100 });
  assert.equal(made.signal('typing'), true);
  assert.equal(server.sent('SIGNAL').length, 1);
});

test('a signal uses the new connection after a renewal of the token', async () => {
  const { server, clock } = scene;
  const token = () => jwt({ sub: ANN.id, name: ANN.name, exp: clock.now / 1000 + 80 }); // renewed after 40 s
  const made = await entered({ user: undefined, token });
  const [old] = server.sockets;
  await clock.pass(20_000);
  server.show({ messageType: 'PONG', status: 200 });
  await clock.pass(20_000);
  assert.equal(server.sockets.length, 2);
  made.signal('before');
  await server.admit();
  made.signal('after');
  const kinds = (socket) => server.sent('SIGNAL', socket).map(({ kind }) => kind);
  assert.deepEqual([kinds(old), kinds(server.socket)], [['before'], ['after']]);
});

test('an invalid signal is an error of the call, whether in the room or not', async () => {
  const made = room();
  const invalid = { code: 'VALIDATION_FAILED' };
  for (const kind of [undefined, '', 'two words', 'x'.repeat(33), 17, 'typing\n']) {
    assert.throws(() => made.signal(kind), invalid);
  }
  for (const parts of [{ text: 'x'.repeat(501) }, { data: { x: 'x'.repeat(2_048) } }, { data: [1] }, { data: null }]) {
    assert.throws(() => made.signal('typing', parts), invalid);
  }
  assert.throws(() => made.signal('typing', { text: '\ud83d' }), { code: 'MALFORMED_JSON' });
  assert.throws(() => made.signal('typing', { text: 17 }), TypeError);
  assert.equal(made.signal('x'.repeat(32), { text: '\u{1f600}'.repeat(500) }), false);
});

test('the kinds of texts have no meaning in a signal', async () => {
  const made = await entered();
  assert.equal(made.signal('delete'), true);
  assert.equal(made.signal('edit', { text: '' }), true);
});
