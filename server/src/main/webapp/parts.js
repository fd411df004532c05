// Elements of the page. Everything from outside is shown as text, never as markup.

import { ownStore } from './lib/memory.js';

const PAUSE = 30; // ms between two updates, so that a busy room does not overload the browser
const LINK = /(https?:\/\/[^\s<>"]*[^\s<>"'.,;:!?)\]}])/;

const store = ownStore();

export const at = (id) => document.getElementById(id);

/** Returns a value stored for this tab; null if there is none or the browser stores nothing. */
export const remembered = (key) => JSON.parse(store?.getItem(`chatflow.${key}`) ?? 'null');

export const remember = (key, value) => store?.setItem(`chatflow.${key}`, JSON.stringify(value));

/** Returns a function that draws after a short pause, once for all calls during the pause. */
export function later(draw) {
  let timer = 0;
  const call = () => {
    timer = 0;
    draw();
  };
  return () => (timer ||= setTimeout(call, PAUSE));
}

export function element(name, properties, ...content) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...content);
  return made;
}

const link = (href) => element('a', { href, target: '_blank', rel: 'noopener noreferrer' }, href);

/** Shows a text in the direction of its script, with addresses as links. */
export function written(text) {
  const pieces = text.split(LINK).map((piece, i) => (i % 2 === 0 ? piece : link(piece)));
  return element('p', { className: 'body', dir: 'auto' }, ...pieces);
}

/** Shows a user's name in a colour derived from the id. */
export function nameOf({ id, name }, isOwn) {
  const hash = [...id].reduce((sum, c) => (sum * 31 + c.codePointAt(0)) % 360, 7);
  const style = `--hue: ${(hash * 137) % 360}`;
  const text = isOwn ? `${name} (you)` : name;
  return element('b', { className: 'name', dir: 'auto', title: `#${id}`, style }, text);
}

/** Shows a time, with its date unless that is today. */
export function time(at) {
  const isToday = at.toDateString() === new Date().toDateString();
  const form = { dateStyle: isToday ? undefined : 'medium', timeStyle: 'short' };
  const dateTime = at.toISOString();
  return element('time', { dateTime, title: at.toLocaleString() }, at.toLocaleString([], form));
}
