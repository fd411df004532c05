// Pieces of the page. Everything that comes from outside is shown as text, never as markup.

import { ownStore } from './lib/memory.js';

const LINK = /https?:\/\/[^\s<>"]*[^\s<>"'.,;:!?)\]}]/g;
const ORDER = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

const store = ownStore();

export const at = (id) => document.getElementById(id);

/** A value of this tab that outlives a reload, where the browser lets us keep it; else null. */
export const remembered = (key) => JSON.parse(store?.getItem(`chatflow.${key}`) ?? 'null');

export const remember = (key, value) => store?.setItem(`chatflow.${key}`, JSON.stringify(value));

export function element(name, className, ...content) {
  const made = document.createElement(name);
  made.className = className;
  made.append(...content);
  return made;
}

export function button(className, text, click) {
  const made = element('button', className, text);
  made.addEventListener('click', click);
  return made;
}

/** What is the same is not read out again. */
export function setText(place, text) {
  if (place.textContent !== text) {
    place.textContent = text;
  }
}

/** What somebody wrote, in the direction of its own script; addresses are links. */
export function written(text) {
  const made = element('p', 'body');
  made.dir = 'auto';
  let end = 0;
  for (const found of text.matchAll(LINK)) {
    const link = element('a', '', found[0]);
    Object.assign(link, { href: found[0], target: '_blank', rel: 'noopener noreferrer nofollow' });
    made.append(text.slice(end, found.index), link);
    end = found.index + found[0].length;
  }
  made.append(text.slice(end));
  return made;
}

/** In a colour of its own. */
export function nameOf(user, more = '') {
  const made = element('b', 'name', user.name + more);
  made.dir = 'auto';
  made.title = `#${user.id}`;
  const hash = [...user.id].reduce((sum, c) => (sum * 31 + c.codePointAt(0)) % 360, 7);
  made.style.setProperty('--hue', String((hash * 137) % 360));
  return made;
}

/** With its day, when that is not today. */
export function time(instant) {
  const isToday = instant.toDateString() === new Date().toDateString();
  const made = element('time', '', instant.toLocaleString([], { dateStyle: isToday ? undefined : 'medium', timeStyle: 'short' }));
  made.dateTime = instant.toISOString();
  made.title = instant.toLocaleString();
  return made;
}

export function amount(count, word) {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}

export function byName(a, b) {
  return ORDER.compare(a.name, b.name) || ORDER.compare(a.id, b.id);
}
