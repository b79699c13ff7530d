// Owns the login user that the backend checks. PGlite always runs as the superuser, so "authenticator" could become
// postgres with SET SESSION AUTHORIZATION, which Postgres permits by the authenticated user. That user is one word in
// the WASM's memory (AuthenticatedUserId in miscinit.c) that no SQL can set. Each start finds it by trial and verifies
// it by Postgres's own refusal; a start that does not find it fails. Why not a filter on SQL text: docs/decisions/0002.

import type { Wasm } from "./backend.ts";
import type { OutputScanner } from "./backend-output.ts";
import type { LoginUser } from "./engine-messages.ts";

const bootstrapSuperuser = 10;
/** Maximum distance between static variables of miscinit.c. */
const neighbourhood = 256;
const staticBytes = 8 * 1024 * 1024;

export class AuthenticatedUser {
  readonly #wasm: Wasm;
  readonly #run: (sql: string) => OutputScanner;
  readonly #oids: Record<LoginUser, number> = {
    postgres: bootstrapSuperuser,
    authenticator: bootstrapSuperuser,
  };
  #address = 0;

  constructor(wasm: Wasm, run: (sql: string) => OutputScanner) {
    this.#wasm = wasm;
    this.#run = run;
  }

  become(user: LoginUser): void {
    if (this.#address > 0) this.#write(this.#address, this.#oids[user]);
  }

  /**
   * Finds the word by switching to a role other than the superuser.
   * @throws Error when no word makes Postgres refuse to switch from `role` to postgres.
   */
  learn(role: LoginUser, oid: number): void {
    this.#oids[role] = oid;
    const superuser = this.#wordsThatAre(bootstrapSuperuser);
    this.#run(`set session authorization ${role}`);
    const words = this.#words();
    const changed = superuser.filter((at) => words[at] === oid);
    const candidates = superuser.filter(
      (at) =>
        words[at] === bootstrapSuperuser &&
        changed.some((session) => Math.abs(session - at) * 4 <= neighbourhood),
    );
    for (const candidate of candidates) {
      this.#write(candidate * 4, oid);
      const refused = this.#run("set session authorization postgres").error !== null;
      this.#write(candidate * 4, bootstrapSuperuser);
      const allowed = this.#run("set session authorization postgres").error === null;
      if (refused && allowed) {
        this.#address = candidate * 4;
        return;
      }
      this.#run(`set session authorization ${role}`);
    }
    throw new Error("this build of PGlite keeps its login user in an unknown place");
  }

  #wordsThatAre(value: number): number[] {
    const words = this.#words();
    const found: number[] = [];
    for (let at = words.indexOf(value); at >= 0; at = words.indexOf(value, at + 1)) found.push(at);
    return found;
  }

  /** The region of C's static variables, below the heap. The memory may be reallocated, so every call makes a new view. */
  #words(): Uint32Array {
    return new Uint32Array(this.#wasm.HEAPU8.buffer, 0, staticBytes / 4);
  }

  #write(address: number, value: number): void {
    new DataView(this.#wasm.HEAPU8.buffer).setUint32(address, value, true);
  }
}
