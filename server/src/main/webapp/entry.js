// The user of the page: from the form, or from a token in the link or of the embedding page.

import { named } from './lib/tokens.js';
import { at, remember, remembered } from './parts.js';

const ANSWER = 10_000; // ms to wait for a token of the embedding page

/** The address of the application, with any deployment path, and the room after it. */
const { hash, pathname, origin } = window.location;
const [, path, room = ''] = /^(.*?\/)(?:rooms\/([^/.]+)|[^/]*)$/.exec(pathname);
export const base = new URL(path, origin);

// It is in the fragment, which is not sent to servers, and is removed from the address at once.
let token = new URLSearchParams(hash.slice(1)).get('token') ?? remembered('token');
remember('token', token);
window.history.replaceState(null, '', pathname);
const isEmbedded = token === null && window.parent !== window;

/**
 * Asks the embedding page for a token. Only pages listed in CHATFLOW_ORIGINS can embed this one. The answer comes
 * through a private channel.
 */
function askAround(why) {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve, reject) => {
    port1.onmessage = ({ data }) => resolve((token = data));
    setTimeout(() => reject(new Error('the page around this one gives none')), ANSWER);
    window.parent.postMessage({ chatflow: 'token', why }, '*', [port2]);
  });
}

/** Returns the response to an HTTP request. */
export async function ask(path) {
  const headers = token === null ? {} : { Authorization: `Bearer ${token}` };
  const answer = await fetch(new URL(path, base), { headers, cache: 'no-store' });
  return answer.json();
}

/** Returns the user of the form, and the token callback for the library. */
export function options() {
  const [name, id] = [at('username').value, at('userId').value];
  remember('user', [name, id]);
  const tokens = isEmbedded ? askAround : () => token;
  return { user: { id, name }, token: token === null ? undefined : tokens };
}

/** Fills in the room of the address and the previous user; fields given by the token are fixed. */
function propose() {
  const [name, id] = remembered('user') ?? ['', Math.ceil(Math.random() * 100_000)];
  const known = named(token);
  at('room').value = decodeURIComponent(room);
  fill('username', known.name, name);
  fill('userId', known.id, id);
  missing().focus();
}

function fill(field, known, proposed) {
  at(field).value = known ?? proposed;
  at(field).disabled = known !== undefined;
}

/** Returns the next field to fill in. */
export function missing() {
  return document.querySelector('#entry input:invalid') ?? at('room');
}

/** Shows why the server rejected the user; texts by field. */
export function showRefusal({ why, code, errors = {} }) {
  at('notice').textContent = `${why} (${code})`;
  Object.entries(errors).forEach(([field, wrong]) => at(field)?.setCustomValidity(wrong));
  at('entry').reportValidity();
}

/** Resolves when everything that can be known is known; otherwise the server reports what is missing. */
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
