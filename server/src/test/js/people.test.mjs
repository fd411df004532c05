// Who is in the room, as far as is known.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { comesBack, entered, room, scene, settled, told } from './scene.mjs';

function names(made) {
  return [...made.people.names.values()].map(({ name }) => name).sort();
}

function listed(...users) {
  return users.map((user) => ({ userId: `${user}`, username: `user${user}` }));
}

test('they are read over HTTP, and who comes and goes is told', async () => {
  const { server, answers } = scene;
  answers[''] = { roomId: '5', members: listed(4, 5) };
  const made = await entered();
  assert.deepEqual(names(made), ['ann', 'user4', 'user5']);
  assert.equal(made.people.complete, false, 'nobody has said that it is all');
  server.show(server.event('JOIN', 6), server.event('JOIN', 6), server.event('LEAVE', 4), server.event('LEAVE', 99));
  assert.deepEqual(names(made), ['ann', 'user5', 'user6']);
  const changes = told('people').map(({ joined, left, count, at }) =>
    [joined.map(({ name }) => name), left.map(({ name }) => name), count, at !== undefined]);
  assert.deepEqual(changes, [
    [['ann'], [], 1, true],
    [['user4', 'user5'], [], 3, false],
    [['user6'], [], 4, true],
    [[], ['user4'], 3, true],
  ]);
});

test('who comes or goes while the list is on its way is not forgotten', async () => {
  const { server, answers } = scene;
  const members = listed(4, 5);
  let answer;
  Object.defineProperty(answers, '', { get: () => new Promise((done) => (answer = () => done({ members }))) });
  const made = room({ fetch: async () => ({ ok: true, status: 200, json: () => answers[''] }) });
  made.enter();
  await server.admit();
  await settled();
  server.show(server.event('LEAVE', 4), server.event('JOIN', 7));
  answer();
  await settled();
  assert.deepEqual(names(made), ['ann', 'user5', 'user7']);
});

test('a server that sends them is not asked', async () => {
  const { server } = scene;
  const made = await entered({}, { messageType: 'MEMBERS', roomId: '5', count: 2, complete: true, members: listed(4, 17), status: 200 });
  assert.equal(server.join.members, 200);
  assert.deepEqual(scene.asked, []);
  assert.equal(made.people.complete, true);
  assert.equal(made.people.count, 2);
  server.show({ messageType: 'MEMBERS', roomId: '5', count: 3, complete: true, members: listed(4, 5, 17), status: 200 });
  assert.deepEqual(told('people').at(-1), { joined: [{ id: '5', name: 'user5' }], left: [], count: 3, at: undefined });
});

test('of a large room the count is known', async () => {
  const made = await entered({}, { messageType: 'MEMBERS', roomId: '5', count: 1_250, complete: true, members: [], status: 200 });
  assert.equal(made.people.count >= 1_250, true);
  assert.ok(made.people.names.size <= 1);
});

test('a list that cannot be had leaves those who were seen', async () => {
  const { server } = scene;
  const made = await entered({ fetch: async () => ({ ok: false, status: 503 }) });
  server.show(server.event('JOIN', 4));
  assert.deepEqual(names(made), ['ann', 'user4']);
});

test('who came and went while one was away is known from a past that is whole', async () => {
  const { server, answers } = scene;
  answers[''] = undefined;
  const made = await entered();
  const last = server.event('JOIN', 4);
  server.show(last);
  await comesBack(last, server.event('JOIN', 5), server.event('LEAVE', 4));
  assert.deepEqual(names(made), ['ann', 'user5']);
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
