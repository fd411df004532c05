// What a chat remembers: messages on their way, messages seen, members.

import { keyOf } from './past.js';
import { MAX_UNSEEN } from './protocol.js';

/** Own messages that have not come back, in the order written. Survives connections. */
export class Outbox {
  #entries = new Map();

  isFull() {
    return this.#entries.size >= MAX_UNSEEN;
  }

  /** An entry is `{ id, text, frame, later }`; later: refused for now, to be sent again in a while. */
  add(entry) {
    this.#entries.set(entry.id, entry);
  }

  find(id) {
    return this.#entries.get(id);
  }

  /** Takes out what came back or was refused; undefined when it is not here any more. */
  settle(id) {
    const entry = this.#entries.get(id);
    this.#entries.delete(id);
    return entry;
  }

  inOrder() {
    return [...this.#entries.values()];
  }
}

/**
 * The newest frames shown: a past that was not resumed begins with some of them, and who moved to
 * another server may get some again. Messages go by user and id, the rest by the whole name.
 */
export class Seen {
  static #MOST = 4096;
  #keys = new Set();

  /** False for a repeat. */
  add(frame) {
    const key = frame.messageType === 'TEXT' ? `${frame.userId} ${frame.messageId}` : keyOf(frame);
    if (this.#keys.has(key)) {
      return false;
    }
    this.#keys.add(key);
    if (this.#keys.size > Seen.#MOST) {
      this.#keys.delete(this.#keys.values().next().value);
    }
    return true;
  }
}

/** Who is in the room: the server's list, corrected by every JOIN and LEAVE since it was asked for. */
export class Members {
  #names = new Map();
  #since = null; // what happened while the list is on its way

  expectList() {
    this.#since = new Map();
  }

  joined(userId, username) {
    this.#names.set(userId, username);
    this.#since?.set(userId, username);
  }

  left(userId) {
    this.#names.delete(userId);
    this.#since?.set(userId, null);
  }

  list(members) {
    this.#names = new Map(members.map((m) => [m.userId, m.username]));
    for (const [userId, username] of this.#since ?? []) {
      if (username === null) {
        this.#names.delete(userId);
      } else {
        this.#names.set(userId, username);
      }
    }
    this.#since = null;
  }

  /** `{ userId, username }` by name, then number. */
  sorted() {
    return [...this.#names]
      .map(([userId, username]) => ({ userId, username }))
      .sort((a, b) => a.username.localeCompare(b.username) || a.userId - b.userId);
  }
}
