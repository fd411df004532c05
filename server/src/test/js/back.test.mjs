// Reconnecting: when, with which resume position, and which messages are shown.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { afterClose } from '../../main/webapp/lib/protocol.js';
import { comesBack, entered, room, scene, settled, states, texts, reported } from './scene.mjs';

const nameOf = ({ messageType, userId, messageId, serverTimestamp }) => ({ messageType, userId, messageId, serverTimestamp });

test('the close table decides whether and when the client reconnects', () => {
  const again = [1001, 1006, 1012, 1013, 4002, 4003, 4008, 4010];
  for (const code of [...again, 1000, 1002, 1003, 1007, 1008, 1009, 4001, 4005, 4009]) {
    assert.equal(afterClose(code, '', 0, 0).again, again.includes(code), `${code}`);
  }
  assert.equal(afterClose(1001, 'reconnect after 4321 ms', 0, 0).delay, 4321);
  assert.equal(afterClose(1012, 'reconnect after 0 ms', 9, 0).delay, 0);
  const delays = (code, chance) => [0, 1, 2, 3, 4, 5, 6, 60].map((failures) => afterClose(code, '', failures, chance).delay);
  assert.deepEqual(delays(1006, 1), [500, 1000, 2000, 4000, 8000, 15000, 15000, 15000]);
  assert.deepEqual(delays(1006, 0), [250, 500, 1000, 2000, 4000, 7500, 7500, 7500]);
  assert.equal(delays(1013, 1)[0], 2000);
});

test('a new member requests the last messages and gets them as past', async () => {
  const { server } = scene;
  await entered({}, server.text(4, 'hello'), server.event('JOIN', 5));
  assert.equal(server.join.history, 50);
  assert.equal(server.join.after, undefined);
  server.show(server.text(4, 'now'));
  assert.deepEqual(reported('message').map(({ text, past, own }) => [text, past, own]), [['hello', true, false], ['now', false, false]]);
  assert.deepEqual(reported('back'), []);
  assert.deepEqual(reported('gap'), []);
  assert.deepEqual(states(), ['connecting', 'joining', 'here']);
});

test('a returning member names its last frame, and gets the number of missed messages before the messages', async () => {
  const { server, clock } = scene;
  await entered();
  const last = server.text(4, 'before');
  server.show(last);
  server.end(1001, 'reconnect after 4200 ms');
  await clock.pass(4_200);
  await server.admit(last, server.text(4, 'one'), server.event('LEAVE', 5), server.text(6, 'two'));
  assert.deepEqual(server.join.after, nameOf(last));
  assert.deepEqual(reported('back'), [{ awayMs: 4_200, missed: 2 }]);
  assert.deepEqual(texts(), ['before', 'one', 'two']);
  const order = scene.events.map(([event, { text, name }]) => text ?? name ?? event);
  assert.ok(order.lastIndexOf('here') < order.indexOf('back') && order.indexOf('back') < order.indexOf('one'));
});

test('the own JOIN is a resume position too', async () => {
  const join = await entered().then(() => scene.server.broadcast(scene.server.join));
  await comesBack();
  assert.equal(scene.server.join.after.messageId, join.messageId);
  assert.equal(reported('gap').length, 1);
});

test('a failed resume is a gap, and new messages are shown', async () => {
  const { server } = scene;
  await entered();
  const known = server.text(4, 'known');
  server.show(known, server.text(4, 'the last'));
  await comesBack(known, server.text(4, 'new'));
  assert.equal(reported('gap').length, 1);
  assert.equal(reported('back').length, 0);
  assert.deepEqual(texts(), ['known', 'the last', 'new']);
});

test('after 4010 the client does not resume, not even after a further loss', async () => {
  const { server, clock } = scene;
  await entered();
  server.show(server.text(4, 'known'));
  server.end(4010);
  await clock.pass(500);
  server.open();
  assert.equal(server.join.after, undefined);
  server.end(1006);
  await clock.pass(1_000);
  await server.admit(server.text(4, 'new'));
  assert.equal(server.join.after, undefined);
  assert.equal(reported('gap').length, 1);
});

test('an incomplete past is discarded', async () => {
  const { server, clock } = scene;
  await entered();
  const last = server.text(4, 'before');
  server.show(last);
  server.end(1001, 'reconnect after 0 ms');
  await clock.pass(0);
  server.open();
  const one = server.text(4, 'one');
  server.show(last, one);
  await comesBack(last, one, server.text(4, 'two'));
  assert.deepEqual(server.join.after, nameOf(last));
  assert.deepEqual(texts(), ['before', 'one', 'two']);
  assert.deepEqual(reported('back').map(({ missed }) => missed), [2]);
});

test('a past of any length is shown and counted in full', async () => {
  const { server } = scene;
  await entered();
  const last = server.text(4, 'before');
  server.show(last);
  await comesBack(last, ...Array.from({ length: 9_000 }, (_, i) => server.text(4, `m${i}`)));
  assert.equal(texts().length, 9_001);
  assert.equal(texts().at(-1), 'm8999');
  assert.deepEqual(reported('back').map(({ missed }) => missed), [9_000]);
});

