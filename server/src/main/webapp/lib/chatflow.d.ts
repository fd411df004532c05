/** A person or program in a room. */
export interface User {
  /** The user id. */
  id: string;
  /** The display name. */
  name: string;
}

/** A user who is in a room. */
export interface Member extends User {
  /** The data that the user's newest connection gave when it joined: `RoomOptions.data`. */
  data?: Record<string, unknown>;
}

/** The optional parts of a text. */
export interface Extras {
  /** The action on the message `ref`, or a word of the application: 1 to 32 of A-Z a-z 0-9 . _ : - */
  kind?: 'reply' | 'edit' | 'delete' | 'reaction' | (string & {});
  /** The message that the text names; required for the four kinds above. Only the author of a message edits or deletes
   *  it: apply an edit or delete only if its user is that of `ref`. */
  ref?: { userId: string; id: string };
  /** A JSON object of the application, at most 2,048 bytes. */
  data?: Record<string, unknown>;
}

/** A text of a room. Edits, deletions and reactions are texts too: the program applies them to the message `ref`. */
export interface Message extends Extras {
  user: User;
  /** The device that sent it, if that has a name. */
  device?: string;
  text: string;
  id: string;
  /** When the server accepted it. */
  at: Date;
  /** Sent by this user, on any device. */
  own: boolean;
  /** Sent before this client's JOIN: before entering, or while the connection was lost. */
  past: boolean;
  /** Answers a message that was sent again: the room had it before, so it has no position among the other messages. */
  late: boolean;
}

/** A notice for the members that are connected now, such as typing. It may be lost, and is in no history. */
export interface Signal extends Omit<Extras, 'kind'> {
  user: User;
  /** The device that sent it, if that has a name. */
  device?: string;
  kind: string;
  /** Empty unless the sender added a text. */
  text: string;
  /** When the server accepted it. */
  at: Date;
  /** Sent by this user, on any device. */
  own: boolean;
}

/** The optional parts of a text to send. `ref` may be the message itself. */
export type Outgoing = Omit<Extras, 'ref'> & { ref?: Message | Extras['ref'] };

export type State =
  | { name: 'connecting' | 'joining' | 'left' }
  /** In the room, connected to the server with this id. */
  | { name: 'here'; server: string }
  /** Not connected, or offline. The next attempt is at `until` (ms since 1970), if known. */
  | { name: 'waiting'; why: string; until?: number }
  /** Stopped until `tryNow()` is called. `code`: the close code, or the `errorCode` of a rejected JOIN, whose
   *  `errors` describe each invalid field. */
  | { name: 'stopped'; why: string; code: number | string; errors?: Record<string, string> };

export interface Events {
  state: State;
  /** Each text of the room once, in the room's order. */
  message: Message;
  /** A signal of a member, this user included. */
  signal: Signal;
  /** Users came with their first device or left with their last, or the count or the data of a member changed. `at`: the
   *  time of the change; undefined if the server sent a list. */
  people: { joined: Member[]; left: User[]; count: number; at?: Date };
  /** Back after `awayMs` without a gap. `missed` texts were sent in the meantime, and follow with `past`. */
  back: { awayMs: number; missed: number };
  /** Back, but texts from `since` to `until`, the first text known afterwards, may be missing. `older` reads them. */
  gap: { since?: Date; until?: Message };
  /** A text of this user was not accepted. `code`: an `errorCode` of the server; UNKNOWN: the connection was lost
   *  after it was sent, so it may or may not be in the room; LEFT: the room was left before. */
  refused: Extras & { text: string; error: Error & { code: string } };
}

