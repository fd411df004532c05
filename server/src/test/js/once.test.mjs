// Own messages: sent once, shown once, and reported when they did not reach the room.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ChatFlow } from '../../main/webapp/lib/chatflow.js';
import { FakeStore, jwt } from './fakes.mjs';
import { ANN, comesBack, entered, room, scene, settled, texts, reported } from './scene.mjs';

/** Broadcasts a sent frame. */
function echo(frame, more) {
  scene.server.show(scene.server.broadcast(frame, more));
}

test('a text is sent, and its promise resolves when the room shows it', async () => {
  const { server } = scene;
  const made = await entered();
  const sent = made.send('hello');
  const [frame] = server.sent('TEXT');
  assert.equal(frame.message, 'hello');
  assert.deepEqual(made.pending.map(({ text }) => text), ['hello']);
  echo(frame);
  const message = await sent;
  assert.deepEqual([message.text, message.own, message.late, message.user.name], ['hello', true, false, 'ann']);
  assert.deepEqual(made.pending, []);
  assert.deepEqual(texts(), ['hello']);
});

test('texts written before the JOIN wait for it', async () => {
  const { server } = scene;
  const made = room();
  made.enter();
  made.send('early');
  await settled();
  server.open();
  assert.deepEqual(server.sent('TEXT'), []);
  server.show(server.broadcast(server.join));
  assert.deepEqual(server.sent('TEXT').map(({ message }) => message), ['early']);
});

test('after a resume only texts missing from the past are sent again, with the same id', async () => {
  const { server } = scene;
  const made = await entered();
  const last = server.text(4, 'last');
  server.show(last);
  const one = made.send('one');
  made.send('two');
  const [first, second] = server.sent('TEXT');
  await comesBack(last, server.broadcast(first));
  assert.equal((await one).text, 'one');
  assert.deepEqual(server.sent('TEXT'), [second]);
  assert.deepEqual(texts(), ['last', 'one']);
});

test('no text is sent again before the own JOIN', async () => {
  const { server, clock } = scene;
  const made = await entered();
  const last = server.text(4, 'last');
  server.show(last);
  made.send('one');
  server.end(1001, 'reconnect after 0 ms');
  await clock.pass(0);
  server.open();
  server.show(last);
  assert.deepEqual(server.sent('TEXT'), []);
});

test('after a failed resume the outcome of sent texts is unknown, and unsent texts are sent', async () => {
  const { server, clock } = scene;
  const made = await entered();
  const sent = assert.rejects(made.send('sent'), { code: 'UNKNOWN' });
  server.end(1001, 'reconnect after 0 ms');
  made.send('not sent');
  await clock.pass(0);
  await server.admit();
  await sent;
  assert.deepEqual(reported('refused').map(({ text, error }) => [text, error.code]), [['sent', 'UNKNOWN']]);
  assert.deepEqual(server.sent('TEXT').map(({ message }) => message), ['not sent']);
});

test('after a failed resume a text in the past counts as delivered', async () => {
  const { server } = scene;
  const made = await entered();
  const sent = made.send('one');
  const [frame] = server.sent('TEXT');
  await comesBack(server.text(4, 'other'), server.broadcast(frame));
  assert.equal((await sent).past, true);
  assert.deepEqual(reported('refused'), []);
});

test('the answer to a resend is reported as late if the text was not seen, and not at all otherwise', async () => {
  const { server } = scene;
  const made = await entered();
  const sent = made.send('one');
  echo(server.sent('TEXT')[0], { duplicate: true });
  assert.equal((await sent).late, true);
  echo(server.sent('TEXT')[0], { duplicate: true });
  assert.deepEqual(reported('message').map(({ text, late }) => [text, late]), [['one', true]]);
});

