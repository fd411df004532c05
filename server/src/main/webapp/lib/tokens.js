// Who one is: as told, or as a token says.

import { failure } from './protocol.js';

const SOON = 60_000; // ms before its end in which a token is not used for what is new
const BETWEEN = 30_000; // ms between two tokens, unless a server refuses one

/** The claims of a JWT; its signature is the server's business. */
export function claims(token) {
  try {
    const base64 = token.split('.')[1].replaceAll('-', '+').replaceAll('_', '/');
    const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw failure('TOKEN', 'the token is not a JWT');
  }
}

/** Whom a token names, as far as it does: { id, name }. A service's names nobody, nor what is no token. */
export function named(token) {
  try {
    const { sub, name } = claims(token);
    return { id: sub === '*' ? undefined : sub, name };
  } catch {
    return {};
  }
}

/** A username for a token that has none: its subject, as far as that can be one. */
function nameFrom(subject) {
  const name = subject.replaceAll(/[^A-Za-z0-9_-]/g, '_');
  return (name.length < 3 ? `user${name}` : name).slice(0, 20);
}

/**
 * One token for all rooms of a program, asked for when it is needed.
 *
 * How long it lasts is judged by the server's clock, as far as `follow` knows it, and never by this machine's alone:
 * a wrong clock here must not make a valid token look expired.
 */
export class Tokens {
  #ask;
  #held;
  #asked;
  #ends = Infinity; // by the server's clock
  #ahead = 0; // ms that the server's clock is ahead of ours
  #askedAt = -Infinity;
  #renewAt = Infinity;

  /** `ask(why)`: the program's own callback, or undefined: nobody asks for tokens. */
  constructor(ask) {
    this.#ask = ask;
  }

  get isUsed() {
    return this.#ask !== undefined;
  }

  /** What is held, for requests over HTTP. */
  get held() {
    return this.#held;
  }

  /**
   * Milliseconds until another one is needed: a minute before its end, or halfway where it lasts less than two, but at
   * least half a minute after the last one. Infinity without an end.
   */
  get renewIn() {
    return Math.max(this.#renewAt, this.#askedAt + BETWEEN) - performance.now();
  }

  /** Takes the time of the server's clock from what it has just sent. */
  follow(serverTimestamp) {
    const ahead = Date.parse(serverTimestamp) - Date.now();
    if (Number.isFinite(ahead)) {
      this.#ahead = ahead;
      this.#plan();
    }
  }

  /**
   * Returns the token held as long as it lasts a while, else a new one. `stale` is one that must not be used again:
   * it is returned only if the program has no other.
   */
  async get(why, stale) {
    if (!this.isUsed) {
      return undefined;
    }
    if (this.#held !== undefined && this.#held !== stale && this.renewIn > 0) {
      return this.#held;
    }
    this.#asked ??= this.#renew(why).finally(() => (this.#asked = undefined));
    return this.#asked;
  }

  async #renew(why) {
    const token = await this.#ask(why);
    const { exp } = claims(token);
    this.#ends = Number.isFinite(exp) ? exp * 1000 : Infinity;
    this.#askedAt = performance.now();
    this.#held = token;
    this.#plan();
    return token;
  }

  #plan() {
    const left = this.#ends - Date.now() - this.#ahead;
    this.#renewAt = performance.now() + (left > 2 * SOON ? left - SOON : left / 2);
  }

  user(token) {
    const { id, name } = named(token);
    if (id === undefined) {
      throw failure('TOKEN', 'the token names no user: set the user in the options');
    }
    return { id: String(id), name: name ?? nameFrom(String(id)) };
  }
}
