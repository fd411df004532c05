// One user in one room, over any number of connections.

import { Kept, Outbox, People, Seen } from './memory.js';
import {
  GAP, MAX_UNSEEN, extraFields, extrasOf, failure, frame, isNameable, keyOf, memberOf, nameOf, refusal, userOf,
  wrongSignal, wrongText,
} from './protocol.js';
import { Reconnector } from './reconnector.js';

const FAREWELL = 3_000; // ms to wait for the LEAVE to come back
const DOUBT = 10_000; // ms until members are counted again; half is random, because many clients count at once
const EVENTS = ['state', 'message', 'signal', 'people', 'back', 'gap', 'refused'];

/** Returns the identity of the frame of a message. */
function nameOfMessage({ user, id, at }) {
  return { messageType: 'TEXT', userId: user.id, messageId: id, serverTimestamp: at.toISOString() };
}

function random() {
  return Math.random().toString(36).slice(2, 10);
}

/** Its methods are documented in chatflow.d.ts. */
export class Room {
  #place;
  #tokens;
  #options;
  #reconnector;
  #calls = new Map(EVENTS.map((event) => [event, new Set()]));
  #state = { name: 'left' };
  #people = new People();
  #seen = new Seen();
  #outbox = new Outbox();
  #kept;
  #prefix = `w-${random()}${random()}`;
  #count = 0; // number of ids created
  #last; // the frame up to which the room is known; undefined: cannot resume
  #oldest; // the first known frame; false if the room keeps none before it
  #older = Promise.resolve(); // the last call of older()
  #awaySince; // ms; undefined before the first membership
  #isReloaded = false;
  #recent = []; // the newest texts shown: a reload starts with the oldest of them
  #from; // the frame that the first JOIN after a reload resumes at
  #shownBefore; // the last frame shown before a reload; undefined once it has come again
  #isWanted = false; // entered again while a LEAVE is in flight
  #resend = 0; // a timer
  #recount = 0; // a timer
  #leaving; // { id, done }

