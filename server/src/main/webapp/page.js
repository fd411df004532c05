// The page: who one is, which rooms are open, and what its controls do.

import { Conversation } from './conversation.js';
import { ChatFlow } from './lib/chatflow.js';
import { claims } from './lib/tokens.js';
import { at, button, byName, element, nameOf } from './parts.js';

const FIELDS = ['room', 'username', 'userId'];
const SHOWN = 500; // people in the list
const REFRESH = 15_000; // ms between two looks at the rooms
const ANSWER = 10_000; // ms that a page around this one has for a token
const WRONG = {
  room: [/^[A-Za-z0-9_-]{1,64}$/, 'must have 1 to 64 of A-Z a-z 0-9 _ -'],
  username: [/^[A-Za-z0-9_-]{3,20}$/, 'must have 3 to 20 of A-Z a-z 0-9 _ -'],
  userId: [/^([1-9][0-9]{0,4}|100000)$/, 'must be an integer from 1 to 100000'],
};

/** Values of this tab that outlive a reload, where the browser lets us keep them. */
const remembered = {
  get(key) {
    try {
      return JSON.parse(window.sessionStorage.getItem(`chatflow.${key}`));
    } catch {
      return null;
    }
  },
  set(key, value) {
    try {
      window.sessionStorage.setItem(`chatflow.${key}`, JSON.stringify(value));
    } catch {
      // Then a reload asks again.
    }
  },
};

/** The address of the application, whatever path it was deployed under. */
const base = new URL(window.location.pathname.replace(/(?<=\/)(rooms\/[^/.]+|[^/]*)$/, ''), window.location.origin);
const conversations = new Map(); // by room
let chat; // of the user who has entered
let current; // the conversation that is shown
let openRooms = []; // as the server lists them

// --- who one is

/** A token comes behind the #, which no server is sent, and goes from the address at once. */
function takeToken() {
  const given = new URLSearchParams(window.location.hash.slice(1)).get('token');
  if (given !== null) {
    remembered.set('token', given);
    window.history.replaceState(null, '', window.location.pathname);
  }
  return remembered.get('token');
}

/** Who one is by the token, as far as it says: a service's names nobody. The server checks it. */
function said() {
  try {
    const { sub, name } = token === null ? {} : claims(token);
    return { userId: sub === '*' ? undefined : sub, username: name };
  } catch {
    return {};
  }
}

let token = takeToken();
let byToken = said();
const isEmbedded = token === null && window.parent !== window;

/**
 * A token of the page that shows this one within its own: one of those that CHATFLOW_ORIGINS lists, the browser
 * shows it to no other. Its answer comes by a way that nobody else has.
 */
function askAround(why) {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve, reject) => {
    port1.onmessage = ({ data }) => resolve((token = data));
    setTimeout(() => reject(new Error('the page around this one gives none')), ANSWER);
    window.parent.postMessage({ chatflow: 'token', why }, '*', [port2]);
  });
}

/** Who one is, where the page around this one knows. */
async function hearAround({ auth }) {
  if (auth === 'token') {
    await askAround('connect').catch(() => {}); // without one the server says what is missing
    byToken = said();
    proposeEntry();
  }
}

function proposeEntry() {
  const room = /\/rooms\/([^/.]+)$/.exec(window.location.pathname);
  const user = remembered.get('user') ?? {};
  at('room').value = room === null ? '' : decodeURIComponent(room[1]);
  at('username').value = byToken.username ?? user.name ?? '';
  at('userId').value = byToken.userId ?? user.id ?? (crypto.getRandomValues(new Uint32Array(1))[0] % 100_000) + 1;
  FIELDS.forEach((field) => (at(field).parentElement.hidden = byToken[field] !== undefined));
  focusEntry();
}

function focusEntry() {
  const fields = FIELDS.map(at).filter((field) => field.offsetParent !== null);
  (fields.find(({ value }) => value === '') ?? fields[0])?.focus();
}

/** Texts by field; the focus goes to the first of them. */
function showWrong(wrong) {
  for (const field of FIELDS) {
    mark(field, wrong[field] ?? '');
  }
  const first = FIELDS.find((field) => wrong[field] && at(field).offsetParent !== null);
  if (first !== undefined) {
    at(first).focus();
  }
}

function mark(field, wrong) {
  at(`${field}-wrong`).textContent = wrong;
  at(field === 'other' ? 'other-room' : field).setAttribute('aria-invalid', String(wrong !== ''));
}

function join() {
  const values = Object.fromEntries(FIELDS.map((field) => [field, at(field).value.trim()]));
  const wrong = FIELDS.filter((field) => byToken[field] === undefined && !WRONG[field][0].test(values[field]));
  showWrong(Object.fromEntries(wrong.map((field) => [field, WRONG[field][1]])));
  if (wrong.length === 0) {
    at('notice').textContent = '';
    remembered.set('user', { id: values.userId, name: values.username });
    enter(values.room);
  }
}

