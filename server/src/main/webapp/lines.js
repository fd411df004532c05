// The lines of messages, and the messages that change earlier ones: edits, deletions and reactions.

import { element, nameOf, time, written } from './parts.js';

const MAX_WAITING = 1_000; // changes of messages without a line
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
  #waiting = []; // changes of messages that have no line: an older page may bring it

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
      line.firstChild.after(this.#quote(message.ref));
    }
    const choose = () => this.#choose(line.message);
    line.append(element('button', { className: 'act', onclick: choose, ariaLabel: 'Reply and more' }, '\u22ef'));
    this.#waiting.filter(({ ref }) => isOf(line, ref)).forEach((change) => Lines.#apply(line, change));
    return line;
  }

  #find(ref) {
    return [...this.#list.children].findLast((line) => isOf(line, ref));
  }

  #quote(ref) {
    const quoted = this.#find(ref)?.message;
    const text = quoted === undefined ? 'an earlier message' : `${quoted.user.name}: ${quoted.text}`;
    return element('p', { className: 'quote', dir: 'auto' }, text.slice(0, MAX_QUOTE));
  }

  /** Applies an edit, deletion or reaction, or keeps it until its message has a line. */
  change(message) {
    const line = this.#find(message.ref);
    if (line !== undefined) {
      Lines.#apply(line, message);
    }
    this.#waiting = [...this.#waiting, message].slice(-MAX_WAITING);
  }

  /** Only the author of a message edits and deletes it. */
  static #apply(line, { kind, ref, user, text }) {
    if (kind === 'reaction') {
      react(line, user.id, text);
    } else if (ref.userId === user.id) {
      line.message = { ...line.message, text };
      line.classList.toggle('deleted', kind === 'delete');
      const body = kind === 'delete' ? 'This message was deleted.' : text;
      line.querySelector('.body').replaceWith(written(body));
      line.dataset.note = kind === 'edit' ? 'edited' : '';
    }
  }
}

function isOf({ message }, { userId, id }) {
  return message?.id === id && message.user.id === userId;
}

/** Counts a reaction once for each user. */
function react(line, userId, text) {
  const users = line.reactions.get(text) ?? new Set();
  line.reactions.set(text, users.add(userId));
  const counts = [...line.reactions].map(([reaction, { size }]) => `${reaction} ${size}`);
  line.querySelector('.reactions')?.remove();
  line.append(element('p', { className: 'reactions', ariaLabel: 'Reactions' }, counts.join('  ')));
}
