// Wires the page: where it is, who is here, and what its controls do.

import { Chat } from './chat.js';
import { Token } from './link.js';
import { Page } from './page.js';
import { wrongFields } from './protocol.js';

/** Values of this tab that outlive a reload, where the browser lets us keep them. */
class Remembered {
  #kept;

  constructor() {
    try {
      this.#kept = window.sessionStorage;
    } catch {
      this.#kept = null;
    }
  }

  get(key) {
    return this.#kept?.getItem(`chatflow.${key}`) ?? '';
  }

  set(key, value) {
    this.#kept?.setItem(`chatflow.${key}`, value);
  }
}

/** The addresses of this application, under whatever path it was deployed. */
class Addresses {
  #base;

  constructor(location) {
    const path = location.pathname.replace(/(?<=\/)(rooms\/[^/.]+|[^/]*)$/, '');
    this.#base = new URL(path, location.origin);
  }

  page(room) {
    return new URL(`rooms/${room}`, this.#base).pathname;
  }

  rooms() {
    return new URL('api/rooms', this.#base).href;
  }

  health() {
    return new URL('health', this.#base).href;
  }

  of(room) {
    const socket = new URL(`chat/${room}`, this.#base);
    socket.protocol = socket.protocol.replace('http', 'ws');
    return { room, token, socket: socket.href, members: `${this.rooms()}/${room}` };
  }
}

function roomInAddress(location) {
  const found = /\/rooms\/([^/.]+)$/.exec(location.pathname);
  return found === null ? '' : decodeURIComponent(found[1]);
}

/** The user of a token that is one's own; a service's names none. */
function userOf({ claims }) {
  return claims.sub === undefined || claims.sub === '*' ? '' : claims.sub;
}

function random() {
  return crypto.getRandomValues(new Uint32Array(1))[0];
}

const remembered = new Remembered();
const token = new Token(window.location, window.history, remembered.get('token'));
remembered.set('token', token.text);
const addresses = new Addresses(window.location);
const page = new Page();
let chat = null;

function join({ room, username, userId }) {
  const wrong = wrongFields({ room, username, userId });
  page.showWrong(wrong);
  if (Object.keys(wrong).length > 0) {
    return;
  }
  remembered.set('username', username);
  remembered.set('userId', userId);
  window.history.replaceState(null, '', addresses.page(room));
  page.enter(room, userId);
  const prefix = `p-${userId}-${random().toString(36)}`;
  chat = new Chat(addresses.of(room), { userId, username }, prefix, view);
  chat.start();
}

function leave() {
  const unseen = chat.leave();
  chat = null;
  page.exit();
  page.notice(unseen === 0 ? '' : `${unseen} of your messages had not come back when you left`);
  showRooms();
}

async function showRooms() {
  try {
    const answer = await fetch(addresses.rooms(), { cache: 'no-store', headers: token.headers });
    page.rooms(answer.ok ? (await answer.json()).rooms : []);
  } catch {
    page.rooms([]);
  }
}

/** The same sentence as in the server's log. */
async function showWhetherOpen() {
  try {
    const { auth } = await (await fetch(addresses.health(), { cache: 'no-store' })).json();
    page.anybody(auth === 'none');
  } catch {
    page.anybody(false);
  }
}

const view = {
  state: (state) => page.state(state),
  text: (entry) => page.text(entry),
  event: (text, more) => page.event(text, more),
  edge: () => page.edge(),
  refused: (text, why) => page.refused(text, why),
  pending: (entries) => page.pending(entries),
  members: (list) => page.members(list),
  notice: (text) => page.notice(text),
  turnedAway: (error) => {
    leave();
    page.showWrong(error.errors ?? {});
    page.notice(`Not let in: ${error.error} (${error.status} ${error.errorCode})`);
  },
};

page.listen({
  join,
  leave,
  say: (text) => chat.say(text),
  cut: () => chat.cut(),
  again: () => chat.tryNow(),
});
window.addEventListener('online', () => chat?.networkIsBack());
page.propose({
  room: roomInAddress(window.location),
  username: token.claims.name ?? remembered.get('username'),
  userId: userOf(token) || remembered.get('userId') || String((random() % 100000) + 1),
});
remembered.set('userId', page.choice().userId);
showRooms();
showWhetherOpen();
