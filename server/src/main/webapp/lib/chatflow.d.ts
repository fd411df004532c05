/** A person or program in a room: `id` is who it is, `name` what it is called. */
export interface User {
  id: string;
  name: string;
}

/** A text of a room. */
export interface Message {
  user: User;
  text: string;
  id: string;
  /** When the server took it. */
  at: Date;
  /** Of this user. */
  own: boolean;
  /** Said before the own JOIN: on entering, or while the connection was lost. */
  past: boolean;
  /** The answer to a message sent again: the room had it before, and it has no place here among the others. */
  late: boolean;
}

export type State =
  | { name: 'connecting' | 'joining' | 'left' }
  /** In the room, by the server of that id. */
  | { name: 'here'; server: string }
  /** Not connected, or the network is away; the next try is at `until` (ms since 1970), if that can be said. */
  | { name: 'waiting'; why: string; until?: number }
  /** It does not come back by itself: `tryNow()` does. `code`: the close code, or the `errorCode` of a refused
   *  JOIN, whose `errors` name each wrong field. */
  | { name: 'stopped'; why: string; code: number | string; errors?: Record<string, string> };

export interface Events {
  state: State;
  /** Each text of the room once, in its order. */
  message: Message;
  /** Who came and went, or how many there are now. `at`: when the room said so; none when the server told a list. */
  people: { joined: User[]; left: User[]; count: number; at?: Date };
  /** Back after `awayMs`: nothing is missing; `missed` texts were said, and follow with `past`. */
  back: { awayMs: number; missed: number };
  /** Back, but some texts since then may be missing: before `until`, the first one that is known again. `older` reads them. */
  gap: { since?: Date; until?: Message };
  /** An own text is not in the room. `code`: an `errorCode` of the server; UNKNOWN: it was sent, the connection was
   *  lost, and whether the room has it cannot be told; LEFT: the room was left before. */
  refused: { text: string; error: Error & { code: string } };
}

/** One room. It begins with `enter()`, and comes back by itself until `leave()`. */
export interface Room {
  readonly id: string;
  /** As the options say, or the token; undefined before there is one. */
  readonly user: User | undefined;
  readonly state: State;
  /** `count`: how many are here, on all servers; too few while `complete` is false: the server has not heard of all
   *  yet. `names`: those known, by user id; in a large room not all. */
  readonly people: { readonly count: number; readonly complete: boolean; readonly names: ReadonlyMap<string, User> };
  /** Own texts that have not come back, in the order written. Those of before a reload are added as soon as the user
   *  is known: at `enter()`, or with the token. */
  readonly pending: ReadonlyArray<{ id: string; text: string; isSent: boolean }>;
  /** Calls for each event, until the function that it returns is called. */
  on<E extends keyof Events>(event: E, call: (event: Events[E]) => void): () => void;
  /** Why `send(text)` would reject at once, for a form that says so before; undefined: it would not. */
  wrong(text: string): (Error & { code: string }) | undefined;
  /** Sends, now or as soon as the room is entered; done when the room has it. Rejects with an error whose `code` is
   *  that of `refused`, VALIDATION_FAILED (1 to 500 characters), TOO_MANY (1,024 are under way) or LEFT. */
  send(text: string): Promise<Message>;
  /** What was said before the first text known, oldest first; each call goes further back, also calls at the same
   *  time: they wait for each other. Empty: no more is kept. */
  older(count?: number, options?: { before?: Message }): Promise<Message[]>;
  /** Everybody, page by page over HTTP, also those whom `people` does not name. */
  everybody(): AsyncIterable<User>;
  enter(): void;
  /** Does not wait for the next try; after a stop, begins anew. */
  tryNow(): void;
  /** Loses the connection on purpose, for so many ms (3,000): to see what happens. */
  cut(ms?: number): void;
  /** Done when the room has seen it, within 3 s. What had not come back by then is refused, LEFT. */
  leave(): Promise<void>;
}

export interface Options {
  /** Needed without a token; with one, for tokens that may be anybody. */
  user?: User;
  /** Asked for a token (JWT) when one is needed. `why`: connect, expires (in a minute), expired, or refused; to answer
   *  the last two with the same token again stops. When it rejects, it is asked again later. */
  token?: (why: 'connect' | 'expires' | 'expired' | 'refused') => string | Promise<string>;
  /** Keeps the position in each room, and up to 64 KiB of its unacknowledged texts, across a reload, for each user
   *  separately: sessionStorage if the browser has one. null keeps nothing. */
  store?: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> | null;
  /** A class like the browser's, where there is none: Node has one from 22 on; `ws` is another. */
  WebSocket?: unknown;
  fetch?: typeof fetch;
}

export interface RoomOptions {
  /** How many texts to show on entering: 0 to 100, 50 by default. */
  history?: number;
  /** How many people to be told by name: 0 to 200, which is the default. */
  members?: number;
  /** Resume behind this text, which an earlier run of the program had. */
  after?: Message;
}

/** One server, or several behind one address, and one user. */
export class ChatFlow {
  /** `base`: the address of the page, such as https://chat.example.com/ */
  constructor(base: string | URL, options: Options);
  /** A room, not yet entered. Each has a connection of its own. */
  room(id: string, options?: RoomOptions): Room;
  /** Leaves all rooms. */
  close(): Promise<void>;
}