test('answers to resends and quiet events are never resume positions', async () => {
  const { server } = scene;
  await entered();
  const last = server.text(4, 'before');
  server.show(last, server.text(17, 'mine', 'mine', { duplicate: true }), server.event('JOIN', 9, { quiet: true }));
  server.end(1001, 'reconnect after 0 ms');
  await scene.clock.pass(0);
  server.open();
  assert.deepEqual(server.join.after, nameOf(last));
});

test('a postponed JOIN is repeated, a refused JOIN stops the room', async () => {
  const { server, clock } = scene;
  const made = room();
  made.enter();
  await settled();
  server.open();
  const away = { status: 503, errorCode: 'SERVICE_UNAVAILABLE', error: 'the broker is away', retryAfterMs: 250 };
  server.show({ ...away, messageId: server.join.messageId });
  assert.equal(made.state.why, 'Entry refused: the broker is away');
  await clock.pass(250);
  assert.equal(server.sent('JOIN').length, 2);
  const wrong = { status: 422, errorCode: 'VALIDATION_FAILED', error: '1 field is wrong', errors: { username: 'is odd' } };
  server.show({ ...wrong, messageId: server.join.messageId });
  assert.equal(made.state.name, 'stopped');
  assert.equal(made.state.code, 'VALIDATION_FAILED');
  assert.deepEqual(made.state.errors, { username: 'is odd' });
});

test('an abandoned attempt that joins late does not stop the next attempt', async () => {
  const { server, clock } = scene;
  const made = await entered();
  server.end(1001, 'reconnect after 0 ms');
  await clock.pass(0);
  server.open();
  server.end(1006); // its JOIN is in flight
  await clock.pass(1_000);
  await server.admit();
  server.end(4009);
  assert.equal(made.state.name, 'waiting');
  await clock.pass(1_000);
  await server.admit();
  assert.equal(made.state.name, 'here');
  server.end(4009);
  assert.equal(made.state.name, 'stopped', 'a second 4009 comes from another connection');
});

test('a newer connection of the user stops this one until the program enters again', async () => {
  const { server, clock } = scene;
  const made = await entered();
  server.end(4009);
  assert.equal(made.state.code, 4009);
  await clock.pass(60_000);
  assert.equal(server.sockets.length, 1);
  made.tryNow();
  await server.admit();
  assert.equal(made.state.name, 'here');
});

test('a program resumes after the last text of its earlier run', async () => {
  const { server } = scene;
  const had = { user: { id: '4', name: 'user4' }, id: 'm-7', at: new Date('2026-11-24T10:00:00.125Z') };
  room({}, { after: had }).enter();
  await settled();
  server.open();
  const after = { messageType: 'TEXT', userId: '4', messageId: 'm-7', serverTimestamp: '2026-11-24T10:00:00.125Z' };
  assert.deepEqual(server.join.after, after);
});

test('a cut connection is restored', async () => {
  const { server, clock } = scene;
  const made = await entered();
  made.cut(3_000);
  assert.equal(made.state.why, 'You cut the connection');
  assert.equal(server.sockets[0].closed, 4000);
  await clock.pass(3_000);
  await server.admit();
  assert.equal(made.state.name, 'here');
});

test('older messages are read page by page, up to the first', async () => {
  const { server, answers } = scene;
  const first = server.text(4, 'first');
  const made = await entered({}, first, server.text(4, 'second'));
  const path = (frame) => `/messages?last=50&before=${JSON.stringify(nameOf(frame))}`;
  const [oldest, noText, older] = [server.text(5, 'oldest'), server.event('JOIN', 5), server.text(5, 'older')];
  answers[path(first)] = { messages: [older] };
  answers[path(older)] = { messages: [noText] };
  answers[path(noText)] = { messages: [oldest] };
  answers[path(oldest)] = { messages: [] };
  assert.deepEqual((await made.older()).map(({ text, past }) => [text, past]), [['older', true]]);
  assert.deepEqual((await made.older()).map(({ text }) => text), ['oldest']);
  assert.deepEqual(await made.older(), []);
  server.show(server.text(4, 'live'));
  assert.deepEqual(await made.older(), []);
});

test('older messages are delivered once, also to concurrent calls and after a failed call', async () => {
  const { server, answers } = scene;
  const first = server.text(4, 'first');
  const made = await entered({}, first);
  const path = (frame) => `/messages?last=50&before=${JSON.stringify(nameOf(frame))}`;
  const [oldest, older] = [server.text(5, 'oldest'), server.text(5, 'older')];
  const network = [() => assert.fail('no network'), () => ({ messages: [older] })];
  Object.defineProperty(answers, path(first), { get: () => network.shift()() });
  answers[path(older)] = { messages: [oldest] };
  const [failed, ...calls] = [made.older(), made.older(), made.older()];
  await assert.rejects(failed, /no network/);
  const found = await Promise.all(calls);
  assert.deepEqual(found.map((messages) => messages.map(({ text }) => text)), [['older'], ['oldest']]);
});
