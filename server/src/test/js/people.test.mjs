// The people in the room, as far as they are known.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { comesBack, entered, room, scene, settled, told } from './scene.mjs';

const ME = { userId: '17', username: 'ann' };

function names(made) {
  return [...made.people.names.values()].map(({ name }) => name).sort();
}

function listed(...users) {
  return users.map((user) => ({ userId: `${user}`, username: `user${user}` }));
}

/** A member list of the server; without a count it is complete. */
function members(users, count = users.length, complete = true) {
  return { messageType: 'MEMBERS', roomId: '5', count, complete, members: users, status: 200 };
}

function changes() {
  return told('people').map(({ joined, left, count, at }) =>
    [joined.map(({ name }) => name).join(), left.map(({ name }) => name).join(), count, at !== undefined]);
}

test('the server lists members, and reports later joins and leaves', async () => {
  const { server } = scene;
  const made = await entered({}, members([ME, ...listed(4, 5)]));
  assert.equal(server.join.members, 200);
  assert.deepEqual(names(made), ['ann', 'user4', 'user5']);
  server.show(server.event('JOIN', 6), server.event('JOIN', 6), server.event('LEAVE', 4), server.event('LEAVE', 4));
  assert.deepEqual(names(made), ['ann', 'user5', 'user6']);
  assert.deepEqual(changes(), [
    ['ann,user4,user5', '', 3, false],
    ['user6', '', 4, true],
    ['', 'user4', 3, true],
  ]);
});

test('a new list replaces the previous one', async () => {
  const { server } = scene;
  const made = await entered({}, members([ME, ...listed(4)], 2, false));
  assert.equal(made.people.complete, false);
  server.show(members([ME, ...listed(5, 6)]));
  assert.equal(made.people.complete, true);
  assert.deepEqual(changes().at(-1), ['user5,user6', 'user4', 3, false]);
});

test('the list is valid from the client JOIN on; past joins and leaves do not change it', async () => {
  const { server } = scene;
  const made = await entered({}, members([ME, ...listed(4)]), server.event('JOIN', 5), server.event('LEAVE', 4));
  assert.deepEqual(names(made), ['ann', 'user4']);
});

test('joins and leaves while offline are reported in order, and the list is right in the end', async () => {
  const { server } = scene;
  const made = await entered({}, members([ME, ...listed(4)]));
  const last = server.text(4, 'before');
  server.show(last);
  await comesBack(members([ME, ...listed(5, 6)]), last, server.event('JOIN', 5), server.event('LEAVE', 4));
  assert.deepEqual(names(made), ['ann', 'user5', 'user6']);
  assert.deepEqual(changes().slice(1), [['user5', '', 3, true], ['', 'user4', 2, true], ['user6', '', 3, false]]);
});

test('a LEAVE of the client among missed frames is no change', async () => {
  const { server } = scene;
  const made = await entered({}, members([ME, ...listed(4)]));
  const last = server.text(4, 'before');
  server.show(last);
  const before = changes().length;
  await comesBack(members([ME, ...listed(4)]), last, server.event('LEAVE', 17));
  assert.deepEqual(names(made), ['ann', 'user4']);
  assert.equal(changes().slice(before).some(([joined, left]) => joined !== '' || left !== ''), false);
});

test('without a list from the server, the observed members remain', async () => {
  const { server } = scene;
  const made = await entered();
  server.show(server.event('JOIN', 4), server.event('LEAVE', 99));
  assert.deepEqual(names(made), ['ann', 'user4']);
  assert.equal(made.people.count, 2);
  assert.equal(made.people.complete, false);
});

test('a truncated list counts all members, and the LEAVE of an unnamed one lowers the count', async () => {
  const { server } = scene;
  const made = await entered({}, members(listed(10, 11), 500));
  assert.equal(made.people.count, 500, 'oneself is counted');
  assert.deepEqual(names(made), ['ann', 'user10', 'user11']);
  server.show(server.event('LEAVE', 99), server.event('LEAVE', 101), server.event('LEAVE', 11), server.event('JOIN', 105));
  assert.deepEqual(changes().slice(1), [
    ['', 'user99', 499, true],
    ['', 'user11', 498, true],
    ['user105', '', 499, true],
  ], 'the list would have named 101, and 105 is new for the same reason');
  await scene.clock.pass(15_000);
  assert.deepEqual(scene.asked, []);
});

