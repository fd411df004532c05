// A hook that shows a room of the library. Components of the same room share its connection and messages.

import { useEffect, useSyncExternalStore } from 'react';

const TYPING = 5_000; // ms after the last signal
const shown = new WeakMap(); // a room reports each message once, so they are kept while no component shows them

class Shown {
  #room;
  #users = 0; // components
  #redraws = new Set();
  #typists = new Map(); // timers by name
  value = { state: 'left', messages: [], count: 0, typing: [] };

  constructor(room) {
    this.#room = room;
    room.on('state', ({ name }) => this.#change({ state: name }));
    room.on('people', ({ count }) => this.#change({ count }));
    room.on('message', (message) => {
      this.#change({ messages: [...this.value.messages, message] });
      this.#typed(message.user.name);
    });
    room.on('signal', ({ kind, own, user }) => kind === 'typing' && !own && this.#typed(user.name, TYPING));
  }

  #change(values) {
    this.value = { ...this.value, ...values };
    this.#redraws.forEach((redraw) => redraw());
  }

  #typed(name, ms = 0) {
    clearTimeout(this.#typists.get(name));
    this.#typists.delete(name);
    if (ms > 0) {
      this.#typists.set(name, setTimeout(() => this.#typed(name), ms));
    }
    this.#change({ typing: [...this.#typists.keys()] });
  }

  subscribe = (redraw) => {
    this.#redraws.add(redraw);
    return () => this.#redraws.delete(redraw);
  };

  /** Leaves a moment after the last component, because StrictMode runs each effect twice at once. */
  enter = () => {
    this.#users += 1;
    this.#room.enter();
    return () => {
      this.#users -= 1;
      setTimeout(() => this.#users === 0 && this.#room.leave());
    };
  };
}

/** Joins a room while the component is shown. Returns its { state, messages, count, typing }. */
export function useRoom(room) {
  if (!shown.has(room)) {
    shown.set(room, new Shown(room));
  }
  const { subscribe, enter } = shown.get(room);
  useEffect(enter, [enter]);
  return useSyncExternalStore(subscribe, () => shown.get(room).value);
}
