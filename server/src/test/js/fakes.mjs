// A clock, a network and a server under the control of the test.

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

  /** Advances the time without running timers, as for a sleeping page; they run late. */
  async sleep(ms) {
    this.#now += ms;
    await this.pass(0);
  }
}

/** Waits until all pending promises have settled. */
export function settled() {
  return new Promise((done) => setImmediate(done));
}

/** Makes a room's broadcasts, and sockets on which clients meet it. */
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

  /** Milliseconds that its clock is ahead of the client's. */
  ahead = 0;

  /** Returns the broadcast of a client's frame. */
  broadcast({ messageType, userId, username, message = '', messageId }, more) {
    const serverTimestamp = new Date(Date.now() + this.ahead + ++this.#frames).toISOString();
    return {
      messageType, roomId: '5', userId, username, message, timestamp: '2026-11-24T00:00:00Z', messageId, serverTimestamp,
      serverId: 'one', status: 200, ...more,
    };
  }

  text(user, id, message = id, more = {}) {
    return this.broadcast({ messageType: 'TEXT', userId: `${user}`, username: `user${user}`, message, messageId: id }, more);
  }

  event(messageType, user, more) {
    return this.broadcast({ messageType, userId: `${user}`, username: `user${user}`, messageId: `${messageType}-${user}` }, more);
  }

  /** Opens the newest socket and admits its client, after the past. */
  async admit(...past) {
    await settled();
    this.open();
    const join = this.broadcast(this.join);
    this.show(...past, join);
    await settled();
    return join;
  }
}

/** Creates a JWT that no server would accept. */
export function jwt(claims) {
  const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'none' })}.${part(claims)}.x`;
}

/** A store like a browser's. */
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
