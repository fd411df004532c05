// Pieces of the page. Everything that comes from outside is shown as text, never as markup.

const LINK = /https?:\/\/[^\s<>"]*[^\s<>"'.,;:!?)\]}]/g;
const ORDER = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

export const at = (id) => document.getElementById(id);

export function element(name, className, ...content) {
  const made = document.createElement(name);
  made.className = className;
  made.append(...content);
  return made;
}

export function button(className, text, click) {
  const made = element('button', className, text);
  made.type = 'button';
  made.addEventListener('click', click);
  return made;
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
  const made = element('span', 'name', user.name + more);
  made.dir = 'auto';
  made.title = `#${user.id}`;
  const hash = [...user.id].reduce((sum, c) => (sum * 31 + c.codePointAt(0)) % 360, 7);
  made.style.setProperty('--hue', String((hash * 137) % 360));
  return made;
}

/** With its day, when that is not today. */
export function time(instant) {
  const isToday = instant.toDateString() === new Date().toDateString();
  const style = isToday ? { timeStyle: 'short' } : { dateStyle: 'medium', timeStyle: 'short' };
  const text = instant.toLocaleString([], style);
  const made = element('time', '', text);
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
