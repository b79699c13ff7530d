// The wire server's pure parts: splitting streams into frames, tracking answers, SCRAM, statement names.

import { describe, expect, it } from "vitest";
import { OutputScanner } from "../../supabase/local/postgres/backend-output.ts";
import {
  cString,
  errorResponse,
  FrameReader,
  maxFrameBytes,
  message,
  readyForQuery,
} from "../../supabase/local/postgres/protocol.ts";
import { ClientStatements, LoadedStatements } from "../../supabase/local/postgres/statements.ts";
import { bind, describe as describeMessage, parse } from "../support/postgres-raw-client.ts";
import fc from "../support/property-cases.ts";

/** Cuts bytes at the given positions. */
function cut(bytes: Buffer, places: number[]): Buffer[] {
  const at = [0, ...places.map((place) => place % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return at.slice(1).map((end, index) => bytes.subarray(at[index], end));
}

const frames = fc.array(fc.tuple(fc.constantFrom(..."QPBEDCSHdc"), fc.uint8Array({ maxLength: 300 })), {
  maxLength: 20,
});

describe("FrameReader", () => {
  it("finds the same frames however the stream is split", () => {
    fc.assert(
      fc.property(frames, fc.array(fc.nat()), (sent, places) => {
        const messages = sent.map(([type, body]) => message(type, Buffer.from(body)));
        const reader = new FrameReader();
        reader.startupIsOver();
        const found: string[] = [];
        for (const chunk of cut(Buffer.concat(messages), places)) {
          reader.push(chunk);
          for (let frame = reader.next(); frame; frame = reader.next())
            found.push(frame.bytes.toString("hex"));
        }
        expect(found).toEqual(messages.map((each) => each.toString("hex")));
        expect(reader.buffered).toBe(0);
      }),
    );
  });

  const broken: [string, Buffer, string][] = [
    ["a frame over the limit", Buffer.from([0x51, 0x7f, 0xff, 0xff, 0xff]), "54000"],
    ["a frame just over the limit", Buffer.concat([Buffer.from("Q"), uint32(maxFrameBytes)]), "54000"],
    ["a frame shorter than its header", Buffer.from([0x51, 0, 0, 0, 3]), "08P01"],
    ["an unknown type", Buffer.from([0x7a, 0, 0, 0, 4]), "08P01"],
    ["a web browser", Buffer.from("GET / HTTP/1.1\r\n\r\n"), "08P01"],
  ];
  it.each(broken)("rejects %s", (_, bytes, sqlState) => {
    const reader = new FrameReader();
    reader.startupIsOver();
    reader.push(bytes);
    expect(() => reader.next()).toThrow(expect.objectContaining({ sqlState }));
  });

  it("rejects a startup packet over 10 kB before it has arrived", () => {
    const reader = new FrameReader();
    reader.push(uint32(20_000));
    expect(() => reader.next()).toThrow(expect.objectContaining({ sqlState: "54000" }));
  });

  it("joins a large frame from many chunks in linear time", () => {
    const large = message("d", Buffer.alloc(32 * 1024 * 1024));
    const reader = new FrameReader();
    reader.startupIsOver();
    for (let at = 0; at < large.length; at += 16_384) {
      expect(reader.next()).toBeNull();
      reader.push(large.subarray(at, at + 16_384));
    }
    expect(reader.next()?.bytes.length).toBe(large.length);
  });
});

describe("OutputScanner", () => {
  it("reports the same however the answer is split", () => {
    const answer = Buffer.concat([
      message("T", Buffer.alloc(40, 1)),
      // Bytes that look like a ReadyForQuery inside a row.
      message("D", readyForQuery),
      errorResponse("ERROR", "42601", "syntax error"),
      message("C", "DEALLOCATE ALL"),
      message("Z", Buffer.from("T")),
    ]);
    fc.assert(
      fc.property(fc.array(fc.nat()), (places) => {
        const scanner = new OutputScanner();
        for (const chunk of cut(answer, places)) scanner.scan(chunk);
        expect(scanner).toMatchObject({ status: "T", forgotStatements: true, copyIn: false });
        expect(Buffer.from(scanner.error ?? []).toString()).toContain("42601");
      }),
    );
  });

  it("detects a waiting COPY, and its end", () => {
    const scanner = new OutputScanner();
    scanner.scan(message("G", Buffer.from([0, 0, 0])));
    expect(scanner.copyIn).toBe(true);
    scanner.scan(message("C", "COPY 3"));
    expect(scanner.copyIn).toBe(false);
    expect(scanner.status).toBe("-");
  });
});

describe("ClientStatements", () => {
  const frame = (bytes: Buffer) => ({ type: String.fromCharCode(bytes[0] ?? 0), bytes });
  const nameIn = (batch: Uint8Array | undefined, offset: number) =>
    batch ? cString(Buffer.from(batch), offset).text : "";

  it("gives statements with one name, of two clients, two names", () => {
    const loaded = new LoadedStatements(500);
    const [one, two] = [new ClientStatements(loaded), new ClientStatements(loaded)];
    const first = nameIn(one.translate([frame(parse("s1", "select 1"))]).batch, 5);
    const second = nameIn(two.translate([frame(parse("s1", "select 2"))]).batch, 5);
    expect(first).not.toBe(second);
    expect(nameIn(one.translate([frame(bind("s1"))]).batch, 6)).toBe(first);
    expect(nameIn(two.translate([frame(describeMessage("S", "s1"))]).batch, 6)).toBe(second);
  });

  it("lets clients of one session share a statement, and no others", () => {
    const loaded = new LoadedStatements(500);
    const clients = ["a", "a", "b"].map((session) =>
      Object.assign(new ClientStatements(loaded), { session }),
    );
    const parsed = clients.map((client, index) =>
      nameIn(client.translate([frame(parse(`s${index}`, "select 1"))]).batch, 5),
    );
    expect(parsed[1]).toBe("");
    const used = clients.map((client, index) =>
      nameIn(client.translate([frame(bind(`s${index}`))]).batch, 6),
    );
    expect(used).toEqual([parsed[0], parsed[0], parsed[2]]);
    clients[0]?.translate([frame(message("C", Buffer.from("S"), "s0"))]);
    expect(nameIn(clients[1]?.translate([frame(bind("s1"))]).batch, 6)).toBe(parsed[0]);
    // Its unnamed statement stays.
    clients[1]?.translate([frame(parse("", "select 'mine'")), frame(parse("s3", "select 1"))]);
    expect(clients[1]?.translate([frame(bind(""))]).prelude).toBeUndefined();
  });

  it("prepares again what the backend has forgotten, once", () => {
    const loaded = new LoadedStatements(500);
    const client = new ClientStatements(loaded);
    client.translate([frame(parse("s1", "select 42"))]);
    expect(client.translate([frame(bind("s1"))]).prelude).toBeUndefined();
    loaded.forgetAll();
    expect(Buffer.from(client.translate([frame(bind("s1"))]).prelude ?? []).toString()).toContain(
      "select 42",
    );
    expect(client.translate([frame(bind("s1"))]).prelude).toBeUndefined();
  });

  it.each([
    ["set work_mem = '8MB'", true],
    ["begin; reset all; commit", true],
    ["do $$ begin set work_mem = '8MB'; end $$", true],
    ["select set_config('work_mem', '8MB', false)", true],
    ["begin; set local work_mem = '8MB'", false],
    ["update messages set status = 'complete'", false],
    ["with one as (select 1) update messages set status = 'complete'", false],
    ["insert into counts values (1) on conflict do update set count = 2", false],
  ])("checks the settings after %s: %s", (sql, isChecked) => {
    const client = new ClientStatements(new LoadedStatements(500));
    expect(client.translate([frame(parse("s1", sql))]).changesSettings).toBe(isChecked);
    expect(client.translate([frame(parse("s2", "select 1"))]).changesSettings).toBe(isChecked);
  });

  it("does not restore what was never executed", () => {
    const loaded = new LoadedStatements(500);
    const client = new ClientStatements(loaded);
    client.translate([frame(parse("", "select 'kept'")), frame(parse("s1", "select 1"))]);
    client.settle([2], true);
    client.translate([frame(parse("", "select 'skipped'")), frame(parse("s2", "select 2"))]);
    client.settle([0], true);
    const { prelude } = client.translate([frame(bind(""))]);
    expect(Buffer.from(prelude ?? []).toString()).toContain("select 'kept'");
    expect(nameIn(client.translate([frame(bind("s2"))]).batch, 6)).toBe("? s2");
  });

  it("restores an unnamed statement after another client used its slot", () => {
    const loaded = new LoadedStatements(500);
    const [one, two] = [new ClientStatements(loaded), new ClientStatements(loaded)];
    one.translate([frame(parse("", "select 'one'"))]);
    two.translate([frame(parse("", "select 'two'"))]);
    expect(Buffer.from(one.translate([frame(bind(""))]).prelude ?? []).toString()).toContain("select 'one'");
    expect(one.translate([frame(bind(""))]).prelude).toBeUndefined();
  });

  it("closes the least recently used statements above the limit, and restores them on demand", () => {
    const loaded = new LoadedStatements(500);
    const client = new ClientStatements(loaded);
    for (let index = 0; index < 600; index += 1)
      client.translate([frame(parse(`s${index}`, `select ${index}`))]);
    expect(loaded.inBackend.size).toBeLessThanOrEqual(501);
    expect(Buffer.from(client.translate([frame(bind("s0"))]).prelude ?? []).toString()).toContain("select 0");
  });

  it("forgets an outdated statement for every client, and closes it", () => {
    const loaded = new LoadedStatements(500);
    const [one, two] = [new ClientStatements(loaded), new ClientStatements(loaded)];
    const name = nameIn(one.translate([frame(parse("s1", "select 1"))]).batch, 5);
    two.translate([frame(parse("s2", "select 1"))]);
    one.translate([frame(bind("s1"))]);
    one.outdate();
    const { batch, prelude } = two.translate([frame(bind("s2"))]);
    expect(nameIn(batch, 6)).toBe("? s2");
    expect(nameIn(prelude, 6)).toBe(name);
    expect(nameIn(two.translate([frame(parse("s2", "select 1"))]).batch, 5)).not.toBe(name);
  });
});

function uint32(value: number): Buffer {
  const buffer = Buffer.alloc(4);
  buffer.writeUInt32BE(value);
  return buffer;
}