test('a member that may already be counted stays uncertain until the count is requested', async () => {
  const { server, clock, answers } = scene;
  const made = await entered({}, members(listed(10, 11), 500));
  server.show(server.event('JOIN', 98), server.event('JOIN', 98), server.event('JOIN', 99));
  assert.equal(made.people.count, 502);
  answers['?limit=1'] = { roomId: '5', count: 501, complete: true, members: listed(10) };
  await clock.pass(10_000);
  assert.equal(made.people.count, 501);
  assert.deepEqual(changes().at(-1), ['', '', 501, false]);
  assert.equal(scene.asked.length, 1);
  server.show(server.event('JOIN', 99), server.event('LEAVE', 99), server.event('JOIN', 10));
  await clock.pass(15_000);
  assert.equal(made.people.count, 500);
  assert.equal(scene.asked.length, 1, 'of whom one knows nothing is in doubt');
});

test('a list also settles the doubt, and a member that has left requests no more', async () => {
  const { server, clock } = scene;
  const made = await entered({}, members(listed(10), 500));
  server.show(server.event('JOIN', 98), members(listed(10), 500));
  await clock.pass(15_000);
  server.show(server.event('JOIN', 99));
  assert.equal(made.people.count, 501);
  await Promise.all([made.leave(), clock.pass(15_000)]);
  assert.deepEqual(scene.asked, []);
});

test('an unavailable count stays in doubt until the next JOIN', async () => {
  const { server, clock, answers } = scene;
  const made = await entered({}, members(listed(10), 500));
  server.show(server.event('JOIN', 98));
  await clock.pass(15_000);
  assert.equal(made.people.count, 501);
  answers['?limit=1'] = { count: 500 };
  server.show(server.event('JOIN', 99));
  await clock.pass(15_000);
  assert.equal(made.people.count, 500);
});

test('in a room too large for names only the count changes', async () => {
  const { server } = scene;
  const made = await entered({}, members(listed(4), 999));
  server.show(members([], 1_250));
  assert.equal(made.people.count, 1_250);
  assert.deepEqual(names(made), ['ann'], 'nobody is said to have left');
  assert.deepEqual(changes().at(-1), ['', '', 1_250, false]);
  server.show(members([], 1_251));
  assert.deepEqual(changes().at(-1), ['', '', 1_251, false]);
});

test('joining and leaving also work in a room too large to show them', async () => {
  const { server } = scene;
  const made = room();
  made.enter();
  await settled();
  server.open();
  const last = server.text(4, 'last');
  server.show(members([], 1_250), last, server.broadcast(server.join, { quiet: true }));
  assert.equal(made.state.name, 'here');
  assert.equal(made.people.count, 1_250);
  server.end(1001, 'reconnect after 0 ms');
  await scene.clock.pass(0);
  server.open();
  assert.equal(server.join.after.messageId, 'last', 'the own JOIN has no place in the room');
  server.show(members([], 1_251), last, server.broadcast(server.join, { quiet: true }));
  assert.equal(told('gap').length, 0);
  const left = made.leave();
  const [leave] = server.sent('LEAVE');
  server.show(server.broadcast(leave, { quiet: true }));
  await left;
  assert.equal(made.state.name, 'left');
});

test('a client without names gets the count', async () => {
  const { server } = scene;
  const made = room({}, { members: 0 });
  made.enter();
  await settled();
  server.open();
  assert.equal(server.join.members, 0);
  server.show(members([], 3), server.broadcast(server.join));
  assert.equal(made.people.count, 3);
});

test('all members are read page by page', async () => {
  const { answers } = scene;
  answers['?limit=1000'] = { members: listed(4, 5), next: '5' };
  answers['?limit=1000&after=5'] = { members: listed(6) };
  const made = await entered();
  const all = [];
  for await (const { id } of made.everybody()) {
    all.push(id);
  }
  assert.deepEqual(all, ['4', '5', '6']);
});
