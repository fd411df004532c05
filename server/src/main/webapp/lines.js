// The lines of messages, and the messages that change earlier ones: edits, deletions and reactions.

import { element, nameOf, time, written } from './parts.js';

const MAX_CHANGES = 1_000; // the oldest ones are forgotten
const MAX_QUOTE = 100; // characters of the message that a reply quotes
const CHANGES = new Set(['edit', 'delete', 'reaction']);

/** Returns whether a message changes another one instead of having a line. */
export const isChange = ({ kind }) => CHANGES.has(kind);

export function lineOf(kind, text, ...head) {
  const top = element('p', { className: 'head' }, ...head);
  return element('li', { className: `text ${kind}` }, top, written(text));
}

export class Lines {
  #list;
  #choose;
  #changes = []; // in the room's order; those of messages without a line wait for an older page

  /** `choose(message)`: the reader wants to do something with a message. */
  constructor(list, choose) {
    this.#list = list;
    this.#choose = choose;
  }

  /** Returns a line for a message, with the changes that are known. Screen readers do not announce past ones. */
  make(message, age) {
    const { user, text, at, own, past, late } = message;
    const kind = `${own ? 'own' : ''} ${past ? age : ''} ${late ? 'late' : ''}`;
    const line = lineOf(kind, text, nameOf(user, own), ' ', time(at));
    Object.assign(line, { message, ariaLive: past ? 'off' : null, reactions: new Map() });
    if (message.kind === 'reply') {
      line.firstChild.after(element('p', { className: 'quote', dir: 'auto' }, quoteOf(this.#find(message.ref)?.message)));
    }
    const choose = () => this.#choose(line.message);
    line.append(element('button', { className: 'act', onclick: choose, ariaLabel: 'Reply and more' }, '\u22ef'));
    this.#changes.filter(({ ref }) => isOf(line, ref)).forEach((change) => apply(line, change));
    return line;
  }

  #find(ref) {
    return [...this.#list.children].findLast((line) => isOf(line, ref));
  }

  /** Applies an edit, deletion or reaction now, and to lines that are made later. */
  change(message) {
    this.#changes = [...this.#changes, message].slice(-MAX_CHANGES);
    const line = this.#find(message.ref);
    if (line !== undefined) {
      apply(line, message);
      this.quote(line.message);
    }
  }

  /** Notes changes from before all known ones. They change only messages that are older still. */
  older(changes) {
    this.#changes = [...changes, ...this.#changes].slice(-MAX_CHANGES);
  }

  /** Shows the present text of a message where replies quote it. */
  quote(message) {
    for (const line of this.#list.children) {
      if (line.message?.kind === 'reply' && isOf({ message }, line.message.ref)) {
        line.querySelector('.quote').textContent = quoteOf(message);
      }
    }
  }
}

function isOf({ message }, { userId, id }) {
  return message?.id === id && message.user.id === userId;
}

function quoteOf(message) {
  if (message === undefined) {
    return 'An earlier message';
  }
  const text = message.isDeleted ? 'deleted message' : message.text;
  return `${message.user.name}: ${text}`.slice(0, MAX_QUOTE);
}

/** Servers accept edits and deletions only from the author of the message or from a moderator. */
function apply(line, { kind, user, text }) {
  if (kind === 'reaction') {
    react(line, user.id, text);
  } else {
    const isDeleted = kind === 'delete';
    line.message = { ...line.message, text, isDeleted };
    line.classList.toggle('deleted', isDeleted);
    line.dataset.note = isDeleted ? '' : 'edited';
    line.querySelector('.body').replaceWith(written(isDeleted ? 'This message was deleted.' : text));
  }
}

/** Counts a reaction once for each user. */
function react(line, userId, text) {
  const users = line.reactions.get(text) ?? new Set();
  line.reactions.set(text, users.add(userId));
  const counts = [...line.reactions].map(([reaction, { size }]) => `${reaction} ${size}`);
  line.querySelector('.reactions')?.remove();
  line.append(element('p', { className: 'reactions', ariaLabel: 'Reactions' }, counts.join('  ')));
}
