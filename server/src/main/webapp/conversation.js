// One room as it is read: what was said, what is on its way, and how far one has read.

import { amount, button, element, nameOf, time, written } from './parts.js';

const SHOWN = 500; // lines kept; older ones go while one reads at the end
const SLACK = 50; // lines more before they do
const SHOWN_PENDING = 50;
const PAUSE = 30; // ms between two looks at what has changed, so that a busy room does not drown the browser
const NEAR = 48; // px from an end that count as the end
const BURST = 120_000; // ms within which lines of one person stand under one name
const AGAIN = 5_000; // ms until the past is asked for again when it could not be had

export class Conversation {
  #changed;
  #lines = element('ol', 'messages');
  #pending = element('ol', 'pending');
  #log = element('div', 'log', this.#lines);
  #scroll = element('div', 'scroll', this.#log, this.#pending);
  #news = button('news first', '', () => this.#toTheEnd());
  #isDue = false;
  #follows = true;
  #isMissed = false; // what is past was said while one was away
  #passage; // the newest line, if it is of people who came and went
  #mark; // the line above the first message not read
  #isReading = false; // further back
  #isCut = false; // lines have gone: what was said before them would not meet what stands here

  unread = 0;

  /** `changed()`: its state or unread have. */
  constructor(room, changed) {
    this.room = room;
    this.#changed = changed;
    this.element = element('section', 'conversation', this.#scroll, this.#news);
    this.element.hidden = true;
    Object.assign(this.#log, { role: 'log', ariaLabel: 'Messages' });
    this.#pending.ariaLabel = 'Own messages that have not come back yet';
    Object.assign(this.#scroll, { tabIndex: 0, role: 'region', ariaLabel: `Conversation in ${room.id}` });
    this.#scroll.addEventListener('scroll', () => this.#scrolled());
    new ResizeObserver(() => this.#keepPlace()).observe(this.#scroll);
    room.on('message', (message) => this.#message(message));
    room.on('people', (change) => this.#people(change));
    room.on('back', ({ awayMs, missed }) => this.#back(awayMs, missed));
    room.on('gap', () => this.#gap());
    room.on('refused', ({ text, error }) => this.#refused(text, error));
    room.on('state', () => this.#soon());
  }

  show() {
    this.element.hidden = false;
    this.#read();
    this.#keepPlace();
  }

  hide() {
    this.element.hidden = true;
  }

  /** Says a text; done when the room has it. */
  async say(text) {
    this.#follows = true;
    const sent = this.room.send(text);
    this.#soon();
    return sent;
  }

  // --- what happens

  #message(message) {
    if (!message.past && !message.own && !this.#isBeingRead()) {
      this.#countUnread();
    }
    this.#add(this.#text(message, message.past && this.#isMissed ? 'missed' : 'past'));
  }

  /** What was said before is not read out. */
  #text({ user, text, at, own, past, late }, age) {
    const head = element('p', 'head', nameOf(user, own ? ' (you)' : ''), ' ', time(at));
    if (late) {
      head.append(' ', element('i', 'late', 'had arrived before the connection was lost'));
    }
    const line = element('li', own ? 'text own' : 'text', head, written(text));
    line.classList.toggle(age, past);
    line.ariaLive = past ? 'off' : null;
    Object.assign(line.dataset, { user: user.id, at: at.getTime() });
    return line;
  }

  #countUnread() {
    if (this.unread === 0) {
      this.#mark?.remove();
      this.#mark = this.#event('New', 'mark');
    }
    this.unread += 1;
  }

  #isBeingRead() {
    return !this.element.hidden && this.#follows && document.visibilityState === 'visible';
  }

  /** Neighbours are told in one line; who came and went within it is left out. */
  #people({ joined, left, at }) {
    const others = (users) => users.filter(({ id }) => id !== this.room.user?.id);
    if (at === undefined || others([...joined, ...left]).length === 0) {
      return;
    }
    const { came, went, line } = (this.#passage ??= { came: new Map(), went: new Map(), line: this.#event('') });
    others(joined).forEach(({ id, name }) => went.delete(id) || came.set(id, name));
    others(left).forEach(({ id, name }) => came.delete(id) || went.set(id, name));
    const words = (names, verb) => (names.size === 0 ? [] : [`${[...names.values()].join(', ')} ${verb}`]);
    line.textContent = [...words(came, 'joined'), ...words(went, 'left')].join(' \u00b7 ');
    line.hidden = line.textContent === '';
  }

  #back(awayMs, missed) {
    if (missed === 0 && this.#lines.childElementCount === 0) {
      return; // of a page that was loaded again
    }
    this.#isMissed = true;
    const said = missed === 0 ? 'nothing was said' : amount(missed, 'message');
    this.#event(`You were away ${(awayMs / 1000).toFixed(1)} s: ${said}`);
  }

  #gap() {
    this.#isMissed = false;
    this.#event('You were away, and some messages may be missing here', 'event warning');
  }

  /** An own text that is not in the room, or of which nobody knows. */
  #refused(text, { code, message }) {
    const why = code === 'UNKNOWN' ? 'Perhaps not sent: the connection was lost' : `Not sent: ${message}`;
    const line = element('li', 'text own refused', element('p', 'head', why), written(text));
    line.append(button('', 'Send again', () => {
      line.remove();
      this.say(text).catch(() => {});
    }));
    this.#add(line);
  }

  // --- drawing

  #event(text, className = 'event') {
    const line = element('li', className, text);
    line.ariaLive = 'off';
    this.#add(line);
    return line;
  }

  #add(line) {
    this.#passage = undefined;
    this.#joinBurst(this.#lines.lastElementChild, line);
    this.#lines.append(line);
    this.#soon();
  }

  #soon() {
    if (!this.#isDue) {
      this.#isDue = true;
      setTimeout(() => this.#draw(), PAUSE);
    }
    this.#changed();
  }

  #draw() {
    this.#isDue = false;
    if (this.#follows && this.#lines.childElementCount > SHOWN + SLACK) {
      this.#isCut = true;
      const cut = element('li', 'event', 'What was said before is not shown here any more');
      this.#lines.replaceChildren(cut, ...[...this.#lines.children].slice(-SHOWN));
    }
    this.#drawPending();
    this.#keepPlace();
  }

