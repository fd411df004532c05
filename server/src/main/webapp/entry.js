// The user: from the form, from a token in the link, or from the page that embeds this one.

import { named } from './lib/tokens.js';
import { at, remember, remembered } from './parts.js';

const ANSWER = 10_000; // ms to wait for a token of the embedding page
const FIRST_ROOM = 'lobby';

const { hash, pathname, origin } = window.location;
const [, path, room = ''] = /^(.*?\/)(?:rooms\/([^/.]+)|[^/]*)$/.exec(pathname);

/** The address of the application under any context path. */
export const base = new URL(path, origin);

/** The room in the address, or an empty string. */
export const addressed = decodeURIComponent(room);

// The token follows the #, which browsers do not send to servers. It is removed from the address at once.
let token = new URLSearchParams(hash.slice(1)).get('token') ?? remembered('token');
let maxText; // characters of a text; undefined until the server has answered
remember('token', token);
window.history.replaceState(null, '', pathname);
const isEmbedded = token === null && window.parent !== window;

/**
 * Requests a token from the embedding page. Browsers embed this page only in those that CHATFLOW_ORIGINS lists, and the
 * answer arrives on a private channel.
 */
function askAround(why) {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve, reject) => {
    port1.onmessage = ({ data }) => resolve((token = data));
    setTimeout(() => reject(new Error('the embedding page sends no token')), ANSWER);
    window.parent.postMessage({ chatflow: 'token', why }, '*', [port2]);
  });
}

/** The name of this tab's device. A duplicated tab has the same one, so that it takes over. */
export const device = remembered('device') ?? `web-${Math.random().toString(36).slice(2)}`;
remember('device', device);

/** Sends an HTTP request to the server and returns the JSON of its answer. */
export async function ask(path) {
  const headers = token === null ? {} : { Authorization: `Bearer ${token}` };
  const answer = await fetch(new URL(path, base), { headers, cache: 'no-store' });
  return answer.json();
}

/** Returns the user of the form and the source of tokens, as the library expects them. */
export function options() {
  const [name, id] = [at('username').value, at('userId').value];
  remember('user', [name, id]);
  const tokens = isEmbedded ? askAround : () => token;
  return { user: { id, name }, token: token === null ? undefined : tokens, maxText };
}

/** Fills in the room and the user: from the address and the token, else as before, else suggestions. */
function propose() {
  const [name, id] = remembered('user') ?? ['', Math.ceil(Math.random() * 100_000)];
  const claimed = named(token);
  at('room').value = addressed || FIRST_ROOM;
  fill('username', claimed.name, name);
  fill('userId', claimed.id, id);
  firstInvalid().focus();
}

function fill(field, claimed, proposed) {
  at(field).value = claimed ?? proposed;
  at(field).disabled = claimed !== undefined;
}

/** Returns the first field without a valid value, or the room. */
export function firstInvalid() {
  return document.querySelector('#entry input:invalid') ?? at('room');
}

/** Shows why the server rejected a user, with a text for each invalid field. */
export function showRejection({ why, code, errors = {} }) {
  at('notice').textContent = `${why} (${code})`;
  Object.entries(errors).forEach(([field, wrong]) => at(field)?.setCustomValidity(wrong));
  at('entry').reportValidity();
}

/** Prepares the form. An unreachable server is no error: it is reported when the user joins. */
export async function begin() {
  propose();
  const { auth, userIds, ...limits } = await ask('health').catch(() => ({}));
  maxText = limits.maxText;
  at('anybody').hidden = auth !== 'none';
  if (userIds === 'string') {
    at('userId-hint').textContent = '1 to 64 of A-Z a-z 0-9 . _ : @ | -';
    Object.assign(at('userId'), { pattern: '[A-Za-z0-9._:@\\|\\-]{1,64}', inputMode: 'text' });
  }
  if (isEmbedded && auth === 'token') {
    await askAround('connect').catch(() => {});
    propose();
  }
}

// A browser cannot show the error of a field that is hidden.
at('userId').oninvalid = () => (at('advanced').open = true);
