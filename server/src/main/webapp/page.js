// The chat page: the open rooms, their display and the controls.

import { Conversation } from './conversation.js';
import { addressed, ask, base, begin, device, firstInvalid, options, showRejection } from './entry.js';
import { ChatFlow } from './lib/chatflow.js';
import { at, element, later, nameOf, remember, remembered } from './parts.js';

const MAX_SHOWN = 500; // people in the list
const REFRESH = 15_000; // ms between two requests for the list of rooms
const ORDER = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });
const WORDS = { left: '', here: 'Connected', waiting: 'Not connected', stopped: 'Stopped' };
const AGAIN = { waiting: 'Try now', 4009: 'Use here' };

const conversations = new Map(); // by room
let chosen; // the message that the menu is about
let listed = new Map(); // number of people by room, from the server
let chat; // for the current user
let current; // the conversation on display

const soon = later(draw);
const soonPeople = later(() => current && drawPeople(current.room));

// --- rooms

function enter(id) {
  at('notice').textContent = '';
  chat = conversations.size === 0 ? new ChatFlow(base, options()) : chat;
  show(conversations.get(id) ?? open(chat.room(id, { device })));
}

function open(room) {
  const conversation = new Conversation(room, soon, choose);
  conversations.set(room.id, conversation);
  at('conversations').append(conversation.element);
  room.on('people', soonPeople);
  room.on('state', (state) => {
    if (typeof state.code === 'string') {
      leave(conversation);
      showRejection(state);
    } else if (conversation === current) {
      drawState(state);
    }
  });
  room.enter();
  return conversation;
}

/** The key of the stored list of rooms. Each user of this tab has their own list. */
const roomsKey = () => `rooms ${at('userId').value}`;

/** Shows a conversation, or the entry form if there is none. */
function show(conversation) {
  const { id, state = { name: 'left' } } = conversation?.room ?? {};
  current = conversation;
  remember(roomsKey(), [...conversations.keys()]);
  window.history.replaceState(null, '', new URL(id ? `rooms/${id}` : '.', base));
  drawState(state);
  draw();
  soonPeople();
  (id ? at('text') : firstInvalid()).focus();
}

/** Opens the menu of a message. */
function choose(message) {
  chosen = message;
  at('edit').hidden = at('delete').hidden = !message.own;
  at('actions').showPopover();
}

/** Begins a text that does something with a message, or one that does not. */
function compose(composing, text = at('text').value) {
  current.composing = composing;
  at('text').value = text;
  at('text').focus();
  draw();
}

async function leave(conversation) {
  conversations.delete(conversation.room.id);
  conversation.element.remove();
  const [next] = conversation === current ? conversations.values() : [current];
  show(next);
  await conversation.room.leave();
  fetchRooms();
}

/** Enters a room through the form, which first requests a missing name. */
function enterOther(id) {
  at('rooms').hidePopover();
  at('other').reset();
  at('room').value = id;
  at('entry').requestSubmit();
}

async function fetchRooms() {
  const { rooms = [] } = await ask('api/rooms?limit=30').catch(() => ({}));
  listed = new Map(rooms.map(({ roomId, members }) => [roomId, members]));
  soon();
}

// --- display

function draw() {
  const open = [...conversations.values()];
  open.forEach((conversation) => conversation.draw(conversation === current));
  const unread = open.reduce((sum, conversation) => sum + conversation.unread, 0);
  const name = current?.room.id ?? 'ChatFlow';
  document.title = unread > 0 ? `(${unread}) ${name}` : name;
  at('title').textContent = name;
  at('elsewhere').textContent = unread - (current?.unread ?? 0) || '';
  const { kind, ref } = current?.composing ?? {};
  at('composing').hidden = kind === undefined;
  at('composed').textContent = kind === 'edit' ? 'Editing your message' : `Reply to ${ref?.user.name}: ${ref?.text}`;
  drawRooms();
}