// --- rooms

function program() {
  const { id, name } = remembered.get('user') ?? {};
  return new ChatFlow(base, { user: { id, name }, ...(token !== null && { token: isEmbedded ? askAround : () => token }) });
}

function enter(room) {
  chat ??= program();
  if (!conversations.has(room)) {
    const made = new Conversation(chat.room(room), () => soon());
    made.room.on('state', (state) => state.name === 'stopped' && typeof state.code === 'string' && turnedAway(made, state));
    conversations.set(room, made);
    at('conversations').append(made.element);
    made.room.enter();
  }
  show(conversations.get(room));
}

function show(conversation) {
  current?.hide();
  current = conversation;
  document.body.dataset.view = 'chat';
  window.history.replaceState(null, '', new URL(`rooms/${current.room.id}`, base).pathname);
  current.show();
  rememberRooms();
  at('rooms').hidePopover();
  mark('text', '');
  at('text').placeholder = `Message ${current.room.id}`;
  at('text').focus();
  draw();
}

function rememberRooms() {
  remembered.set('rooms', [...conversations.keys()]);
}

async function leave(conversation = current) {
  conversations.delete(conversation.room.id);
  conversation.element.remove();
  rememberRooms();
  const [next] = conversations.values();
  if (next !== undefined && conversation === current) {
    show(next);
  } else if (next === undefined) {
    current = chat = undefined;
    document.body.dataset.view = 'entry';
    draw();
    focusEntry();
  }
  await conversation.room.leave();
  lookAtRooms();
}

function turnedAway(conversation, { why, code, errors }) {
  leave(conversation);
  showWrong(errors ?? {});
  at('notice').textContent = `${why} (${code})`;
}

async function lookAtRooms() {
  try {
    const headers = token === null ? {} : { Authorization: `Bearer ${token}` };
    const answer = await fetch(new URL('api/rooms', base), { headers, cache: 'no-store' });
    openRooms = answer.ok ? (await answer.json()).rooms : [];
  } catch {
    openRooms = [];
  }
  soon();
}

/** Whether anybody may be anybody, in the same sentence as in the server's log, and what ids are. */
async function lookAtServer() {
  let health = {};
  try {
    health = await (await fetch(new URL('health', base), { cache: 'no-store' })).json();
  } catch {
    // The page is of use without.
  }
  at('anybody').hidden = health.auth !== 'none';
  if (health.userIds === 'string') {
    takeAnyId();
  }
  return health;
}

/** Users of this server need not be numbers. */
function takeAnyId() {
  WRONG.userId = [/^[A-Za-z0-9._:@-]{1,64}$/, 'must have 1 to 64 of A-Z a-z 0-9 . _ : @ -'];
  at('userId-label').textContent = 'Your id';
  at('userId-hint').textContent = '1 to 64 letters, digits, . _ : @ or -: this is who you are. In one room an id is in use once; its newest connection wins';
  Object.assign(at('userId'), { inputMode: 'text', maxLength: 64, autocapitalize: 'none', spellcheck: false });
}

// --- what is seen

let isDue = false;

function soon() {
  if (!isDue) {
    isDue = true;
    requestAnimationFrame(() => {
      isDue = false;
      draw();
    });
  }
}

function draw() {
  const unread = [...conversations.values()].reduce((sum, { unread: some }) => sum + some, 0);
  const elsewhere = unread - (current?.unread ?? 0);
  const room = current?.room.id;
  document.title = `${unread > 0 ? `(${unread}) ` : ''}${room === undefined ? '' : `${room} \u00b7 `}ChatFlow`;
  at('title').textContent = room ?? 'ChatFlow';
  at('elsewhere').textContent = elsewhere > 0 ? String(elsewhere) : '';
  drawState(current?.room.state ?? { name: 'left' });
  drawRooms();
  drawPeople();
}

function drawState(state) {
  const { name, why, code } = state;
  const words = { left: '', connecting: 'Connecting \u2026', joining: 'Joining \u2026', here: 'Connected', waiting: 'Not connected', stopped: 'Stopped' };
  document.body.dataset.state = name;
  setText(at('state'), words[name]);
  at('state').title = state.server === undefined ? '' : `by ${state.server}`;
  at('banner').hidden = why === undefined;
  setText(at('why'), name === 'stopped' || state.until === undefined ? why ?? '' : `${why}: trying again`);
  at('again').textContent = name === 'waiting' ? 'Try now' : code === 4009 ? 'Use here' : 'Join again';
  at('cut').setAttribute('aria-disabled', String(name !== 'here'));
}

