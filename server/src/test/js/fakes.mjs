// A clock, a network and a server under the control of a test.

/** Replaces the runtime's timers and clocks. */
export class FakeClock {
  #now = 1_800_000_000_000;
  #timers = new Map();
  #lastId = 0;
  #real;

  install() {
    const { setTimeout, clearTimeout, performance } = globalThis;
    this.#real = { setTimeout, clearTimeout, performance, now: Date.now };
    globalThis.setTimeout = (call, ms = 0) => {
      this.#timers.set(++this.#lastId, { call, at: this.#now + ms });
      return this.#lastId;
    };
    globalThis.clearTimeout = (id) => this.#timers.delete(id);
    Date.now = () => this.#now;
    globalThis.performance = { now: Date.now };
  }

  uninstall() {
    const { now, ...real } = this.#real;
    Object.assign(globalThis, real);
    Date.now = now;
  }

  get now() {
    return this.#now;
  }

  get size() {
    return this.#timers.size;
  }

  /** Advances the time and runs each timer when it is due. */
  async pass(ms) {
    const end = this.#now + ms;
    for (;;) {
      const [id, next] = [...this.#timers].filter(([, { at }]) => at <= end).sort(([, a], [, b]) => a.at - b.at)[0] ?? [];
      if (id === undefined) {
        break;
      }
      this.#now = Math.max(this.#now, next.at);
      this.#timers.delete(id);
      next.call();
      await settled();
    }
    this.#now = end;
    await settled();
  }

  /** Advances the time without running timers, like a sleeping page; the timers then run late. */
  async sleep(ms) {
    this.#now += ms;
    await this.pass(0);
  }
}

/** Resolves when all consequences of past events have happened. */
export function settled() {
  return new Promise((done) => setImmediate(done));
}

/** Creates the broadcasts of a room and the sockets of its clients. */
export class FakeServer {
  sockets = [];
  #frames = 0;

  get WebSocket() {
    const server = this;
    return class {
      sent = [];
      closed;

      constructor(address, protocols) {
        Object.assign(this, { address, protocols });
        server.sockets.push(this);
      }

      send(text) {
        this.sent.push(JSON.parse(text));
      }

      close(code) {
        this.closed ??= code;
      }
    };
  }

  get socket() {
    return this.sockets.at(-1);
  }

  sent(type, socket = this.socket) {
    return socket.sent.filter(({ messageType }) => messageType === type);
  }

  get join() {
    return this.sent('JOIN').at(-1);
  }

  open(socket = this.socket) {
    socket.onopen();
  }

  show(...frames) {
    this.showOn(this.socket, ...frames);
  }

  showOn(socket, ...frames) {
    frames.forEach((frame) => socket.onmessage?.({ data: JSON.stringify(frame) }));
  }

  end(code, reason = '', socket = this.socket) {
    socket.onclose?.({ code, reason });
  }

  /** How far the server's clock is ahead of the client's, in ms. */
  ahead = 0;

  /** Returns the broadcast of a frame that a client sent. */
  broadcast({ messageType, userId, username, message = '', messageId, device }, more) {
    const serverTimestamp = new Date(Date.now() + this.ahead + ++this.#frames).toISOString();
    return {
      messageType, roomId: '5', userId, username, message, timestamp: '2026-11-24T00:00:00Z', messageId, serverTimestamp,
      serverId: 'one', status: 200, ...(device && { device }), ...more,
    };
  }

  text(user, id, message = id, more = {}) {
    return this.broadcast({ messageType: 'TEXT', userId: `${user}`, username: `user${user}`, message, messageId: id }, more);
  }

  event(messageType, user, more) {
    return this.broadcast({ messageType, userId: `${user}`, username: `user${user}`, messageId: `${messageType}-${user}` }, more);
  }

  /** Opens the newest socket and admits its client after the given past. */
  async admit(...past) {
    await settled();
    this.open();
    const { data } = this.join;
    const join = this.broadcast(this.join, { data });
    this.show(...past, join);
    await settled();
    return join;
  }
}

/** Returns a JWT with a signature that no server accepts. */
export function jwt(claims) {
  const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'none' })}.${part(claims)}.x`;
}

/** A store like the browser's. */
export class FakeStore extends Map {
  getItem(key) {
    return this.get(key) ?? null;
  }

  setItem(key, value) {
    this.set(key, value);
  }

  removeItem(key) {
    this.delete(key);
  }
}
