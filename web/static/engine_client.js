// Calls of the engine, which runs in a worker so that the page never waits. A call is a promise; a worker that breaks is
// ended, and the next call has a new one.

export class Engine {
  #worker;
  #calls = new Map();
  #number = 0;
  #onNote;

  /** `onNote` hears what the worker says between a call and its answer. */
  constructor(onNote = () => {}) {
    this.#onNote = onNote;
  }

  /** Calls the worker by the name of one of its functions. */
  call(call, ...words) {
    this.#worker ??= this.#begin();
    const id = (this.#number += 1);
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

  #heard({ id, value, reason, broken, ...note }) {
    const waiting = this.#calls.get(id);
    if (!waiting) return this.#onNote(note);
    this.#calls.delete(id);
    if (reason === undefined) return waiting.resolve(value);
    waiting.reject(Object.assign(new Error(reason), { broken: Boolean(broken) }));
    if (broken) this.#end(reason);
    return undefined;
  }

  /** Ends the worker; what it was asked is answered with a reason. */
  #end(reason) {
    this.#worker?.terminate();
    this.#worker = undefined;
    for (const { reject } of this.#calls.values()) reject(Object.assign(new Error(reason), { broken: true }));
    this.#calls.clear();
  }
}
