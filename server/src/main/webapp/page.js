// The page: which rooms are open, what is seen of them, and what its controls do.

import { Conversation } from './conversation.js';
import { beginEntry, focusEntry, headers, options, showRefusal } from './entry.js';
import { ChatFlow } from './lib/chatflow.js';
import { at, button, byName, element, nameOf, remember, remembered, setText } from './parts.js';

const SHOWN = 500; // people in the list
const REFRESH = 15_000; // ms between two looks at the rooms
const WORDS = { connecting: 'Connecting \u2026', joining: 'Joining \u2026', here: 'Connected', waiting: 'Not connected', stopped: 'Stopped' };

/** The address of the application, whatever path it was deployed under. */
const base = new URL(window.location.pathname.replace(/(?<=\/)(rooms\/[^/.]+|[^/]*)$/, ''), window.location.origin);
const conversations = new Map(); // by room
let chat; // of the user who has entered
let current; // the conversation that is shown
let listed = new Map(); // how many are in which room, as the server says
let isDue = false;
let arePeopleDue = false;

// --- rooms

function enter(id) {
  chat ??= new ChatFlow(base, options());
  if (!conversations.has(id)) {
    const room = chat.room(id);
    const conversation = new Conversation(room, soon);
    conversations.set(id, conversation);
    at('conversations').append(conversation.element);
    room.on('people', () => soonPeople());
    room.on('state', (state) => typeof state.code === 'string' && turnAway(conversation, state));
    room.enter();
  }
  show(conversations.get(id));
}

function show(conversation) {
  current?.hide();
  current = conversation;
  document.body.dataset.view = 'chat';
  window.history.replaceState(null, '', new URL(`rooms/${current.room.id}`, base).pathname);
  current.show();
  remember('rooms', [...conversations.keys()]);
  at('rooms').hidePopover();
  at('text').placeholder = `Message ${current.room.id}`;
  at('text').focus();
  soonPeople();
}

async function leave(conversation) {
  conversations.delete(conversation.room.id);
  conversation.element.remove();
  remember('rooms', [...conversations.keys()]);
  const [next] = conversations.values();
  if (next === undefined) {
    current = chat = undefined;
    document.body.dataset.view = 'entry';
    focusEntry();
    soon();
  } else if (conversation === current) {
    show(next);
  }
  await conversation.room.leave();
  lookAtRooms();
}

function turnAway(conversation, state) {
  leave(conversation);
  showRefusal(state);
}

async function lookAtRooms() {
  try {
    const answer = await fetch(new URL('api/rooms?limit=100', base), { headers: headers(), cache: 'no-store' });
    const { rooms } = await answer.json();
    listed = new Map(rooms.map(({ roomId, members }) => [roomId, members]));
  } catch {
    listed.clear(); // not now, or not without a token
  }
  soon();
}

// --- what is seen

function soon() {
  if (!isDue) {
    isDue = true;
    requestAnimationFrame(draw);
  }
}

function soonPeople() {
  arePeopleDue = true;
  soon();
}

function draw() {
  isDue = false;
  const unread = [...conversations.values()].reduce((sum, { unread: some }) => sum + some, 0);
  const room = current?.room.id;
  document.title = `${unread > 0 ? `(${unread}) ` : ''}${room === undefined ? '' : `${room} \u00b7 `}ChatFlow`;
  at('title').textContent = room ?? 'ChatFlow';
  at('elsewhere').textContent = unread - (current?.unread ?? 0) || '';
  drawState(current?.room.state ?? { name: 'left' });
  drawRooms();
  if (arePeopleDue && current !== undefined) {
    arePeopleDue = false;
    drawPeople(current.room);
  }
}

