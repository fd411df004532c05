// The conversation in one room: messages, pending messages and the reading position.

import { Lines, isChange, lineOf } from './lines.js';
import { element, time } from './parts.js';
import { Typing } from './typing.js';

const MAX_SHOWN = 500; // lines; older ones are removed while the reader is at the end
const MAX_SHOWN_PENDING = 50;
const NEAR = 48; // px from either end that count as the end
const BURST = 120_000; // ms within which lines of one person share one name
const SHORT = 2_000; // ms offline that are not reported unless messages were missed
const UNKNOWN = 'May not have been sent (connection lost)';

export class Conversation {
  #changed;
  #top = element('p', { className: 'event' });
  #lines = element('ol', { className: 'messages' });
  #messages;
  #log = element('div', { role: 'log', ariaLabel: 'Messages' }, this.#lines);
  #pending = element('ol', { className: 'pending', ariaLabel: 'Messages being sent' });
  #scroll = element('section', { className: 'scroll', tabIndex: 0, ariaLabel: 'Conversation' });
  #typists = element('p', { className: 'typing hint' }); // not announced, because it changes too often
  #typing;
  #news = element('button', { className: 'news first' });
  #mark = element('li', { className: 'event mark', ariaLive: 'off' }, 'New'); // before the first unread line
  #passage; // the newest line, if it reports joins and leaves
  #looksBack = true; // older messages may exist
  #isMissed = false; // past messages were missed while offline
  #follows = true;
  #drawn = { end: 0, width: 0, height: 0 }; // px: a resized window is not scrolling

  element = element('div', { className: 'conversation' }, this.#scroll, this.#typists, this.#news);
  unread = 0;
  composing; // { kind, ref } of the text that is being written; undefined: it names no message

  /** `changed()` requests an update of the display; `choose(message)`: the reader wants to do something with it. */
  constructor(room, changed, choose) {
    this.room = room;
    this.#changed = changed;
    this.#messages = new Lines(this.#lines, choose);
    this.#typing = new Typing(room, (text) => (this.#typists.textContent = text));
    this.#scroll.append(this.#top, this.#log, this.#pending);
    this.#scroll.onscroll = () => this.#scrolled();
    this.#news.onclick = () => {
      this.#toTheEnd();
      this.#scroll.focus();
    };
    new ResizeObserver(changed).observe(this.#scroll);
    room.on('message', (message) => this.#message(message));
    room.on('people', (change) => this.#people(change));
    room.on('signal', ({ user, kind, data }) => kind === 'mute' && this.#muted(user.id, new Date(data.until)));
    room.on('back', ({ awayMs, missed }) => this.#back(awayMs, missed));
    room.on('gap', () => this.#gap());
    room.on('refused', (refusal) => this.#refused(refusal));
    room.on('state', () => this.#scrolled());
  }

  say(text) {
    this.room.send(text, this.composing);
    this.composing = undefined;
    this.#toTheEnd();
  }

  /** Notes that the user has changed the text that is being written. */
  typed(text) {
    if (text.trim() !== '' && this.composing?.kind !== 'edit') {
      this.#typing.signal();
    }
  }

  // --- events

  #message(message) {
    if (isChange(message)) {
      this.#messages.change(message);
      return;
    }
    if (!message.past && !message.own && !this.#isBeingRead()) {
      this.unread += 1;
      if (this.unread === 1) {
        this.#add(this.#mark);
      }
    }
    this.#add(this.#messages.make(message, this.#isMissed ? 'missed' : 'past'));
  }

  /** Collects consecutive joins and leaves in one line; opposite ones cancel out. */
  #people({ joined, left, at }) {
    const isOther = ({ id }) => id !== this.room.user?.id;
    if (at === undefined || ![...joined, ...left].some(isOther)) {
      return;
    }
    this.#passage ??= { came: new Map(), went: new Map(), line: this.#event('') };
    const { came, went, line } = this.#passage;
    joined.filter(isOther).forEach(({ id, name }) => went.delete(id) || came.set(id, name));
    left.filter(isOther).forEach(({ id, name }) => came.delete(id) || went.set(id, name));
    const words = [[came, 'joined'], [went, 'left']]
      .filter(([names]) => names.size > 0)
      .map(([names, verb]) => `${[...names.values()].join(', ')} ${verb}`);
    line.textContent = words.join(' \u00b7 ');
    line.hidden = words.length === 0;
  }

  /** Reports that a moderator has muted a person until a time; a time in the past ends it. */
  #muted(id, end) {
    const name = id === this.room.user?.id ? 'You' : this.room.people.names.get(id)?.name ?? id;
    const line = this.#event(end > new Date() ? `${name} may not write until ` : `${name} may write again`);
    if (end > new Date()) {
      line.append(time(end));
    }
  }

  #back(awayMs, missed) {
    if (awayMs < SHORT && missed === 0) {
      return;
    }
    const what = ['nothing', '1 message:'][missed] ?? `${missed} messages:`;
    this.#isMissed = true;
    this.#event(`You were offline for ${Math.max(1, Math.round(awayMs / 1000))} s and missed ${what}`);
  }

  #gap() {
    this.#isMissed = false;
    this.#event('You were offline. Some messages could not be recovered.', 'event warning');
  }

  /** Shows the user's own message that was rejected or may be lost. */
  #refused({ text, error, ...extras }) {
    const why = error.code === 'UNKNOWN' ? UNKNOWN : `Not sent: ${error.message}`;
    const line = lineOf('own refused', extras.kind === 'delete' ? 'Delete a message' : text, why);
    const again = () => {
      line.remove();
      this.room.send(text, extras);
      this.#toTheEnd();
    };
    line.append(element('button', { onclick: again }, 'Send again'));
    this.#add(line);
  }

  /** Loads older messages. If there are none, scrolling or reconnecting tries again. */
  async #readBack() {
    this.#looksBack = false;
    const messages = await this.room.older();
    this.#looksBack = messages.length > 0;
    const { scrollHeight, scrollTop } = this.#scroll;
    const first = this.#lines.firstElementChild;
    this.#messages.older(messages.filter(isChange));
    for (const message of messages.filter((each) => !isChange(each))) {
      const line = this.#messages.make(message, 'past');
      this.#add(line, first);
      this.#messages.quote(line.message);
    }
    const grown = this.#scroll.scrollHeight - scrollHeight;
    this.#scroll.scrollTop = scrollTop + grown;
    this.#drawn.end += grown; // for the scroll event of this change, which may precede the next update
  }

  #event(text, className = 'event') {
    const line = element('li', { className, ariaLive: 'off' }, text);
    this.#add(line);
    return line;
  }

