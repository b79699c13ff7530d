// Owns the stored mails: one JSON file each, so a restart loses none. Must not parse mail or speak a protocol.
import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

export interface Address {
  address: string;
  name: string;
}

/** One mail in the format of maildev's API. */
export interface StoredMail {
  id: string;
  time: string;
  read: boolean;
  subject: string;
  from: Address[];
  to: Address[];
  text: string;
  html: string;
  headers: Record<string, string>;
  envelope: { from: string; to: string[] };
  attachments: { fileName: string; contentType: string; length: number }[];
  size: number;
}

export const MOST_MAILS = 500;

export class MailStore {
  readonly #dir: string;
  #mails: StoredMail[] = [];

  private constructor(dir: string) {
    this.#dir = dir;
  }

  /** Opens a folder and creates it when absent. An unreadable file is skipped and left in place. */
  static async open(dir: string): Promise<MailStore> {
    const store = new MailStore(dir);
    await mkdir(dir, { recursive: true, mode: 0o700 });
    const files = (await readdir(dir)).filter((name) => name.endsWith(".json"));
    const mails = await Promise.all(files.map((name) => readMail(join(dir, name))));
    store.#mails = mails.filter((mail) => mail !== undefined).sort((a, b) => a.time.localeCompare(b.time));
    return store;
  }

  /** Oldest first, as maildev lists them. */
  list(): StoredMail[] {
    return this.#mails;
  }

  find(id: string): StoredMail | undefined {
    return this.#mails.find((mail) => mail.id === id);
  }

  async add(mail: Omit<StoredMail, "id" | "time" | "read">): Promise<StoredMail> {
    const stored: StoredMail = { id: randomUUID(), time: new Date().toISOString(), read: false, ...mail };
    await this.#write(stored);
    this.#mails.push(stored);
    const surplus = this.#mails.slice(0, -MOST_MAILS);
    for (const old of surplus) await this.remove(old.id);
    return stored;
  }

  async remove(id: string): Promise<boolean> {
    const known = this.find(id);
    if (!known) return false;
    this.#mails = this.#mails.filter((mail) => mail.id !== id);
    await rm(this.#path(id), { force: true });
    return true;
  }

  async removeAll(): Promise<void> {
    const ids = this.#mails.map((mail) => mail.id);
    this.#mails = [];
    for (const id of ids) await rm(this.#path(id), { force: true });
  }

  async #write(mail: StoredMail): Promise<void> {
    const path = this.#path(mail.id);
    await writeFile(`${path}.tmp`, JSON.stringify(mail), { mode: 0o600, flush: true });
    await rename(`${path}.tmp`, path);
  }

  #path(id: string): string {
    return join(this.#dir, `${id}.json`);
  }
}

async function readMail(path: string): Promise<StoredMail | undefined> {
  try {
    const mail: StoredMail = JSON.parse(await readFile(path, "utf8"));
    return mail.id && mail.time ? mail : undefined;
  } catch {
    return undefined;
  }
}