  /** `place`: { id, key, socket(token), page(path, token) }; options: those of the program and of the room. */
  constructor(place, tokens, options) {
    this.#place = place;
    this.#tokens = tokens;
    this.#options = options;
    this.#kept = new Kept(options.store, () => this.#keptKey(), () => this.#contents());
    this.#reconnector = new Reconnector(place, tokens, options.user, {
      state: (state) => this.#changeState(state),
      join: () => this.#join(),
      arrived: (arrival) => this.#arrived(arrival),
      live: (broadcast) => this.#live(broadcast),
      members: (list) => this.#list(list),
      pastIsFull: (past) => this.#handOn(past),
      failed: (error) => this.#failed(error),
      lost: (code, wasIn) => this.#lost(code, wasIn),
      identified: () => this.#restore(),
    });
  }

  get id() {
    return this.#place.id;
  }

  get user() {
    return this.#reconnector.user;
  }

  get state() {
    return this.#state;
  }

  get people() {
    return this.#people;
  }

  get pending() {
    return this.#outbox.inOrder().map(({ id, text, extras, isSent }) => ({ id, text, isSent, ...extrasOf(extras) }));
  }

  on(event, call) {
    if (!this.#calls.has(event)) {
      throw new TypeError(`a room has no event '${event}': there are ${EVENTS.join(', ')}`);
    }
    if (typeof call !== 'function') {
      throw new TypeError(`what is called on '${event}' must be a function, not a ${typeof call}`);
    }
    this.#calls.get(event).add(call);
    return () => this.#calls.get(event).delete(call);
  }

  /** The last call of enter() and leave() wins: while a LEAVE is in flight, the room is entered again after it. */
  enter() {
    this.#isWanted = this.#leaving !== undefined;
    if (this.#state.name === 'left') {
      this.#beginAfter();
      this.#kept.begin();
      this.#reconnector.open();
    }
  }

  tryNow() {
    this.#reconnector.tryNow();
  }

  cut(delay = 3_000) {
    this.#reconnector.cut(delay);
  }

  wrong(text, extras) {
    return wrongText(text, extras, this.#options.maxText) ?? this.#cannotTake();
  }

  send(text, extras) {
    const wrong = this.wrong(text, extras);
    const sent = wrong ? Promise.reject(wrong) : this.#take(text, extraFields(extras));
    sent.catch(() => {}); // a program may use the event 'refused' instead of the promise
    return sent;
  }

  signal(kind, { text = '', ref, data } = {}) {
    const wrong = wrongSignal(kind, text, data);
    if (wrong) {
      throw wrong;
    }
    const isIn = this.#reconnector.isIn && this.#leaving === undefined;
    if (isIn) {
      const fields = { message: text, ...extraFields({ kind, ref, data }) };
      this.#reconnector.send(frame('SIGNAL', this.user, this.#nextId(), fields));
    }
    return isIn;
  }

  async leave() {
    this.#isWanted = false;
    if (this.#reconnector.isIn && this.#leaving === undefined) {
      const id = this.#nextId();
      this.#reconnector.send(frame('LEAVE', this.user, id));
      const left = new Promise((done) => (this.#leaving = { id, done }));
      const timer = setTimeout(() => this.#left(), FAREWELL);
      await left;
      clearTimeout(timer);
    } else if (this.#state.name !== 'left') {
      this.#left();
    }
  }

  older(count = 50, { before } = {}) {
    const messages = this.#older.catch(() => {}).then(() =>
      before === undefined ? this.#readOlder(count) : this.#readHole(count, nameOfMessage(before)));
    this.#older = messages;
    return messages;
  }

  #page(count, before) {
    const query = `last=${count}&before=${encodeURIComponent(JSON.stringify(before))}`;
    return this.#place.page(`/messages?${query}`, this.#tokens.held);
  }

  /** Reads the texts in the gap before a message. */
  async #readHole(count, before) {
    for (let name = before; name !== undefined; ) {
      const { messages = [] } = (await this.#page(count, name)) ?? {};
      const texts = messages.filter(({ messageType }) => messageType === 'TEXT');
      if (texts.length > 0) {
        return texts.filter((text) => !this.#seen.has(text)).map((broadcast) => this.#message(broadcast, true));
      }
      name = messages.length === 0 ? undefined : nameOf(messages[0]);
    }
    return [];
  }

  async #readOlder(count) {
    while (this.#oldest) {
      const answer = await this.#page(count, this.#oldest);
      const messages = answer?.messages ?? [];
      this.#oldest = messages.length === 0 ? false : nameOf(messages[0]);
      const texts = messages.filter(({ messageType }) => messageType === 'TEXT');
      if (texts.length > 0) {
        return texts.map((broadcast) => this.#message(broadcast, true));
      }
    }
    return [];
  }

  async *everybody() {
    let next = '';
    do {
      const after = next === '' ? '' : `&after=${encodeURIComponent(next)}`;
      const page = await this.#place.page(`?limit=1000${after}`, this.#tokens.held);
      yield* (page?.members ?? []).map(memberOf);
      next = page?.next ?? '';
    } while (next !== '');
  }

  // --- events for the program

  #emit(event, value) {
    for (const call of this.#calls.get(event)) {
      try {
        call(value);
      } catch (error) {
        queueMicrotask(() => {
          throw error; // a defect of the program must not be hidden
        });
      }
    }
  }

  #changeState(state) {
    this.#state = state;
    this.#emit('state', state);
  }

  #emitPeople({ joined, left }, at) {
    this.#emit('people', { joined, left, count: this.#people.count, at });
  }

  #message(broadcast, past) {
    const { message, messageId, serverTimestamp, duplicate, device } = broadcast;
    return {
      user: userOf(broadcast),
      device,
      text: message,
      id: messageId,
      at: new Date(serverTimestamp),
      own: this.#isOwn(broadcast),
      past,
      late: duplicate === true,
      ...extrasOf(broadcast),
    };
  }

  /** A signal has no id for programs, because no message can name it. */
  #signal(broadcast) {
    return {
      user: userOf(broadcast),
      device: broadcast.device,
      text: broadcast.message,
      at: new Date(broadcast.serverTimestamp),
      own: this.#isOwn(broadcast),
      ...extrasOf(broadcast),
    };
  }

  #isOwn({ userId }) {
    return userId === this.user?.id;
  }

  // --- sending

  #cannotTake() {
    if (this.#state.name === 'left' || this.#leaving !== undefined) {
      return failure('LEFT', 'not in the room: enter it first');
    }
    const isFull = this.#outbox.size >= MAX_UNSEEN;
    return isFull ? failure('TOO_MANY', `${MAX_UNSEEN} messages have not come back yet: wait for some`) : undefined;
  }

  #nextId() {
    this.#count += 1;
    return `${this.#prefix}-${this.#count}`;
  }

  #take(text, extras) {
    return new Promise((resolve, reject) => {
      const isLater = this.#outbox.isHeldUp; // keeps the order of this user's texts
      const entry = { id: this.#nextId(), text, extras, isSent: false, isLater, resolve, reject };
      this.#outbox.add(entry);
      if (this.#reconnector.isIn && !isLater) {
        this.#send(entry);
      }
      this.#kept.soon();
    });
  }

  /** Sends an entry. Its frame is built only now, because the user may be unknown until there is a token. */
  #send(entry) {
    entry.frame ??= frame('TEXT', this.user, entry.id, { message: entry.text, ...entry.extras });
    entry.isSent = true;
    entry.isLater = false;
    this.#reconnector.send(entry.frame);
  }

  #settle(message) {
    if (message.own) {
      this.#outbox.settle(message.id)?.resolve(message);
      this.#kept.soon();
    }
  }

  #refuse(entry, error) {
    this.#outbox.settle(entry.id);
    this.#kept.soon();
    entry.reject(error);
    this.#emit('refused', { text: entry.text, error, ...extrasOf(entry.extras) });
  }

  #failed(error) {
    const entry = this.#outbox.find(error.messageId);
    if (entry !== undefined && error.retryAfterMs === undefined) {
      this.#refuse(entry, refusal(error));
    } else if (entry !== undefined) {
      this.#sendLater(entry, error.retryAfterMs);
    }
  }

  /** Schedules one timer for all texts rejected for now, which keeps their order. */
  #sendLater(entry, delay) {
    entry.isLater = true;
    if (this.#resend === 0) {
      this.#resend = setTimeout(() => {
        this.#resend = 0;
        this.#outbox.inOrder().filter(({ isLater }) => isLater).forEach((late) => this.#send(late));
      }, delay);
    }
  }

  /**
   * Runs after this client's JOIN came back: the past has shown which texts were accepted. After a failed resume the
   * other texts fail as unknown.
   */
  #sendAgain(isKnown) {
    for (const entry of this.#outbox.inOrder()) {
      if (isKnown || !entry.isSent) {
        this.#send(entry);
      } else {
        this.#refuse(entry, failure('UNKNOWN', 'the connection was lost: the text may or may not be in the room'));
      }
    }
  }

  // --- joining and leaving

  #join() {
    const id = this.#nextId();
    const { device, data, history = 50, members = 200 } = this.#options;
    const after = this.#from ?? this.#last;
    return { id, after, frame: frame('JOIN', this.user, id, { device, data, after, history, members }) };
  }

  #arrived({ join, past, people, hasMoved }) {
    const isKnown = past.held !== undefined || this.#awaySince === undefined;
    this.#showPast(past, hasMoved);
    this.#from = this.#shownBefore = undefined;
    this.#remember(join);
    this.#sendAgain(isKnown);
    if (people !== undefined) {
      this.#list(people);
    }
    this.#follow(join);
  }

  #lost(code, wasIn) {
    if (code === GAP) {
      this.#last = this.#from = undefined;
    }
    this.#stopTimers();
    if (wasIn) {
      this.#awaySince = Date.now();
      this.#kept.soon();
    }
    if (this.#leaving !== undefined) {
      queueMicrotask(() => this.#left());
    }
  }

  #stopTimers() {
    clearTimeout(this.#resend);
    clearTimeout(this.#recount);
    this.#resend = this.#recount = 0;
  }

  #left() {
    const goodbye = this.#leaving;
    this.#stopTimers();
    this.#leaving = undefined;
    this.#reconnector.close();
    for (const entry of this.#outbox.inOrder()) {
      this.#refuse(entry, failure('LEFT', 'the room was left before it came back'));
    }
    this.#kept.forget();
    this.#last = this.#from = this.#shownBefore = this.#awaySince = undefined;
    this.#recent = [];
    const isWanted = this.#isWanted;
    this.#isWanted = false;
    this.#changeState({ name: 'left' });
    goodbye?.done();
    if (isWanted) {
      this.enter();
    }
  }

  // --- broadcasts

  /** Reports the amount of missed texts, then shows them. */
  #showPast(past, hasMoved) {
    const { held } = past;
    const frames = this.#takePast(past);
    if (held !== undefined && !hasMoved) {
      const missed = past.handedOn + this.#missedAmong(frames);
      this.#emit('back', { awayMs: Date.now() - this.#awaySince, missed });
    }
    if (held === undefined && this.#awaySince !== undefined) {
      this.#last = undefined;
      const first = frames.find(({ messageType }) => messageType === 'TEXT');
      this.#emit('gap', { since: new Date(this.#awaySince), until: first && this.#message(first, true) });
    }
    this.#isReloaded = false;
    this.#awaySince = Date.now();
    this.#showAll(frames, !hasMoved, held !== undefined);
  }

  /** Takes the past; after a reload including the named frame, which is not on the page any more. */
  #takePast(past) {
    const { held } = past;
    const frames = past.take();
    if (held !== undefined) {
      this.#oldest ??= nameOf(held);
    }
    if (held !== undefined && this.#isReloaded) {
      this.#isReloaded = false;
      frames.unshift(held);
    }
    return frames;
  }

  #handOn(past) {
    const frames = this.#takePast(past);
    past.handedOn += this.#missedAmong(frames);
    this.#showAll(frames, true);
  }

  /** Returns the number of texts from others that this user has never been shown. */
  #missedAmong(frames) {
    let missed = 0;
    for (const broadcast of frames) {
      const wasShown = this.#shownBefore !== undefined;
      if (keyOf(broadcast) === this.#shownBefore) {
        this.#shownBefore = undefined;
      }
      missed += !wasShown && this.#isNewText(broadcast) && !this.#isOwn(broadcast) ? 1 : 0;
    }
    return missed;
  }

  #isNewText(broadcast) {
    return broadcast.messageType === 'TEXT' && !this.#seen.has(broadcast);
  }

  /** Shows frames in order; returns the number of new texts. Members come and go only in a past without gaps. */
  #showAll(frames, isPast, isWhole = true) {
    let texts = 0;
    for (const broadcast of frames) {
      texts += this.#show(broadcast, isPast) ? 1 : 0;
      if (isWhole && !this.#isOwn(broadcast)) {
        this.#follow(broadcast);
      }
      this.#remember(broadcast);
    }
    return texts;
  }

  #live(broadcast) {
    if (broadcast.messageType === 'SIGNAL') {
      this.#emit('signal', this.#signal(broadcast)); // it has no position in the room, so it is not remembered
      return;
    }
    this.#showAll([broadcast], false);
    if (this.#isOwn(broadcast)) {
      this.#follow(broadcast);
    }
    if (broadcast.messageType === 'LEAVE' && broadcast.messageId === this.#leaving?.id) {
      this.#left();
    }
  }

  /** Returns whether it was a new text. */
  #show(broadcast, isPast) {
    if (broadcast.messageType !== 'TEXT') {
      return false;
    }
    const message = this.#message(broadcast, isPast);
    const isNew = this.#seen.add(broadcast);
    if (isNew) {
      this.#emit('message', message);
    }
    this.#settle(message);
    return isNew;
  }

  /** Remembers the frame up to which the room is known. */
  #remember(broadcast) {
    if (isNameable(broadcast)) {
      this.#last = nameOf(broadcast);
      this.#oldest ??= this.#last;
      this.#recall(broadcast);
      this.#kept.soon();
    }
  }

  #recall(broadcast) {
    const { history = 50 } = this.#options;
    if (broadcast.messageType === 'TEXT' && history > 0) {
      this.#recent.push(this.#last);
      this.#recent.splice(0, this.#recent.length - history);
    }
  }

  // --- members

  /** Follows other users. A user is not notified of their own coming and going. */
  #follow(broadcast) {
    const change = this.#people.follow(broadcast);
    if (!this.#isOwn(broadcast) && (change.hasOtherData || change.joined.length + change.left.length > 0)) {
      this.#emitPeople(change, new Date(broadcast.serverTimestamp));
      this.#countSoon();
    }
  }

  #list(list) {
    const { device, data } = this.#options;
    this.#emitPeople(this.#people.list(list, { ...this.user, data }, device));
  }

  #countSoon() {
    if (this.#people.isInDoubt && this.#recount === 0) {
      this.#recount = setTimeout(() => this.#countAgain(), DOUBT * (0.5 + Math.random() / 2));
    }
  }

  async #countAgain() {
    this.#recount = 0;
    if (!this.#people.isInDoubt) {
      return; // the server has sent another list
    }
    try {
      const { count } = await this.#place.page('?limit=1', this.#tokens.held);
      this.#people.recount(count);
      this.#emitPeople({ joined: [], left: [] });
    } catch {
      // it stays in doubt until the next JOIN or LEAVE
    }
  }

  // --- reload

  /** Returns a key per user and device, so that none reads the state of another one in the same tab. */
  #keptKey() {
    const { device } = this.#options;
    return this.user && `chatflow ${this.#place.key} ${this.user.id}${device ? ` ${device}` : ''}`;
  }

  #contents() {
    const unsent = this.#outbox.inOrder().map(({ id, text, extras, frame: made, isSent }) => ({ id, text, extras, frame: made, isSent }));
    const since = this.#reconnector.isIn ? Date.now() : this.#awaySince;
    return { last: this.#last, from: this.#recent[0], since, unsent };
  }

  #beginAfter() {
    const { after } = this.#options;
    if (after !== undefined) {
      this.#last = nameOfMessage(after);
      this.#awaySince = after.at.getTime();
    }
  }

  /** Puts the texts from before the reload in front of those written since. */
  #restore() {
    const kept = this.#kept.read();
    if (kept === null) {
      return;
    }
    this.#last = kept.last;
    this.#awaySince = kept.since;
    this.#isReloaded = kept.last !== undefined;
    this.#from = kept.from;
    this.#shownBefore = kept.last && keyOf(kept.last);
    this.#outbox.addFirst(kept.unsent.map((entry) => ({ ...entry, isLater: false, resolve() {}, reject() {} })));
  }
}