test('a refusal is reported with its reason, and texts that must wait keep their order', async () => {
  const { server, clock } = scene;
  const made = await entered();
  const refused = assert.rejects(made.send('one'), { code: 'USER_MISMATCH', message: 'no' });
  made.send('two');
  made.send('three');
  const [one, two, three] = server.sent('TEXT');
  server.show({ status: 422, errorCode: 'USER_MISMATCH', error: 'no', messageId: one.messageId });
  for (const { messageId } of [two, three]) {
    server.show({ status: 429, errorCode: 'RATE_LIMITED', error: 'slowly', messageId, retryAfterMs: 100 });
  }
  await refused;
  await clock.pass(100);
  assert.deepEqual(server.sent('TEXT'), [one, two, three, two, three]);
});

test('the library refuses an invalid text, too many texts and a room that was not entered', async () => {
  const made = room();
  assert.equal(made.wrong('x').code, 'LEFT');
  await assert.rejects(made.send('x'), { code: 'LEFT' });
  made.enter();
  assert.equal(made.wrong('x'), undefined);
  assert.equal(made.wrong('x'.repeat(501)).message, 'a text has 1 to 500 characters, not 501');
  await assert.rejects(made.send(''), { code: 'VALIDATION_FAILED' });
  await assert.rejects(made.send('x'.repeat(501)), { code: 'VALIDATION_FAILED' });
  await assert.rejects(made.send('\ud83d'), { code: 'MALFORMED_JSON' });
  for (let i = 0; i < 1_024; i++) {
    made.send('\u{1f600}'.repeat(500));
  }
  await assert.rejects(made.send('x'), { code: 'TOO_MANY' });
});

test('a text carries data and names another message', async () => {
  const { server } = scene;
  const made = await entered();
  server.show(server.text(4, 'question'));
  const [message] = reported('message');
  const sent = made.send('yes', { kind: 'reply', ref: message, data: { a: [1] } });
  const [frame] = server.sent('TEXT');
  assert.deepEqual([frame.kind, frame.ref, frame.refUserId, frame.data], ['reply', message.id, '4', { a: [1] }]);
  echo(frame, { kind: frame.kind, ref: frame.ref, refUserId: frame.refUserId, data: frame.data });
  const { kind, ref, data } = await sent;
  assert.deepEqual({ kind, ref, data }, { kind: 'reply', ref: { userId: '4', id: message.id }, data: { a: [1] } });
  made.send('', { kind: 'delete', ref: { userId: '17', id: 'x' } });
  assert.deepEqual(made.pending.map(({ text, kind: what }) => [text, what]), [['', 'delete']]);
  assert.equal(made.wrong('', { kind: 'edit', ref: message }).code, 'VALIDATION_FAILED');
  assert.equal(made.wrong('x', { data: { text: 'x'.repeat(2_048) } }).code, 'VALIDATION_FAILED');
  server.show({ status: 422, errorCode: 'VALIDATION_FAILED', error: 'no', messageId: server.sent('TEXT')[1].messageId });
  assert.deepEqual(reported('refused').map(({ kind: what, ref: { id } }) => [what, id]), [['delete', 'x']]);
});

test('the limit of a text can be raised', async () => {
  const made = await entered({ maxText: 600 });
  assert.equal(made.wrong('x'.repeat(600)), undefined);
  assert.equal(made.wrong('x'.repeat(601)).message, 'a text has 1 to 600 characters, not 601');
});

test('repeats are dropped, up to 4,096 texts back', async () => {
  const { server } = scene;
  await entered();
  const frames = Array.from({ length: 4_097 }, (_, i) => server.text(4, `m${i}`));
  server.show(...frames, ...frames.slice(1));
  assert.equal(texts().length, 4_097);
  server.show(server.text(5, 'm4096'));
  assert.equal(texts().length, 4_098, 'another user may use the same id');
});

