// Calls of the engine, which runs in a worker so that the page never waits. A call is a promise; a worker that breaks is
// ended, and the next call has a new one.

export class Engine {
  #worker = null;
  #calls = new Map();
  #number = 0;

  /** Whether a call would have to begin a new worker, which knows of no match. */
  get isNew() {
    return this.#worker === null;
  }

  /** Calls the worker by the name of one of its functions. An error has a `status`, or is `broken`. */
  call(call, ...words) {
    this.#worker ??= this.#begin();
    this.#number += 1;
    const id = this.#number;
    return new Promise((resolve, reject) => {
      this.#calls.set(id, { resolve, reject });
      this.#worker.postMessage({ id, call, words });
    });
  }

  #begin() {
    const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }) => this.#heard(data);
    worker.onerror = (event) => this.#end(event.message || "the engine can't be loaded");
    return worker;
  }

  #heard({ id, value, reason, status, broken }) {
    const waiting = this.#calls.get(id);
    this.#calls.delete(id);
    if (reason === undefined) waiting?.resolve(value);
    else if (broken) this.#end(reason, waiting);
    else waiting?.reject(Object.assign(new Error(reason), { status }));
  }

  /** Ends the worker; whoever waits for an answer is told why. */
  #end(reason, first) {
    this.#worker?.terminate();
    this.#worker = null;
    const waiting = [first, ...this.#calls.values()].filter(Boolean);
    this.#calls.clear();
    for (const { reject } of waiting) reject(Object.assign(new Error(reason), { broken: true }));
  }
}
