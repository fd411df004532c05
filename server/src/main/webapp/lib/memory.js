// The memory of a room: the past, messages seen, messages in flight, members; and the part that survives a reload.

import { keyOf, memberOf, userOf } from './protocol.js';

const MOST = 4096; // maximum keys of seen frames, and of held frames
const KEPT = 65_536; // maximum characters of messages that survive a reload
const PAUSE = 250; // ms between two writes

/**
 * The frames of a membership before its own JOIN. If the first one is the frame that the JOIN named, nothing is
 * missing.
 */
export class Past {
  #named;
  #frames = [];
  #isBegun = false;

  /** The named frame, which came again; undefined if the resume failed. */
  held;

  /** Number of texts delivered before this connection's JOIN came back. */
  handedOn = 0;

  /** `named`: the frame that the JOIN named, or undefined. */
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

  /** Whether enough frames were collected to show them before the rest arrives. Only after a named frame. */
  get isFull() {
    return this.held !== undefined && this.#frames.length >= MOST;
  }

  take() {
    return this.#frames.splice(0);
  }
}

/**
 * Remembers the newest texts: a client that moved to another server, or could not resume, gets some of them again. As
 * on the server, two texts with the same id are two texts.
 */
export class Seen {
  static #keyOf({ userId, messageId, message, kind, ref, refUserId, data }) {
    return JSON.stringify([userId, messageId, message, kind, ref, refUserId, data]);
  }

  #keys = new Set();

  /** Returns false for a repeated text. */
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
 * This user's unacknowledged messages, in the order written. An entry is `{ id, text, extras, frame, isSent, isLater,
 * resolve, reject }`; isLater: rejected for now, to be sent again later.
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

  /** Whether an earlier text waits to be sent again, so that later ones have to wait. */
  get isHeldUp() {
    return this.inOrder().some(({ isLater }) => isLater);
  }

  /** Removes an entry that came back or was rejected; undefined if it is no longer here. */
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
 * Tracks the members of a room from the server's list and from every later JOIN and LEAVE. Each change returns the
 * added and removed members, and whether a known member has other data. A user is a member from the JOIN of
 * the first device to the LEAVE of the last.
 *
 * The list of a large room is cut: it counts all members, but names only the first by id. A JOIN of a user after the
 * last named id may come from a user who was already counted and came back without a LEAVE, as after a server failure.
 * It is counted as one more, which is the usual case, and the count is then in doubt. So it is after the LEAVE of such
 * a user's device, because the user may have others. A LEAVE is shown only for a known member.
 */
export class People {
  #cutBehind; // the list names every member up to this id; undefined: it names all
  #devices = new Map(); // a set by user id

  names = new Map();
  count = 0;
  complete = false;

  /** Whether a user may have been counted twice. */
  isInDoubt = false;

  #isNamed(id) {
    return this.#cutBehind === undefined || id <= this.#cutBehind;
  }

  /** Applies the JOIN or LEAVE of a broadcast. */
  follow(broadcast) {
    switch (broadcast.messageType) {
      case 'JOIN':
        return this.#joined(memberOf(broadcast), broadcast.device);
      case 'LEAVE':
        return this.#left(userOf(broadcast), broadcast.device);
      default:
        return { joined: [], left: [] };
    }
  }

  #joined(user, device) {
    const before = this.names.get(user.id);
    const isNew = before === undefined;
    this.names.set(user.id, user);
    this.#addDevice(user.id, device);
    this.count += isNew ? 1 : 0;
    this.isInDoubt ||= isNew && !this.#isNamed(user.id);
    const hasOtherData = JSON.stringify(before?.data) !== JSON.stringify(user.data);
    return { joined: isNew ? [user] : [], left: [], hasOtherData };
  }

  #addDevice(id, device) {
    this.#devices.set(id, (this.#devices.get(id) ?? new Set()).add(device));
  }

  #left(user, device) {
    const devices = this.#devices.get(user.id);
    devices?.delete(device);
    if (devices?.size > 0) {
      return { joined: [], left: [] };
    }
    this.#devices.delete(user.id);
    const isNamed = this.#isNamed(user.id);
    const wasThere = this.names.delete(user.id) || !isNamed;
    this.count -= wasThere && this.count > 0 ? 1 : 0;
    this.isInDoubt ||= !isNamed && device !== undefined;
    return { joined: [], left: wasThere ? [user] : [] };
  }

  /**
   * Replaces the known members by the server's list; `own` is a member with its device and data whether it is named or
   * not.
   */
  list({ members, count, complete }, own, device) {
    const before = this.names;
    this.#devices = new Map(members.map(({ userId, devices = [undefined] }) => [userId, new Set(devices.map((device) => device || undefined))]));
    this.#addDevice(own.id, device);
    this.names = new Map(members.map(memberOf).map((user) => [user.id, user]));
    this.names.set(own.id, { ...own, data: (this.names.get(own.id) ?? own).data });
    this.#cutBehind = count > members.length ? members.at(-1)?.userId ?? '' : undefined;
    this.complete = complete;
    this.recount(count);
    return {
      joined: [...this.names.values()].filter(({ id }) => !before.has(id)),
      left: [...before.values()].filter(({ id }) => !this.names.has(id) && this.#isNamed(id)),
    };
  }

  /** Applies a new count from the server. */
  recount(count) {
    this.count = Math.max(count, this.names.size);
    this.isInDoubt = false;
  }
}

/** Returns the browser's storage for this tab, or null if there is none. */
export function ownStore() {
  try {
    return globalThis.sessionStorage ?? null;
  } catch {
    return null;
  }
}

/** The part of a room that survives a reload, in a browser storage; written at intervals. */
export class Kept {
  #store;
  #key;
  #contents;
  #timer = 0;
  #atTheEnd = () => this.write();

  /**
   * `key()`: undefined while the user is unknown; then nothing is stored.
   * `contents()`: the state to store, as { last, unsent: [{ id, text, frame, isSent }], ... }.
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

  /** Starts writing, at the latest when the page is unloaded. */
  begin() {
    globalThis.addEventListener?.('pagehide', this.#atTheEnd);
  }

  /** Schedules a write after a change. */
  soon() {
    if (this.#store && this.#timer === 0) {
      this.#timer = setTimeout(() => this.write(), PAUSE);
    }
  }

  /** Writes the state; the oldest messages that do not fit are dropped. */
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
      // full or forbidden: less survives a reload
    }
  }
}
