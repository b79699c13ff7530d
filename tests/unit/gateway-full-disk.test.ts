// A disk that becomes full under an upload: the answer names it, and the client's connection takes the next request.
import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { startTestGateway, type TestGateway } from "../support/gateway.ts";
import { objectsOf } from "../support/gateway-objects.ts";

const MIB = 1024 * 1024;
/** Written bytes of one upload that the disk has room for. */
const disk = vi.hoisted(() => ({ room: Number.POSITIVE_INFINITY }));
vi.mock("node:fs/promises", async (importOriginal) => {
  const real = await importOriginal<typeof import("node:fs/promises")>();
  const open = async (...values: Parameters<typeof real.open>) => {
    const file = await real.open(...values);
    const { writeFile } = file;
    let written = 0;
    file.writeFile = async (data: Uint8Array) => {
      written += data.length;
      if (written > disk.room) throw Object.assign(new Error("no space"), { code: "ENOSPC" });
      await writeFile.call(file, data);
    };
    return file;
  };
  return { ...real, open };
});

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());
const { filesOnDisk } = objectsOf(() => gateway);

it("a full disk is named, and the next request goes through on the same connection", async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const send = (method: string, path: string, body: Buffer) =>
    new Promise<{ status: number | undefined; isReused: boolean }>((resolve, reject) => {
      const sent = request(`${gateway.url}${path}`, {
        agent,
        method,
        headers: { apikey: gateway.serviceKey },
      });
      sent.on("response", (response) => {
        const isReused = sent.reusedSocket;
        response.resume().on("end", () => resolve({ status: response.statusCode, isReused }));
      });
      sent.on("error", reject).end(body);
    });
  // lite logs the failure.
  const errors = vi.spyOn(console, "error").mockImplementation(() => {});
  disk.room = MIB;
  const upload = Buffer.alloc(6 * MIB);
  expect(await send("POST", "/storage/v1/object/files/large", upload)).toEqual({
    status: 507,
    isReused: false,
  });
  errors.mockRestore();
  // Long enough for an unread request's connection to be closed.
  await sleep(700);
  disk.room = 10 * MIB;
  expect(await send("POST", "/storage/v1/object/files/large", upload)).toEqual({
    status: 200,
    isReused: true,
  });
  expect(filesOnDisk()).toHaveLength(1);
  agent.destroy();
});