test('leave ends when the room shows it or after 3 s, and reports texts that did not come back', async () => {
  const { server, clock } = scene;
  const made = await entered();
  const sent = made.send('one');
  const lost = assert.rejects(made.send('two'), { code: 'LEFT' });
  const left = made.leave();
  await assert.rejects(made.send('three'), { code: 'LEFT' });
  echo(server.sent('TEXT')[0]);
  await sent;
  assert.equal(made.state.name, 'here');
  await clock.pass(3_000);
  await Promise.all([left, lost]);
  assert.equal(made.state.name, 'left');
  assert.equal(server.socket.closed, 1000);
});

test('texts in flight and the resume position survive a reload', async () => {
  const { server, clock } = scene;
  const store = new FakeStore();
  const before = await entered({ store });
  const last = server.text(4, 'last');
  server.show(last);
  before.send('one');
  before.send('two');
  const [one, two] = server.sent('TEXT');
  await clock.pass(250);
  const made = await entered({ store }, last, server.broadcast(one), server.text(4, 'new'));
  assert.equal(server.join.after.messageId, 'last');
  assert.deepEqual(texts(), ['last', 'one', 'new'], 'the last known message too, because the page is empty');
  assert.deepEqual(reported('back').map(({ missed }) => missed), [1], 'an own text was not missed');
  assert.deepEqual(server.sent('TEXT'), [two]);
  assert.deepEqual(made.pending.map(({ text }) => text), ['two']);
  const again = made.send('three');
  assert.equal(new Set([one, two, ...server.sent('TEXT')].map(({ messageId }) => messageId)).size, 3);
  echo(server.sent('TEXT').at(-1));
  await again;
});

test('every reload shows the recent past, and only new messages count as missed', async () => {
  const { server, clock } = scene;
  const store = new FakeStore();
  await entered({ store });
  const said = ['one', 'two', 'three'].map((id) => server.text(4, id));
  server.show(...said);
  await clock.pass(250);
  const past = [...said];
  const reload = async () => {
    const made = room({ store });
    made.enter();
    past.push(await server.admit(...past));
    await clock.pass(250);
  };
  for (let i = 0; i < 3; i++) {
    await reload();
    assert.equal(server.join.after.messageId, 'one');
    assert.deepEqual(texts(), ['one', 'two', 'three'], `reload ${i}`);
    assert.deepEqual(reported('back').map(({ missed }) => missed), [0]);
  }
  past.push(server.text(4, 'four'));
  await reload();
  assert.deepEqual(reported('back').map(({ missed }) => missed), [1]);
});

test('a room remembers as many texts as it shows on entry', async () => {
  const { server, clock } = scene;
  const store = new FakeStore();
  const made = room({ store }, { history: 2 });
  made.enter();
  await server.admit();
  server.show(...['one', 'two', 'three'].map((id) => server.text(4, id)));
  await clock.pass(250);
  await entered({ store });
  assert.equal(server.join.after.messageId, 'two');
});

test('two texts with the same id are both shown', async () => {
  const { server } = scene;
  await entered();
  server.show(server.text(4, 'alarm', 'disk is full'), server.text(4, 'alarm', 'disk is fine again'), server.text(4, 'alarm', 'disk is full'));
  assert.deepEqual(texts(), ['disk is full', 'disk is fine again']);
});

test('a later text waits for one that must be sent again', async () => {
  const { server, clock } = scene;
  const made = await entered();
  made.send('one');
  const [one] = server.sent('TEXT');
  server.show({ status: 429, errorCode: 'RATE_LIMITED', error: 'slower', messageId: one.messageId, retryAfterMs: 1_000 });
  made.send('two');
  assert.equal(server.sent('TEXT').length, 1);
  await clock.pass(1_000);
  assert.deepEqual(server.sent('TEXT').map(({ message }) => message), ['one', 'one', 'two']);
});

test('the last call of enter and leave wins', async () => {
  const { server } = scene;
  const made = await entered();
  const leaving = made.leave();
  made.enter();
  server.show(server.broadcast(server.sent('LEAVE')[0]));
  await leaving;
  await server.admit();
  assert.equal(made.state.name, 'here');
  made.leave();
  made.enter();
  made.leave();
  server.show(server.broadcast(server.sent('LEAVE').at(-1)));
  await settled();
  assert.equal(made.state.name, 'left');
});

