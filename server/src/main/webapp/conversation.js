// One room as it is read: what was said, what is on its way, and how far one has read.

import { amount, button, element, nameOf, time, written } from './parts.js';

const SHOWN = 500; // lines kept; older ones go while one reads at the end
const SLACK = 50; // lines more before they do
const SHOWN_PENDING = 50;
const PAUSE = 30; // ms between two drawings, so that a busy room does not drown the browser
const NEAR = 48; // px from an end that count as the end
const BURST = 120_000; // ms within which lines of one person stand under one name

export class Conversation {
  #changed;
  #lines = element('ol', 'messages');
  #pending = element('ol', 'pending');
  #log = element('div', 'log', this.#lines);
  #scroll = element('div', 'scroll', this.#log, this.#pending);
  #news = button('news', '', () => this.#toTheEnd());
  #waiting = []; // lines to be drawn
  #skipped = 0;
  #isDue = false;
  #follows = true;
  #isMissed = false; // what is past was said while one was away
  #passage; // the newest line of people who came and went
  #mark; // the line above the first message not read
  #isReading = false; // further back
  #isCut = false; // lines have gone: what was said before them would not meet what stands here

  unread = 0;

  /** Counts the changes of who is in it. */
  passages = 0;

  /** `changed()`: its state, people or unread have. */
  constructor(room, changed) {
    this.room = room;
    this.#changed = changed;
    this.element = element('section', 'conversation', this.#scroll, this.#news);
    this.element.hidden = true;
    this.#log.setAttribute('role', 'log');
    this.#log.setAttribute('aria-label', 'Messages');
    this.#pending.setAttribute('aria-label', 'Own messages that have not come back yet');
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

  /** A text, written here; undefined when it is taken, else the reason. */
  async say(text) {
    this.#follows = true;
    const sent = this.room.send(text);
    this.#soon();
    return sent;
  }

  // --- what happens

  #message(message) {
    const age = message.past ? (this.#isMissed ? 'missed' : 'past') : '';
    if (!message.past && !message.own && !this.#isBeingRead()) {
      this.#countUnread();
    }
    const line = element('li', `text ${message.own ? 'own' : ''} ${age}`, this.#head(message), written(message.text));
    line.dataset.user = message.user.id;
    line.dataset.at = message.at.getTime();
    this.#add(line, age);
  }

  #head({ user, at, own, late }) {
    const head = element('p', 'head', nameOf(user, own ? ' (you)' : ''), ' ', time(at));
    if (late) {
      head.append(' ', element('span', 'late', 'had arrived before the connection was lost'));
    }
    return head;
  }

  #countUnread() {
    if (this.unread === 0) {
      this.#mark?.remove();
      this.#mark = element('li', 'mark', 'New');
      this.#add(this.#mark, 'quiet');
    }
    this.unread += 1;
  }

  #isBeingRead() {
    return !this.element.hidden && this.#follows && document.visibilityState === 'visible';
  }

  /** Neighbours are told in one line; who came and went within it is left out. */
  #people({ joined, left, at }) {
    this.passages += 1;
    this.#changed();
    const others = (users) => users.filter(({ id }) => id !== this.room.user?.id);
    if (at === undefined || others([...joined, ...left]).length === 0) {
      return;
    }
    if (this.#passage === undefined) {
      const passage = { came: new Map(), went: new Map(), line: element('li', 'event') };
      this.#add(passage.line, 'quiet');
      this.#passage = passage;
    }
    const { came, went, line } = this.#passage;
    others(joined).forEach(({ id, name }) => went.delete(id) || came.set(id, name));
    others(left).forEach(({ id, name }) => came.delete(id) || went.set(id, name));
    const words = (names, verb) => (names.size === 0 ? [] : [`${[...names.values()].join(', ')} ${verb}`]);
    line.replaceChildren([...words(came, 'joined'), ...words(went, 'left')].join(' \u00b7 '));
    line.hidden = came.size + went.size === 0;
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
    this.#event('You were away, and some messages may be missing here', 'warning');
  }

  #event(text, more = '') {
    this.#add(element('li', `event ${more}`, text), 'quiet');
  }

  /** An own text that is not in the room, or of which nobody knows. */
  #refused(text, { code, message }) {
    const line = element('li', 'text own refused');
    const again = button('again', 'Send again', () => {
      line.remove();
      this.say(text).catch(() => {});
    });
    const why = code === 'UNKNOWN' ? 'Perhaps not sent: the connection was lost' : `Not sent: ${message}`;
    line.append(element('p', 'head', why), written(text), again);
    this.#add(line);
  }

  // --- drawing

  /** What was said before is not read out. */
  #add(line, age = '') {
    if (age !== '') {
      line.setAttribute('aria-live', 'off');
    }
    this.#passage = undefined;
    this.#waiting.push(line);
    if (this.#waiting.length > SHOWN) {
      this.#waiting.shift();
      this.#skipped += 1;
    }
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
    if (this.#skipped > 0) {
      this.#lines.append(element('li', 'event', `${amount(this.#skipped, 'line')} came too fast to be shown`));
      this.#skipped = 0;
    }
    for (const line of this.#waiting.splice(0)) {
      this.#joinBurst(this.#lines.lastElementChild, line);
      this.#lines.append(line);
    }
    this.#cut();
    this.#drawPending();
    this.#keepPlace();
  }

  #cut() {
    if (this.#follows && this.#lines.childElementCount > SHOWN + SLACK) {
      this.#isCut = true;
      [...this.#lines.children].slice(0, -SHOWN).forEach((line) => line.remove());
      this.#lines.prepend(element('li', 'event', 'What was said before is not shown here any more'));
    }
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
    const box = this.#scroll;
    this.#follows = box.scrollHeight - box.scrollTop - box.clientHeight < NEAR;
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
    const box = this.#scroll;
    if (this.#isReading || this.#isCut || box.clientHeight === 0 || box.scrollTop > NEAR || this.room.state.name !== 'here') {
      return;
    }
    this.#isReading = true;
    try {
      this.#prepend(await this.room.older());
      this.#isReading = false;
    } catch {
      setTimeout(() => (this.#isReading = false), 5_000);
    }
  }

  #prepend(messages) {
    const lines = messages.map((message) => {
      const line = element('li', `text ${message.own ? 'own' : ''} past`, this.#head(message), written(message.text));
      line.setAttribute('aria-live', 'off');
      line.dataset.user = message.user.id;
      line.dataset.at = message.at.getTime();
      return line;
    });
    [...lines, this.#lines.firstElementChild].forEach((line, i) => line !== null && this.#joinBurst(lines[i - 1], line));
    const { scrollHeight, scrollTop } = this.#scroll;
    this.#lines.prepend(...lines);
    this.#scroll.scrollTop = scrollTop + this.#scroll.scrollHeight - scrollHeight;
  }
}
