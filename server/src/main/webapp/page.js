// The page: the open rooms, their display, and the controls.

import { Conversation } from './conversation.js';
import { ask, base, begin, missing, options, showRefusal } from './entry.js';
import { ChatFlow } from './lib/chatflow.js';
import { at, element, later, nameOf, remember, remembered } from './parts.js';

const SHOWN = 500; // maximum members in the list
const REFRESH = 15_000; // ms between two updates of the room list
const ORDER = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });
const WORDS = { left: '', here: 'Connected', waiting: 'Not connected', stopped: 'Stopped' };
const AGAIN = { waiting: 'Try now', 4009: 'Use here' };

const conversations = new Map(); // by room
let listed = new Map(); // number of members by room, from the server
let chat; // the client of the joined user
let current; // the displayed conversation

const soon = later(draw);
const soonPeople = later(() => current && drawPeople(current.room));

// --- rooms

function enter(id) {
  at('notice').textContent = '';
  chat = conversations.size === 0 ? new ChatFlow(base, options()) : chat;
  show(conversations.get(id) ?? open(chat.room(id)));
}

function open(room) {
  const conversation = new Conversation(room, soon);
  conversations.set(room.id, conversation);
  at('conversations').append(conversation.element);
  room.on('people', soonPeople);
  room.on('state', (state) => {
    if (typeof state.code === 'string') {
      leave(conversation);
      showRefusal(state);
    } else if (conversation === current) {
      drawState(state);
    }
  });
  room.enter();
  return conversation;
}

/** The user of the stored rooms: another user of this tab does not join them. */
const whoever = () => at('userId').value;

/** Shows a conversation, or the entry form if there is none. */
function show(conversation) {
  const { id, state = { name: 'left' } } = conversation?.room ?? {};
  current = conversation;
  remember(`rooms ${whoever()}`, [...conversations.keys()]);
  window.history.replaceState(null, '', new URL(id ? `rooms/${id}` : '.', base));
  drawState(state);
  draw();
  soonPeople();
  (id ? at('text') : missing()).focus();
}

async function leave(conversation) {
  conversations.delete(conversation.room.id);
  conversation.element.remove();
  const [next] = conversation === current ? conversations.values() : [current];
  show(next);
  await conversation.room.leave();
  lookAtRooms();
}

/** Chooses a room; without a user, the form is shown first. */
function choose(id) {
  at('rooms').hidePopover();
  at('other').reset();
  at('room').value = id;
  at('entry').requestSubmit();
}

async function lookAtRooms() {
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
  drawRooms();
}

function drawState({ name, why = '', code, server, until }) {
  document.body.dataset.state = name;
  at('state').textContent = WORDS[name] ?? 'Connecting \u2026';
  at('state').title = server === undefined ? '' : `by ${server}`;
  at('why').textContent = until === undefined ? why : `${why}: trying again`;
  at('again').textContent = AGAIN[code] ?? AGAIN[name] ?? 'Join again';
  at('cut').disabled = name !== 'here';
}

/** Keeps the elements of rooms, so that a click does not miss one. */
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
  return element('li', { room }, element('button', { onclick: () => choose(room) }, ...content));
}

function drawRoom({ room, firstChild: button }) {
  const open = conversations.get(room);
  const members = open?.room.people.count || listed.get(room);
  const isNews = open?.unread > 0;
  button.className = open ? 'open' : '';
  button.ariaCurrent = String(open !== undefined && open === current);
  button.lastChild.className = isNews ? 'badge' : 'hint';
  button.lastChild.textContent = isNews ? `${open.unread} new` : members ? `${members} in it` : '';
}

function drawPeople({ people: { count, complete, names }, user }) {
  const items = [...names.values()]
    .sort((a, b) => ORDER.compare(a.name, b.name) || ORDER.compare(a.id, b.id))
    .slice(0, SHOWN)
    .map((one) => element('li', {}, nameOf(one, one.id === user?.id), ` #${one.id}`));
  const more = count > items.length && `and ${count - items.length} more`;
  const unsure = count > 0 && !complete && 'some servers have not reported their members yet';
  at('members').replaceChildren(...items);
  at('members-hint').textContent = [more, unsure].filter(Boolean).join('; ');
  document.querySelectorAll('.count').forEach((place) => (place.textContent = count || ''));
  soon();
}

// --- controls

at('write').onsubmit = () => {
  const text = at('text').value;
  at('text').setCustomValidity(current.room.wrong(text)?.message ?? '');
  if (text.trim() !== '' && at('text').reportValidity()) {
    at('text').value = '';
    current.say(text);
  }
};
at('entry').onsubmit = () => enter(at('room').value);
at('other').onsubmit = () => choose(at('other-room').value);
at('text').onkeydown = (event) => {
  if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    at('write').requestSubmit();
  }
};
at('again').onclick = () => {
  at('text').focus(); // the button disappears
  current.room.tryNow();
};
at('cut').onclick = () => current.room.cut();
at('leave').onclick = () => leave(current);
at('rooms').ontoggle = lookAtRooms;
document.oninput = ({ target }) => target.setCustomValidity('');
document.onvisibilitychange = soon;
setInterval(() => document.visibilityState === 'visible' && lookAtRooms(), REFRESH);

await begin();
lookAtRooms();
const room = at('room').value;
const before = remembered(`rooms ${whoever()}`) ?? [];
if (before.includes(room)) {
  [...before, room].forEach(enter);
}
