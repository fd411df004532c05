// What was seen of a server in the last minutes, and what follows from it. Without a clock: times are handed in, in s.

const KEPT = 330; // s: five minutes, as far back as a rule looks, and some more

/** Looks at one server since its start, oldest first. */
export class Seen {
  #looks = [];

  /** What was answered at a time. Another server, or one that was started anew, has no past. */
  add(at, said) {
    const before = this.now?.health;
    if (before !== undefined && (said.health.uptimeSeconds < before.uptimeSeconds || said.health.serverId !== before.serverId)) {
      this.#looks = [];
    }
    this.#looks.push({ at, said });
    while (at - this.#looks[0].at > KEPT) {
      this.#looks.shift();
    }
  }

  get now() {
    return this.#looks.at(-1)?.said;
  }

  get at() {
    return this.#looks.at(-1)?.at;
  }

  /** How long ago the first look was that is known. */
  get seconds() {
    return this.at - this.#looks[0].at;
  }

  #before(seconds) {
    return this.#looks.find(({ at }) => this.at - at <= seconds);
  }

  /** By how much a count has grown within so many seconds, as far as that was seen. */
  growth(count, seconds) {
    return count(this.now) - count(this.#before(seconds).said);
  }

  /** The same for each second; 0 at the first look. */
  rate(count, seconds) {
    const elapsed = this.at - this.#before(seconds).at;
    return elapsed === 0 ? 0 : this.growth(count, seconds) / elapsed;
  }

  /** The mean time of a hop, in s; undefined when there was none. */
  mean(name, seconds) {
    const count = this.growth((said) => hop(said, name).count, seconds);
    return count === 0 ? undefined : this.growth((said) => hop(said, name).seconds, seconds) / count;
  }

  /** Within which time, in s, a share of a hop's times lay, as Prometheus works it out; undefined when there was none. */
  quantile(name, share, seconds) {
    const bounds = this.now.bucketMillis;
    const counts = bounds.map((_, i) => this.growth((said) => hop(said, name).within[i], seconds));
    const rank = share * this.growth((said) => hop(said, name).count, seconds);
    if (rank === 0) {
      return undefined;
    }
    const i = counts.findIndex((count) => count >= rank);
    if (i < 0) {
      return bounds.at(-1) / 1000;
    }
    const [from, below] = i === 0 ? [0, 0] : [bounds[i - 1], counts[i - 1]];
    return (from + ((bounds[i] - from) * (rank - below)) / (counts[i] - below)) / 1000;
  }

  /** A value of each look, as [s before now, value]; `value` gets the look before as well. */
  curve(value) {
    return this.#looks.slice(1).map(({ at, said }, i) => {
      const before = this.#looks[i];
      return [this.at - at, value(said, before.said, at - before.at)];
    });
  }
}

export function hop(said, name) {
  return said.hops.find((one) => one.name === name);
}

/** The points of a polyline in a box as long as `seconds`, newest at its right end; `most` is at the top. */
export function points(curve, [width, height], seconds, most) {
  return curve
    .filter(([ago]) => ago <= seconds)
    .map(([ago, value]) => `${(width * (1 - ago / seconds)).toFixed(1)},${(height - (height * value) / most).toFixed(1)}`)
    .join(' ');
}