function drawState({ name, why = '', code, server, until }) {
  document.body.dataset.state = name;
  at('state').textContent = WORDS[name] ?? 'Connecting \u2026';
  at('state').title = server === undefined ? '' : `Server: ${server}`;
  at('why').textContent = until === undefined ? why : `${why}: trying again`;
  at('again').textContent = AGAIN[code] ?? AGAIN[name] ?? 'Join again';
  at('cut').disabled = name !== 'here';
}

/** Keeps the elements of rooms that remain, so that a click during an update hits the right one. */
function drawRooms() {
  const list = at('room-list');
  const { children } = list;
  const before = [...children];
  const ids = new Set([...conversations.keys(), ...listed.keys()]);
  const items = [...ids].map((id) => before.find(({ room }) => room === id) ?? roomItem(id));
  before.filter((item) => !items.includes(item)).forEach((item) => item.remove());
  items.forEach((item, i) => item === children[i] || list.insertBefore(item, children[i]));
  items.forEach(drawRoom);
}

function roomItem(room) {
  const content = [element('b', {}, room), ' ', element('span')];
  return element('li', { room }, element('button', { onclick: () => enterOther(room) }, ...content));
}

function drawRoom({ room, firstChild: button }) {
  const open = conversations.get(room);
  const members = open?.room.people.count || listed.get(room);
  const isNews = open?.unread > 0;
  button.className = open ? 'open' : '';
  button.ariaCurrent = String(open !== undefined && open === current);
  button.lastChild.className = isNews ? 'badge' : 'hint';
  button.lastChild.textContent = isNews ? `${open.unread} new` : members ? headcount(members) : '';
}

const headcount = (people) => (people === 1 ? '1 person' : `${people} people`);

function drawPeople({ people: { count, complete, names }, user }) {
  const items = [...names.values()]
    .sort((a, b) => ORDER.compare(a.name, b.name) || ORDER.compare(a.id, b.id))
    .slice(0, MAX_SHOWN)
    .map((one) => element('li', {}, nameOf(one, one.id === user?.id), ` #${one.id}`));
  const more = count > items.length && `and ${count - items.length} more`;
  const unsure = count > 0 && !complete && 'the list may be incomplete';
  at('members').replaceChildren(...items);
  at('members-hint').textContent = [more, unsure].filter(Boolean).join('; ');
  document.querySelectorAll('.count').forEach((place) => (place.textContent = count || ''));
  soon();
}

// --- controls

at('write').onsubmit = () => {
  const text = at('text').value;
  at('text').setCustomValidity(current.room.wrong(text, current.composing)?.message ?? '');
  if (text.trim() !== '' && at('text').reportValidity()) {
    at('text').value = '';
    current.say(text);
  }
};
at('entry').onsubmit = () => enter(at('room').value);
at('other').onsubmit = () => enterOther(at('other-room').value);
at('text').onkeydown = (event) => {
  if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    at('write').requestSubmit();
  }
};
at('text').oninput = ({ target }) => current.typed(target.value);
at('reply').onclick = () => compose({ kind: 'reply', ref: chosen });
at('edit').onclick = () => compose({ kind: 'edit', ref: chosen }, chosen.text);
at('react').onclick = () => current.room.send('\u{1f44d}', { kind: 'reaction', ref: chosen });
at('delete').onclick = () => current.room.send('', { kind: 'delete', ref: chosen });
at('stop-composing').onclick = () => compose(undefined, current.composing.kind === 'edit' ? '' : undefined);
at('again').onclick = () => {
  at('text').focus(); // the button disappears
  current.room.tryNow();
};
at('cut').onclick = () => current.room.cut();
at('leave').onclick = () => leave(current);
at('rooms').ontoggle = fetchRooms;
document.oninput = ({ target }) => target.setCustomValidity('');
document.onvisibilitychange = soon;
setInterval(() => document.visibilityState === 'visible' && fetchRooms(), REFRESH);

await begin();
fetchRooms();
const before = remembered(roomsKey()) ?? [];
if (before.includes(addressed)) {
  [...before, addressed].forEach(enter);
}
