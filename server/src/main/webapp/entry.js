// Who one is: as the form says, or a token that came with the link or from the page around this one.

import { claims } from './lib/tokens.js';
import { at, remember, remembered } from './parts.js';

const ANSWER = 10_000; // ms that a page around this one has for a token

let token = takeToken();
const isEmbedded = token === null && window.parent !== window;

/** It comes behind the #, which no server is sent, and goes from the address at once. */
function takeToken() {
  const given = new URLSearchParams(window.location.hash.slice(1)).get('token');
  if (given !== null) {
    remember('token', given);
    window.history.replaceState(null, '', window.location.pathname);
  }
  return remembered('token');
}

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

/** Who one is by the token, as far as it says: a service's names nobody. The server checks it. */
function said() {
  try {
    const { sub, name } = claims(token);
    return { userId: sub === '*' ? undefined : sub, username: name };
  } catch {
    return {};
  }
}

/** Whom the form names, and where the library finds tokens. */
export function options() {
  const user = { id: at('userId').value, name: at('username').value };
  remember('user', user);
  return { user, ...(token !== null && { token: isEmbedded ? askAround : () => token }) };
}

/** What a request over HTTP has to bring. */
export function headers() {
  return token === null ? {} : { Authorization: `Bearer ${token}` };
}

export function focusEntry() {
  const fields = [...document.querySelectorAll('#entry input:enabled')];
  (fields.find(({ value }) => value === '') ?? fields[0])?.focus();
}

/** The room of the address, and who one was before or may be; what a token says is not asked for. */
function propose() {
  const [, room = ''] = /\/rooms\/([^/.]+)$/.exec(window.location.pathname) ?? [];
  const { id = (crypto.getRandomValues(new Uint32Array(1))[0] % 100_000) + 1, name = '' } = remembered('user') ?? {};
  const proposed = { room: decodeURIComponent(room), username: name, userId: id };
  const given = said();
  for (const [field, value] of Object.entries(proposed)) {
    at(field).value = given[field] ?? value;
    at(field).disabled = given[field] !== undefined;
  }
  focusEntry();
}

/** What the server holds against who tried to come in; texts by field. */
export function showRefusal({ why, code, errors = {} }) {
  at('notice').textContent = `${why} (${code})`;
  for (const [field, wrong] of Object.entries(errors)) {
    at(field)?.setCustomValidity(wrong);
  }
  at('entry').reportValidity();
}

/** Users of this server need not be numbers. */
function takeAnyId() {
  at('userId-label').textContent = 'Your id';
  at('userId-hint').textContent = '1 to 64 letters, digits, . _ : @ or -: this is who you are. In one room an id is in use once; its newest connection wins';
  Object.assign(at('userId'), { pattern: '[A-Za-z0-9._:@\\-]{1,64}', inputMode: 'text' });
}

/** Whether anybody may be anybody, in the same sentence as in the server's log, and what ids are. */
async function lookAtServer(base) {
  const { auth, userIds } = await (await fetch(new URL('health', base), { cache: 'no-store' })).json();
  at('anybody').hidden = auth !== 'none';
  if (userIds === 'string') {
    takeAnyId();
  }
  if (isEmbedded && auth === 'token') {
    await askAround('connect');
    propose();
  }
}

at('entry').addEventListener('input', ({ target }) => target.setCustomValidity(''));

/** Done when everything is known that may be. */
export async function beginEntry(base) {
  propose();
  await lookAtServer(base).catch(() => {}); // the page is of use without; and without a token the server says what is missing
}
