// One WebSocket, with a check that its server is alive.

import { PING, SILENT } from './protocol.js';

const OPENING = 10_000; // ms until an unanswered handshake is given up
const QUIET = 20_000; // ms without a frame until a ping is sent
const ANSWER = 10_000; // ms to wait for the answer
const PROBE = 3_000; // ms to wait if the connection is in doubt
const SLEPT = 1_000; // maximum lateness in ms of a timer whose result counts

/**
 * Calls `on`: opened(), received(text) and at last ended(code, reason); nothing after close(). A silent server gets a
 * ping, and the connection is given up without an answer.
 */
export class Connection {
  #socket;
  #on;
  #isOpen = false;
  #isWaiting = true; // first the handshake, later the answer to a ping
  #lastFrameAt = 0;
  #due = 0;
  #timer = 0;

  constructor(socket, on) {
    this.#socket = socket;
    this.#on = on;
    socket.onopen = () => this.#opened();
    socket.onmessage = ({ data }) => this.#received(data);
    socket.onclose = ({ code, reason }) => this.#end(code, reason);
    socket.onerror = () => {}; // the close event follows
    this.#wait(OPENING);
  }

  send(text) {
    this.#socket.send(text);
  }

  /** Sends a ping at once, with a shorter wait than usual. */
  probe() {
    if (this.#isOpen) {
      this.#ping(PROBE);
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
    this.#noteFrame();
    this.#wait(QUIET);
    this.#on.opened();
  }

  #received(data) {
    this.#noteFrame();
    this.#on.received(data);
  }

  #noteFrame() {
    this.#lastFrameAt = performance.now();
    this.#isWaiting = false;
  }

  #end(code, reason) {
    this.close();
    this.#on.ended(code, reason);
  }

  #wait(ms) {
    clearTimeout(this.#timer);
    this.#due = performance.now() + ms;
    this.#timer = setTimeout(() => this.#check(), ms);
  }

  #ping(ms) {
    this.#isWaiting = true;
    this.#socket.send(PING);
    this.#wait(ms);
  }

  /**
   * Gives up a connection that did not answer. A timer that fires late means that the page slept: frames may be waiting
   * to be read.
   */
  #check() {
    if (!this.#isWaiting) {
      this.#checkQuiet(performance.now() - this.#lastFrameAt);
    } else if (performance.now() - this.#due < SLEPT) {
      this.#end(SILENT, '');
    } else if (this.#isOpen) {
      this.#ping(PROBE);
    } else {
      this.#wait(OPENING);
    }
  }

  #checkQuiet(quiet) {
    if (quiet >= QUIET) {
      this.#ping(ANSWER);
    } else {
      this.#wait(QUIET - quiet);
    }
  }
}
