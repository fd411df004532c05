// The way to the server: one socket after the other.

import { afterClose } from './protocol.js';

const CUT_CODE = 4000; // of this page's own making: for the server a close like any other
const CUT_PAUSE = 3000; // ms: long enough to write something meanwhile
const STEADY = 5000; // ms in the room after which earlier failures no longer count

/**
 * The token by which a server lets this page in; none where it asks for none. It comes with the
 * address, behind `#token=`, which browsers send to nobody, and is taken out of it at once. Who shows
 * this page within his own gives it the same way.
 */
export class Token {
  #text;

  /** `kept`: the one of before a reload, or empty. */
  constructor(location, history, kept) {
    const given = /^#token=([A-Za-z0-9._-]+)$/.exec(location.hash);
    this.#text = given === null ? kept : given[1];
    if (given !== null) {
      history.replaceState(null, '', location.pathname + location.search);
    }
  }

  get text() {
    return this.#text;
  }

  /** What a WebSocket offers: pages cannot set a header for it. */
  get protocols() {
    return this.#text === '' ? [] : ['chatflow.v1', `token.${this.#text}`];
  }

  /** What a request carries. */
  get headers() {
    return this.#text === '' ? {} : { Authorization: `Bearer ${this.#text}` };
  }

  /** Who it says one is: `{ sub, name }`, as far as it can be read. The server checks it. */
  get claims() {
    try {
      const middle = this.#text.split('.')[1].replaceAll('-', '+').replaceAll('_', '/');
      return JSON.parse(atob(middle));
    } catch {
      return {};
    }
  }
}

/**
 * A connection that comes back by itself, as the close table says.
 *
 * `events`: opened(), received(data), state({ name, why, delay, code }) with the names connecting,
 * waiting, stopped; code: what the server closed with. Nothing is reported of a socket that has been
 * given up.
 */
export class Link {
  #address;
  #token;
  #events;
  #socket = null;
  #timer = 0;
  #failures = 0;
  #steadySince = Infinity;

  constructor(address, token, events) {
    this.#address = address;
    this.#token = token;
    this.#events = events;
  }

  open() {
    this.#giveUp(1000);
    const socket = new WebSocket(this.#address, this.#token.protocols);
    this.#socket = socket;
    this.#steadySince = Infinity;
    const whileCurrent = (then) => (event) => {
      if (socket === this.#socket) {
        then(event);
      }
    };
    socket.onopen = whileCurrent(() => this.#events.opened());
    socket.onmessage = whileCurrent((event) => this.#events.received(event.data));
    socket.onclose = whileCurrent((event) => this.#ended(event.code, event.reason));
    this.#events.state({ name: 'connecting' });
  }

  send(data) {
    this.#socket?.send(data);
  }

  /** The room has been entered: from now on time counts as success. */
  arrived() {
    this.#steadySince = performance.now();
  }

  /** Ends the connection without a word to the room, and comes back. */
  cut() {
    this.#giveUp(CUT_CODE);
    this.#comeBack({ delay: CUT_PAUSE, why: 'You cut the connection' });
  }

  stop() {
    this.#giveUp(1000);
  }

  isWaiting() {
    return this.#timer !== 0;
  }

  #giveUp(code) {
    const socket = this.#socket;
    this.#socket = null;
    clearTimeout(this.#timer);
    this.#timer = 0;
    socket?.close(code);
  }

  #ended(code, reason) {
    this.#socket = null;
    if (performance.now() - this.#steadySince > STEADY) {
      this.#failures = 0;
    }
    const next = afterClose(code, reason, this.#failures, Math.random());
    this.#failures += 1;
    if (next.again) {
      this.#comeBack({ ...next, code });
    } else {
      this.#events.state({ name: 'stopped', why: next.why, code });
    }
  }

  #comeBack({ delay, why, code }) {
    this.#timer = setTimeout(() => this.open(), delay);
    this.#events.state({ name: 'waiting', why, delay, code });
  }
}
