// Who is in the room, as far as is known.

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

/** What the server says of its people; without a count they are all. */
function members(users, count = users.length, complete = true) {
  return { messageType: 'MEMBERS', roomId: '5', count, complete, members: users, status: 200 };
}

function changes() {
  return told('people').map(({ joined, left, count, at }) =>
    [joined.map(({ name }) => name).join(), left.map(({ name }) => name).join(), count, at !== undefined]);
}

test('the server lists them, and who comes and goes behind its list is told', async () => {
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

test('a list that is told again replaces the one before', async () => {
  const { server } = scene;
  const made = await entered({}, members([ME, ...listed(4)], 2, false));
  assert.equal(made.people.complete, false);
  server.show(members([ME, ...listed(5, 6)]));
  assert.equal(made.people.complete, true);
  assert.deepEqual(changes().at(-1), ['user5,user6', 'user4', 3, false]);
});

test('the list holds as of the own JOIN: what is past says nothing of it', async () => {
  const { server } = scene;
  const made = await entered({}, members([ME, ...listed(4)]), server.event('JOIN', 5), server.event('LEAVE', 4));
  assert.deepEqual(names(made), ['ann', 'user4']);
});

test('who came and went while one was away is told where it happened, and the list is right in the end', async () => {
  const { server } = scene;
  const made = await entered({}, members([ME, ...listed(4)]));
  const last = server.text(4, 'before');
  server.show(last);
  await comesBack(members([ME, ...listed(5, 6)]), last, server.event('JOIN', 5), server.event('LEAVE', 4));
  assert.deepEqual(names(made), ['ann', 'user5', 'user6']);
  assert.deepEqual(changes().slice(1), [['user5', '', 3, true], ['', 'user4', 2, true], ['user6', '', 3, false]]);
});

test('the own LEAVE in what was missed is no change', async () => {
  const { server } = scene;
  const made = await entered({}, members([ME, ...listed(4)]));
  const last = server.text(4, 'before');
  server.show(last);
  const before = changes().length;
  await comesBack(members([ME, ...listed(4)]), last, server.event('LEAVE', 17));
  assert.deepEqual(names(made), ['ann', 'user4']);
  assert.equal(changes().slice(before).some(([joined, left]) => joined !== '' || left !== ''), false);
});

test('a server that says nothing of them leaves those who were seen', async () => {
  const { server } = scene;
  const made = await entered();
  server.show(server.event('JOIN', 4), server.event('LEAVE', 99));
  assert.deepEqual(names(made), ['ann', 'user4']);
  assert.equal(made.people.count, 2);
  assert.equal(made.people.complete, false);
});

test('of a list that is cut all are counted, and who leaves unnamed is one less', async () => {
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

test('who may have been counted already is, until the count is asked for', async () => {
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

test('a list that is told settles a doubt too, and who has left the room asks no more', async () => {
  const { server, clock } = scene;
  const made = await entered({}, members(listed(10), 500));
  server.show(server.event('JOIN', 98), members(listed(10), 500));
  await clock.pass(15_000);
  server.show(server.event('JOIN', 99));
  assert.equal(made.people.count, 501);
  await Promise.all([made.leave(), clock.pass(15_000)]);
  assert.deepEqual(scene.asked, []);
});

test('a count that cannot be had stays in doubt until the next who comes', async () => {
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

test('in a room too large for names the count alone changes', async () => {
  const { server } = scene;
  const made = await entered({}, members(listed(4), 999));
  server.show(members([], 1_250));
  assert.equal(made.people.count, 1_250);
  assert.deepEqual(names(made), ['ann'], 'nobody is said to have left');
  assert.deepEqual(changes().at(-1), ['', '', 1_250, false]);
  server.show(members([], 1_251));
  assert.deepEqual(changes().at(-1), ['', '', 1_251, false]);
});

test('who enters and leaves a room too large for that to be shown does so all the same', async () => {
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

test('who wants no names is told how many', async () => {
  const { server } = scene;
  const made = room({}, { members: 0 });
  made.enter();
  await settled();
  server.open();
  assert.equal(server.join.members, 0);
  server.show(members([], 3), server.broadcast(server.join));
  assert.equal(made.people.count, 3);
});

test('everybody is read page by page', async () => {
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
