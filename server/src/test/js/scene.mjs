// A room of the library on a fake server, with a record of all its events.

import { afterEach, beforeEach } from 'node:test';
import { ChatFlow } from '../../main/webapp/lib/chatflow.js';
import { FakeClock, FakeServer, settled } from './fakes.mjs';

export const ANN = { id: '17', name: 'ann' };

/** The objects of one test, created again for each. */
export const scene = {};

beforeEach(() => {
  scene.clock = new FakeClock();
  scene.clock.install();
  scene.server = new FakeServer();
  scene.base = 'http://chat.example.com/team/';
  scene.answers = { '': { roomId: '5', members: [] } }; // of the API, by the part of the path after the room
  scene.requests = [];
});

afterEach(() => scene.clock.uninstall());

async function fetch(address, { headers }) {
  const path = decodeURIComponent(address.pathname + address.search).replace(/^.*\/api\/rooms\/5/, '');
  scene.requests.push({ path, headers, host: address.host });
  const answer = scene.answers[path];
  return { ok: answer !== undefined, status: answer === undefined ? 404 : 200, json: async () => answer };
}

/** Returns a room that was not entered; `scene.events` holds its events as [event, value]. */
export function room(options = {}, ofRoom) {
  const { WebSocket } = scene.server;
  scene.chat = new ChatFlow(scene.base, { user: ANN, store: null, fetch, WebSocket, ...options });
  const made = scene.chat.room('5', ofRoom);
  scene.events = [];
  for (const event of ['state', 'message', 'signal', 'people', 'back', 'gap', 'refused']) {
    made.on(event, (value) => scene.events.push([event, value]));
  }
  return made;
}

/** Returns a room that was entered, after the given past. */
export async function entered(options, ...past) {
  const made = room(options);
  made.enter();
  await scene.server.admit(...past);
  return made;
}

export function reported(event) {
  return scene.events.filter(([name]) => name === event).map(([, value]) => value);
}

export function texts() {
  return reported('message').map(({ text }) => text);
}

export function states() {
  return reported('state').map(({ name }) => name);
}

/** Loses the connection, reconnects at once and joins after the given past. */
export async function comesBack(...past) {
  scene.server.end(1001, 'reconnect after 0 ms');
  await scene.clock.pass(0);
  await scene.server.admit(...past);
}

export { settled };