  /** Inserts a line before `next`, or at the end. */
  #add(line, next = null) {
    this.#passage = undefined;
    this.#lines.insertBefore(line, next);
    [line, next].forEach((one) => one?.classList.toggle('more', goesOn(one)));
    this.#changed();
  }

  // --- display

  /** Updates the display. A conversation that is shown again starts at its end. */
  draw(isShown) {
    this.element.hidden = !isShown;
    this.#follows ||= !isShown;
    this.#drawPending();
    if (this.#follows && this.#lines.childElementCount > MAX_SHOWN) {
      [...this.#lines.children].slice(0, -MAX_SHOWN).forEach((line) => line.remove());
      this.#top.textContent = 'Older messages were removed from view';
    }
    if (this.#follows) {
      this.#scroll.scrollTop = this.#scroll.scrollHeight;
    }
    const { scrollHeight: end, clientWidth: width, clientHeight: height } = this.#scroll;
    this.#drawn = { end, width, height };
    this.unread = this.#isBeingRead() ? 0 : this.unread;
    this.#news.textContent = `${this.unread} new`;
    this.#news.hidden = this.unread === 0 || this.#follows;
    const isAtTop = this.#scroll.clientHeight > 0 && this.#scroll.scrollTop < NEAR;
    if (this.#looksBack && isAtTop && this.#top.textContent === '') {
      this.#readBack().catch(() => {});
    }
  }

  #drawPending() {
    const { state } = this.room;
    const pending = this.room.pending.filter((message) => !isChange(message));
    const status = state.name === 'here' ? 'Sending\u2026' : 'Waiting for connection';
    const lines = pending.slice(0, MAX_SHOWN_PENDING).map(({ text }) => lineOf('own', text, status));
    const more = pending.length - lines.length;
    const rest = element('li', { className: 'event', hidden: more === 0 }, `and ${more} more`);
    this.#pending.replaceChildren(...lines, rest);
  }

  #isBeingRead() {
    return !this.element.hidden && this.#follows && document.visibilityState === 'visible';
  }

  #scrolled() {
    const { scrollTop, clientWidth, clientHeight } = this.#scroll;
    const { end, width, height } = this.#drawn;
    this.#looksBack = true;
    if (clientWidth === width && clientHeight === height) {
      this.#follows = end - scrollTop - clientHeight < NEAR;
    }
    this.#changed();
  }

  #toTheEnd() {
    this.#follows = true;
    this.#changed();
  }
}

/** Returns whether a line continues the one above, under the same name. */
function goesOn({ previousElementSibling: above, message }) {
  const before = above?.message;
  return message?.user.id === before?.user.id && message?.at - before?.at < BURST;
}
