// Owns the login user that the backend checks. PGlite always runs as the superuser, so "authenticator" could become
// postgres with SET SESSION AUTHORIZATION, which Postgres permits by the authenticated user. That user is one word in
// the WASM's memory (AuthenticatedUserId in miscinit.c) that no SQL can set. Each start finds it by trial and verifies
// it by Postgres's own refusal; a start that does not find it fails. Why not a filter on SQL text: docs/decisions/0002.

import type { Backend } from "./backend.ts";
import type { LoginUser } from "./engine-messages.ts";
import { query } from "./protocol.ts";

const superuser = 10;
/** Maximum distance between static variables of miscinit.c. */
const neighbourhood = 256;
/** The region of C's static variables, below the heap. */
const staticBytes = 8 * 1024 * 1024;

export class AuthenticatedUser {
  readonly #backend: Backend;
  readonly #oids: Record<LoginUser, number>;
  readonly #address: number;

  /**
   * @param authenticator the oid of that role, which must exist
   * @throws Error when no word makes Postgres refuse to switch from authenticator to postgres
   */
  constructor(backend: Backend, authenticator: number) {
    this.#backend = backend;
    this.#oids = { postgres: superuser, authenticator };
    this.#address = this.#find();
  }

  become(user: LoginUser): void {
    this.#write(this.#address, this.#oids[user]);
  }

  /** Finds the word's address by switching the session user: the authenticated user is a word that stays, next to one that changes. */
  #find(): number {
    const isSet = (user: LoginUser) =>
      this.#backend.runQuietly([query(`set session authorization ${user}`)]) === null;
    const before = this.#words();
    isSet("authenticator");
    const after = this.#words();
    const changed: number[] = [];
    const unchanged: number[] = [];
    for (let at = before.indexOf(superuser); at >= 0; at = before.indexOf(superuser, at + 1)) {
      if (after[at] === this.#oids.authenticator) changed.push(at);
      if (after[at] === superuser) unchanged.push(at);
    }
    for (const candidate of unchanged) {
      if (!changed.some((at) => Math.abs(at - candidate) * 4 <= neighbourhood)) continue;
      this.#write(candidate * 4, this.#oids.authenticator);
      const isRefused = !isSet("postgres");
      this.#write(candidate * 4, superuser);
      if (isSet("postgres") && isRefused) return candidate * 4;
      isSet("authenticator");
    }
    throw new Error("the login user was not found in the memory of this build of PGlite");
  }

  #words(): Uint32Array {
    return new Uint32Array(this.#backend.wasm.HEAPU8.buffer, 0, staticBytes / 4).slice();
  }

  /** The memory may be reallocated, so every write makes a new view. */
  #write(address: number, value: number): void {
    new DataView(this.#backend.wasm.HEAPU8.buffer).setUint32(address, value, true);
  }
}
