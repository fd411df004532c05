// Keeps a room joined: one membership after another, as the table of close codes demands.

import { Membership } from './membership.js';
import { EXPIRED, REFUSED, TAKEN_OVER, afterClose, failure, isForAnother, refusal } from './protocol.js';

const STEADY = 5_000; // ms in the room after which earlier failures no longer count
const LASTING = 30_000; // the same after the end of a token, so that short-lived tokens are replaced ever later
const GIVEN_UP = 30_000; // ms during which an abandoned attempt may still be accepted
const LONGEST = 2 ** 31 - 1; // maximum ms of a timer

/**
 * Reconnects automatically, and moves to a new connection before a token ends.
 *
 * Calls `on`: state(state), arrived({ join, past, people, hasMoved }), live(broadcast), members(list),
 * pastIsFull(past), failed(error), lost(code, wasIn), identified() once the user is known, and join(), which builds the
 * JOIN for Membership.
 */
export class Reconnector {
  #place;
  #tokens;
  #named;
  #on;
  #current; // the current membership
  #next; // the membership that will replace it
  #turn = 0; // number of attempts: an answer to an older one is ignored
  #why = 'connect'; // why a token is needed
  #stale; // the token not to use again
  #isRefused = false;
  #failures = 0;
  #hereSince = Infinity;
  #gaveUpAt = -Infinity;
  #server = '';
  #isOffline = false;
  #state = 'left';
  #retry = 0;
  #renewal = 0;

  /** The user of the options or the token; undefined before there is a token. */
  user;

  /**
   * `place.reach()` runs before `place.socket(token)`, which creates a WebSocket to one of `place.servers`; `user` may be undefined if the token
   * names it.
   */
  constructor(place, tokens, user, on) {
    this.#place = place;
    this.#tokens = tokens;
    this.#named = this.user = user;
    this.#on = on;
  }

  get isIn() {
    return this.#current?.isIn === true;
  }

  send(frame) {
    this.#current.send(frame);
  }

  open() {
    this.user = this.#named;
    if (this.user !== undefined) {
      this.#on.identified();
    }
    this.#listen(true);
    this.#connect();
  }

  /** Reconnects at once instead of waiting; also after a stop. */
  tryNow() {
    if (this.#state === 'waiting' || this.#state === 'stopped') {
      this.#isRefused = this.#isOffline = false;
      this.#connect();
    }
  }

  /** Drops the connection on purpose. */
  cut(delay) {
    if (this.isIn) {
      this.#current.close(4000);
      this.#forgetCurrent(4000);
      this.#comeBack(delay, 'You cut the connection');
    }
  }

  close() {
    this.#listen(false);
    this.#giveUp();
    this.#hereSince = Infinity;
    this.#isOffline = false;
    this.#state = 'left';
  }

  // --- state

