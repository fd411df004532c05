// Who one is: as told, or as a token says.

import { failure } from './protocol.js';

const SOON = 60_000; // ms before its end in which a token is not used for what is new

/** The claims of a JWT; its signature is the server's business. */
export function claims(token) {
  try {
    const base64 = token.split('.')[1].replaceAll('-', '+').replaceAll('_', '/');
    const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw failure('TOKEN', 'the token is no JWT');
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

/** One token for all rooms of a program, asked for when it is needed. */
export class Tokens {
  #ask;
  #held;
  #asked;
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

  /** When to ask for another: a minute before its end, or halfway where it lasts less than two; Infinity without an end. */
  get renewAt() {
    return this.#renewAt;
  }

  /**
   * A token; the one held as long as it is good for a while. `stale` is one that is not wanted any more:
   * it is answered again only when the program has no other.
   */
  async get(why, stale) {
    if (!this.isUsed) {
      return undefined;
    }
    if (this.#held !== undefined && this.#held !== stale && Date.now() < this.#renewAt) {
      return this.#held;
    }
    this.#asked ??= this.#renew(why).finally(() => (this.#asked = undefined));
    return this.#asked;
  }

  async #renew(why) {
    const token = await this.#ask(why);
    const { exp } = claims(token);
    const left = exp * 1000 - Date.now();
    this.#renewAt = exp === undefined ? Infinity : Date.now() + (left > 2 * SOON ? left - SOON : left / 2);
    this.#held = token;
    return token;
  }

  user(token) {
    const { id, name } = named(token);
    if (id === undefined) {
      throw failure('TOKEN', 'the token names no user: say in the options who it is');
    }
    return { id: String(id), name: name ?? String(id) };
  }
}
