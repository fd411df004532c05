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

/** The newest texts seen: who moved, or could not resume, gets some again. */
export class Seen {
  static #keyOf({ userId, messageId }) {
    return `${userId} ${messageId}`;
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

/** Who is in the room, corrected by every JOIN and LEAVE. Each change says whom it added and took away. */
export class People {
  #since; // what happened while a list is on its way

  names = new Map();
  count = 0;
  complete = false;

  /** A list is asked for; answers whether it is still wanted. */
  expectList() {
    const since = (this.#since = new Map());
    return () => since === this.#since;
  }

  expectNoList() {
    this.#since = undefined;
  }

  /** What a broadcast says of them. */
  follow(broadcast) {
    switch (broadcast.messageType) {
      case 'JOIN':
        return this.joined(userOf(broadcast));
      case 'LEAVE':
        return this.left(broadcast.userId);
      default:
        return { joined: [], left: [] };
    }
  }

  joined(user) {
    this.#since?.set(user.id, user);
    const isNew = !this.names.has(user.id);
    this.names.set(user.id, user);
    this.count += isNew ? 1 : 0;
    return { joined: isNew ? [user] : [], left: [] };
  }

  left(id) {
    this.#since?.set(id, undefined);
    const user = this.names.get(id);
    this.names.delete(id);
    this.count -= user === undefined ? 0 : 1;
    return { joined: [], left: user === undefined ? [] : [user] };
  }

  /** The server's list; of a large room it may be a part, or empty, with the count of all. */
  list({ members, count, complete }) {
    const before = this.names;
    this.names = new Map(members.map((member) => [member.userId, userOf(member)]));
    this.complete = complete === true;
    this.count = Math.max(count ?? 0, this.names.size);
    const since = this.#since ?? [];
    this.#since = undefined;
    since.forEach((user, id) => (user === undefined ? this.left(id) : this.joined(user)));
    const missingIn = (others) => (user) => !others.has(user.id);
    return {
      joined: [...this.names.values()].filter(missingIn(before)),
      left: [...before.values()].filter(missingIn(this.names)),
    };
  }
}

/** What of a room outlives a reload, in a store of the browser's kind; written now and then, not each time. */
export class Kept {
  #store;
  #key;
  #contents;
  #timer = 0;
  #atTheEnd = () => this.write();

  /** `contents()`: what is to be kept, as { last, unsent: [{ id, text, frame, isSent }], ... }. */
  constructor(store, key, contents) {
    this.#store = store;
    this.#key = key;
    this.#contents = contents;
  }

  read() {
    try {
      return JSON.parse(this.#store?.getItem(this.#key) ?? 'null');
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
    try {
      if (text === null) {
        this.#store?.removeItem(this.#key);
      } else {
        this.#store?.setItem(this.#key, text);
      }
    } catch {
      // Full, or forbidden: a reload will know less.
    }
  }
}