test('the same id returns the same room', () => {
  const made = room();
  assert.equal(scene.chat.room('5'), made);
  assert.notEqual(scene.chat.room('6'), made);
});

test('a wrong call throws at once', async () => {
  const { WebSocket } = scene.server;
  const make = (options) => () => new ChatFlow('http://chat.example.com/', { store: null, WebSocket, ...options });
  assert.throws(make({ user: { id: 17, name: 'ann' } }), { name: 'TypeError', message: /both strings: write the id 17 as "17"/ });
  assert.throws(make({ user: 'ann' }), TypeError);
  assert.throws(make({ token: 'ey' }), { name: 'TypeError', message: /options.token is a function/ });
  assert.throws(make({ user: ANN, WebSocket: null }), { name: 'TypeError', message: /no WebSocket: pass a class/ });
  const made = await entered();
  assert.throws(() => made.on('messages', () => {}), { name: 'TypeError', message: /no event 'messages': there are state, message/ });
  assert.throws(() => made.on('message'), { name: 'TypeError', message: /must be a function/ });
  assert.throws(() => made.send(17), { name: 'TypeError', message: 'a text is a string, not a number' });
});

test('no state survives a reload by another user or after leave', async () => {
  const { server, clock } = scene;
  const store = new FakeStore();
  const made = await entered({ store });
  await clock.pass(250);
  assert.equal(store.size, 1);
  await entered({ store: new FakeStore(store), user: { id: '18', name: 'bob' } });
  assert.equal(server.join.after, undefined);
  const left = made.leave();
  await clock.pass(3_000);
  await left;
  assert.equal(store.size, 0);
});

test('unsent texts of one user are never sent, resumed or shown as another user in the same tab, and wait for their owner', async () => {
  const { server, clock } = scene;
  const store = new FakeStore();
  const as = (sub, name) => ({ store, user: undefined, token: () => jwt({ sub, name }) });
  const ann = await entered(as('17', 'ann'));
  server.show(server.text(4, 'last'));
  server.end(1006);
  ann.send('my salary is 5000');
  await clock.pass(250);
  const bob = await entered(as('42', 'bob'));
  assert.deepEqual([server.join.userId, server.join.after, bob.pending], ['42', undefined, []]);
  assert.deepEqual(server.sent('TEXT'), []);
  await clock.pass(250);
  const again = room(as('17', 'ann'));
  again.enter();
  assert.deepEqual(again.pending, [], 'a page does not know whose texts they are before it has a token');
  again.send('and now?');
  await server.admit();
  assert.deepEqual(server.sent('TEXT').map(({ userId, message }) => [userId, message]), [['17', 'my salary is 5000'], ['17', 'and now?']]);
});

test('of the texts in flight the oldest 64 KiB are stored', async () => {
  const store = new FakeStore();
  const made = await entered({ store });
  for (let i = 0; i < 200; i++) {
    made.send('x'.repeat(500));
  }
  await scene.clock.pass(250);
  const kept = JSON.parse([...store.values()][0]).unsent;
  assert.ok(kept.length > 80 && kept.length < 110, `${kept.length}`);
  assert.equal(kept[0].id, made.pending[0].id);
});

test('an error in a listener reaches the program, and the other listeners still run', async () => {
  const { server } = scene;
  const made = room();
  const thrown = [];
  const microtask = globalThis.queueMicrotask;
  globalThis.queueMicrotask = (call) => thrown.push(call);
  const off = made.on('state', () => {
    throw new Error('mine');
  });
  made.enter();
  await server.admit();
  off();
  globalThis.queueMicrotask = microtask;
  assert.equal(made.state.name, 'here');
  assert.equal(thrown.length, 3);
  assert.throws(thrown[0], { message: 'mine' });
});