/** One room. After `enter()` it reconnects automatically until `leave()`. */
export interface Room {
  readonly id: string;
  /** The user of the options or the token; undefined while neither is known. */
  readonly user: User | undefined;
  readonly state: State;
  /** The members. `count`: their number on all servers, which is too low while `complete` is false. `names`: the
   *  known members by user id; in a large room not all of them. */
  readonly people: { readonly count: number; readonly complete: boolean; readonly names: ReadonlyMap<string, Member> };
  /** This user's unacknowledged texts, in the order written. Texts from before a reload are added as soon as the user
   *  is known: at `enter()`, or with the token. */
  readonly pending: ReadonlyArray<Extras & { id: string; text: string; isSent: boolean }>;
  /** Calls `call` for each event. The returned function unsubscribes. */
  on<E extends keyof Events>(event: E, call: (event: Events[E]) => void): () => void;
  /** Returns why `send(text, extras)` would reject at once, to validate a form; undefined if it would not. */
  wrong(text: string, extras?: Outgoing): (Error & { code: string }) | undefined;
  /** Sends a text now, or as soon as the room is entered. Resolves when the room has it. Rejects with an error whose
   *  `code` is one of `refused`, VALIDATION_FAILED (1 to `maxText` characters), TOO_MANY
   *  (1,024 in flight) or LEFT. A text with data, or that deletes a message, may be empty. */
  send(text: string, extras?: Outgoing): Promise<Message>;
  /** Sends a signal, such as typing, to all members that are connected now. Returns false, and sends nothing, unless
   *  this client is in the room now. It is never repeated, and its loss is not reported: servers drop more than 10 a
   *  second. Throws an error with the code VALIDATION_FAILED for an invalid kind (1 to 32 of A-Z a-z 0-9 . _ : -),
   *  text (up to 500 characters) or data. */
  signal(kind: string, parts?: Omit<Outgoing, 'kind'> & { text?: string }): boolean;
  /** Returns texts from before the first known one, oldest first. Each call goes further back; concurrent calls wait
   *  for each other. Empty if the server keeps no earlier text. */
  older(count?: number, options?: { before?: Message }): Promise<Message[]>;
  /** Iterates over all members, fetched page by page over HTTP, including those that `people` does not name. */
  everybody(): AsyncIterable<Member>;
  enter(): void;
  /** Reconnects at once instead of waiting; also after a stop. */
  tryNow(): void;
  /** Drops the connection for `ms` milliseconds [default: 3,000], for testing. */
  cut(ms?: number): void;
  /** Leaves the room. Resolves when the room has seen the LEAVE, within 3 s. Texts still unacknowledged then are
   *  rejected with LEFT. */
  leave(): Promise<void>;
}

export interface Options {
  /** Required without a token, and with a token that is valid for any user. */
  user?: User;
  /** Returns a token (JWT) when one is needed. `why`: connect, expires (within a minute), expired, or refused. A room
   *  stops if the last two return the same token again. After a rejection it is called again later. */
  token?: (why: 'connect' | 'expires' | 'expired' | 'refused') => string | Promise<string>;
  /** Keeps the position in each room, and up to 64 KiB of its unacknowledged texts, across a reload, for each user
   *  separately: sessionStorage if the browser has one. null keeps nothing. */
  store?: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> | null;
  /** Maximum characters of a text, if the servers are configured to accept more than 500. */
  maxText?: number;
  /** A WebSocket class for environments without one. Node has one since version 22; `ws` is another. */
  WebSocket?: unknown;
  fetch?: typeof fetch;
}

export interface RoomOptions {
  /** The name of this device: 1 to 32 of A-Z a-z 0-9 . _ : - A newer connection of the user takes over only from the
   *  same device. Clients without a name are one device. */
  device?: string;
  /** A JSON object that describes this user to the members, such as the address of a picture: at most 2,048 bytes. They
   *  see it in `people`. */
  data?: Record<string, unknown>;
  /** Number of earlier texts to show on entering: 0 to 100 [default: 50]. */
  history?: number;
  /** Maximum number of members to list by name: 0 to 200 [default: 200]. */
  members?: number;
  /** Resume after this text, which an earlier run of the program received. */
  after?: Message;
}

/** The client of a ChatFlow server or cluster, for one user. */
export class ChatFlow {
  /** `base`: the address of the page, such as https://chat.example.com/, or those of several servers of a cluster. The
   *  first one is used until it cannot be reached, stops or is full, then the next. */
  constructor(base: string | URL | ReadonlyArray<string | URL>, options: Options);
  /** Returns a room that is not entered yet. Each room has its own connection. */
  room(id: string, options?: RoomOptions): Room;
  /** Leaves all rooms. */
  close(): Promise<void>;
}
