// Tokens: requested in time, renewed without interruption, and not requested too often.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ChatFlow } from '../../main/webapp/lib/chatflow.js';
import { jwt } from './fakes.mjs';
import { ANN, entered, room, scene, settled, states, texts, reported } from './scene.mjs';

/** Returns a token callback with the given lifetimes in ms, and the list of its calls. */
function tokens(lasts, more = {}) {
  const asked = [];
  const token = async (why) => {
    asked.push(why);
    const exp = (scene.clock.now + lasts) / 1000;
    return jwt({ sub: '17', name: 'ann', exp, n: asked.length, ...more });
  };
  return { asked, options: { user: undefined, token } };
}

function protocols(socket = scene.server.socket) {
  return socket.protocols;
}

test('a token is sent as subprotocol and header, and names the user', async () => {
  const { asked, options } = tokens(3_600_000);
  const made = await entered(options);
  assert.deepEqual(asked, ['connect']);
  assert.equal(protocols()[0], 'chatflow.v1');
  assert.match(protocols()[1], /^token\.[\w-]+\.[\w-]+\.x$/);
  assert.deepEqual(made.user, ANN);
  assert.equal(scene.server.join.username, 'ann');
  await made.everybody().next();
  assert.match(scene.requests[0].headers.Authorization, /^Bearer ey/);
});

test('without tokens there is no subprotocol and no header', async () => {
  const made = await entered();
  assert.equal(protocols(), undefined);
  await made.everybody().next();
  assert.deepEqual(scene.requests[0].headers, {});
});

test('a minute before expiry a new connection takes over, without lost or repeated messages', async () => {
  const { server, clock } = scene;
  const { asked, options } = tokens(600_000);
  const made = await entered(options);
  const [old] = server.sockets;
  for (let i = 0; i < 27; i++) { // 540 s
    await clock.pass(20_000);
    server.show({ messageType: 'PONG', status: 200 });
  }
  assert.deepEqual(asked, ['connect', 'expires']);
  assert.equal(server.sockets.length, 2);
  assert.equal(made.state.name, 'here');
  server.open();
  const { after } = server.join;
  const sent = made.send('mine');
  const [mine] = server.sent('TEXT', old);
  const named = { ...server.event('JOIN', 17), ...after };
  const one = server.text(4, 'one');
  server.showOn(old, one);
  const people = { messageType: 'MEMBERS', roomId: '5', count: 2, complete: true, members: [{ userId: '4', username: 'user4' }], status: 200 };
  server.show(people, named, one, server.text(4, 'two'), server.broadcast(mine));
  assert.deepEqual([texts(), made.people.count], [['one'], 1], 'the old connection counts until the new one is in');
  server.show(server.broadcast(server.join));
  assert.deepEqual(reported('message').map(({ text, past }) => [text, past]), [['one', false], ['two', false], ['mine', false]]);
  assert.equal((await sent).text, 'mine');
  assert.equal(made.people.count, 2);
  assert.equal(old.closed, 1000);
  assert.deepEqual(reported('back'), []);
  assert.deepEqual(states(), ['connecting', 'joining', 'here', 'here']);
});

test('the takeover of the old connection is expected', async () => {
  const { server, clock } = scene;
  const { options } = tokens(60_000);
  const made = await entered(options);
  const [old] = server.sockets;
  await clock.pass(20_000);
  server.show({ messageType: 'PONG', status: 200 });
  await clock.pass(10_000);
  server.open();
  server.end(4009, '', old);
  assert.equal(made.state.name, 'joining');
  server.show(server.broadcast(server.join));
  assert.equal(made.state.name, 'here');
});

test('a failed new connection keeps the old one', async () => {
  const { server, clock } = scene;
  const { options } = tokens(60_000);
  const made = await entered(options);
  const [old] = server.sockets;
  await clock.pass(20_000);
  server.show({ messageType: 'PONG', status: 200 });
  await clock.pass(10_000);
  assert.equal(server.sockets.length, 2);
  server.end(1006);
  assert.equal(made.state.name, 'here');
  server.showOn(old, server.text(4, 'still'));
  assert.deepEqual(texts(), ['still']);
});

test('a wrong local clock does not make a valid token look expired', async () => {
  const { server, clock } = scene;
  for (const ahead of [-3_600_000, 3_600_000, 0]) {
    server.ahead = -ahead; // this machine's clock is ahead
    const asked = [];
    const made = await entered({
      user: undefined,
      token: async () => asked.push(1) && jwt({ sub: '17', name: 'ann', exp: (clock.now - ahead + 600_000) / 1000, n: asked.length }),
    });
    const before = server.sockets.length;
    for (let i = 0; i < 20; i++) { // 400 s of its 600
      await clock.pass(20_000);
      server.show({ messageType: 'PONG', status: 200 });
    }
    assert.deepEqual([asked.length, server.sockets.length, made.state.name], [1, before, 'here'], `${ahead} ms ahead`);
    made.leave();
    await clock.pass(3_000);
  }
});

