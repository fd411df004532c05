// One WebSocket, and whether there is anybody at its other end.

import { PING, SILENT } from './protocol.js';

const OPENING = 10_000; // ms until a handshake that is not answered is given up
const QUIET = 20_000; // ms without a frame after which the server is asked
const ANSWER = 10_000; // ms it has for that
const PROBE = 3_000; // the same where there is reason for doubt
const SLEPT = 1_000; // ms by which a timer may be late before its verdict counts for nothing

/**
 * Tells `on` of what happens: opened(), received(text), ended(code, reason), which is the last; nothing
 * after close(). A server that says nothing is asked whether it lives, and given up when it does not answer.
 */
export class Connection {
  #socket;
  #on;
  #isOpen = false;
  #isAwaited = true; // at first the handshake, later an answer
  #heard = 0;
  #due = 0;
  #timer = 0;

  constructor(socket, on) {
    this.#socket = socket;
    this.#on = on;
    socket.onopen = () => this.#opened();
    socket.onmessage = ({ data }) => this.#received(data);
    socket.onclose = ({ code, reason }) => this.#end(code, reason);
    socket.onerror = () => {}; // its close follows
    this.#wait(OPENING);
  }

  send(text) {
    this.#socket.send(text);
  }

  /** Asks for a sign of life at once, and does not wait for it as long as usual. */
  probe() {
    if (this.#isOpen) {
      this.#ask(PROBE);
    }
  }

  close(code = 1000) {
    clearTimeout(this.#timer);
    const socket = this.#socket;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close(code);
  }

  #opened() {
    this.#isOpen = true;
    this.#hear();
    this.#wait(QUIET);
    this.#on.opened();
  }

  #received(data) {
    this.#hear();
    this.#on.received(data);
  }

  #hear() {
    this.#heard = performance.now();
    this.#isAwaited = false;
  }

  #end(code, reason) {
    this.close();
    this.#on.ended(code, reason);
  }

  #wait(ms) {
    clearTimeout(this.#timer);
    this.#due = performance.now() + ms;
    this.#timer = setTimeout(() => this.#judge(), ms);
  }

  #ask(ms) {
    this.#isAwaited = true;
    this.#socket.send(PING);
    this.#wait(ms);
  }

  /** A timer that comes late was asleep with its page: what arrived meanwhile may be waiting behind it. */
  #judge() {
    if (!this.#isAwaited) {
      this.#judgeQuiet(performance.now() - this.#heard);
    } else if (performance.now() - this.#due < SLEPT) {
      this.#end(SILENT, '');
    } else if (this.#isOpen) {
      this.#ask(PROBE);
    } else {
      this.#wait(OPENING);
    }
  }

  #judgeQuiet(quiet) {
    if (quiet >= QUIET) {
      this.#ask(ANSWER);
    } else {
      this.#wait(QUIET - quiet);
    }
  }
}