  #report(state) {
    this.#state = state.name;
    this.#on.state(state);
  }

  /** Reports a state, unless the network is offline, which is all that matters then. */
  #reportUnlessOffline(state) {
    if (!this.#isOffline) {
      this.#report(state);
    }
  }

  #reportHere() {
    this.#isOffline = false;
    this.#report({ name: 'here', server: this.#server });
  }

  // --- connecting

  async #connect() {
    const turn = this.#giveUp();
    this.#reportUnlessOffline({ name: 'connecting' });
    try {
      const [token] = await Promise.all([this.#tokens.get(this.#why, this.#stale), this.#place.reach()]);
      this.#ifLatest(turn, () => this.#enter(token));
    } catch (error) {
      this.#ifLatest(turn, () => this.#comeBack(this.#afterClose().delay, `No token: ${error.message}`));
    }
  }

  #ifLatest(turn, then) {
    if (turn === this.#turn) {
      then();
    }
  }

  /** Stops if another attempt would fail for the same reason: the program has to change something first. */
  #enter(token) {
    if (token !== undefined && token === this.#stale) {
      const code = this.#why === 'refused' ? REFUSED : EXPIRED;
      this.#stop(code, `${afterClose(code, '', 0, 0).why}, and there is no other`);
      return;
    }
    try {
      this.#identify(token);
      this.#current = this.#membership(token);
    } catch (error) {
      this.#stop(typeof error.code === 'string' ? error.code : 'WEBSOCKET', error.message);
    }
  }

  /**
   * Sets the user of the token, which cannot change until the room is left, because a room's state belongs to one user.
   */
  #identify(token) {
    const user = this.#named ?? this.#tokens.user(token);
    if (this.user !== undefined && this.user.id !== user.id) {
      throw failure('TOKEN', `the token names user ${user.id}, but ${this.user.id} entered this room: leave it first`);
    }
    if (this.user === undefined) {
      this.user = user;
      this.#on.identified();
    }
  }

  /** Abandons all earlier attempts. Returns the number of the new one. */
  #giveUp() {
    clearTimeout(this.#retry);
    clearTimeout(this.#renewal);
    this.#current?.close();
    this.#next?.close();
    this.#current = this.#next = undefined;
    return ++this.#turn;
  }

  #membership(token) {
    return new Membership(this.#place.socket(token), token, () => this.#on.join(), this.#events);
  }

  #afterClose(code, reason) {
    const rounds = Math.floor(this.#failures++ / this.#place.servers); // the wait grows when all servers have failed
    return afterClose(code, reason, rounds, Math.random());
  }

  #comeBack(delay, why) {
    this.#retry = setTimeout(() => this.#connect(), delay);
    this.#reportUnlessOffline({ name: 'waiting', why, until: Date.now() + delay });
  }

  #stop(code, why, errors) {
    this.#giveUp();
    this.#isOffline = false;
    this.#report({ name: 'stopped', why, code, errors });
  }

  // --- events of memberships; of the next one only its arrival and its end count

  #events = {
    joining: (membership) => this.#ifCurrent(membership, () => this.#reportUnlessOffline({ name: 'joining' })),
    received: (membership) => {
      if (this.#state !== 'here' && membership === this.#current && membership.isIn) {
        this.#reportHere(); // it was not offline, or no longer is
      }
    },
    members: (membership, list) => this.#ifCurrent(membership, () => this.#on.members(list)),
    pastIsFull: (_, past) => this.#on.pastIsFull(past),
    arrived: (membership, join, past) => this.#arrived(membership, join, past),
    live: (membership, broadcast) => this.#ifCurrent(membership, () => this.#on.live(broadcast)),
    failed: (membership, error) => this.#ifCurrent(membership, () => this.#on.failed(error)),
    postponed: (membership, { error, retryAfterMs }) =>
      this.#ifCurrent(membership, () =>
        this.#reportUnlessOffline({ name: 'waiting', why: `Entry refused: ${error}`, until: Date.now() + retryAfterMs })),
    refused: (membership, error) => {
      const { code, message } = refusal(error);
      this.#ifCurrent(membership, () => this.#stop(code, `Entry refused: ${message}`, error.errors));
      this.#dropNext(membership);
    },
    ended: (membership, code, reason) => {
      this.#ifCurrent(membership, () => this.#lost(membership, code, reason));
      this.#dropNext(membership);
    },
  };

  #ifCurrent(membership, then) {
    if (membership === this.#current) {
      then();
    }
  }

  #arrived(membership, join, past) {
    const hasMoved = membership === this.#next;
    if (hasMoved) {
      this.#current.close();
      this.#current = membership;
      this.#next = undefined;
    }
    this.#hereSince = performance.now();
    this.#isRefused = false;
    this.#why = 'connect';
    this.#server = join.serverId;
    this.#tokens.follow(join.serverTimestamp);
    this.#reportHere();
    this.#renewInTime(membership);
    this.#on.arrived({ join, past, people: membership.people, hasMoved });
  }

  #lost({ token, isIn, moveOn }, code, reason) {
    this.#forgetCurrent(code);
    if (isForAnother(code, isIn)) {
      moveOn();
    }
    if (this.#next !== undefined) {
      this.#current = this.#next; // a replacement was due anyway
      this.#next = undefined;
      this.#reportUnlessOffline({ name: 'joining' });
      return;
    }
    const isOver = token !== undefined && (code === EXPIRED || (code === REFUSED && !this.#isRefused));
    if (isOver) {
      this.#isRefused ||= code === REFUSED;
      this.#why = code === REFUSED ? 'refused' : 'expired';
      this.#stale = token;
    }
    const isByItself = code === TAKEN_OVER && performance.now() - this.#gaveUpAt <= GIVEN_UP;
    this.#gaveUpAt = isIn ? (isByItself ? -Infinity : this.#gaveUpAt) : performance.now();
    const { again, delay, why } = this.#afterClose(code, reason);
    if (again || isOver || isByItself) {
      this.#comeBack(isOver && this.#failures === 1 ? 0 : delay, why);
    } else {
      this.#stop(code, why);
    }
  }

  #forgetCurrent(code) {
    clearTimeout(this.#renewal);
    this.#current = undefined;
    const wasIn = this.#hereSince !== Infinity;
    if (performance.now() - this.#hereSince > (code === EXPIRED ? LASTING : STEADY)) {
      this.#failures = 0;
    }
    this.#hereSince = Infinity;
    this.#on.lost(code, wasIn);
  }

  // --- a new token before the old one ends

  #renewInTime(membership) {
    if (membership.token !== undefined && this.#tokens.renewIn !== Infinity) {
      const wait = Math.min(Math.max(this.#tokens.renewIn, 0), LONGEST);
      this.#renewal = setTimeout(() => this.#renew(membership), wait);
    }
  }

  /** Joins with a new token, then drops the old connection, which its server closes. */
  async #renew(membership) {
    try {
      const token = await this.#tokens.get('expires', membership.token);
      if (membership === this.#current && membership.isIn && token !== membership.token) {
        this.#identify(token);
        this.#next = this.#membership(token);
      }
    } catch {
      // The old connection ends with its token; a problem of the new one is reported then.
    }
  }

  #dropNext(membership) {
    if (membership === this.#next) {
      this.#next.close();
      this.#next = undefined;
    }
  }

  // --- the network, and a page that sleeps

  #listen(isWanted) {
    const verb = isWanted ? 'addEventListener' : 'removeEventListener';
    for (const [target, event, call] of this.#around) {
      target?.[verb]?.(event, call);
    }
  }

  #around = [
    [globalThis, 'offline', () => this.#offline()],
    [globalThis, 'online', () => this.#online()],
    [globalThis, 'pageshow', () => this.#current?.probe()],
    [globalThis.document, 'visibilitychange', () => this.#current?.probe()],
  ];

  #offline() {
    if (this.#state !== 'stopped') {
      this.#isOffline = true;
      this.#report({ name: 'waiting', why: 'You are offline' });
      this.#current?.probe();
    }
  }

  #online() {
    this.#isOffline = false;
    if (this.#current !== undefined) {
      this.#current.probe();
    } else if (this.#state !== 'stopped') {
      this.#connect();
    }
  }
}
