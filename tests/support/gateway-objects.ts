// Owns what tests do with a gateway's objects: store, read and sign them over HTTP, and list the files on its disk.
import { readdirSync } from "node:fs";
import { request } from "node:http";
import { expect } from "vitest";
import { eventually } from "./eventually.ts";
import type { TestGateway } from "./gateway.ts";

/** @param gateway the gateway once it runs */
export function objectsOf(gateway: () => TestGateway) {
  const put = (key: string, body: BodyInit, type = "text/plain", headers: HeadersInit = {}) =>
    gateway().asService(`/storage/v1/object/files/${key}`, {
      method: "POST",
      body,
      headers: { "content-type": type, ...headers },
    });
  const get = (key: string) => gateway().asService(`/storage/v1/object/files/${key}`);

  async function sign(kind: "sign" | "upload/sign", key: string): Promise<string> {
    const response = await gateway().asService(`/storage/v1/object/${kind}/files/${key}`, {
      method: "POST",
      body: JSON.stringify({ expiresIn: 60 }),
    });
    const body = await response.json();
    return `${gateway().url}/storage/v1${body.url ?? body.signedURL}`;
  }

  const filesOnDisk = () =>
    readdirSync(gateway().storageDir, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );

  /** Begins an upload that is not finished before `end` is called. It resolves with the status. */
  async function beginUpload(url: string, text: string): Promise<{ end: () => Promise<unknown> }> {
    const before = filesOnDisk().length;
    const slow = request(url, { method: "PUT", headers: { "content-length": text.length } });
    const ended = new Promise((end) => slow.on("response", ({ statusCode }) => end(statusCode)));
    slow.write(text.slice(0, 2));
    await eventually(() => expect(filesOnDisk()).toHaveLength(before + 1));
    return {
      end: () => {
        slow.end(text.slice(2));
        return ended;
      },
    };
  }

  return { put, get, sign, filesOnDisk, beginUpload };
}
