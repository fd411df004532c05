// The people who are typing in a room. Timers run only while there are some.

const PAUSE = 3_000; // ms between two signals of this user
const EXPIRY = 5_000; // ms after a person's last signal

export class Typing {
  #room;
  #show;
  #people = new Map(); // by user id: { name, timer }
  #sentAt = -Infinity;

  /** `show(text)` displays who is typing; the text is empty if no one is. */
  constructor(room, show) {
    this.#room = room;
    this.#show = show;
    room.on('signal', ({ user, kind, own }) => {
      if (kind === 'typing' && !own) {
        this.#begin(user);
      }
    });
    room.on('message', ({ user, own }) => {
      this.#end(user);
      this.#sentAt = own ? -Infinity : this.#sentAt; // others no longer see this user typing
    });
    room.on('people', ({ left }) => left.forEach((user) => this.#end(user)));
  }

  /** Sends a signal that this user is typing, unless the last one is recent. */
  signal() {
    const now = performance.now();
    if (now - this.#sentAt >= PAUSE && this.#room.signal('typing')) {
      this.#sentAt = now;
    }
  }

  #begin(user) {
    clearTimeout(this.#people.get(user.id)?.timer);
    this.#people.set(user.id, { name: user.name, timer: setTimeout(() => this.#end(user), EXPIRY) });
    this.#draw();
  }

  #end({ id }) {
    clearTimeout(this.#people.get(id)?.timer);
    if (this.#people.delete(id)) {
      this.#draw();
    }
  }

  #draw() {
    const [first, second] = [...this.#people.values()].map(({ name }) => name);
    const count = this.#people.size;
    const few = ['', `${first} is typing\u2026`, `${first} and ${second} are typing\u2026`];
    this.#show(few[count] ?? `${count} people are typing\u2026`);
  }
}