test('without a name in the token the user id is the name', async () => {
  for (const sub of ['17', 'ann', 'auth0|5f7c8ec7c33c6c004bbafe82']) {
    const made = await entered({ user: undefined, token: async () => jwt({ sub, exp: scene.clock.now / 1000 + 3_600 }) });
    assert.deepEqual(made.user, { id: sub, name: sub });
    made.leave();
    await scene.clock.pass(3_000);
  }
});

test('an expired token is renewed at once', async () => {
  const { server, clock } = scene;
  const { asked, options } = tokens(3_600_000);
  const made = await entered(options);
  const before = protocols()[1];
  server.end(4002);
  await clock.pass(0);
  await server.admit();
  assert.deepEqual(asked, ['connect', 'expired']);
  assert.notEqual(protocols()[1], before);
  assert.equal(made.state.name, 'here');
});

test('a refused token is replaced once, then the room stops', async () => {
  const { server, clock } = scene;
  const { asked, options } = tokens(3_600_000);
  const made = room(options);
  made.enter();
  await settled();
  server.end(4001);
  await clock.pass(0);
  assert.deepEqual(asked, ['connect', 'refused']);
  server.end(4001);
  assert.deepEqual([made.state.name, made.state.code], ['stopped', 4001]);
  await clock.pass(60_000);
  assert.equal(server.sockets.length, 2);
});

test('the same token a second time stops the room', async () => {
  for (const [code, why] of [[4001, 'refused'], [4002, 'expired']]) {
    const only = jwt({ sub: '17', name: 'ann' });
    const asked = [];
    const made = room({ user: undefined, token: (reason) => (asked.push(reason), only) });
    made.enter();
    await settled();
    scene.server.end(code);
    await scene.clock.pass(0);
    assert.deepEqual(asked, ['connect', why]);
    assert.deepEqual([made.state.name, made.state.code], ['stopped', code]);
  }
});

test('a failed token request is repeated', async () => {
  const { clock, server } = scene;
  let isAway = true;
  const token = async () => {
    if (isAway) {
      throw new Error('the shop is closed');
    }
    return jwt({ sub: '17', name: 'ann' });
  };
  const made = room({ user: undefined, token });
  made.enter();
  await settled();
  assert.equal(made.state.why, 'No token: the shop is closed');
  isAway = false;
  await clock.pass(500);
  await server.admit();
  assert.equal(made.state.name, 'here');
});

test('rooms share a token', async () => {
  const { asked, options } = tokens(3_600_000);
  const { WebSocket } = scene.server;
  const chat = new ChatFlow('http://chat.example.com/', { ...options, WebSocket, store: null, fetch: async () => ({ status: 404 }) });
  chat.room('5').enter();
  chat.room('6').enter();
  await settled();
  assert.deepEqual(asked, ['connect']);
  assert.deepEqual(scene.server.sockets.map(({ address }) => address), ['ws://chat.example.com/chat/5', 'ws://chat.example.com/chat/6']);
});

test('a token for any user needs a user, and so does the absence of a token', async () => {
  const made = room({ user: undefined, token: () => jwt({ sub: '*' }) });
  made.enter();
  await settled();
  assert.match(made.state.why, /names no user/);
  assert.throws(() => new ChatFlow('http://x/', {}), TypeError);
  assert.throws(() => scene.chat.room('a.b'), RangeError);
});

test('a token of another user stops the room, and the texts of the first are not sent', async () => {
  const { server, clock } = scene;
  let sub = '17';
  const made = await entered({ user: undefined, token: () => jwt({ sub, jti: Math.random() }) });
  sub = '42';
  server.end(4002);
  made.send('of 17');
  await clock.pass(0);
  assert.deepEqual([made.state.name, made.state.code], ['stopped', 'TOKEN']);
  assert.equal(made.state.why, 'the token names user 42, but 17 entered this room: leave it first');
  assert.equal(server.sockets.length, 1);
  await made.leave();
  assert.deepEqual(reported('refused').map(({ text, error }) => [text, error.code]), [['of 17', 'LEFT']]);
  made.enter();
  await server.admit();
  assert.deepEqual([made.user.id, server.join.userId, server.sent('TEXT')], ['42', '42', []]);
});

test('a token of another user does not take over a connection either', async () => {
  const { server, clock } = scene;
  let sub = '17';
  const made = await entered({ user: undefined, token: () => jwt({ sub, exp: scene.clock.now / 1000 + 60 }) });
  sub = '42';
  await clock.pass(20_000);
  server.show({ messageType: 'PONG', status: 200 });
  await clock.pass(10_000);
  assert.equal(server.sockets.length, 1);
  assert.equal(made.state.name, 'here');
});
