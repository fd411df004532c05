// A connection from its JOIN to its end.

import { Connection } from './connection.js';
import { Past } from './memory.js';
import { isBroadcast, read } from './protocol.js';

/**
 * Joins as soon as it is connected; frames before its own JOIN are the past.
 *
 * `ask()` builds the JOIN: { frame, id, after }. Calls `on`, with this membership as the first argument: joining(),
 * pastIsFull(past), arrived(join, past), then members(list), live(broadcast) and failed(error); postponed(error),
 * refused(error), received(), and at last ended(code, reason).
 */
export class Membership {
  #connection;
  #ask;
  #on;
  #joinId = '';
  #past = new Past();
  #timer = 0;

  /** Whether this connection's JOIN has come back. */
  isIn = false;

  /** The member list sent before this connection's JOIN, which it includes. It is valid after the past was applied. */
  people;

  /** The token of the connection; undefined without one. */
  token;

  /** Chooses another server for later connections. */
  moveOn;

  constructor({ socket, moveOn }, token, ask, on) {
    this.token = token;
    this.moveOn = moveOn;
    this.#ask = ask;
    this.#on = on;
    this.#connection = new Connection(socket, {
      opened: () => this.#join(),
      received: (data) => this.#received(data),
      ended: (code, reason) => {
        clearTimeout(this.#timer);
        on.ended(this, code, reason);
      },
    });
  }

  send(frame) {
    this.#connection.send(frame);
  }

  probe() {
    this.#connection.probe();
  }

  close(code) {
    clearTimeout(this.#timer);
    this.#connection.close(code);
  }

  #join() {
    const { frame, id, after } = this.#ask();
    this.#joinId = id;
    this.#past = new Past(after);
    this.#connection.send(frame);
    this.#on.joining(this);
  }

  #received(data) {
    const value = read(data);
    this.#on.received(this);
    if (value === null) {
      return;
    }
    if (value.messageType === 'MEMBERS') {
      this.#members(value);
    } else if (isBroadcast(value)) {
      this.#broadcast(value);
    } else if (value.errorCode !== undefined) {
      this.#failed(value);
    }
  }

  #members(list) {
    if (this.isIn) {
      this.#on.members(this, list);
    } else {
      this.people = list;
    }
  }

  #broadcast(value) {
    if (this.isIn) {
      this.#on.live(this, value);
    } else if (value.messageType === 'JOIN' && value.messageId === this.#joinId) {
      this.isIn = true;
      this.#on.arrived(this, value, this.#past);
    } else if (value.messageType !== 'SIGNAL') { // the past has no signals
      this.#past.add(value);
      if (this.#past.isFull) {
        this.#on.pastIsFull(this, this.#past);
      }
    }
  }

  #failed(error) {
    if (error.messageId !== this.#joinId) {
      this.#on.failed(this, error);
    } else if (error.retryAfterMs !== undefined) {
      this.#timer = setTimeout(() => this.#join(), error.retryAfterMs);
      this.#on.postponed(this, error);
    } else if (error.errorCode !== 'ALREADY_JOINED') {
      this.#on.refused(this, error);
    }
  }
}
