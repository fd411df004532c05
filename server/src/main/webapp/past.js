// What a room said before one's own JOIN.

const MOST = 400; // frames kept to be shown: fewer than the lines of the page

/** How many frames of the past a JOIN asks for. */
export const HISTORY = 50;

/** The four fields by which a frame is named and found again; what arrived with them, and no more. */
export function nameOf({ messageType, userId, messageId, serverTimestamp }) {
  return { messageType, userId, messageId, serverTimestamp };
}

/** The same as one text. */
export function keyOf(frame) {
  return Object.values(nameOf(frame)).join(' ');
}

/** In words, how many messages are among the frames, and `more` that are not. */
export function amount(frames, more) {
  const messages = frames.filter(isText).length + more;
  return messages === 0 ? 'nothing was said' : `${messages} ${messages === 1 ? 'message' : 'messages'}`;
}

function isText({ messageType }) {
  return messageType === 'TEXT';
}

/**
 * The frames of one membership up to its own JOIN. Whose first is the one that the JOIN named: nothing
 * is missing between that and what follows.
 */
export class Past {
  #named;
  #isBegun = false;
  #held = false;
  #frames = [];
  #left = { lines: 0, texts: 0 };
  #returned = [];

  /** `named`: the last frame known, or undefined when none was named. */
  constructor(named) {
    this.#named = named;
  }

  /** `isPending`: the frame is an own message that was waited for. */
  add(frame, isPending) {
    const first = !this.#isBegun;
    this.#isBegun = true;
    if (first && this.#named !== undefined && keyOf(frame) === keyOf(this.#named)) {
      this.#held = true; // shown long ago
      return;
    }
    this.#frames.push(frame);
    if (isPending) {
      this.#returned.push(frame.messageId);
    }
    if (this.#frames.length > MOST) {
      this.#leave(this.#frames.shift());
    }
  }

  #leave(frame) {
    this.#left.lines += 1;
    this.#left.texts += isText(frame) ? 1 : 0;
  }

  /** Whether the frame named was shown again. */
  get held() {
    return this.#held;
  }

  /** The newest, in order. */
  get frames() {
    return this.#frames;
  }

  /** How many `lines`, and `texts` among them, were too many to keep. */
  get left() {
    return this.#left;
  }

  /** The ids of own messages that came back. */
  get returned() {
    return this.#returned;
  }
}
