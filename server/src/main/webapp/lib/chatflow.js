// ChatFlow for browsers and Node: rooms that come back by themselves. Types and promises: chatflow.d.ts.

import { Room } from './room.js';
import { Tokens } from './tokens.js';

const ROOM = /^[A-Za-z0-9_-]{1,64}$/;

/** Where the browser lets us keep something for this tab. */
function ownStore() {
  try {
    return globalThis.sessionStorage ?? null;
  } catch {
    return null;
  }
}

export class ChatFlow {
  #base;
  #options;
  #tokens;
  #rooms = new Set();

  constructor(base, options) {
    const address = String(base).replace(/\/*$/, '/').replace(/^ws/, 'http');
    this.#base = new URL(address, globalThis.location?.href);
    this.#options = { store: ownStore(), ...options };
    this.#tokens = new Tokens(options.token);
    if (options.user === undefined && options.token === undefined) {
      throw new TypeError('the options name neither a user nor where tokens come from');
    }
  }

  room(id, options) {
    if (!ROOM.test(id)) {
      throw new RangeError(`a room has 1 to 64 of A-Z a-z 0-9 _ -, not ${id}`);
    }
    const room = new Room(this.#place(id), this.#tokens, { ...this.#options, ...options });
    room.on('state', ({ name }) => (name === 'left' ? this.#rooms.delete(room) : this.#rooms.add(room)));
    return room;
  }

  async close() {
    await Promise.all([...this.#rooms].map((room) => room.leave()));
  }

  #place(id) {
    const socket = new URL(`chat/${id}`, this.#base);
    socket.protocol = socket.protocol.replace('http', 'ws');
    return {
      id,
      key: socket.href,
      socket: (token) => this.#socket(socket.href, token),
      page: (path, token) => this.#page(new URL(`api/rooms/${id}${path}`, this.#base), token),
    };
  }

  #socket(address, token) {
    const WebSocket = this.#options.WebSocket ?? globalThis.WebSocket;
    return token === undefined ? new WebSocket(address) : new WebSocket(address, ['chatflow.v1', `token.${token}`]);
  }

  /** The JSON of an answer; undefined for what there is not. */
  async #page(address, token) {
    const ask = this.#options.fetch ?? globalThis.fetch;
    const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
    const answer = await ask(address, { headers, cache: 'no-store' });
    if (answer.status === 404) {
      return undefined;
    }
    if (!answer.ok) {
      throw new Error(`the server answers ${answer.status}`);
    }
    return answer.json();
  }
}
