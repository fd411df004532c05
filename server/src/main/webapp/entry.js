// Who one is: as the form says, or a token, by the link or from the page around this one.

import { named } from './lib/tokens.js';
import { at, remember, remembered } from './parts.js';

const ANSWER = 10_000; // ms that a page around this one has for a token

/** The address of the application, whatever path it was deployed under, and the room behind it. */
const { hash, pathname, origin } = window.location;
const [, path, room = ''] = /^(.*?\/)(?:rooms\/([^/.]+)|[^/]*)$/.exec(pathname);
export const base = new URL(path, origin);

// It comes behind the #, which no server is sent, and goes from the address at once.
let token = new URLSearchParams(hash.slice(1)).get('token') ?? remembered('token');
remember('token', token);
window.history.replaceState(null, '', pathname);
const isEmbedded = token === null && window.parent !== window;

/**
 * A token of the page that shows this one within its own: one of those that CHATFLOW_ORIGINS lists,
 * the browser shows it to no other. Its answer comes by a way that nobody else has.
 */
function askAround(why) {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve, reject) => {
    port1.onmessage = ({ data }) => resolve((token = data));
    setTimeout(() => reject(new Error('the page around this one gives none')), ANSWER);
    window.parent.postMessage({ chatflow: 'token', why }, '*', [port2]);
  });
}

/** What the server answers to a request over HTTP. */
export async function ask(path) {
  const headers = token === null ? {} : { Authorization: `Bearer ${token}` };
  const answer = await fetch(new URL(path, base), { headers, cache: 'no-store' });
  return answer.json();
}

/** Whom the form names, and where the library finds tokens. */
export function options() {
  const [name, id] = [at('username').value, at('userId').value];
  remember('user', [name, id]);
  const tokens = isEmbedded ? askAround : () => token;
  return { user: { id, name }, token: token === null ? undefined : tokens };
}

/** The room of the address, and who one was before or may be; what the token says stays. */
function propose() {
  const [name, id] = remembered('user') ?? ['', Math.ceil(Math.random() * 100_000)];
  const said = named(token);
  at('room').value = decodeURIComponent(room);
  fill('username', said.name, name);
  fill('userId', said.id, id);
  missing().focus();
}

function fill(field, said, proposed) {
  at(field).value = said ?? proposed;
  at(field).disabled = said !== undefined;
}

/** The field to be filled in next. */
export function missing() {
  return document.querySelector('#entry input:invalid') ?? at('room');
}

/** What the server holds against who tried to come in; texts by field. */
export function showRefusal({ why, code, errors = {} }) {
  at('notice').textContent = `${why} (${code})`;
  Object.entries(errors).forEach(([field, wrong]) => at(field)?.setCustomValidity(wrong));
  at('entry').reportValidity();
}

/** Done when everything is known that may be; without, the server says what is missing. */
export async function begin() {
  propose();
  const { auth, userIds } = await ask('health').catch(() => ({}));
  at('anybody').hidden = auth !== 'none';
  if (userIds === 'string') {
    at('userId-label').textContent = 'Your id';
    at('userId-hint').textContent = '1 to 64 of A-Z a-z 0-9 . _ : @ -; the newest connection wins';
    Object.assign(at('userId'), { pattern: '[A-Za-z0-9._:@\\-]{1,64}', inputMode: 'text' });
  }
  if (isEmbedded && auth === 'token') {
    await askAround('connect').catch(() => {});
    propose();
  }
}