/** What is the same is not read out again. */
function setText(place, text) {
  if (place.textContent !== text) {
    place.textContent = text;
  }
}

/** Rooms stay the elements that they are, so that a click does not miss one. */
function drawRooms() {
  const members = new Map(openRooms.map(({ roomId, members: count }) => [roomId, count]));
  const others = [...members.keys()].filter((room) => !conversations.has(room)).slice(0, 30);
  const rooms = [...conversations.keys(), ...others];
  const list = at('room-list');
  if (rooms.join() !== [...list.children].map(({ dataset }) => dataset.room).join()) {
    const known = new Map([...list.children].map((item) => [item.dataset.room, item]));
    const focused = list.contains(document.activeElement) ? document.activeElement : null;
    list.replaceChildren(...rooms.map((room) => known.get(room) ?? roomItem(room)));
    focused?.focus();
  }
  [...list.children].forEach((item) => {
    const { room } = item.dataset;
    drawRoom(item, conversations.get(room)?.room.people.count || members.get(room));
  });
}

function roomItem(room) {
  const item = element('li', '', button('', element('span', 'room', room), () => choose(room)));
  item.firstChild.append(' ', element('span', ''));
  item.dataset.room = room;
  return item;
}

function drawRoom(item, members) {
  const { room } = item.dataset;
  const unread = conversations.get(room)?.unread ?? 0;
  const note = item.querySelector('span:last-child');
  note.className = unread > 0 ? 'badge' : 'hint';
  setText(note, unread > 0 ? `${unread} new` : members === undefined ? '' : `${members} in it`);
  item.firstChild.className = conversations.has(room) ? 'open' : '';
  item.firstChild.setAttribute('aria-current', String(room === current?.room.id));
}

/** Before one has said who one is, a room is only proposed. */
function choose(room) {
  if (chat !== undefined) {
    enter(room);
  } else {
    at('room').value = room;
    at('rooms').hidePopover();
    focusEntry();
  }
}

let peopleShown = '';

function drawPeople() {
  const { people, user } = current?.room ?? {};
  const shown = `${current?.room.id} ${current?.passages} ${people?.complete} ${user?.id}`;
  if (shown === peopleShown) {
    return;
  }
  peopleShown = shown;
  document.querySelectorAll('.count').forEach((place) => (place.textContent = people?.count || ''));
  const known = [...(people?.names.values() ?? [])].sort(byName);
  const items = known.slice(0, SHOWN).map((one) =>
    element('li', '', nameOf(one, one.id === user?.id ? ' (you)' : ''), ' ', element('span', 'hint', `#${one.id}`)));
  at('members').replaceChildren(...items);
  const more = (people?.count ?? 0) - items.length;
  const isPart = people !== undefined && !people.complete;
  at('members-hint').textContent = more > 0 ? `and ${more} more` : isPart ? 'On this server, and everyone seen joining since' : '';
}

// --- what one does

function send() {
  const text = at('text').value;
  if (text.trim() === '') {
    return;
  }
  at('text').value = '';
  mark('text', '');
  current.say(text).catch((error) => {
    if (['VALIDATION_FAILED', 'MALFORMED_JSON', 'TOO_MANY'].includes(error.code)) {
      at('text').value ||= text;
      mark('text', error.message);
    }
  });
}

function on(id, event, call) {
  at(id).addEventListener(event, (happened) => {
    happened.preventDefault();
    call();
  });
}

on('entry', 'submit', join);
on('write', 'submit', send);
on('other', 'submit', () => {
  const room = at('other-room').value.trim();
  const isRight = WRONG.room[0].test(room);
  mark('other', isRight ? '' : WRONG.room[1]);
  if (isRight) {
    at('other-room').value = '';
    choose(room);
  }
});
on('again', 'click', () => {
  at('text').focus(); // the button goes away
  current.room.tryNow();
});
on('cut', 'click', () => {
  at('menu').hidePopover();
  current.room.cut();
});
on('leave', 'click', () => {
  at('menu').hidePopover();
  leave();
});
at('text').addEventListener('keydown', (event) => {
  if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    send();
  }
});
at('rooms').addEventListener('toggle', lookAtRooms);
document.addEventListener('visibilitychange', () => current?.show());
setInterval(() => document.visibilityState === 'visible' && lookAtRooms(), REFRESH);

proposeEntry();
const health = lookAtServer();
if (isEmbedded) {
  await hearAround(await health);
}
lookAtRooms();
const before = remembered.get('rooms') ?? [];
if (before.includes(at('room').value)) {
  const room = at('room').value;
  before.forEach(enter);
  enter(room);
}