  #joinBurst(above, line) {
    const isOne = above?.dataset.user !== undefined && above.dataset.user === line.dataset.user
      && line.dataset.at - above.dataset.at < BURST && above.className.replace(' more', '') === line.className;
    line.classList.toggle('more', isOne);
  }

  #drawPending() {
    const { pending, state } = this.room;
    const where = state.name === 'here' ? 'on its way \u2026' : 'waits for the connection';
    const items = pending.slice(0, SHOWN_PENDING).map(({ text }) =>
      element('li', 'text own', element('p', 'head', where), written(text)));
    if (pending.length > items.length) {
      items.push(element('li', 'event', `and ${pending.length - items.length} more`));
    }
    this.#pending.replaceChildren(...items);
  }

  // --- where one reads

  #keepPlace() {
    if (this.#follows) {
      this.#scroll.scrollTop = this.#scroll.scrollHeight;
    }
    this.#news.textContent = `${this.unread} new`;
    this.#news.hidden = this.unread === 0 || this.#follows;
    this.#readBack();
  }

  #scrolled() {
    const { scrollHeight, scrollTop, clientHeight } = this.#scroll;
    this.#follows = scrollHeight - scrollTop - clientHeight < NEAR;
    this.#read();
    this.#keepPlace();
  }

  #read() {
    if (this.unread > 0 && this.#isBeingRead()) {
      this.unread = 0;
      this.#changed();
    }
  }

  #toTheEnd() {
    this.#follows = true;
    this.#read();
    this.#keepPlace();
    this.#scroll.focus();
  }

  /** What the room keeps from before, when one has come to its beginning. */
  async #readBack() {
    const { clientHeight, scrollTop } = this.#scroll;
    if (this.#isReading || this.#isCut || clientHeight === 0 || scrollTop > NEAR || this.room.state.name !== 'here') {
      return;
    }
    this.#isReading = true;
    try {
      this.#prepend(await this.room.older());
      this.#isReading = false;
    } catch {
      setTimeout(() => (this.#isReading = false), AGAIN);
    }
  }

  #prepend(messages) {
    const lines = messages.map((message) => this.#text(message, 'past'));
    const { scrollHeight, scrollTop } = this.#scroll;
    this.#lines.prepend(...lines);
    [...this.#lines.children].slice(0, lines.length + 1).forEach((line) => this.#joinBurst(line.previousElementSibling, line));
    this.#scroll.scrollTop = scrollTop + this.#scroll.scrollHeight - scrollHeight;
  }
}
