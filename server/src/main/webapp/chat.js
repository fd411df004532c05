// One user in one room: joins, sends, resends, and drops repeats.

import { Link } from './link.js';
import { Members, Outbox, Seen } from './memory.js';
import { HISTORY, Past, amount, nameOf } from './past.js';
import { GAP, MAX_UNSEEN, eventWords, frame, read, words, wrongText } from './protocol.js';

/**
 * A stay in a room over any number of connections.
 *
 * `view`: state(state), text(entry), event(words, { when, age }), edge(), refused(text, words),
 * pending(entries), members(list), notice(words), turnedAway(error). `age` of a text or event: 'past'
 * when it was said before one came, 'missed' when one was away; edge() ends the past.
 */
export class Chat {
  #place;
  #user;
  #view;
  #link;
  #outbox = new Outbox();
  #seen = new Seen();
  #members = new Members();
  #prefix;
  #count = 0;
  #joinId = '';
  #joined = false;
  #past = new Past();
  #last; // the name of the last frame of the room; undefined: nothing can be resumed
  #lostAt = 0;
  #joinTimer = 0;
  #resendTimer = 0;

  /**
   * `place`: { room, socket, members, token }, the addresses of the endpoint and the member list,
   * and the token for both.
   * `prefix` starts every message id of this stay; no other stay of this user has it.
   */
  constructor(place, user, prefix, view) {
    this.#place = place;
    this.#user = user;
    this.#prefix = prefix;
    this.#view = view;
    this.#link = new Link(place.socket, place.token, {
      opened: () => this.#join(),
      received: (data) => this.#received(data),
      state: (state) => this.#changed(state),
    });
  }

  start() {
    this.#link.open();
  }

  /** Sends, now or when the connection is back. Returns why it cannot, or nothing. */
  say(text) {
    const wrong = wrongText(text);
    if (wrong !== '') {
      return wrong;
    }
    if (this.#outbox.isFull()) {
      return `${MAX_UNSEEN} messages have not come back yet: wait for some`;
    }
    const id = this.#nextId();
    const sent = frame('TEXT', this.#user, id, new Date(), { message: text });
    const entry = { id, text, frame: sent, later: false };
    this.#outbox.add(entry);
    if (this.#joined) {
      this.#send(entry);
    }
    this.#view.pending(this.#outbox.inOrder());
    return '';
  }

  /** Loses the connection on purpose; outside the room there is nothing to lose. */
  cut() {
    if (this.#joined) {
      this.#link.cut();
    }
  }

  /** Does not wait any longer for the next attempt; after a stop, begins anew. */
  tryNow() {
    this.#link.open();
  }

  /** As tryNow, when an attempt is waited for. */
  networkIsBack() {
    if (this.#link.isWaiting()) {
      this.#link.open();
    }
  }

  /** Leaves for good. Returns how many own messages had not come back. */
  leave() {
    if (this.#joined) {
      this.#link.send(frame('LEAVE', this.#user, this.#nextId(), new Date()));
    }
    this.#joined = false;
    this.#link.stop();
    this.#stopTimers();
    return this.#outbox.inOrder().length;
  }

  #send(entry) {
    entry.later = false;
    this.#link.send(entry.frame);
  }

  #nextId() {
    this.#count += 1;
    return `${this.#prefix}-${this.#count}`;
  }

  #changed(state) {
    if (state.code === GAP) {
      this.#last = undefined;
    }
    if (this.#joined) {
      this.#joined = false;
      this.#lostAt = performance.now();
      this.#view.event(`${state.why ?? 'The connection was given up'}.`);
    }
    this.#stopTimers();
    this.#view.state(state);
  }

  #stopTimers() {
    clearTimeout(this.#joinTimer);
    clearTimeout(this.#resendTimer);
    this.#resendTimer = 0;
  }

  /**
   * What waits is sent after the own JOIN has come back: behind a refused one it would be refused, and
   * the past before it shows what was accepted.
   */
  #join() {
    this.#joinId = this.#nextId();
    this.#past = new Past(this.#last);
    const asked = { after: this.#last, history: HISTORY };
    this.#link.send(frame('JOIN', this.#user, this.#joinId, new Date(), asked));
    this.#view.state({ name: 'joining' });
  }

  #received(data) {
    const value = read(data);
    if (value === null) {
      return;
    }
    if (value.status !== 200) {
      this.#failed(value);
    } else if (this.#joined) {
      this.#live(value);
    } else if (this.#isOwn(value) && value.messageId === this.#joinId) {
      this.#arrived(value);
    } else {
      this.#past.add(value, this.#isOwn(value) && this.#outbox.find(value.messageId) !== undefined);
    }
  }

  #isOwn({ userId }) {
    return userId === this.#user.userId;
  }

  #live(broadcast) {
    const { messageType, userId, username, messageId, duplicate } = broadcast;
    if (messageType === 'TEXT') {
      this.#settle(this.#isOwn(broadcast) ? [messageId] : []);
    } else if (messageType === 'JOIN') {
      this.#members.joined(userId, username);
    } else {
      this.#members.left(userId);
    }
    if (duplicate !== true) { // which has no place in the room
      this.#last = nameOf(broadcast);
    }
    if (this.#seen.add(broadcast)) {
      this.#show(broadcast);
    }
    if (messageType !== 'TEXT') {
      this.#view.members(this.#members.sorted());
    }
  }

  #show(broadcast, age = '') {
    if (broadcast.messageType === 'TEXT') {
      const late = broadcast.duplicate === true;
      this.#view.text({ ...broadcast, own: this.#isOwn(broadcast), late, age });
    } else {
      const when = age === '' ? new Date() : new Date(broadcast.serverTimestamp);
      this.#view.event(eventWords(broadcast), { when, age });
    }
  }

  #settle(ids) {
    if (ids.filter((id) => this.#outbox.settle(id) !== undefined).length > 0) {
      this.#view.pending(this.#outbox.inOrder());
    }
  }

  #arrived(join) {
    this.#joined = true;
    this.#link.arrived();
    this.#view.state({ name: 'online', serverId: join.serverId });
    this.#settle(this.#past.returned);
    this.#showPast();
    this.#seen.add(join);
    this.#last = nameOf(join);
    this.#outbox.inOrder().forEach((entry) => this.#send(entry));
    this.#loadMembers();
  }

  /** Here, not as it comes: the first line says how much it is, and half a past is none. */
  #showPast() {
    const { held, frames, left } = this.#past;
    const fresh = frames.filter((broadcast) => this.#seen.add(broadcast));
    const seconds = ((performance.now() - this.#lostAt) / 1000).toFixed(1);
    this.#past = new Past();
    if (this.#lostAt === 0) {
      this.#showBefore(fresh);
      this.#view.event('You joined.');
    } else if (held) {
      this.#view.event(`You were away ${seconds} s: ${amount(fresh, left.texts)}.`);
      this.#showLeft(left.lines);
      fresh.forEach((broadcast) => this.#show(broadcast, 'missed'));
    } else {
      this.#view.event(`Some may be missing: you were away ${seconds} s.`);
      this.#showBefore(fresh);
    }
  }

  #showBefore(frames) {
    frames.forEach((broadcast) => this.#show(broadcast, 'past'));
    if (frames.length > 0) {
      this.#view.edge();
    }
  }

  #showLeft(lines) {
    if (lines > 0) {
      this.#view.event(`The first ${lines} lines of it are not shown.`);
    }
  }

  /** Without the list the members seen so far are shown: it only adds who was there before. */
  async #loadMembers() {
    this.#members.expectList();
    this.#members.joined(this.#user.userId, this.#user.username);
    this.#view.members(this.#members.sorted());
    try {
      const answer = await fetch(this.#place.members, { cache: 'no-store', headers: this.#place.token.headers });
      const { members } = answer.ok ? await answer.json() : {};
      if (members && this.#joined) {
        this.#members.list(members);
        this.#view.members(this.#members.sorted());
      }
    } catch {
      this.#view.notice('The list of members could not be loaded');
    }
  }

  #failed(error) {
    if (error.messageId === this.#joinId) {
      this.#joinFailed(error);
    } else if (this.#outbox.find(error.messageId) === undefined) {
      this.#view.notice(words(error));
    } else if (error.retryAfterMs === undefined) {
      const { text } = this.#outbox.settle(error.messageId);
      this.#view.refused(text, words(error));
      this.#view.pending(this.#outbox.inOrder());
    } else {
      this.#sendLater(this.#outbox.find(error.messageId), error.retryAfterMs);
    }
  }

  #joinFailed(error) {
    if (error.retryAfterMs !== undefined) {
      this.#joinTimer = setTimeout(() => this.#join(), error.retryAfterMs);
      this.#view.state({ name: 'waiting', why: `Not let in: ${words(error)}`, delay: error.retryAfterMs });
    } else if (error.errorCode === 'ALREADY_JOINED') {
      this.#view.notice(words(error));
    } else {
      this.#link.stop();
      this.#view.turnedAway(error);
    }
  }

  /** One timer for all that were refused for now, so that they keep their order. */
  #sendLater(entry, delay) {
    entry.later = true;
    if (this.#resendTimer === 0) {
      this.#resendTimer = setTimeout(() => this.#sendDelayed(), delay);
    }
  }

  #sendDelayed() {
    this.#resendTimer = 0;
    for (const entry of this.#outbox.inOrder().filter((e) => e.later)) {
      this.#send(entry);
    }
  }
}
