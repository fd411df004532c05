// Users who are in a room with several devices.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeStore } from './fakes.mjs';
import { reported, room, scene, settled, texts } from './scene.mjs';

const PHONE = { device: 'phone' };
const TABLET = { device: 'tablet' };

/** The server's list of people; complete without a count. */
function members(users, count = users.length) {
  return { messageType: 'MEMBERS', roomId: '5', count, complete: true, members: users, status: 200 };
}

function user(id, ...devices) {
  return { userId: `${id}`, username: `user${id}`, ...(devices.length > 0 && { devices }) };
}

async function onPhone(options, ...past) {
  const made = room(options, PHONE);
  made.enter();
  await scene.server.admit(...past);
  scene.events.length = 0;
  return made;
}

function changes() {
  return reported('people').map(({ joined, left, count }) =>
    [...joined.map(({ id }) => `+${id}`), ...left.map(({ id }) => `-${id}`), count].join(' '));
}

function joinsAndLeaves(...events) {
  scene.server.show(...events.map(([type, id, device]) => scene.server.event(type, id, device && { device })));
}

test('a JOIN names the device, and no other frame does', async () => {
  const made = await onPhone();
  assert.equal(scene.server.join.device, 'phone');
  made.send('a');
  made.signal('typing');
  made.leave();
  assert.deepEqual(scene.server.socket.sent.filter(({ device }) => device).length, 1);
});

test('an invalid name of a device is reported in the call', () => {
  for (const device of ['', 'two words', 'x'.repeat(33), 'phone\n']) {
    assert.throws(() => room({}, { device }), RangeError);
  }
});

test('texts and signals expose their device, and those of the own other devices are own', async () => {
  const { server } = scene;
  await onPhone();
  server.show(server.text(17, 'a', 'a', TABLET), server.text(4, 'b'));
  server.show(server.broadcast({ messageType: 'SIGNAL', userId: '17', username: 'ann', messageId: 's' }, { kind: 'typing', ...TABLET }));
  assert.deepEqual(reported('message').map(({ own, device }) => [own, device]), [[true, 'tablet'], [false, undefined]]);
  assert.deepEqual(reported('signal').map(({ own, device }) => [own, device]), [[true, 'tablet']]);
});

test('a text of another own device settles none of this one', async () => {
  const made = await onPhone();
  const { server } = scene;
  made.send('a');
  server.show(server.text(17, 'other', 'a', TABLET));
  assert.equal(made.pending.length, 1);
  server.show(server.broadcast(server.sent('TEXT')[0], PHONE));
  assert.equal(made.pending.length, 0);
  assert.deepEqual(texts(), ['a', 'a']);
});

test('the data of the newest JOIN is that of the member', async () => {
  const made = room({}, { data: { a: 1 } });
  made.enter();
  const { server } = scene;
  await server.admit(members([{ ...user(17), data: { a: 1 } }, { ...user(4), data: {} }]));
  assert.deepEqual(server.join.data, { a: 1 });
  assert.deepEqual([...made.people.names.values()].map(({ data }) => data), [{ a: 1 }, {}]);
  scene.events.length = 0;
  server.show(server.event('JOIN', 4, { data: { b: 2 } }));
  server.show(server.event('JOIN', 4, { data: { b: 2 } }));
  assert.deepEqual(changes(), ['2']);
  assert.deepEqual(made.people.names.get('4').data, { b: 2 });
  assert.equal(made.people.names.get('17').name, 'ann');
});

test('invalid data of a member is reported in the call', () => {
  for (const data of [[], 'text', { text: 'x'.repeat(2_048) }]) {
    assert.throws(() => room({}, { data }), RangeError);
  }
});

test('a user comes with the first device and goes with the last', async () => {
  const made = await onPhone();
  joinsAndLeaves(['JOIN', 4, 'a'], ['JOIN', 4, 'b'], ['JOIN', 4], ['LEAVE', 4, 'a'], ['LEAVE', 4]);
  assert.deepEqual(changes(), ['+4 2']);
  joinsAndLeaves(['LEAVE', 4, 'b'], ['LEAVE', 4, 'b']);
  assert.deepEqual(changes(), ['+4 2', '-4 1']);
  assert.deepEqual([...made.people.names.keys()], ['17']);
});

test('a second JOIN of the same device changes nothing', async () => {
  await onPhone();
  joinsAndLeaves(['JOIN', 4, 'a'], ['JOIN', 4, 'a'], ['LEAVE', 4, 'a']);
  assert.deepEqual(changes(), ['+4 2', '-4 1']);
});

test('the list of the server names devices', async () => {
  const made = await onPhone({}, members([user(17, 'phone', 'tablet'), user(4, 'a', 'b'), user(5)]));
  assert.equal(made.people.count, 3);
  joinsAndLeaves(['LEAVE', 4, 'a'], ['LEAVE', 5], ['LEAVE', 4, 'b']);
  assert.deepEqual(changes(), ['-5 2', '-4 1']);
  scene.server.show(members([user(17, 'phone'), user(4, 'c')]));
  joinsAndLeaves(['LEAVE', 4, 'c']);
  assert.deepEqual(changes().slice(2), ['+4 2', '-4 1'], 'the new list replaced the devices');
});

test('the coming and going of own other devices is not reported', async () => {
  const made = await onPhone();
  joinsAndLeaves(['JOIN', 17, 'tablet'], ['LEAVE', 17, 'tablet'], ['JOIN', 17], ['LEAVE', 17]);
  assert.deepEqual(changes(), []);
  assert.equal(made.people.count, 1);
});

test('after the departure of a device whose user a truncated list does not name the count is requested', async () => {
  const { clock, answers, requests } = scene;
  const made = await onPhone({}, members([user(10)], 500));
  joinsAndLeaves(['LEAVE', 99, 'a']);
  assert.equal(made.people.count, 499);
  answers['?limit=1'] = { count: 500 };
  await clock.pass(10_000);
  assert.equal(made.people.count, 500);
  assert.equal(requests.length, 1);
});

test('each device keeps its own state across a reload', async () => {
  const store = new FakeStore();
  const made = await onPhone({ store });
  scene.server.show(scene.server.text(4, 'a'));
  await scene.clock.pass(1_000);
  made.cut();
  const other = room({ store }, TABLET);
  other.enter();
  await settled();
  scene.server.open();
  assert.equal(scene.server.join.after, undefined);
  const again = room({ store }, PHONE);
  again.enter();
  await settled();
  scene.server.open();
  assert.equal(scene.server.join.after.messageId, 'a');
});
