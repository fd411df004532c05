// What a room remembers: the past, messages seen, messages on their way, people; and what outlives a reload.

import { keyOf, userOf } from './protocol.js';

const MOST = 4096; // keys of frames seen, and frames held
const KEPT = 65_536; // characters of messages that outlive a reload
const PAUSE = 250; // ms between two writings

/**
 * The frames of a membership before its own JOIN. Whose first is the one that the JOIN named: nothing is
 * missing between that and what follows.
 */
export class Past {
  #named;
  #frames = [];
  #isBegun = false;

  /** The frame that was named, as it came again; undefined when the resume failed. */
  held;

  /** How many texts were handed on before the own JOIN came. */
  handedOn = 0;

  /** `named`: what the JOIN named, or undefined. */
  constructor(named) {
    this.#named = named === undefined ? '' : keyOf(named);
  }

  add(broadcast) {
    if (!this.#isBegun && keyOf(broadcast) === this.#named) {
      this.held = broadcast;
    } else {
      this.#frames.push(broadcast);
    }
    this.#isBegun = true;
  }

  /** So many that they are to be taken out and shown, though more will come; only behind a frame named. */
  get isFull() {
    return this.held !== undefined && this.#frames.length >= MOST;
  }

  take() {
    return this.#frames.splice(0);
  }
}

/**
 * The newest texts seen: who moved, or could not resume, gets some again. Two texts under one id are two, as they are
 * for the server.
 */
export class Seen {
  static #keyOf({ userId, messageId, message }) {
    return `${userId} ${messageId} ${message}`;
  }

  #keys = new Set();

  /** False for a repeat. */
  add(text) {
    const key = Seen.#keyOf(text);
    if (this.#keys.has(key)) {
      return false;
    }
    this.#keys.add(key);
    if (this.#keys.size > MOST) {
      this.#keys.delete(this.#keys.values().next().value);
    }
    return true;
  }

  has(text) {
    return this.#keys.has(Seen.#keyOf(text));
  }
}

/**
 * Own messages that have not come back, in the order written. An entry is `{ id, text, frame, isSent, isLater,
 * resolve, reject }`; later: refused for now, to be sent again in a while.
 */
export class Outbox {
  #entries = new Map();

  get size() {
    return this.#entries.size;
  }

  add(entry) {
    this.#entries.set(entry.id, entry);
  }

  /** Adds entries that were written before all others. */
  addFirst(entries) {
    this.#entries = new Map([...entries.map((entry) => [entry.id, entry]), ...this.#entries]);
  }

  find(id) {
    return this.#entries.get(id);
  }

  /** Whether an earlier text waits to be sent again: later ones wait behind it. */
  get isHeldUp() {
    return this.inOrder().some(({ isLater }) => isLater);
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
 * Who is in the room: the server's list, and every JOIN and LEAVE behind it. Each change says whom it added and
 * took away.
 *
 * The list of a large room is cut: it names the first by id, and counts all. Behind the last named, a JOIN may be of
 * somebody who was counted already and came back without having left, as everybody does whose server died. It counts
 * as one more, which is the usual case, and leaves the count in doubt. A LEAVE is shown only of who was there.
 */
export class People {
  #cutBehind; // the id up to which the list names everybody; undefined: it names all

  names = new Map();
  count = 0;
  complete = false;

  /** Whether somebody may have been counted twice. */
  isInDoubt = false;

  #isNamed(id) {
    return this.#cutBehind === undefined || id <= this.#cutBehind;
  }

  /** What a broadcast says of them. */
  follow(broadcast) {
    switch (broadcast.messageType) {
      case 'JOIN':
        return this.#joined(userOf(broadcast));
      case 'LEAVE':
        return this.#left(userOf(broadcast));
      default:
        return { joined: [], left: [] };
    }
  }

  #joined(user) {
    const isNew = !this.names.has(user.id);
    this.names.set(user.id, user);
    this.count += isNew ? 1 : 0;
    this.isInDoubt ||= isNew && !this.#isNamed(user.id);
    return { joined: isNew ? [user] : [], left: [] };
  }

  #left(user) {
    const wasThere = this.names.delete(user.id) || !this.#isNamed(user.id);
    this.count -= wasThere && this.count > 0 ? 1 : 0;
    return { joined: [], left: wasThere ? [user] : [] };
  }

  /** The server's list, which replaces what is known; `own` is in the room, named or not. */
  list({ members, count, complete }, own) {
    const before = this.names;
    this.names = new Map([...members.map(userOf), own].map((user) => [user.id, user]));
    this.#cutBehind = count > members.length ? members.at(-1)?.userId ?? '' : undefined;
    this.complete = complete;
    this.recount(count);
    return {
      joined: [...this.names.values()].filter(({ id }) => !before.has(id)),
      left: [...before.values()].filter(({ id }) => !this.names.has(id) && this.#isNamed(id)),
    };
  }

  /** How many the server says they are. */
  recount(count) {
    this.count = Math.max(count, this.names.size);
    this.isInDoubt = false;
  }
}

/** Where the browser lets us keep something for this tab; else null. */
export function ownStore() {
  try {
    return globalThis.sessionStorage ?? null;
  } catch {
    return null;
  }
}

/** What of a room outlives a reload, in a store of the browser's kind; written now and then, not each time. */
export class Kept {
  #store;
  #key;
  #contents;
  #timer = 0;
  #atTheEnd = () => this.write();

  /**
   * `key()`: undefined while the user is unknown: then nothing is kept.
   * `contents()`: what is to be kept, as { last, unsent: [{ id, text, frame, isSent }], ... }.
   */
  constructor(store, key, contents) {
    this.#store = store;
    this.#key = key;
    this.#contents = contents;
  }

  read() {
    try {
      return JSON.parse(this.#store?.getItem(this.#key()) ?? 'null');
    } catch {
      return null;
    }
  }

  /** From now on it is written at the latest when the page goes. */
  begin() {
    globalThis.addEventListener?.('pagehide', this.#atTheEnd);
  }

  /** Something has changed. */
  soon() {
    if (this.#store && this.#timer === 0) {
      this.#timer = setTimeout(() => this.write(), PAUSE);
    }
  }

  /** What does not fit is not kept: the oldest messages are. */
  write() {
    this.#stop();
    const contents = this.#contents();
    let left = KEPT;
    const unsent = contents.unsent.filter(({ text, frame = text }) => (left -= frame.length) >= 0);
    this.#put(JSON.stringify({ ...contents, unsent }));
  }

  forget() {
    globalThis.removeEventListener?.('pagehide', this.#atTheEnd);
    this.#stop();
    this.#put(null);
  }

  #stop() {
    clearTimeout(this.#timer);
    this.#timer = 0;
  }

  #put(text) {
    const key = this.#key();
    try {
      if (key !== undefined && text === null) {
        this.#store?.removeItem(key);
      } else if (key !== undefined) {
        this.#store?.setItem(key, text);
      }
    } catch {
      // Full, or forbidden: a reload will know less.
    }
  }
}
