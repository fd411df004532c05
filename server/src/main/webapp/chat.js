// One user in one room: joins, sends, resends, and drops repeats.

import { Link } from './link.js';
import { Members, Outbox, Seen } from './memory.js';
import { MAX_UNSEEN, frame, read, words, wrongText } from './protocol.js';

/**
 * A stay in a room over any number of connections.
 *
 * `view`: state(state), text(entry), event(words), refused(text, words), pending(entries),
 * members(list), notice(words), turnedAway(error).
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
  #lostAt = 0;
  #joinTimer = 0;
  #resendTimer = 0;

  /**
   * `place`: { room, socket, members }, the addresses of the endpoint and the member list.
   * `prefix` starts every message id of this stay; no other stay of this user has it.
   */
  constructor(place, user, prefix, view) {
    this.#place = place;
    this.#user = user;
    this.#prefix = prefix;
    this.#view = view;
    this.#link = new Link(place.socket, {
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
    const sent = frame('TEXT', this.#user, id, new Date(), text);
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

  /** What waits is sent after the own JOIN has come back: behind a refused one it would be refused. */
  #join() {
    this.#joinId = this.#nextId();
    this.#link.send(frame('JOIN', this.#user, this.#joinId, new Date()));
    this.#view.state({ name: 'joining' });
  }

  #received(data) {
    const value = read(data);
    if (value === null) {
      return;
    }
    if (value.status !== 200) {
      this.#failed(value);
    } else if (value.messageType === 'TEXT') {
      this.#text(value);
    } else if (value.messageType === 'JOIN') {
      this.#someoneJoined(value);
    } else if (value.messageType === 'LEAVE') {
      this.#someoneLeft(value);
    }
  }

  #text(broadcast) {
    const own = broadcast.userId === this.#user.userId;
    if (own && this.#outbox.settle(broadcast.messageId)) {
      this.#view.pending(this.#outbox.inOrder());
    }
    if (this.#seen.add(broadcast.userId, broadcast.messageId)) {
      this.#view.text({ ...broadcast, own, late: broadcast.duplicate === true });
    }
  }

  #someoneJoined({ userId, username, messageId, serverId }) {
    this.#members.joined(userId, username);
    if (userId === this.#user.userId && messageId === this.#joinId) {
      this.#arrived(serverId);
    } else {
      this.#view.event(`${username} joined.`);
    }
    this.#view.members(this.#members.sorted());
  }

  #someoneLeft({ userId, username, synthetic }) {
    this.#members.left(userId);
    this.#view.event(synthetic ? `${username} is gone: the connection ended.` : `${username} left.`);
    this.#view.members(this.#members.sorted());
  }

  #arrived(serverId) {
    this.#joined = true;
    this.#link.arrived();
    this.#view.state({ name: 'online', serverId });
    const unseen = this.#outbox.inOrder();
    unseen.forEach((entry) => this.#send(entry));
    this.#view.event(this.#lostAt === 0 ? 'You joined.' : this.#backWords(unseen.length));
    this.#loadMembers();
  }

  #backWords(resent) {
    const seconds = ((performance.now() - this.#lostAt) / 1000).toFixed(1);
    const sent = resent === 0 ? '' : `, and what waited (${resent}) is on its way`;
    return `You are back after ${seconds} s${sent}. What others wrote meanwhile is not shown.`;
  }

  /** Without the list the members seen so far are shown: it only adds who was there before. */
  async #loadMembers() {
    this.#members.expectList();
    this.#members.joined(this.#user.userId, this.#user.username);
    try {
      const answer = await fetch(this.#place.members, { cache: 'no-store' });
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