function drawState({ name, why, code, server, until }) {
  document.body.dataset.state = name;
  setText(at('state'), WORDS[name] ?? '');
  at('state').title = server === undefined ? '' : `by ${server}`;
  at('banner').hidden = why === undefined;
  setText(at('why'), until === undefined ? why ?? '' : `${why}: trying again`);
  setText(at('again'), name === 'waiting' ? 'Try now' : code === 4009 ? 'Use here' : 'Join again');
  at('cut').disabled = name !== 'here';
}

/** Rooms stay the elements that they are, so that a click does not miss one. */
function drawRooms() {
  const others = [...listed.keys()].filter((room) => !conversations.has(room)).slice(0, 30);
  const rooms = [...conversations.keys(), ...others];
  const items = [...at('room-list').children];
  if (rooms.join() !== items.map(({ dataset }) => dataset.room).join()) {
    const focused = document.activeElement;
    at('room-list').replaceChildren(...rooms.map((room) => items.find(({ dataset }) => dataset.room === room) ?? roomItem(room)));
    focused.focus();
  }
  [...at('room-list').children].forEach(drawRoom);
}

function roomItem(room) {
  const item = element('li', '', button('', element('b', '', room), () => choose(room)));
  item.firstChild.append(' ', element('span', ''));
  item.dataset.room = room;
  return item;
}

function drawRoom({ firstChild, dataset: { room } }) {
  const open = conversations.get(room);
  const members = open?.room.people.count || listed.get(room);
  firstChild.lastChild.className = open?.unread > 0 ? 'badge' : 'hint';
  setText(firstChild.lastChild, open?.unread > 0 ? `${open.unread} new` : members === undefined ? '' : `${members} in it`);
  firstChild.className = open === undefined ? '' : 'open';
  firstChild.ariaCurrent = String(open !== undefined && open === current);
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

function drawPeople({ people: { count, complete, names }, user }) {
  document.querySelectorAll('.count').forEach((place) => (place.textContent = count || ''));
  const items = [...names.values()].sort(byName).slice(0, SHOWN).map((one) =>
    element('li', '', nameOf(one, one.id === user?.id ? ' (you)' : ''), ' ', element('span', 'hint', `#${one.id}`)));
  at('members').replaceChildren(...items);
  const more = count > items.length ? [`and ${count - items.length} more`] : [];
  const unsure = complete || count === 0 ? [] : ['not all servers have said yet who is there'];
  at('members-hint').textContent = [...more, ...unsure].join('; ');
}

// --- what one does

function send() {
  const text = at('text').value;
  if (text.trim() === '') {
    return;
  }
  at('text').value = '';
  current.say(text).catch((error) => {
    if (['VALIDATION_FAILED', 'MALFORMED_JSON', 'TOO_MANY'].includes(error.code)) {
      at('text').value ||= text;
      at('text').setCustomValidity(error.message);
      at('text').reportValidity();
    }
  });
}

function on(id, event, call) {
  at(id).addEventListener(event, (happened) => {
    happened.preventDefault();
    call(happened);
  });
}

on('entry', 'submit', () => {
  at('notice').textContent = '';
  enter(at('room').value);
});
on('write', 'submit', send);
on('text', 'input', () => at('text').setCustomValidity(''));
on('other', 'submit', () => {
  choose(at('other-room').value);
  at('other').reset();
});
on('again', 'click', () => {
  at('text').focus(); // the button goes away
  current.room.tryNow();
});
on('cut', 'click', () => current.room.cut());
on('leave', 'click', () => leave(current));
on('menu', 'click', () => at('menu').hidePopover());
on('rooms', 'toggle', lookAtRooms);
at('text').addEventListener('keydown', (event) => {
  if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    at('write').requestSubmit();
  }
});
document.addEventListener('visibilitychange', () => current?.show());
setInterval(() => document.visibilityState === 'visible' && lookAtRooms(), REFRESH);

await beginEntry(base);
lookAtRooms();
const before = remembered('rooms') ?? [];
if (before.includes(at('room').value)) {
  const room = at('room').value;
  before.forEach(enter);
  enter(room);
}
