// The user: from the options or the token.

import { failure } from './protocol.js';

const SOON = 60_000; // ms before its end in which a token is not used for new connections
const BETWEEN = 30_000; // ms between two tokens, unless a server rejects one

/** Decodes the claims of a JWT. The server verifies the signature. */
export function claims(token) {
  try {
    const base64 = token.split('.')[1].replaceAll('-', '+').replaceAll('_', '/');
    const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw failure('TOKEN', 'the token is not a JWT');
  }
}

/**
 * Returns the user that a token names, as far as it does: { id, name }. Empty for a service and for an invalid token.
 */
export function named(token) {
  try {
    const { sub, name } = claims(token);
    return { id: sub === '*' ? undefined : sub, name };
  } catch {
    return {};
  }
}

/**
 * The one token for all rooms of a program, requested when it is needed.
 *
 * Its validity is judged by the server's clock once `follow` knows it: a wrong clock on this machine must not make a
 * valid token look expired.
 */
export class Tokens {
  #ask;
  #held;
  #pending;
  #ends = Infinity; // by the server's clock
  #ahead = 0; // ms that the server's clock is ahead of this one
  #askedAt = -Infinity;
  #renewAt = Infinity;

  /** `ask(why)`: the program's callback, or undefined if no tokens are used. */
  constructor(ask) {
    this.#ask = ask;
  }

  get isUsed() {
    return this.#ask !== undefined;
  }

  /** The current token, for HTTP requests. */
  get held() {
    return this.#held;
  }

  /**
   * Milliseconds until a new token is needed: one minute before the current one ends, or after half its validity if it
   * lasts less than two minutes, but at least 30 s after the last one. Infinity if it does not expire.
   */
  get renewIn() {
    return Math.max(this.#renewAt, this.#askedAt + BETWEEN) - performance.now();
  }

  /** Sets the server's clock from a timestamp that just arrived. */
  follow(serverTimestamp) {
    const ahead = Date.parse(serverTimestamp) - Date.now();
    if (Number.isFinite(ahead)) {
      this.#ahead = ahead;
      this.#plan();
    }
  }

  /**
   * Returns the current token while it is valid long enough, otherwise a new one. `stale` is a token not to use again:
   * it is returned only if the program has no other.
   */
  async get(why, stale) {
    if (!this.isUsed) {
      return undefined;
    }
    if (this.#held !== undefined && this.#held !== stale && this.renewIn > 0) {
      return this.#held;
    }
    this.#pending ??= this.#renew(why).finally(() => (this.#pending = undefined));
    return this.#pending;
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
    return { id: String(id), name: name ?? String(id) };
  }
}
