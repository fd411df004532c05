// ChatFlow for browsers and Node: rooms that reconnect automatically. Types and guarantees: chatflow.d.ts.

import { ownStore } from './memory.js';
import { WORD, isData } from './protocol.js';
import { Room } from './room.js';
import { Tokens } from './tokens.js';

const REACH = 3_000; // ms for the request before several rooms connect
const ROOM = /^[A-Za-z0-9_-]{1,64}$/;

function parsed(base) {
  const address = String(base).replace(/\/*$/, '/').replace(/^ws/, 'http');
  return new URL(address, globalThis.location?.href);
}

function socketOf(base, id) {
  const address = new URL(`chat/${id}`, base);
  address.protocol = address.protocol.replace('http', 'ws');
  return address.href;
}

/** Throws in the call that made the mistake. */
function requireUsable({ user, token, WebSocket = globalThis.WebSocket }) {
  if (user === undefined && token === undefined) {
    throw new TypeError('the options name neither a user nor where tokens come from');
  }
  if (user !== undefined && (typeof user?.id !== 'string' || typeof user.name !== 'string')) {
    throw new TypeError('options.user is { id, name }, both strings: write the id 17 as "17"');
  }
  if (token !== undefined && typeof token !== 'function') {
    throw new TypeError('options.token is a function that returns a token or a promise of one');
  }
  if (typeof WebSocket !== 'function') {
    throw new TypeError('this runtime has no WebSocket: pass a class of that kind as options.WebSocket');
  }
}

export class ChatFlow {
  #bases;
  #at = 0; // the one in use
  #options;
  #tokens;
  #rooms = new Set(); // rooms that were not left
  #byId = new Map(); // every room ever requested
  #reaching; // a request in flight

  constructor(base, options) {
    this.#bases = [base].flat().map(parsed);
    this.#options = { store: ownStore(), ...options };
    this.#tokens = new Tokens(this.#options.token);
    requireUsable(this.#options);
  }

  room(id, options) {
    if (!ROOM.test(id)) {
      throw new RangeError(`a room has 1 to 64 of A-Z a-z 0-9 _ -, not ${id}`);
    }
    if (options?.device !== undefined && !WORD.test(options.device)) {
      throw new RangeError(`a device has 1 to 32 of A-Z a-z 0-9 . _ : -, not ${options.device}`);
    }
    if (options?.data !== undefined && !isData(JSON.stringify(options.data))) {
      throw new RangeError('the data of a member is a JSON object of at most 2,048 bytes');
    }
    if (!this.#byId.has(id)) {
      const room = new Room(this.#place(id), this.#tokens, { ...this.#options, ...options });
      room.on('state', ({ name }) => (name === 'left' ? this.#rooms.delete(room) : this.#rooms.add(room)));
      this.#byId.set(id, room);
    }
    return this.#byId.get(id);
  }

  async close() {
    await Promise.all([...this.#rooms].map((room) => room.leave()));
  }

  get #base() {
    return this.#bases[this.#at];
  }

  #place(id) {
    return {
      id,
      key: socketOf(this.#bases[0], id),
      servers: this.#bases.length,
      reach: () => this.#reach(),
      socket: (token) => this.#socket(id, token),
      page: (path, token) => this.#page(new URL(`api/rooms/${id}${path}`, this.#base), token),
    };
  }

  /** Moves on to the next server, unless another room has done that since the failed one was in use. */
  #moveOn(failed) {
    if (failed === this.#at) {
      this.#at = (failed + 1) % this.#bases.length;
    }
  }

  /**
   * Sends a request first if there are several rooms, because browsers share an HTTP/2 connection for WebSockets only
   * if it already exists. Its outcome does not matter.
   */
  async #reach() {
    await undefined; // counts all rooms entered in the same turn
    if (this.#rooms.size > 1 && this.#base.protocol === 'https:' && globalThis.location !== undefined) {
      this.#reaching ??= this.#ask(new URL('lib/package.json', this.#base), {
        mode: 'no-cors', credentials: 'include', cache: 'no-store', signal: AbortSignal.timeout(REACH),
      }).catch(() => {}).finally(() => (this.#reaching = undefined));
      await this.#reaching;
    }
  }

  /** Returns a WebSocket, and what to call if its server does not accept it. */
  #socket(id, token) {
    const WebSocket = this.#options.WebSocket ?? globalThis.WebSocket;
    const at = this.#at;
    const protocols = token === undefined ? [] : [['chatflow.v1', `token.${token}`]];
    return { socket: new WebSocket(socketOf(this.#base, id), ...protocols), moveOn: () => this.#moveOn(at) };
  }

  async #ask(address, options) {
    return (this.#options.fetch ?? globalThis.fetch)(address, options);
  }

  /** Returns the JSON of a response; undefined if there is none. */
  async #page(address, token) {
    const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
    const answer = await this.#ask(address, { headers, cache: 'no-store' });
    if (answer.status === 404) {
      return undefined;
    }
    if (!answer.ok) {
      throw new Error(`the server answers ${answer.status}`);
    }
    return answer.json();
  }
}
